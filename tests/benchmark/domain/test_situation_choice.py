from __future__ import annotations

from dataclasses import dataclass

import pytest

from benchmark.domain.situation_choice import (
    SituationChoice,
    SituationChoiceError,
    choose_situations,
    parse_situation_choice,
)


@dataclass
class Candidate:
    text: str
    factor_id: int = 1
    is_in_published_study: bool = False


CATALOGUE = [Candidate("A queue."), Candidate("A letter."), Candidate("A queue.", factor_id=2)]
STUDY = [Candidate("A  queue.", is_in_published_study=True)]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("study", SituationChoice()),
        ("all", SituationChoice(everything=True)),
        ("12-per-factor", SituationChoice(per_factor=12)),
    ],
)
def test_a_choice_is_said_in_a_word(text: str, choice: SituationChoice) -> None:
    assert parse_situation_choice(text) == choice


@pytest.mark.parametrize(
    "text", ["", "some", "0-per-factor", "-1-per-factor", "All", "3 per factor"]
)
def test_another_word_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(SituationChoiceError, match="study, all, or"):
        parse_situation_choice(text)


def test_everything_asks_the_same_words_once_a_factor_and_prefers_those_of_the_study() -> None:
    chosen = choose_situations([*CATALOGUE, *STUDY], SituationChoice(everything=True))
    assert chosen == [CATALOGUE[1], CATALOGUE[2], STUDY[0]]


def test_the_study_set_is_what_the_study_presented_or_else_all() -> None:
    assert choose_situations([*CATALOGUE, *STUDY], SituationChoice()) == STUDY
    assert choose_situations(CATALOGUE, SituationChoice()) == CATALOGUE


def test_so_many_a_factor_are_the_first_of_each() -> None:
    chosen = choose_situations(CATALOGUE, SituationChoice(per_factor=1))
    assert chosen == [CATALOGUE[0], CATALOGUE[2]]
