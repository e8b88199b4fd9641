"""What a running study looks like now: the one source of the monitor's page and of its JSON.

A fixed number of queries, whatever the number of people. Who counts, who holds a place and
whether there is room are asked of the same querysets and services that decide it elsewhere, so
that the numbers are those of exports, API and allocation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q

from surveys.domain.monitoring import (
    Flags,
    Funnel,
    Person,
    Present,
    count_flags,
    count_funnel,
    durations_s,
    middle,
    returns_s,
    who_is_here,
)
from surveys.domain.needs import Need, Standing, find_needs
from surveys.domain.pages import Page, list_pages
from surveys.domain.pay import Cost, Pay, PayRates, judge_pay
from surveys.domain.protocol import ImaginedSituation, Protocol
from surveys.models import (
    Assignment,
    PageVisit,
    Participation,
    ProlificStudy,
    Situation,
    Study,
    StudySituation,
)
from surveys.prolific.pay import cost_of_study, known_rates, study_pay
from surveys.prolific.reconciling import list_cases
from surveys.querysets import counted
from surveys.services.norms import NormsBothWays, norms
from surveys.services.pilot import TestCounts, count_tests
from surveys.services.places import has_room
from surveys.services.retention import overdue_studies
from surveys.services.study_rules import opening_faults

# Enough for a median; all visits of thousands of people would be read every few seconds.
TIMED_PEOPLE = 300


@dataclass(frozen=True, slots=True)
class Fill:
    """One situation of a study: `place` is the id of its row there, `held` what allocation sees."""

    place: int
    name: str
    words: str
    is_closed: bool
    is_published: bool
    counted: int
    under_way: int
    held: int

    @property
    def is_given(self) -> bool:
        return not self.is_closed and self.is_published


@dataclass(frozen=True, slots=True)
class PageCount:
    """One page of the study: how many got there, and the seconds that it takes at the median."""

    number: int
    page: Page
    reached: int
    median_s: float | None


@dataclass(frozen=True, slots=True)
class Seen:
    """What was counted, and what may need action; `return_s` from the last answer to the code."""

    funnel: Funnel
    situations: tuple[Fill, ...]
    present: tuple[Present, ...]
    pay: Pay
    flags: Flags
    tests: TestCounts
    return_s: float | None


@dataclass(frozen=True, slots=True)
class Monitor:
    """One study at one moment. `is_prolific_time`: pay is judged by Prolific's own times."""

    study: Study
    at: datetime
    seen: Seen
    pages: tuple[PageCount, ...]
    median_s: float | None
    rates: PayRates | None
    is_prolific_time: bool
    cost: Cost
    norms: Mapping[str, NormsBothWays]
    needs: tuple[Need, ...]


def observe(*, study: Study, now: datetime) -> Monitor:
    """Look at one study; writes nothing and asks no other machine."""
    active_since = now - timedelta(minutes=settings.PARTICIPATION_TIMEOUT_MINUTES)
    people = _people(study, active_since)
    pages = study_pages(study)
    funnel = count_funnel(people, declined=study.n_declined, n_pages=len(pages))
    rates = known_rates(currency=study.reward_currency)
    pay, is_prolific_time = _pay(study, people, rates)
    seen = Seen(
        funnel=funnel,
        situations=_fill(study, active_since),
        present=who_is_here(people, now=now),
        pay=pay,
        flags=count_flags(people),
        tests=count_tests(study=study),
        return_s=middle(returns_s(people)),
    )
    return Monitor(
        study=study,
        at=now,
        seen=seen,
        pages=_page_counts(study, pages, funnel),
        median_s=middle(durations_s(people)),
        rates=rates,
        is_prolific_time=is_prolific_time,
        cost=cost_of_study(study=study),
        norms=norms(study=study),
        needs=find_needs(_standing(study, seen, now)),
    )


def _standing(study: Study, seen: Seen, now: datetime) -> Standing:
    prolific = ProlificStudy.objects.filter(study=study).first()
    withdrawn = [fill for fill in seen.situations if not (fill.is_closed or fill.is_published)]
    return Standing(
        state=study.state,
        faults=opening_faults(study=study),
        has_room=has_room(study=study, now=now),
        is_full=_is_full(study, seen.situations),
        under_way=seen.funnel.under_way,
        stuck=sum(each.is_stuck for each in seen.present),
        unjudged=seen.flags.unjudged,
        completed=seen.funnel.completed,
        excluded=seen.funnel.excluded,
        tests=seen.tests.total,
        withdrawn_situations=tuple((fill.place, fill.name) for fill in withdrawn),
        short_of_minimum=seen.pay.short_of_minimum,
        top_up=seen.pay.top_up,
        return_s=seen.return_s,
        prolific_cases=len(list_cases(study=study, now=now)),
        has_overdue_ids=study in overdue_studies(now=now),
        prolific_status=prolific.status if prolific else "",
    )


