from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from surveys.models import Participation, Study, StudyEvent
from tests.surveys.quality.test_judging import VARIED, finished

pytestmark = pytest.mark.django_db


def run(study: Study, *arguments: str) -> dict[str, int]:
    out = StringIO()
    call_command("judge_study", study.slug, "--format", "json", *arguments, stdout=out)
    return json.loads(out.getvalue())


def hasty(**study) -> Participation:
    participation = finished(seconds_a_page=1, **study)
    participation.state = "completed"
    participation.save()
    return participation


def test_a_changed_threshold_is_applied_once_and_leaves_a_trace() -> None:
    participation = hasty(exclusion_flags=3)

    assert run(participation.study) == {"judged": 1, "flagged": 1, "excluded": 1, "changed": 1}
    assert run(participation.study) == {"judged": 1, "flagged": 1, "excluded": 1, "changed": 0}

    participation.refresh_from_db()
    assert [flag["code"] for flag in participation.flags] == [
        "very_fast_ratings", "fast_reading", "all_equal",
    ]  # fmt: skip
    assert not Participation.objects.counted().exists()
    assert StudyEvent.objects.get().detail == "1 of 1 changed, 1 excluded by the rule"


def test_a_dry_run_changes_nothing() -> None:
    participation = hasty(exclusion_flags=1)

    assert run(participation.study, "--dry-run")["changed"] == 1

    participation.refresh_from_db()
    assert (participation.flags, participation.excluded_because) == ([], "")
    assert not StudyEvent.objects.exists()


def test_the_outcome_that_prolific_was_told_stays() -> None:
    participation = hasty()
    Participation.objects.update(outcome="failed_attention")

    run(participation.study)

    participation.refresh_from_db()
    assert participation.outcome == "failed_attention"


def test_who_completed_less_than_the_study_asks_now_stays_as_they_are() -> None:
    study = hasty().study
    short = finished()
    Participation.objects.filter(pk=short.pk).update(study=study, state="completed")
    short.administrations.filter(position=1).delete()

    assert run(study) == {"judged": 2, "flagged": 1, "excluded": 0, "changed": 1}


def test_active_and_withdrawn_people_are_not_judged() -> None:
    active = finished(ratings=VARIED)

    assert run(active.study)["judged"] == 0


def test_unknown_and_imported_studies_are_refused() -> None:
    imported = finished(origin="imported").study

    with pytest.raises(CommandError, match="study_imported"):
        call_command("judge_study", imported.slug)
    with pytest.raises(CommandError, match="no study nowhere"):
        call_command("judge_study", "nowhere")


def test_queries_do_not_grow_with_people(django_assert_max_num_queries) -> None:
    study = hasty().study
    for _ in range(5):
        other = finished(seconds_a_page=1)
        Participation.objects.filter(pk=other.pk).update(study=study, state="completed")

    with django_assert_max_num_queries(14):
        assert run(study)["judged"] == 6
