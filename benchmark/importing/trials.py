"""Storing a file of a model's answers as an imported run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmark.importing.prompt_templates import PRESET, template_of
from benchmark.importing.trial_files import ReadTrial, TrialFile
from benchmark.models import LanguageModel, ModelAdministration, Run, Trial
from surveys.domain.protocol import Phase
from surveys.importing.catalogue import CITATION, StoredSituation
from surveys.importing.faults import ReleaseFileError
from surveys.importing.outcome import FileOutcome
from surveys.importing.places import Place
from surveys.importing.scores import Scorer
from surveys.importing.tables import first_names
from surveys.models import InstrumentVersion

Situations = Mapping[Place, StoredSituation]


def store_trials(
    read: TrialFile,
    *,
    model: str,
    file_name: str,
    quoted_prompt: str,
    instrument: InstrumentVersion,
    situations: Situations,
    catalogue: Situations,
    outcome: FileOutcome,
) -> None:
    """Store a run with its trials, or compare with the run stored before, which stays.

    `situations` are the study's as presented, which the trials are linked to; where they differ
    from `catalogue` is reported.
    """
    _check_places(read.trials, situations)
    blank = [trial.header for trial in read.trials if trial.blanks]
    outcome.invalid = len(blank)
    outcome.warnings += [
        *read.warnings,
        *_blank_trials(blank),
        *_other_words(read.trials, catalogue),
        *_other_quotes(read.trials, situations),
    ]
    run = Run.objects.filter(source_key=file_name).first()
    if run is not None:
        _compare(run, read.trials, situations, outcome)
        return
    language_model, _ = LanguageModel.objects.get_or_create(
        name=model, defaults={"identifier": model}
    )
    run = Run.objects.create(
        language_model=language_model,
        instrument=instrument,
        prompt_template=template_of(quoted_prompt, instrument),
        preset=PRESET,
        plan=_plan(read, instrument),
        state=Run.State.PARTIAL if read.missing else Run.State.FINISHED,
        state_reason=f"{len(read.missing)} trials are missing in the file" if read.missing else "",
        origin=Run.Origin.IMPORTED,
        source_key=file_name,
        citation=CITATION,
    )
    _create(run, read.trials, situations, Scorer(instrument.spec))
    outcome.created = len(read.trials)


def _check_places(trials: Sequence[ReadTrial], situations: Situations) -> None:
    for trial in trials:
        if trial.place is not None and trial.place not in situations:
            raise ReleaseFileError(
                f"{trial.place} is not among the imported situations",
                column=trial.column,
                header=trial.header,
                row=1,
            )


def _blank_trials(headers: Sequence[str]) -> list[str]:
    if not headers:
        return []
    names = first_names(headers)
    return [f"{len(headers)} trials have blank ratings and are stored as invalid: {names}"]


def _create(run: Run, trials: Sequence[ReadTrial], situations: Situations, scorer: Scorer) -> None:
    rows = Trial.objects.bulk_create(
        [
            Trial(
                run=run,
                number=number,
                phase=(Phase.DEFAULT if trial.place is None else Phase.EVOKED).value,
                situation_version_id=_version_id(trial, situations),
                repeat=trial.repeat,
                item_order=list(trial.item_order),
                state=Trial.State.INVALID if trial.blanks else Trial.State.VALID,
                state_reason=_reason(trial),
                situation_as_shown=_as_shown(trial, situations),
                source_key=trial.header,
            )
            for number, trial in enumerate(trials)
        ]
    )
    ModelAdministration.objects.bulk_create(
        [
            ModelAdministration(
                trial=row,
                instrument_id=run.instrument_id,
                phase=row.phase,
                situation_version_id=row.situation_version_id,
                item_order=row.item_order,
                ratings=list(trial.ratings),
                scores=scorer.scores(trial.ratings),
            )
            for row, trial in zip(rows, trials, strict=True)
            if not trial.blanks
        ]
    )


def _version_id(trial: ReadTrial, situations: Situations) -> int | None:
    return None if trial.place is None else situations[trial.place].version_id


def _reason(trial: ReadTrial) -> str:
    return f"{trial.blanks} of {len(trial.ratings)} ratings blank" if trial.blanks else ""


def _as_shown(trial: ReadTrial, situations: Situations) -> str:
    """The words that the file quotes, where they are not those stored as shown at that place."""
    if trial.place is None or trial.shown == situations[trial.place].text:
        return ""
    return trial.shown


def _other_words(trials: Sequence[ReadTrial], catalogue: Situations) -> list[str]:
    """One warning for all situations that were not shown in the catalogue's words."""
    by_factor: dict[tuple[str, int], set[str]] = {}
    for place, stored in catalogue.items():
        by_factor.setdefault(place[:2], set()).add(stored.text)
    shown = {trial.place: trial.shown for trial in trials if trial.place is not None}
    other = {
        place: words in by_factor.get(place[:2], ())
        for place, words in shown.items()
        if place not in catalogue or words != catalogue[place].text
    }
    if not other:
        return []
    moved = sum(other.values())
    return [
        f"{len(other)} of {len(shown)} situations were shown in other words than the catalogue has "
        f"at their place, {moved} of them in those of another situation of the factor: "
        f"{first_names(str(place) for place in other)}; the words shown are kept as a set of "
        "their own"
    ]