def study_pages(study: Study) -> tuple[Page, ...]:
    """The pages that each participant gets; none while the questionnaire has no words."""
    spec = study.instrument.spec
    if not spec.is_complete:
        return ()
    situations = tuple(ImaginedSituation(n, "") for n in range(study.situations_per_person))
    protocol = Protocol(spec, spec.item_keys, situations)
    return list_pages(
        protocol, items_per_page=study.items_per_page, questions=study.demographic_questions
    )


def _people(study: Study, active_since: datetime) -> list[Person]:
    """Everybody who is no test, in one query."""
    everybody = Participation.objects.filter(study=study, is_test=False)
    holding = everybody.holding_places(active_since=active_since)
    rows = everybody.order_by("id").annotate(
        is_counted=ExpressionWrapper(counted(), output_field=BooleanField()),
        holds_place=ExpressionWrapper(
            Q(pk__in=holding.order_by().values("pk")), output_field=BooleanField()
        ),
    )
    names = ("code", "state", "pages_done", "is_counted", "holds_place", "consented_at",
             "last_seen_at", "completed_at", "outcome", "left_at", "flags")  # fmt: skip
    return [
        Person(
            **{name: row[name] for name in names[:10]},
            flags=tuple(flag["code"] for flag in row["flags"]),
        )
        for row in rows.values(*names)
    ]


def _fill(study: Study, active_since: datetime) -> tuple[Fill, ...]:
    holding = Participation.objects.filter(study=study).holding_places(active_since=active_since)
    held = Q(participation__in=holding.order_by().values("pk"))
    counts = {
        version: numbers
        for version, *numbers in Assignment.objects.filter(participation__study=study)
        .order_by()
        .values("situation_version_id")
        .annotate(
            counted=Count("pk", filter=counted("participation__")),
            under_way=Count("pk", filter=held & Q(participation__state="active")),
            held=Count("pk", filter=held),
        )
        .values_list("situation_version_id", "counted", "under_way", "held")
    }
    rows = study.study_situations.order_by("id").select_related(
        "situation_version__situation__factor__emotion"
    )
    return tuple(_fill_of(row, counts.get(row.situation_version_id, [0, 0, 0])) for row in rows)


def _fill_of(row: StudySituation, numbers: Sequence[int]) -> Fill:
    situation = row.situation_version.situation
    n_counted, n_under_way, n_held = numbers
    return Fill(
        place=row.pk,
        name=str(situation),
        words=row.situation_version.text,
        is_closed=row.is_closed,
        is_published=situation.state == Situation.State.PUBLISHED,
        counted=n_counted,
        under_way=n_under_way,
        held=n_held,
    )


def _is_full(study: Study, situations: tuple[Fill, ...]) -> bool:
    """Whether every situation that is given has as many people who count as are wanted."""
    target = study.target_per_situation
    given = [fill for fill in situations if fill.is_given]
    return target is not None and bool(given) and all(fill.counted >= target for fill in given)


def _page_counts(study: Study, pages: tuple[Page, ...], funnel: Funnel) -> tuple[PageCount, ...]:
    latest = (Participation.objects.filter(study=study).counted_before_exclusion().order_by("-id"))[
        :TIMED_PEOPLE
    ].values_list("pk", flat=True)
    spans: dict[int, list[float]] = {}
    visits = PageVisit.objects.filter(participation__in=list(latest), saved_at__isnull=False)
    for number, span in (
        visits.order_by()
        .annotate(span=F("saved_at") - F("first_shown_at"))
        .values_list("number", "span")
    ):
        spans.setdefault(number, []).append(span.total_seconds())
    return tuple(
        PageCount(number, page, funnel.reached[number - 1], middle(spans.get(number, [])))
        for number, page in enumerate(pages, 1)
    )


def _pay(study: Study, people: list[Person], rates: PayRates | None) -> tuple[Pay, bool]:
    """By Prolific's times where it gave any, else by our own; and which of the two."""
    theirs = study_pay(study=study, rates=rates)
    if theirs.n:
        return theirs, True
    ours = judge_pay(
        reward=study.reward_minor,
        planned_minutes=study.planned_minutes,
        durations_s=durations_s(people),
        rates=rates,
    )
    return ours, False
