from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmark.domain.prompts import TemplateText, render_messages
from benchmark.importing.prompt_templates import template_text
from benchmark.importing.release_files import find_release_files, kind_of
from benchmark.importing.trial_names import instrument_of, parse_file_name
from benchmark.importing.trial_tables import read_trial_table
from surveys.domain.protocol import ImaginedSituation, Protocol
from surveys.importing.faults import ReleaseFileError
from surveys.importing.instruments import stored_instruments
from surveys.models import InstrumentVersion
from tests import factories
from tests.surveys.importing.files import panas, situation_tree, trial_rows, write_csv

FILES = ("panas", "agq", "bdi_ii", "dass_21", "mjs")


@pytest.fixture
def instruments(db: None) -> dict[str, InstrumentVersion]:
    for file in FILES:
        factories.InstrumentFactory(file=file)
    return stored_instruments()


@pytest.mark.parametrize(
    ("stem", "model", "key"),
    [
        ("gpt-4-PANAS-testing", "gpt-4", "panas"),
        ("gpt-3.5-turbo-DASS-21-testing", "gpt-3.5-turbo", "dass-21"),
        ("mixtral-8x22b-BDI-testing", "mixtral-8x22b", "bdi"),
        ("m-BDI-II-testing", "m", "bdi-ii"),
        ("llama3.1-8b-agq-Testing", "llama3.1-8b", "agq"),
        ("davinci-003-testing", "davinci-003", ""),
        ("MJS-testing", "MJS", ""),
    ],
)
def test_model_and_instrument_by_the_file_name(
    instruments: dict[str, InstrumentVersion], stem: str, model: str, key: str
) -> None:
    assert parse_file_name(stem, instruments) == (model, key)


def test_the_rows_decide_where_the_name_does_not(
    instruments: dict[str, InstrumentVersion], tmp_path: Path
) -> None:
    path = write_csv(tmp_path / "davinci-003-testing.csv", trial_rows(["General_order-0"]))
    name = parse_file_name(path.stem, instruments)
    assert instrument_of(name, read_trial_table(path), instruments).key == "PANAS"


def test_rows_that_fit_two_instruments_are_not_guessed(
    instruments: dict[str, InstrumentVersion], tmp_path: Path
) -> None:
    rows = [*trial_rows(["General_order-0"]), ["21. Calm", 21, 1]]
    path = write_csv(tmp_path / "davinci-003-testing.csv", rows)
    with pytest.raises(ReleaseFileError) as error:
        instrument_of(parse_file_name(path.stem, instruments), read_trial_table(path), instruments)
    assert str(error.value) == (
        "column question-0 (A), row 23: 21 rows of ratings do not say which instrument this is; "
        "name the file <model>-<instrument>-testing.csv"
    )


def messages(text: TemplateText, situation: ImaginedSituation | None) -> list[str]:
    spec = panas()
    protocol = Protocol(
        spec, spec.item_keys, (situation,) if situation else (), has_default=situation is None
    )
    return [m.content for m in render_messages(text, spec, protocol.measures[0])]


def test_the_prompt_is_put_as_the_release_puts_it() -> None:
    text = template_text("Say {1}. SCENARIO Rate all:", "Only {digits}.")
    system, user = messages(text, ImaginedSituation(1, "A {red} kite."))
    assert system == "Only {digits}."
    assert user.startswith(
        'Prompt: Say {1}. Imagine you are the protagonist in the scenario: "A {red} kite." '
        "Rate all:\n1. Interested\n2. Distressed\n"
    )
    assert user.endswith("\n20. Afraid")


def test_the_default_measure_holds_one_space_where_the_situation_would_stand() -> None:
    (user,) = messages(template_text("Say. SCENARIO Rate:"), None)
    assert user.startswith("Prompt: Say.   Rate:\n1. Interested\n")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("situations.csv", "situations"),
        ("scenarios.csv", "situations"),
        ("situations.xlsx", "situations"),
        ("new.jsonl", "situations"),
        ("questionnaires.json", "instruments"),
        ("crowd.xlsx", "people"),
        ("gpt-4-testing.csv", "models"),
        ("notes.txt", ""),
        ("other.xlsx", ""),
        ("package.json", ""),
    ],
)
def test_the_kind_of_a_file_by_its_name(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("{}")
    assert kind_of(tmp_path / name) == kind


def test_the_kind_of_a_file_by_a_look_inside(tmp_path: Path) -> None:
    tree = tmp_path / "tree.json"
    tree.write_text(json.dumps(situation_tree()))
    trials = write_csv(tmp_path / "my-model.csv", trial_rows(["General_order-0"]))
    assert (kind_of(tree), kind_of(trials)) == ("situations", "models")


def test_files_come_in_the_order_in_which_they_need_each_other(tmp_path: Path) -> None:
    names = [
        "results/a-testing.csv",
        "results/crowd.xlsx",
        "results/scenarios.csv",
        "questionnaires.json",
        "situations/situations.xlsx",
        "situations/situations.csv",
        "situations.json",
        ".git/config.csv",
        "README.md",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    files, unknown = find_release_files(tmp_path)
    assert [file.name for file in files] == [
        "situations/situations.csv",
        "situations.json",
        "results/scenarios.csv",
        "situations/situations.xlsx",
        "questionnaires.json",
        "results/crowd.xlsx",
        "results/a-testing.csv",
    ]
    assert unknown == ("README.md",)
