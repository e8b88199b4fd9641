"""One participant at the keyboard of a test: reads pages, sends forms, follows redirects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from surveys.models import Participation, Study

DECLINE_ALL = {
    "gender": "prefer-not-to-say",
    "country": "prefer-not-to-say",
    "employment": "prefer-not-to-say",
    "education": "prefer-not-to-say",
    "year_of_birth_declined": "yes",
}
LINK = {"PROLIFIC_PID": "person1", "STUDY_ID": "study1", "SESSION_ID": "session1"}


@dataclass
class Person:
    """A browser and the study it is in."""

    study: Study
    client: Client = field(default_factory=Client)

    @property
    def address(self) -> str:
        return f"/s/{self.study.slug}/"

    def entry_token(self, link: dict[str, str] | None = None) -> str:
        response = self.client.get(self.address, link, follow=True)
        found = re.search(r'name="entry" value="([^"]+)"', response.content.decode())
        assert found, f"no consent form at {response.request['PATH_INFO']}"
        return found.group(1)

    def consent(self, link: dict[str, str] | None = None) -> str:
        """Consent, and the participation's own address."""
        return self.decide(self.entry_token(link), "agree")["location"]

    def decide(self, token: str, decision: str) -> HttpResponse:
        return self.client.post(self.address, {"entry": token, "decision": decision})

    def page_answers(self, address: str) -> dict[str, str]:
        """Answers to whatever the page at this address asks."""
        html = self.client.get(address, follow=True).content.decode()
        items = set(re.findall(r'name="(item-[^"]+)"', html))
        return dict.fromkeys(items, "3") | (DECLINE_ALL if 'name="gender"' in html else {})

    def walk(self, own_address: str, *, pages: int = 1000) -> str:
        """Fill pages from the current one on; the address of the page that comes next."""
        address = self.current(own_address)
        for _ in range(pages):
            if address == own_address:
                break
            address = self.client.post(address, self.page_answers(address))["location"]
        return address

    def finish(self, own_address: str, **fields: str) -> str:
        """Leave the debrief; the page with the completion code."""
        sent = {"comment": "", **fields}
        return self.client.post(f"{own_address}finish/", sent, follow=True).content.decode()

    def current(self, own_address: str) -> str:
        response = self.client.get(own_address)
        return response["location"] if response.status_code == 302 else own_address


@pytest.fixture
def person() -> Callable[..., Person]:
    return Person


def page_address(participation: Participation, number: int) -> str:
    return f"/s/{participation.study.slug}/p/{participation.code}/{number}/"


def at_once(actions: Sequence[Callable[[], Any]], *, threads: int = 0) -> list[Any]:
    """The results of all actions, done in as many threads as there are unless fewer are told."""

    def run(action: Callable[[], Any]) -> Any:
        try:
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(threads or len(actions)) as pool:
        return list(pool.map(run, actions))
