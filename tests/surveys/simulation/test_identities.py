"""Only who has the site's key makes people who are marked as tests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from surveys.domain.entry_ids import read_ids
from surveys.simulation.identities import is_forged, is_simulated, simulated_ids

IDS = st.text("abcdefABCDEF0123456789-_", max_size=64)


def test_made_ids_are_recognised_at_their_study_only() -> None:
    ids = simulated_ids(slug="mood", run="ab12", number=7)

    assert is_simulated(slug="mood", participant=ids.participant)
    assert not is_simulated(slug="other", participant=ids.participant)
    assert is_forged(slug="other", participant=ids.participant)


def test_they_are_valid_ids_of_a_link() -> None:
    ids = simulated_ids(slug="mood", run="a" * 20, number=99_999)

    link = {"PROLIFIC_PID": ids.participant, "STUDY_ID": ids.study, "SESSION_ID": ids.session}
    assert read_ids({name: [value] for name, value in link.items()}) == ids


@given(IDS)
def test_nobody_becomes_a_test_by_a_made_up_id(participant: str) -> None:
    assert not is_simulated(slug="mood", participant=participant)
    assert not is_simulated(slug="mood", participant=f"sim-{participant}")
    assert is_forged(slug="mood", participant=f"sim-{participant}")
    if not participant.startswith("sim-"):
        assert not is_forged(slug="mood", participant=participant)
