"""The ids that simulated participants bring: made here, and recognised when they come in.

An id in a link can claim anything, so a simulated one proves itself: it ends in a signature that
only who has the site's secret key can make, and that is good for one study. Entry marks whoever
brings one as a test, and lets nobody in with a made-up one, who would count as a person.
"""

from __future__ import annotations

from django.utils.crypto import constant_time_compare, salted_hmac

from surveys.domain.entry_ids import EntryIds

_PREFIX = "sim-"
_SALT = "surveys.simulation.identities"


def simulated_ids(*, slug: str, run: str, number: int, prolific_study: str = "") -> EntryIds:
    """The ids of participant `number` of a simulation at the study `slug`.

    `run` tells one simulation's people from another's: letters and digits, at most 20.
    """
    name = f"{_PREFIX}{run}-{number}"
    participant = f"{name}-{_signature(slug, name)}"
    return EntryIds(participant, prolific_study or "simulated", f"session-{run}-{number}")


def is_simulated(*, slug: str, participant: str) -> bool:
    """Whether this participant id was made here, for this study."""
    name, _, signature = participant.rpartition("-")
    return name.startswith(_PREFIX) and constant_time_compare(signature, _signature(slug, name))


def is_forged(*, slug: str, participant: str) -> bool:
    """Whether this id claims to be simulated without being so, as after a change of the key."""
    return participant.startswith(_PREFIX) and not is_simulated(slug=slug, participant=participant)


def _signature(slug: str, name: str) -> str:
    return salted_hmac(_SALT, f"{slug}/{name}", algorithm="sha256").hexdigest()[:24]
