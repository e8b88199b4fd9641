"""One simulated participant's way through a study, from the link to the completion code."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum

from surveys.simulation.browser import Browser, BrowserError, Exchange
from surveys.simulation.pages import Form, Page, read_page
from surveys.simulation.respondents import Person

MAX_PAGES = 400
# A page that turns the same answers down so often will not take them.
MAX_TRIES = 5


class Ending(StrEnum):
    """How a walk ended."""

    FINISHED = "finished"
    LEFT = "left"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Timing:
    """One request: such as "POST ratings", the seconds it took, and the status it got."""

    what: str
    seconds: float
    status: int


@dataclass(frozen=True, slots=True)
class Walk:
    """What became of one person; `problem` says in words why a walk failed."""

    person: Person
    ending: Ending
    code: str
    problem: str
    timings: tuple[Timing, ...]


class _WalkFailed(Exception):
    """Why a person could not go on."""


@dataclass
class _Walker:
    person: Person
    browser: Browser
    pace: float
    timings: list[Timing] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    address: str = ""
    scene: str = ""
    n_sent: int = 0

    def run(self, link: str) -> Walk:
        self.browser.observe = self.exchanges.append
        try:
            return self._end(*self._go(link))
        except (BrowserError, _WalkFailed) as error:
            return self._end(Ending.FAILED, "", str(error))
        finally:
            self.browser.close()

    def _go(self, link: str) -> tuple[Ending, str, str]:
        page = self._see(self.browser.open(link), "")
        for _ in range(MAX_PAGES):
            if page.kind == "end":
                return Ending.FINISHED, page.code, ""
            if page.form is None:
                raise _WalkFailed(f"no way on from {self.address}")
            if self.n_sent == self.person.pages_before_leaving:
                return Ending.LEFT, "", ""
            page = self._fill(page, page.form)
        raise _WalkFailed(f"no end after {MAX_PAGES} pages")

    def _fill(self, page: Page, form: Form) -> Page:
        """Answer the page until it is taken, waiting where it asks for that."""
        self.scene = page.scene or self.scene
        sent = [*form.hidden, *self.person.answers(form.questions, self.scene)]
        sent += [form.button] if form.button else []
        address = form.action or self.address
        natural_s = self.pace * self.person.seconds_for(form.questions, page.scene)
        # Hasty people try before they may, and are told to wait.
        time.sleep(natural_s if self.person.is_hasty else max(natural_s, page.wait_s))
        for _ in range(MAX_TRIES):
            exchange = self.browser.submit(address, sent)
            following = self._see(exchange, page.kind)
            self.n_sent += 1
            if exchange.status < 400:
                return following
            if not following.wait_s:
                raise _WalkFailed(f"{exchange.method} {page.kind}: status {exchange.status}")
            time.sleep(following.wait_s)
        raise _WalkFailed(f"{page.kind} was turned down {MAX_TRIES} times")

    def _see(self, exchange: Exchange, kind_before: str) -> Page:
        """Read where the browser has arrived, and note how long each request took."""
        page = read_page(exchange.body, exchange.headers.get("Retry-After", ""))
        for seen in self.exchanges:
            kind = page.kind if seen is exchange else "redirect"
            what = f"POST {kind_before}" if seen.method == "POST" else f"GET {kind}"
            self.timings.append(Timing(what, seen.seconds, seen.status))
        self.exchanges.clear()
        self.address = exchange.address
        if exchange.method == "GET" and exchange.status >= 400:
            raise _WalkFailed(f"GET {page.kind}: status {exchange.status}")
        return page

    def _end(self, ending: Ending, code: str, problem: str) -> Walk:
        return Walk(self.person, ending, code, problem, tuple(self.timings))


def walk(*, browser: Browser, link: str, person: Person, pace: float = 0.0) -> Walk:
    """Walk from `link` to the end. `pace` 1 takes as long as people do, 0 as long as pages demand.

    Never raises for what a server does: a walk that cannot go on has failed, and says why.
    """
    return _Walker(person, browser, pace).run(link)
