"""`simulate_participants` against a real server: the pages as they are, over HTTP."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from surveys.models import Administration, Participation, Study, Submission
from surveys.querysets import counted
from surveys.services.entry import enter_study
from surveys.services.errors import SurveyError
from surveys.simulation.identities import simulated_ids
from surveys.simulation.respondents import Style
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # One server for the tests of this file, and no second suite beside it.
    pytest.mark.xdist_group("simulate_participants"),
]


@pytest.fixture
def study() -> Study:
    return factories.StudyFactory(slug="sim", n_situations=2, items_per_page=10)


def simulate(live_server: Any, *arguments: str, slug: str = "sim") -> dict[str, Any]:
    out = io.StringIO()
    call_command(
        "simulate_participants", "--study", slug, "--base-url", live_server.url, "--format",
        "json", *arguments, stdout=out,
    )  # fmt: skip
    return json.loads(out.getvalue())


@pytest.mark.parametrize("style", [style for style in Style if style is not Style.QUITTER])
def test_every_style_but_one_walks_to_the_completion_code(
    live_server: Any, study: Study, style: Style
) -> None:
    report = simulate(live_server, "--n", "2", "--concurrency", "2", "--style", style)

    assert report["endings"] == {"finished": 2, "left": 0, "failed": 0}
    assert report["problems"] == {}
    assert Participation.objects.filter(state="completed").count() == 2
    assert Administration.objects.filter(scores__isnull=False).count() == 4


def test_quitters_leave_and_are_no_error(live_server: Any, study: Study) -> None:
    report = simulate(live_server, "--n", "3", "--style", "quitter")

    assert report["endings"]["failed"] == 0
    assert report["endings"]["left"] >= 1
    assert (
        Participation.objects.filter(state="active").count() + report["endings"]["finished"]
        == Participation.objects.count()
    )


def test_none_of_them_counts(live_server: Any, study: Study) -> None:
    simulate(live_server, "--n", "3", "--style", "plausible")

    assert Participation.objects.filter(is_test=True).count() == 3
    assert not Participation.objects.counted().exists()
    assert not Study.objects.filter(counted("participations__")).exists()
    assert Submission.objects.filter(prolific_participant_id__startswith="sim-").count() == 3


def test_a_second_run_brings_other_people(live_server: Any, study: Study) -> None:
    simulate(live_server, "--n", "1")
    simulate(live_server, "--n", "1")

    assert Participation.objects.count() == 2


def test_the_same_seed_gives_the_same_answers(live_server: Any) -> None:
    study = factories.StudyFactory(slug="fixed", item_order="fixed", items_per_page=20)

    def ratings(seed: str) -> list[Any]:
        Administration.objects.all().delete()
        simulate(
            live_server, "--n", "1", "--style", "plausible", "--seed", seed,
            slug=study.slug,
        )  # fmt: skip
        rows = Administration.objects.order_by("participation_id", "position")
        return list(rows.values_list("ratings", flat=True))

    first = ratings("a")

    assert ratings("a") == first
    assert ratings("b") != first


def test_requests_are_timed_by_kind_of_page(live_server: Any, study: Study) -> None:
    requests = simulate(live_server, "--n", "1", "--style", "plausible")["requests"]

    assert requests["POST ratings"]["n"] == 4
    assert {"GET consent", "POST consent", "GET situation", "GET end"} <= set(requests)
    for spread in requests.values():
        assert 0 < spread["p50_ms"] <= spread["p95_ms"] <= spread["p99_ms"]


def test_what_stops_people_is_said(live_server: Any, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state="closed")

    with pytest.raises(CommandError, match="2 of 2 could not go on"):
        simulate(live_server, "--n", "2")

    assert not Participation.objects.exists()


def test_an_unknown_study_is_named(live_server: Any) -> None:
    with pytest.raises(CommandError, match="there is no study 'sim'"):
        simulate(live_server, "--n", "1")


def test_a_site_with_another_key_lets_no_simulation_in(study: Study, settings: Any) -> None:
    """They would count as people there."""
    key, settings.SECRET_KEY = settings.SECRET_KEY, "the key of another site, as long as this one"
    forged = simulated_ids(slug=study.slug, run="r", number=1)
    settings.SECRET_KEY = key

    with pytest.raises(SurveyError, match="ids_missing"):
        enter_study(slug=study.slug, ids=forged, code="c" * 22, now=timezone.now(), rng=Random(1))


@pytest.mark.parametrize(("style", "n_refused"), [("plausible", 0), ("speeder", 1)])
def test_a_reading_gate_holds_them_as_it_holds_people(
    live_server: Any, study: Study, style: str, n_refused: int
) -> None:
    Study.objects.filter(pk=study.pk).update(reading_words_per_minute=600)

    report = simulate(live_server, "--n", "1", "--style", style)

    assert report["endings"]["finished"] == 1
    requests = report["requests"]
    assert requests["POST situation"]["n"] == requests["GET situation"]["n"] + n_refused
    assert report["seconds"] > 1