def _other_quotes(trials: Sequence[ReadTrial], situations: Situations) -> list[str]:
    """One warning for all trials that quote other words than the study's set has."""
    other = [trial for trial in trials if _as_shown(trial, situations)]
    if not other:
        return []
    places = dict.fromkeys(str(trial.place) for trial in other)
    return [
        f"{len(other)} trials quote other words than what is stored as shown at their place: "
        f"{first_names(places)}; the quoted words are kept with the trials"
    ]


def _plan(read: TrialFile, instrument: InstrumentVersion) -> dict[str, Any]:
    """What the columns show of how the run was made."""
    per_place: dict[Place | None, int] = {}
    for trial in read.trials:
        per_place[trial.place] = per_place.get(trial.place, 0) + 1
    places = [place for place in per_place if place is not None]
    return {
        "instrument": instrument.key,
        "emotions": list(dict.fromkeys(place.emotion for place in places)),
        "situations": len(places),
        "default_repeats": per_place.get(None, 0),
        "repeats": max((per_place[place] for place in places), default=0),
        "item_orders": len({trial.item_order for trial in read.trials}),
        "missing": list(read.missing),
    }


def _compare(
    run: Run, trials: Sequence[ReadTrial], situations: Situations, outcome: FileOutcome
) -> None:
    stored = _stored(run)
    differing = []
    for trial in trials:
        known = stored.pop(trial.header, None)
        if known == _as_stored(trial, situations):
            outcome.unchanged += 1
        else:
            differing.append(trial.header)
    for headers, fault in (
        (differing, "differ from what was imported before"),
        (list(stored), "were imported before and are missing now"),
    ):
        if headers:
            outcome.warnings.append(
                f"{len(headers)} trials {fault}: {first_names(headers)}; what is stored stays"
            )


def _as_stored(trial: ReadTrial, situations: Situations) -> tuple[Any, ...]:
    ratings = () if trial.blanks else trial.ratings
    return (
        _version_id(trial, situations),
        trial.item_order,
        _reason(trial),
        _as_shown(trial, situations),
        ratings,
    )


def _stored(run: Run) -> dict[str, tuple[Any, ...]]:
    rows = run.trials.values_list(
        "source_key",
        "situation_version_id",
        "item_order",
        "state_reason",
        "situation_as_shown",
        "administrations__ratings",
    )
    return {
        key: (version_id, tuple(order), reason, shown, tuple(ratings or ()))
        for key, version_id, order, reason, shown, ratings in rows
    }
