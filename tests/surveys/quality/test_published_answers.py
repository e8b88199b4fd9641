"""What the signs say about the published study's people; the figures of docs/data.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from surveys.domain.instrument_files import instrument_from_dict
from surveys.domain.quality import Answers, RatedMeasure
from surveys.domain.synonyms import PANAS
from surveys.importing.people_files import read_people
from tests.factories import definition

pytestmark = pytest.mark.needs_shared_data


def test_synonyms_lie_close_in_the_published_answers(shared_data: Path) -> None:
    panas = instrument_from_dict(definition("panas"))
    path = shared_data / "emotionbench" / "results" / "PANAS Test" / "crowd.xlsx"
    people = [
        Answers(
            [
                RatedMeasure(dict(zip(panas.item_keys, ratings, strict=True)))
                for ratings in (person.default, person.evoked)
            ],
            synonyms=PANAS,
        )
        for person in read_people(path, panas)
    ]
    differences = sorted(answers.synonym_difference for answers in people)

    assert len(people) == 1266
    assert sum(differences) / 1266 == pytest.approx(0.522, abs=0.0005)
    assert differences[int(0.95 * 1266)] == pytest.approx(0.929, abs=0.001)
    shares = {cut: sum(d > cut for d in differences) / 1266 for cut in (1.25, 1.5, 1.75)}
    assert shares[1.25] == pytest.approx(0.0166, abs=0.0001)
    assert shares[1.5] == pytest.approx(0.0047, abs=0.0001)
    assert shares[1.75] == 0
    assert not any(answers.is_all_equal for answers in people)
