"""`manage.py simulate_participants`: people who are none walk a study's real pages, as tests."""

from __future__ import annotations

import json
import secrets
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.core.management.base import BaseCommand, CommandError

from surveys.models import Situation, SituationVersion, Study
from surveys.simulation.cpu import server_cpu_seconds
from surveys.simulation.crowd import Report, send_crowd
from surveys.simulation.identities import simulated_ids
from surveys.simulation.respondents import Knowledge, Person, Style, knowledge_of, make_people
from surveys.simulation.walk import Ending

_MOODS = {Situation.Kind.STANDARD: -1, Situation.Kind.POSITIVE: 1}


class Command(BaseCommand):
    help = (
        "Let simulated participants walk a study that this site serves, over HTTP. They are "
        "marked as tests and never count."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", required=True, metavar="SLUG")
        parser.add_argument("--n", type=int, default=20, help="how many (20)")
        parser.add_argument("--concurrency", type=int, default=5, help="how many at once (5)")
        parser.add_argument("--base-url", default="http://127.0.0.1:8000")
        parser.add_argument("--seed", default="1", help="the same seed gives the same answers")
        parser.add_argument("--style", choices=["mixed", *Style], default="mixed")
        parser.add_argument(
            "--pace", type=float, default=0.0, help="1: as long as people take; 0: no waiting (0)"
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        for name in ("n", "concurrency"):
            if options[name] < 1:
                raise CommandError(f"--{name} is {options[name]}: use at least 1")
        study = Study.objects.select_related("instrument").filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['study']!r}")
        report = send_crowd(
            base_url=options["base_url"],
            people=make_people(
                count=options["n"],
                style=None if options["style"] == "mixed" else Style(options["style"]),
                seed=options["seed"],
                knowledge=_knowledge(study),
            ),
            link_of=_links(study),
            concurrency=options["concurrency"],
            pace=options["pace"],
            server_cpu=lambda: server_cpu_seconds(options["base_url"]),
        )
        text = _as_json(report) if options["format"] == "json" else _as_text(report)
        self.stdout.write(text)
        n_failed = report.endings[Ending.FAILED]
        if n_failed:
            raise CommandError(f"{n_failed} of {len(report.walks)} could not go on")


def _knowledge(study: Study) -> Knowledge:
    versions = SituationVersion.objects.filter(studies=study).values_list("text", "situation__kind")
    moods = {text: _MOODS.get(Situation.Kind(kind), 0) for text, kind in versions}
    return knowledge_of(study.instrument.spec, moods)


def _links(study: Study) -> Callable[[Person], str]:
    """Links as Prolific makes them; each call of the command brings new people."""
    run = secrets.token_hex(4)
    prolific = getattr(study, "prolific", None)
    prolific_study = prolific.prolific_id if prolific else ""

    def link(person: Person) -> str:
        ids = simulated_ids(
            slug=study.slug, run=run, number=person.number, prolific_study=prolific_study
        )
        names = {
            "PROLIFIC_PID": ids.participant, "STUDY_ID": ids.study, "SESSION_ID": ids.session,
        }  # fmt: skip
        return f"/s/{study.slug}/?{urlencode(names)}"

    return link


def _as_text(report: Report) -> str:
    endings = ", ".join(f"{count} {ending}" for ending, count in report.endings.items())
    lines = [
        f"{len(report.walks)} simulated participants: {endings}",
        f"{report.finished_per_second:.1f} finished a second, {report.seconds:.1f} s in all",
        f"CPU each: {_each(report, report.generator_cpu_s)} simulating, "
        f"{_each(report, report.server_cpu_s)} serving",
        "",
        f"{'request':<20}{'n':>7}{'p50':>8}{'p95':>8}{'p99':>8}  ms",
    ]
    lines += [
        f"{what:<20}{s.n:>7}{s.p50_ms:>8.0f}{s.p95_ms:>8.0f}{s.p99_ms:>8.0f}"
        for what, s in report.spreads.items()
    ]
    lines += [f"{count} x {problem}" for problem, count in report.problems.items()]
    return "\n".join(lines)


def _each(report: Report, cpu_s: float | None) -> str:
    return "unknown" if cpu_s is None else f"{cpu_s / len(report.walks) * 1000:.0f} ms"


def _as_json(report: Report) -> str:
    spreads = {
        what: {"n": s.n, "p50_ms": s.p50_ms, "p95_ms": s.p95_ms, "p99_ms": s.p99_ms}
        for what, s in report.spreads.items()
    }
    return json.dumps(
        {
            "participants": len(report.walks),
            "endings": {str(ending): count for ending, count in report.endings.items()},
            "seconds": report.seconds,
            "finished_per_second": report.finished_per_second,
            "generator_cpu_s": report.generator_cpu_s,
            "server_cpu_s": report.server_cpu_s,
            "requests": spreads,
            "problems": dict(report.problems),
        }
    )
