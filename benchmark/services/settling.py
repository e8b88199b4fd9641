"""Storing what became of trials: once, and only by the worker that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction

from benchmark.domain.prompts import messages_as_json, messages_hash
from benchmark.models import ModelAdministration, Trial
from benchmark.services.questions import Settlement

LONGEST_REASON = 300


def settle_trial(*, settlement: Settlement, worker: str, now: datetime) -> bool:
    """Store one settlement; whether the lease still was this worker's, so that it counts."""
    return bool(settle_trials(settlements=[settlement], worker=worker, now=now))


@transaction.atomic
def settle_trials(
    *, settlements: Sequence[Settlement], worker: str, now: datetime
) -> list[Settlement]:
    """Store settlements with their administrations, in one transaction; those that counted.

    A trial whose lease has gone to another worker is left alone: whoever settles first is stored.
    """
    counted = [s for s in settlements if _settle(s, worker, now)]
    ModelAdministration.objects.bulk_create(
        [_administration(s, now) for s in counted if s.administration is not None]
    )
    return counted


def _settle(settlement: Settlement, worker: str, now: datetime) -> bool:
    held = Trial.objects.filter(
        pk=settlement.asked.trial.pk, state=Trial.State.LEASED, leased_by=worker
    )
    reply = settlement.reply
    changed = held.update(
        state=settlement.state,
        state_reason=_storable(settlement.reason)[:LONGEST_REASON],
        leased_by="",
        leased_until=None,
        messages=messages_as_json(settlement.messages),
        messages_hash=messages_hash(settlement.messages),
        parameters_sent=dict(reply.parameters_sent),
        parameters_dropped=_storable(dict(reply.parameters_dropped)),
        raw_reply=_storable(reply.text),
        finish_reason=_storable(reply.finish_reason)[:40],
        usage=_storable(dict(reply.usage)),
        response_model=_storable(reply.response_model)[:200],
        system_fingerprint=_storable(reply.system_fingerprint)[:120],
        latency_ms=reply.latency_ms,
        asked_at=settlement.asked.asked_at,
        settled_at=now,
    )
    return changed == 1


def _administration(settlement: Settlement, now: datetime) -> ModelAdministration:
    trial, answers = settlement.asked.trial, settlement.administration
    assert answers is not None
    instrument = settlement.asked.protocol.instrument
    return ModelAdministration(
        trial=trial,
        instrument_id=trial.run.instrument_id,
        phase=trial.phase,
        situation_version_id=trial.situation_version_id,
        item_order=trial.item_order,
        ratings=[answers.ratings[key] for key in instrument.item_keys],
        scores={
            key: float(value) if isinstance(value, Fraction) else value
            for key, value in answers.scores.items()
        },
        started_at=settlement.asked.asked_at,
        completed_at=now,
    )


def _storable(value: Any) -> Any:
    """The value with what no database can hold made visible: NUL and lone surrogates."""
    if isinstance(value, str):
        text = value.replace("\x00", "\\x00")
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_storable(inner) for inner in value]
    return value
