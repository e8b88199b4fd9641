"""Typed readers of environment variables, strict: a malformed value stops the start.

A variable NAME can be given as NAME_FILE instead, the path of a file that holds the value, as
container secrets are. A `.env` file beside manage.py fills in what the environment does not set.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


def load_env_file(path: Path) -> None:
    """Read KEY=VALUE lines into the environment; variables that are already set win."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise ImproperlyConfigured(f"{path.name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ImproperlyConfigured(f"{path.name} is not a UTF-8 text") from error
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        key, equals, value = text.removeprefix("export ").partition("=")
        if not equals or not key.strip().isidentifier():
            raise ImproperlyConfigured(f"{path.name}, line {number}: expected NAME=VALUE")
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        os.environ.setdefault(key.strip(), value)


def text(name: str, default: str = "") -> str:
    """The variable, or what its NAME_FILE holds; an empty one counts as not set."""
    file = os.environ.get(f"{name}_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error
    return os.environ.get(name, "").strip() or default


def boolean(name: str, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value not in TRUE | FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}: use true or false")
    return value in TRUE


def integer(name: str, default: int) -> int:
    value = text(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}: use a whole number") from None


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def numbers(name: str, default: str) -> list[float]:
    """A comma-separated list of as many numbers as the default has."""
    values = words(name, default)
    try:
        parsed = [float(value) for value in values]
    except ValueError:
        parsed = []
    if len(parsed) != len(default.split(",")):
        raise ImproperlyConfigured(f"{name} is {','.join(values)!r}: use numbers, as in {default}")
    return parsed
