"""People of small releases with invented words."""

from __future__ import annotations

from pathlib import Path

import pytest

from surveys.models import (
    Administration,
    Participation,
    Situation,
    Study,
)
from tests.benchmark.importing.small_release import counts, run_import
from tests.surveys.importing.files import (
    crowd_rows,
    write_xlsx,
)

pytestmark = pytest.mark.django_db


def test_people_become_a_closed_imported_study(release: Path) -> None:
    run_import(release)
    study = Study.objects.get(slug="emotionbench")
    assert (study.state, study.origin, study.instrument.key) == ("closed", "imported", "PANAS")
    first, second = study.participations.order_by("pk")
    assert (first.source_key, first.gender, first.year_of_birth) == ("C", "Female", 1980)
    assert (first.state, first.completed_at) == ("completed", None)
    version = second.assignments.get().situation_version
    assert version.text == "She got the window."
    default, evoked = second.administrations.order_by("position")
    assert (default.phase, default.situation_version) == ("default", None)
    assert (evoked.phase, evoked.situation_version) == ("evoked", version)
    assert evoked.scores == {"positive_affect": 31, "negative_affect": 29}
    assert Situation.objects.filter(is_in_published_study=True).count() == 2
    assert study.situations.count() == 2


def test_sums_of_the_sheet_that_are_wrong_are_reported(release: Path) -> None:
    rows = crowd_rows()
    rows += [
        [None, "Positive Affect(General)", 31, 32],
        [None, "Negative Affect(General)", 29, 29],
        [None, "Positive Affect(After Scenario)", 31, 31],
    ]
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    assert run_import(release)["results/crowd.xlsx"].warnings == [
        "sheet Raw: the sheet's own sum of positive_affect (default) is not that of its ratings "
        "in 1 columns (D); the ratings count",
        "nothing quotes what was shown at 1 places (Jealousy-0_scenario-1); the catalogue's words "
        "there are taken",
    ]


def test_a_person_with_blank_ratings_is_kept_and_does_not_count(release: Path) -> None:
    rows = crowd_rows(rate=lambda p, n, phase: None if (p, phase) == (1, "evoked") else 3)
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    outcome = run_import(release)["results/crowd.xlsx"]
    assert counts(outcome) == (2, 0, 0, 1)
    participation = Participation.objects.get(source_key="D")
    assert participation.excluded_because == "20 of 20 evoked ratings blank"
    assert participation.administrations.get(phase="evoked").scores is None
    assert Participation.objects.counted().count() == 1


def test_people_changed_since_are_reported_and_left(release: Path) -> None:
    run_import(release)
    rows = crowd_rows(["Angry_F1S1", "Jealous_F1S2", "Angry_F2S1"])
    rows[10][2] = 5
    write_xlsx(release / "results" / "crowd.xlsx", rows)
    outcome = run_import(release)["results/crowd.xlsx"]
    assert counts(outcome) == (0, 0, 1, 0)
    assert outcome.warnings == [
        "sheet Raw: 1 columns differ from what was imported before (C); what is stored stays",
        "sheet Raw: 1 columns were not there before, and are not added (E); what is stored stays",
    ]
    assert Administration.objects.filter(participation__source_key="C").first().ratings[4] == 1
