"""How simulated people answer."""

from __future__ import annotations

from statistics import mean

import pytest

from surveys.domain.instrument_files import instrument_from_dict
from surveys.simulation.pages import Option, Question
from surveys.simulation.respondents import Person, Style, knowledge_of, make_people
from tests.factories import definition

SCENE = "The bus drives past."
PARTY = "Friends surprise you."
PANAS = instrument_from_dict(definition())
KNOWLEDGE = knowledge_of(PANAS, {SCENE: -1, PARTY: 1})
OPTIONS = tuple(Option(str(o.value), o.label) for o in PANAS.options)
ITEMS = tuple(Question(f"item-{i.key}", "radio", i.text, OPTIONS) for i in PANAS.items)


def people(style: Style, count: int = 40) -> tuple[Person, ...]:
    return make_people(count=count, style=style, seed="s", knowledge=KNOWLEDGE)


def mean_score(style: Style, subscale: str, scene: str) -> float:
    keys = next(s.items for s in PANAS.subscales if s.key == subscale)
    ratings = [dict(person.answers(ITEMS, scene)) for person in people(style)]
    return mean(sum(int(answers[f"item-{key}"]) for key in keys) for answers in ratings)


def test_the_mood_of_plausible_people_moves_with_the_scene() -> None:
    before, after, happy = (
        [mean_score(Style.PLAUSIBLE, key, scene) for key in ("positive_affect", "negative_affect")]
        for scene in ("", SCENE, PARTY)
    )

    assert after[0] < before[0] - 2
    assert after[1] > before[1] + 5
    assert happy[0] > before[0] + 2
    assert happy[1] < before[1]


def test_careless_people_do_not_notice_the_scene() -> None:
    shift = mean_score(Style.CARELESS, "negative_affect", SCENE) - mean_score(
        Style.CARELESS, "negative_affect", ""
    )

    assert abs(shift) < 3


def test_straightliners_answer_everything_alike() -> None:
    for person in people(Style.STRAIGHTLINER):
        assert len({text for _, text in person.answers(ITEMS, SCENE)}) == 1


def test_answers_depend_neither_on_the_order_nor_on_the_page() -> None:
    person = people(Style.PLAUSIBLE)[3]
    at_once = dict(person.answers(ITEMS, SCENE))

    one_by_one = {k: v for item in reversed(ITEMS) for k, v in person.answers((item,), SCENE)}

    assert one_by_one == at_once


def test_the_seed_decides() -> None:
    def all_answers(seed: str) -> list[list[tuple[str, str]]]:
        crowd = make_people(count=20, style=None, seed=seed, knowledge=KNOWLEDGE)
        return [person.answers(ITEMS, SCENE) for person in crowd]

    assert all_answers("a") == all_answers("a")
    assert all_answers("a") != all_answers("b")


@pytest.mark.parametrize("marks", ["“”", "„“", '""'])
def test_attentive_people_follow_an_instruction(marks: str) -> None:
    legend = f"To show that you read this, choose {marks[0]}quite a bit{marks[1]}"
    check = (Question("item-check", "radio", legend, OPTIONS),)

    assert {p.answers(check, "")[0][1] for p in people(Style.PLAUSIBLE)} == {"4"}
    assert len({p.answers(check, "")[0][1] for p in people(Style.CARELESS)}) > 1


def test_a_mixed_crowd_has_every_style() -> None:
    crowd = make_people(count=200, style=None, seed="1", knowledge=KNOWLEDGE)

    assert {person.style for person in crowd} == set(Style)


def test_every_field_gets_an_answer_that_fits() -> None:
    questions = (
        Question("year_of_birth", "text", "Year"),
        Question("age", "number", "Age", low="18", high="20"),
        Question("declined", "checkbox", "Rather not", (Option("yes", "Rather not"),)),
        Question("agree", "checkbox", "I agree", (Option("on", "I agree"),), is_required=True),
        Question("comment", "textarea", "Comment", text="as it was"),
    )
    sent = dict(people(Style.PLAUSIBLE)[0].answers(questions, ""))

    assert 1950 <= int(sent["year_of_birth"]) <= 2004
    assert 18 <= int(sent["age"]) <= 20
    assert "declined" not in sent
    assert (sent["agree"], sent["comment"]) == ("on", "as it was")
