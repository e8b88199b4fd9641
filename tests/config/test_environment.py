from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from config.database import database_settings


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_VALUE", " ")

    assert env.text("X_VALUE", "fallback") == "fallback"
    assert env.integer("X_VALUE", 7) == 7
    assert env.boolean("X_VALUE", True) is True


@pytest.mark.parametrize(("value", "expected"), [("yes", True), ("0", False), ("TRUE", True)])
def test_booleans_are_read(value: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_VALUE", value)

    assert env.boolean("X_VALUE", not expected) is expected


@pytest.mark.parametrize("reader", [env.boolean, env.integer])
def test_a_malformed_value_stops_the_start(reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_VALUE", "perhaps")

    with pytest.raises(ImproperlyConfigured, match="X_VALUE is 'perhaps'"):
        reader("X_VALUE", 0)


def test_a_secret_may_come_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text("s3cret\n")
    monkeypatch.setenv("X_KEY_FILE", str(tmp_path / "key"))

    assert env.text("X_KEY") == "s3cret"
    monkeypatch.setenv("X_KEY_FILE", str(tmp_path / "absent"))
    with pytest.raises(ImproperlyConfigured, match="X_KEY_FILE cannot be read"):
        env.text("X_KEY")


def test_the_env_file_fills_in_what_is_not_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("X_SET", "outside")
    monkeypatch.delenv("X_NEW", raising=False)
    path = tmp_path / ".env"
    path.write_text("# comment\n\nX_SET=inside\nexport X_NEW='quoted = value'\n")

    env.load_env_file(path)

    assert env.text("X_SET") == "outside"
    assert env.text("X_NEW") == "quoted = value"
    monkeypatch.delenv("X_NEW")


@pytest.mark.parametrize("content", [b"NO EQUALS SIGN", b"=value", b"A B=1", b"X=\xff\xfe"])
def test_a_broken_env_file_says_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(content)

    with pytest.raises(ImproperlyConfigured, match=r"\.env"):
        env.load_env_file(path)


def test_sqlite_paths_are_relative_or_absolute_and_their_folder_is_made(tmp_path: Path) -> None:
    base, elsewhere = tmp_path / "base", tmp_path / "data"

    assert database_settings("sqlite:///var/x.db", base)["NAME"] == f"{base}/var/x.db"
    assert database_settings(f"sqlite:///{elsewhere}/x.db", base)["NAME"] == f"{elsewhere}/x.db"
    assert (base / "var").is_dir()
    assert elsewhere.is_dir()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("in the way")

    with pytest.raises(ImproperlyConfigured, match="var cannot be made"):
        database_settings("sqlite:///var/x.db", tmp_path)


def test_a_postgresql_address_is_taken_apart() -> None:
    url = "postgresql://ann:p%40ss@db:5433/affect?sslmode=require"
    settings = database_settings(url, Path("/base"))

    assert (settings["USER"], settings["PASSWORD"]) == ("ann", "p@ss")
    assert (settings["HOST"], settings["PORT"], settings["NAME"]) == ("db", "5433", "affect")
    assert settings["OPTIONS"] == {"sslmode": "require"}


def test_another_database_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="mysql"):
        database_settings("mysql://x/y", Path("/base"))


def test_the_example_documents_every_variable_that_is_read() -> None:
    import re

    example = Path(".env.example").read_text()
    sources = [*Path("config").glob("*.py"), *Path("surveys").rglob("*.py")]
    read = {
        name
        for source in sources
        for name in re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source.read_text())
    }

    assert read
    missing = [name for name in sorted(read) if not re.search(rf"^{name}=", example, re.M)]
    assert missing == []


def test_numbers_are_as_many_as_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.numbers("X_NUMBERS", "2,1,2") == [2, 1, 2]
    monkeypatch.setenv("X_NUMBERS", "1.5, 0, 3")
    assert env.numbers("X_NUMBERS", "2,1,2") == [1.5, 0, 3]
    for wrong in ("1,2", "a,b,c", "1;2;3"):
        monkeypatch.setenv("X_NUMBERS", wrong)
        with pytest.raises(ImproperlyConfigured, match="X_NUMBERS"):
            env.numbers("X_NUMBERS", "2,1,2")
