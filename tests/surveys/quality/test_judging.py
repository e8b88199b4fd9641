from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from surveys.models import Administration, AttentionCheck, PageVisit, Participation
from surveys.services.errors import SurveyError
from surveys.services.quality import judge
from tests.factories import ParticipationFactory, SituationVersionFactory, StudyFactory
from tests.surveys.people.conftest import Person

pytestmark = pytest.mark.django_db
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
N_PAGES = 10


def finished(*, ratings: int | list[int] = 3, seconds_a_page: float | None = 30, **study):
    """PANAS by five with one situation of 40 words, walked in even time; all items rated."""
    study = StudyFactory(n_situations=0, **study)
    words = SituationVersionFactory(text="word " * 40)
    participation = ParticipationFactory(study=study, assigned=[words], pages_done=N_PAGES)
    values = [ratings] * 20 if isinstance(ratings, int) else ratings
    for position, version in enumerate([None, words]):
        Administration.objects.create(
            participation=participation, position=position, instrument=study.instrument,
            phase="evoked" if version else "default", situation_version=version,
            item_order=list(range(20)), ratings=values, scores={"positive_affect": 1},
        )  # fmt: skip
    if seconds_a_page is not None:
        for number in range(1, N_PAGES + 1):
            visit(participation, number, seconds_a_page)
    return participation


def visit(participation: Participation, number: int, seconds: float) -> None:
    PageVisit.objects.update_or_create(
        participation=participation,
        number=number,
        defaults={
            "first_shown_at": START,
            "last_shown_at": START,
            "saved_at": START + timedelta(seconds=seconds),
        },
    )


def check(participation: Participation, measure: int, answered: int | None) -> None:
    AttentionCheck.objects.create(
        participation=participation, measure_position=measure, place=3, asked_value=2,
        text="Please choose 'a little' here.", answered_value=answered,
    )  # fmt: skip


def codes(participation: Participation) -> list[str]:
    judge(participation=participation)
    return [flag["code"] for flag in participation.flags]


VARIED = [1, 2, 3, 4] * 5


def test_flags_are_set_on_the_object_and_not_saved() -> None:
    participation = finished(seconds_a_page=2, exclusion_flags=2)

    judge(participation=participation)

    assert participation.flags == [
        {
            "code": "very_fast_ratings",
            "reason": "0.40 seconds an item in the fastest measure, below 0.5",
        },
        {
            "code": "fast_reading",
            "reason": "read a situation in 1200 words a minute, above 600 a minute",
        },
        {"code": "all_equal", "reason": "every measure has the same answer to all of its items"},
    ]
    assert participation.outcome == "completed"
    assert participation.excluded_because == (
        "Quality rule: 3 flags: very fast ratings, fast reading, all equal"
    )
    stored = Participation.objects.get()
    assert (stored.flags, stored.outcome, stored.excluded_because) == ([], "", "")


def test_nothing_is_flagged_where_nothing_was_recorded() -> None:
    assert codes(finished(ratings=VARIED, seconds_a_page=None)) == []


@pytest.mark.parametrize("missing", [2, 5])
def test_a_measure_with_a_page_of_unknown_time_is_not_timed(missing: int) -> None:
    participation = finished(ratings=VARIED)
    for number in range(2, 6):
        visit(participation, number, 1)
    assert codes(participation) == ["very_fast_ratings"]

    participation.page_visits.filter(number=missing).update(saved_at=None)

    assert codes(participation) == []


def test_a_clock_set_back_is_no_haste() -> None:
    participation = finished(ratings=VARIED)
    participation.page_visits.update(saved_at=START - timedelta(hours=1))

    assert codes(participation) == []


def test_a_page_that_was_sent_and_never_shown_is_of_unknown_time() -> None:
    participation = finished(ratings=VARIED, seconds_a_page=1)
    participation.page_visits.filter(number__in=[2, 6, 7]).update(saved_at=START)

    assert codes(participation) == []


def test_pages_laid_out_anew_are_not_timed() -> None:
    participation = finished(ratings=VARIED, seconds_a_page=1)
    participation.study.items_per_page = 20

    assert codes(participation) == []


def test_times_belong_to_their_pages_where_no_questions_about_the_person_are_asked() -> None:
    participation = finished(ratings=VARIED, seconds_a_page=None, demographic_questions=[])
    participation.pages_done = N_PAGES - 1
    for number in range(1, N_PAGES):
        visit(participation, number, 1 if number == 5 else 30)

    assert codes(participation) == ["fast_reading"]


def test_a_numb_person_stays_in_the_norms() -> None:
    participation = finished(ratings=1, exclusion_flags=2)
    check(participation, 0, 2)
    check(participation, 1, 2)

    judge(participation=participation)
    participation.state = "completed"
    participation.save()

    assert [flag["code"] for flag in participation.flags] == ["all_equal"]
    assert Participation.objects.counted().get() == participation


def test_failed_checks_decide_the_outcome_and_raise_one_flag() -> None:
    participation = finished(ratings=VARIED, exclusion_flags=2)
    check(participation, 0, 5)
    check(participation, 1, 1)

    assert codes(participation) == ["instructed_item"]
    assert participation.outcome == "failed_attention"
    assert participation.excluded_because == ""


def test_a_check_without_an_answer_is_not_failed() -> None:
    participation = finished(ratings=VARIED)
    check(participation, 0, None)
    check(participation, 1, 1)

    judge(participation=participation)

    assert participation.flags[0]["reason"] == "1 of 2 instructed items answered otherwise"
    assert participation.outcome == "completed"


def test_an_exclusion_by_hand_stays_and_one_by_the_rule_follows_the_rule() -> None:
    participation = finished(seconds_a_page=2, exclusion_flags=2)
    participation.excluded_because = "Wrote that they guessed"
    judge(participation=participation)
    assert participation.excluded_because == "Wrote that they guessed"

    participation.excluded_because = ""
    judge(participation=participation)
    assert participation.excluded_because
    participation.study.exclusion_flags = None
    judge(participation=participation)
    assert participation.excluded_because == ""


def test_what_is_not_complete_is_not_judged() -> None:
    participation = finished()
    participation.administrations.filter(position=1).update(scores=None)

    with pytest.raises(SurveyError) as caught:
        judge(participation=participation)

    assert caught.value.code == "not_completed"


def test_whoever_clicks_through_the_pages_is_judged_with_the_last_one() -> None:
    study = StudyFactory(exclusion_flags=2)
    hasty = Person(study)

    hasty.walk(hasty.consent())

    participation = Participation.objects.get()
    assert [flag["code"] for flag in participation.flags] == [
        "very_fast_ratings", "fast_reading", "all_equal",
    ]  # fmt: skip
    assert participation.state == "completed"
    assert participation.outcome == "completed"
    assert not Participation.objects.counted().exists()


def test_judging_asks_the_database_little(django_assert_max_num_queries) -> None:
    participation = Participation.objects.select_related("study__instrument").get(pk=finished().pk)

    with django_assert_max_num_queries(5):
        judge(participation=participation)
