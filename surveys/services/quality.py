"""Judging the answers of a participation: flags, outcome, and exclusion by the study's rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from surveys.domain.pages import RatingsPage, SituationPage, list_pages
from surveys.domain.protocol import ImaginedSituation, Protocol
from surveys.domain.quality import (
    Answers,
    Checks,
    RatedMeasure,
    ReadSituation,
    Thresholds,
    exclusion_reason,
    find_flags,
    outcome_of,
)
from surveys.domain.reading import count_words
from surveys.domain.synonyms import SYNONYMS
from surveys.models import Participation, Study
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event

# Leads every exclusion that the rule made, so that one made by hand or by an import stays.
BY_RULE = "Quality rule: "
BATCH = 200
PREFETCHED = (
    "administrations",
    "page_visits",
    "attention_checks",
    "assignments__situation_version",
)


def judge(*, participation: Participation) -> None:
    """Set flags, outcome and exclusion of a participation whose last answer is saved.

    Changes the object and saves nothing. An exclusion for another reason stays as it is. Raises
    SurveyError `not_completed` where a measure is incomplete.
    """
    study = participation.study
    answers = collect_answers(participation=participation)
    if len(answers.measures) != len(answers.situations) + 1:
        raise SurveyError(code="not_completed", detail=str(participation))
    flags = find_flags(answers, thresholds_of(study))
    participation.flags = [{"code": flag.sign.value, "reason": flag.reason} for flag in flags]
    outcome = outcome_of(answers.checks, planned_minutes=study.planned_minutes)
    participation.outcome = outcome.value
    if not participation.excluded_because or participation.excluded_because.startswith(BY_RULE):
        reason = exclusion_reason(flags, limit=study.exclusion_flags)
        participation.excluded_because = f"{BY_RULE}{reason}" if reason else ""


@dataclass(frozen=True, slots=True)
class JudgedStudy:
    """How many were judged, have a flag, are excluded by the rule, and were other before."""

    judged: int = 0
    flagged: int = 0
    excluded: int = 0
    changed: int = 0


def judge_study(*, study: Study, is_dry_run: bool = False) -> JudgedStudy:
    """Judge every completed participation of a study again, a few hundred a transaction.

    The outcome stays where there is one: it is what the participant took back to Prolific. Safe
    to repeat. Raises SurveyError `study_imported`: such answers came without what is judged.
    """
    if study.origin == Study.Origin.IMPORTED:
        raise SurveyError(code="study_imported")
    completed = study.participations.filter(state=Participation.State.COMPLETED)
    ids = list(completed.order_by("id").values_list("id", flat=True))
    parts = [
        _judge_some(ids[start : start + BATCH], is_dry_run) for start in range(0, len(ids), BATCH)
    ]
    total = JudgedStudy(
        judged=sum(part.judged for part in parts),
        flagged=sum(part.flagged for part in parts),
        excluded=sum(part.excluded for part in parts),
        changed=sum(part.changed for part in parts),
    )
    if total.changed and not is_dry_run:
        detail = f"{total.changed} of {total.judged} changed, {total.excluded} excluded by the rule"
        record_event(study=study, kind="judged", detail=detail)
    return total


@transaction.atomic
def _judge_some(ids: Sequence[int], is_dry_run: bool) -> JudgedStudy:
    # Locked, so that nobody withdraws between reading the answers and storing what they say.
    locked = (
        Participation.objects.filter(pk__in=ids, state=Participation.State.COMPLETED)
        .select_for_update(of=("self",))
        .select_related("study__instrument")
        .prefetch_related(*PREFETCHED)
    )
    people, changed = list(locked), []
    for participation in people:
        before = (participation.flags, participation.outcome, participation.excluded_because)
        try:
            judge(participation=participation)
        except SurveyError:
            # Completed with less than the study asks now: too little to judge by.
            continue
        participation.outcome = before[1] or participation.outcome
        after = (participation.flags, participation.outcome, participation.excluded_because)
        if after != before:
            changed.append(participation)
    if changed and not is_dry_run:
        Participation.objects.bulk_update(changed, ["flags", "outcome", "excluded_because"])
    return JudgedStudy(
        judged=len(people),
        flagged=sum(bool(p.flags) for p in people),
        excluded=sum(p.excluded_because.startswith(BY_RULE) for p in people),
        changed=len(changed),
    )


def thresholds_of(study: Study) -> Thresholds:
    return Thresholds(
        item_seconds=study.flag_item_seconds,
        words_per_minute=study.flag_reading_words_per_minute,
        synonym_difference=study.flag_synonym_difference,
    )


def collect_answers(*, participation: Participation) -> Answers:
    """What the signs are looked for in: complete measures, readings and checks.

    A handful of queries, or none where the caller fetched PREFETCHED.
    """
    instrument = participation.study.instrument.spec
    situations = [
        ImaginedSituation(a.situation_version_id, a.situation_version.text)
        for a in sorted(participation.assignments.all(), key=lambda a: a.position)
    ]
    seconds = page_seconds(participation=participation, situations=situations)
    measures = [
        RatedMeasure(
            {instrument.item_keys[i]: a.ratings[i] for i in a.item_order},
            seconds.by_measure.get(a.position),
        )
        for a in sorted(participation.administrations.all(), key=lambda a: a.position)
        if a.scores is not None
    ]
    checks = list(participation.attention_checks.all())
    return Answers(
        measures=measures,
        situations=[
            ReadSituation(count_words(situation.text), seconds.by_situation.get(situation.key))
            for situation in situations
        ],
        checks=Checks(len(checks), sum(check.is_failed for check in checks)),
        synonyms=SYNONYMS.get(instrument.key, ()),
    )


@dataclass(frozen=True, slots=True)
class PageSeconds:
    """Seconds by position of the measure and by key of the situation, where they are known."""

    by_measure: Mapping[int, float] = field(default_factory=dict)
    by_situation: Mapping[int, float] = field(default_factory=dict)


def page_seconds(
    *, participation: Participation, situations: Sequence[ImaginedSituation]
) -> PageSeconds:
    """How long a participant was at the pages of each measure and situation.

    A measure with a page of unknown time has none. Nothing is known where pages and visits do
    not fit together: a study laid out anew under way.
    """
    visits = {
        visit.number: (visit.saved_at - visit.first_shown_at).total_seconds()
        for visit in participation.page_visits.all()
        # A page that was sent and never shown counts as shown when it was sent: nothing is known.
        if visit.saved_at is not None and visit.saved_at > visit.first_shown_at
    }
    study = participation.study
    if not visits:
        return PageSeconds()
    protocol = Protocol(study.instrument.spec, tuple(participation.item_order), tuple(situations))
    pages = list_pages(
        protocol,
        items_per_page=study.items_per_page,
        questions=study.demographic_questions,
    )
    if len(pages) != participation.pages_done:
        return PageSeconds()
    by_measure: dict[int, list[float | None]] = {}
    by_situation: dict[int, float] = {}
    for number, page in enumerate(pages, 1):
        match page:
            case RatingsPage():
                by_measure.setdefault(page.measure_position, []).append(visits.get(number))
            case SituationPage() if number in visits:
                by_situation[page.situation.key] = visits[number]
    known = {position: _sum_if_known(times) for position, times in by_measure.items()}
    return PageSeconds(
        {position: total for position, total in known.items() if total is not None}, by_situation
    )


def _sum_if_known(times: Sequence[float | None]) -> float | None:
    known = [time for time in times if time is not None]
    return sum(known) if len(known) == len(times) else None
