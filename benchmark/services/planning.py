"""Planning a run: every setting resolved and every trial written down before the first question."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from benchmark.domain.baselines import Baseline
from benchmark.domain.plan import LARGEST_SEED, PlanError, PlannedTrial, enumerate_trials
from benchmark.domain.prompts import ReplyFormat
from benchmark.models import LanguageModel, Run, Trial
from benchmark.services.errors import BenchmarkError
from benchmark.services.prompt_templates import newest_template
from benchmark.services.situations import known_emotions, people_by_cell, situations_of_choice
from surveys.domain.protocol import ImaginedSituation, ItemOrder
from surveys.models import InstrumentVersion

PAPER_SAMPLING: Mapping[str, Any] = {"temperature": 0.01, "top_p": 1}
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a researcher chooses about a run.

    `emotions` empty: every emotion, or the one that the instrument is paired with. `seed` None:
    drawn. `parameters` are sampling parameters by their API names.
    """

    preset: str = "paper"
    variant: str = "standard"
    emotions: Sequence[str] = ()
    situations: str = "study"
    default_repeats: int = 50
    repeats: int = 10
    item_order: ItemOrder = ItemOrder.PERMUTED
    reply_format: str = ReplyFormat.TEXT
    parameters: Mapping[str, Any] = field(default_factory=lambda: dict(PAPER_SAMPLING))
    seed: int | None = None
    concurrency: int = 8
    timeout_s: float = 60.0
    max_tokens_total: int | None = None


def plan_run(
    *,
    language_model: LanguageModel,
    instrument: InstrumentVersion,
    settings: RunSettings | None = None,
    created_by: Any = None,
    **choices: Any,
) -> Run:
    """A planned run with all its trials, in one transaction.

    `choices` are fields of RunSettings, for callers that have no settings object. Raises
    BenchmarkError with a sentence where the run could not be asked.
    """
    chosen = settings or RunSettings(**choices)
    _check(chosen, language_model, instrument)
    template = newest_template(preset=chosen.preset, instrument=instrument)
    emotions = _emotions(chosen, instrument)
    situations: tuple[ImaginedSituation, ...] = ()
    if chosen.repeats:
        situations = situations_of_choice(choice=chosen.situations, emotions=emotions)
    _check_people(language_model, instrument, situations)
    seed = secrets.randbelow(LARGEST_SEED) if chosen.seed is None else chosen.seed
    planned = _enumerate(chosen, instrument, situations, seed)
    with transaction.atomic():
        run = Run.objects.create(
            language_model=language_model,
            instrument=instrument,
            prompt_template=template,
            preset=chosen.preset,
            variant=chosen.variant,
            reply_format=chosen.reply_format,
            parameters={k: v for k, v in chosen.parameters.items() if v is not None},
            plan=_plan_record(chosen, emotions, situations, len(planned)),
            seed=seed,
            created_by=created_by,
        )
        Trial.objects.bulk_create((_trial(run, trial) for trial in planned), batch_size=BATCH)
    return run


def _check(
    chosen: RunSettings, language_model: LanguageModel, instrument: InstrumentVersion
) -> None:
    if not instrument.is_complete:
        raise BenchmarkError(
            "instrument_incomplete",
            f"{instrument.key} has items without their words, which belong to their authors: "
            "bring them with import_emotionbench or enter them in the admin.",
        )
    if chosen.variant != "standard":
        raise BenchmarkError("setting_invalid", f"There is no variant {chosen.variant!r}.")
    if chosen.reply_format not in set(ReplyFormat):
        raise BenchmarkError(
            "setting_invalid", f"There is no reply format {chosen.reply_format!r}."
        )
    if chosen.concurrency < 1 or chosen.timeout_s <= 0:
        raise BenchmarkError("setting_invalid", "Concurrency and timeout must be above zero.")
    if language_model.kind == LanguageModel.Kind.MODEL and language_model.endpoint_id is None:
        raise BenchmarkError(
            "model_unknown",
            f"{language_model} has no endpoint: it was imported, and cannot be asked.",
        )


def _emotions(chosen: RunSettings, instrument: InstrumentVersion) -> list[str]:
    if chosen.emotions:
        return known_emotions(chosen.emotions)
    paired = instrument.spec.emotion
    return known_emotions([paired]) if paired else []


def _check_people(
    language_model: LanguageModel,
    instrument: InstrumentVersion,
    situations: Sequence[ImaginedSituation],
) -> None:
    if language_model.identifier != Baseline.PEOPLE_RESAMPLED or language_model.endpoint_id:
        return
    if not people_by_cell(instrument=instrument, situation_keys={s.key for s in situations}):
        raise BenchmarkError(
            "people_missing", f"Nobody has answered {instrument.key} yet: there is nobody to draw."
        )


def _enumerate(
    chosen: RunSettings,
    instrument: InstrumentVersion,
    situations: Sequence[ImaginedSituation],
    seed: int,
) -> list[PlannedTrial]:
    try:
        return list(
            enumerate_trials(
                instrument.spec,
                situations=situations,
                seed=seed,
                default_repeats=chosen.default_repeats,
                repeats=chosen.repeats,
                item_order=chosen.item_order,
            )
        )
    except PlanError as error:
        raise BenchmarkError("plan_empty", f"{error}.") from None


def _plan_record(
    chosen: RunSettings,
    emotions: list[str],
    situations: Sequence[ImaginedSituation],
    trials: int,
) -> dict[str, Any]:
    return {
        "emotions": emotions or "all",
        "situations": chosen.situations,
        "situation_versions": [situation.key for situation in situations],
        "default_repeats": chosen.default_repeats,
        "repeats": chosen.repeats,
        "item_order": chosen.item_order.value,
        "trials": trials,
        "concurrency": chosen.concurrency,
        "timeout_s": chosen.timeout_s,
        "max_tokens_total": chosen.max_tokens_total,
    }


def _trial(run: Run, planned: PlannedTrial) -> Trial:
    return Trial(
        run=run,
        number=planned.number,
        phase=planned.phase.value,
        situation_version_id=planned.situation.key if planned.situation else None,
        repeat=planned.repeat,
        item_order=list(planned.item_order),
        seed=planned.seed,
    )
