"""Participants at our own web server: `python -m tests.bench.survey_ours` prints the figures.

A process of its own, because the database is chosen when Django starts.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from surveys.simulation.cpu import server_cpu_seconds
from surveys.simulation.pages import Page, read_page
from surveys.simulation.respondents import Knowledge, Person, Style
from tests.bench.database import fresh_database
from tests.bench.survey_load import put_load

if TYPE_CHECKING:
    from surveys.models import Study

RUN = "bench"
ITEMS_PER_PAGE = 10


def measure_ours() -> dict[str, Any]:
    """The load's figures, and the most queries that each kind of request made."""
    with fresh_database(), tempfile.TemporaryDirectory() as folder:
        from tests.web_server import make_web_server

        study = make_study()
        queries = count_queries(link_to(study, "queries"))
        server = make_web_server(Path(folder))
        try:
            server.start()
            load = put_load(
                server.url, link_to(study, RUN), lambda: server_cpu_seconds(server.url) or 0.0
            )
        finally:
            server.kill()
        return load._asdict() | {"queries": queries, "stored": count_complete(study)}


def make_study() -> Study:
    """The demonstration study, with the pages that the other program has."""
    from surveys.models import Study
    from surveys.services.catalogue import load_catalogue
    from surveys.services.demo import open_demo_study

    load_catalogue()
    study, _ = open_demo_study()
    Study.objects.filter(pk=study.pk).update(
        items_per_page=ITEMS_PER_PAGE, has_uplifting_task=False
    )
    return study


def count_complete(study: Study) -> int:
    """Participations of the crowd that the database holds whole: both measures, every item."""
    from django.db.models import Count

    whole = study.participations.filter(
        state="completed",
        submission__prolific_participant_id__startswith=f"sim-{RUN}-",
        administrations__scores__isnull=False,
    )
    return whole.annotate(n=Count("administrations")).filter(n=2).count()


def link_to(study: Study, run: str) -> Callable[[Person], str]:
    from surveys.simulation.identities import simulated_ids

    def link(person: Person) -> str:
        ids = simulated_ids(slug=study.slug, run=run, number=person.number)
        parameters = {
            "PROLIFIC_PID": ids.participant, "STUDY_ID": ids.study, "SESSION_ID": ids.session,
        }  # fmt: skip
        return f"/s/{study.slug}/?{urlencode(parameters)}"

    return link


def count_queries(link_of: Callable[[Person], str]) -> dict[str, int]:
    """One person's walk within this process, by kind of request."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    person = Person(0, Style.PLAUSIBLE, "queries", Knowledge({}, {}))
    client, most = Client(), dict[str, int]()

    def visit(method: str, address: str, kind: str, fields: Any = None) -> tuple[str, Page]:
        with CaptureQueriesContext(connection) as captured:
            response = client.post(address, fields) if method == "POST" else client.get(address)
        page = read_page(response.content)
        if method == "GET":
            kind = "redirect" if response.status_code == 302 else page.kind
        what = f"{method} {kind}"
        most[what] = max(most.get(what, 0), len(captured))
        if response.status_code == 302:
            return visit("GET", response["location"], kind)
        return address, page

    address, page = visit("GET", link_of(person), "")
    while page.kind != "end":
        if page.form is None:
            raise RuntimeError(f"no way on from {address}")
        sent = dict([*page.form.hidden, *person.answers(page.form.questions, "")])
        sent |= dict([page.form.button] if page.form.button else [])
        address, page = visit("POST", page.form.action or address, page.kind, sent)
    return most


if __name__ == "__main__":
    print(json.dumps(measure_ours()))
