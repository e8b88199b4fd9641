"""Which respondent sources exist for an instrument: studies, runs, published tables.

Listing asks a few grouped queries and reads no answers. A study appears with its first counted
participant, a run with its first reply.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Count, Q

from benchmark.comparison.published import published_sources
from benchmark.domain.cells import Kind, Origin, Source
from benchmark.domain.comparison import STATES
from benchmark.models import Run, Trial
from surveys.models import Participation, Study

PUBLISHED = "published:"
CODE_LENGTH = 8
# A model that was never reached is no respondent; one that refuses everything is.
ANSWERED = tuple(state for state in STATES if state != Trial.State.FAILED)


def available_sources(instrument: str, *, with_superseded: bool = False) -> list[Source]:
    """Every source that answered the instrument, people first, then models, then baselines.

    A published source is left out while the release itself is imported under the same name,
    unless `with_superseded`.
    """
    own = [*_studies(instrument), *_runs(instrument)]
    names = {source.group for source in own if source.origin is Origin.IMPORTED}
    published = [cells.source for cells in published_sources(instrument)]
    if with_superseded:
        published = [
            replace(source, name=source.key) if source.group in names else source
            for source in published
        ]
    else:
        published = [source for source in published if source.group not in names]
    kinds = list(Kind)
    origins = [Origin.IMPORTED, Origin.PUBLISHED, Origin.OWN]
    return sorted(
        own + published, key=lambda s: (kinds.index(s.kind), origins.index(s.origin), s.name)
    )


def _studies(instrument: str) -> list[Source]:
    studies = Study.objects.filter(instrument__key=instrument).defer("consent_text", "debrief_text")
    people = Participation.objects.filter(study__in=studies)
    counted = dict(people.counted().values_list("study").annotate(n=Count("pk")))
    excluded = dict(
        people.filter(state="completed", is_test=False)
        .exclude(excluded_because="")
        .values_list("study")
        .annotate(n=Count("pk"))
    )
    found = [study for study in studies if counted.get(study.pk)]
    titles = Counter(study.title for study in found)
    return [
        Source(
            key=study.slug,
            name=study.title if titles[study.title] == 1 else f"{study.title} · {study.slug}",
            group=study.title,
            kind=Kind.PEOPLE,
            origin=Origin(study.origin),
            instrument=instrument,
            counts={"valid": counted[study.pk], "invalid": excluded.get(study.pk, 0)},
            detail="still open" if study.state in {"open", "paused"} else "",
            citation=study.citation,
        )
        for study in found
    ]


def _runs(instrument: str) -> list[Source]:
    counts = _trial_counts(instrument)
    runs = [
        run
        for run in Run.objects.filter(instrument__key=instrument).select_related("language_model")
        if any(counts[run.pk][state] for state in ANSWERED)
    ]
    models = Counter(run.language_model.name for run in runs)
    return [_run_source(run, counts[run.pk], models[run.language_model.name] > 1) for run in runs]


def _trial_counts(instrument: str) -> dict[int, Counter[str]]:
    """Trials of each run by state; control situations are no part of a comparison."""
    asked = Q(situation_version=None) | Q(situation_version__situation__kind="standard")
    rows = (
        Trial.objects.filter(asked, run__instrument__key=instrument)
        .order_by()
        .values_list("run", "state")
        .annotate(n=Count("pk"))
    )
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for run, state, n in rows:
        counts[run][state] = n
    return counts


def _run_source(run: Run, counts: Counter[str], is_one_of_several: bool) -> Source:
    model = run.language_model
    settings = [run.preset, run.variant if run.variant != "standard" else "", _temperature(run)]
    missing = counts["planned"] + counts["leased"] + _absent(run)
    code = f" · {run.code[:CODE_LENGTH]}" if is_one_of_several else ""
    return Source(
        key=run.code,
        name=model.name + code,
        group=model.name,
        kind=Kind(model.kind),
        origin=Origin(run.origin),
        instrument=run.instrument.key,
        counts={state: counts[state] for state in STATES},
        missing=missing,
        is_partial=missing > 0 or run.state != Run.State.FINISHED,
        detail=", ".join(part for part in settings if part),
        citation=run.citation,
    )


def _absent(run: Run) -> int:
    """Trials that an imported file lacks, as the import noted them."""
    absent = run.plan.get("missing", 0)
    return len(absent) if isinstance(absent, list) else int(absent)


def _temperature(run: Run) -> str:
    value = run.parameters.get("temperature")
    return "" if value is None else f"temperature {value}"


def find(sources: Iterable[Source], wanted: str) -> list[Source]:
    """The sources that a name means: a key, a column's name, or all runs of a model."""
    listed = list(sources)
    for attribute in ("key", "name", "group"):
        found = [source for source in listed if getattr(source, attribute) == wanted]
        if found:
            return found
    return []
