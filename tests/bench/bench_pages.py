"""Saving a page of ratings, against an empty Django view that only touches a session."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tests.bench.database import fresh_database
from tests.bench.table import Row

if TYPE_CHECKING:
    from django.test import Client

ITEM_PREFIX = "item-"
ROUNDS = 7
REQUESTS = 40


def cpu_ms(action: Callable[[], object]) -> float:
    """Median over rounds of the CPU milliseconds of one request."""
    gc.collect()
    rounds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(REQUESTS):
            action()
        rounds.append((time.process_time() - begin) / REQUESTS * 1000)
    return statistics.median(rounds)


def measure() -> list[Row]:
    with fresh_database():
        from django.db import connection
        from django.test import Client, override_settings
        from django.test.utils import CaptureQueriesContext

        client = Client()
        with override_settings(ROOT_URLCONF="tests.bench.pages_urls"):
            client.post("/empty/")
            base = cpu_ms(lambda: client.post("/empty/"))
            saves = page_saves(client, REQUESTS * ROUNDS + 4)
            page = cpu_ms(lambda: next(saves)())
            queries = []
            for save in saves:
                with CaptureQueriesContext(connection) as captured:
                    save()
                queries.append(len(captured))
    return [
        Row("CPU of an empty view with a session", f"{base:.2f} ms"),
        Row("CPU of saving a page of five ratings", f"{page:.2f} ms"),
        Row("ratio", f"{page / base:.2f}", "at most 5"),
        Row("queries, the four pages of a measure", ", ".join(map(str, queries)), "at most 8"),
    ]


def page_saves(client: Client, number: int) -> Iterator[Callable[[], None]]:
    """Saves of the default measure's four pages, one participant after another."""
    from surveys.models import Participation
    from tests import factories

    study = factories.StudyFactory(n_situations=3, items_per_page=5)
    people = factories.ParticipationFactory.create_batch(-(-number // 4), study=study)
    Participation.objects.update(pages_done=1)
    for person in people:
        for part in range(4):
            items = person.item_order[5 * part : 5 * part + 5]
            answers = {f"{ITEM_PREFIX}{key}": "3" for key in items}
            address = f"/s/{study.slug}/p/{person.code}/{part + 2}/"

            def save(address: str = address, answers: dict[str, str] = answers) -> None:
                response = client.post(address, answers)
                if response.status_code != 302:
                    raise RuntimeError(f"{address} was not saved: {response.status_code}")

            yield save
