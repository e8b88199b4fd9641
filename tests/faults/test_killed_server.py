"""The web server is killed again and again while people answer; nothing is lost or doubled."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

from surveys.models import Participation, Study, Submission
from surveys.simulation.identities import simulated_ids
from surveys.simulation.pages import Option, Question
from surveys.simulation.respondents import Person, Style, knowledge_of, make_people
from surveys.simulation.walk import Ending, Walk, walk
from tests import factories
from tests.faults.conftest import PatientBrowser
from tests.web_server import WebServer

N_PEOPLE = 4
N_KILLS = 2


def link(study: Study, person: Person) -> str:
    ids = simulated_ids(slug=study.slug, run="kill", number=person.number)
    return (
        f"/s/{study.slug}/?PROLIFIC_PID={ids.participant}"
        f"&STUDY_ID={ids.study}&SESSION_ID={ids.session}"
    )


def expected_ratings(study: Study, person: Person, scene: str) -> list[int]:
    """What this person sends, computed apart from every page."""
    instrument = study.instrument.spec
    options = tuple(Option(str(o.value), o.label) for o in instrument.options)
    items = tuple(Question(f"item-{i.key}", "radio", i.text, options) for i in instrument.items)
    return [int(text) for _, text in person.answers(items, scene)]


def test_every_answer_arrives_once_however_often_the_server_is_killed(
    web_server: WebServer,
) -> None:
    study = factories.StudyFactory(slug="kill", n_situations=2)
    people = make_people(
        count=N_PEOPLE,
        style=Style.PLAUSIBLE,
        seed="kill",
        knowledge=knowledge_of(study.instrument.spec, {}),
    )
    browsers = [PatientBrowser(web_server.url) for _ in people]
    web_server.start()

    def go(person: Person) -> Walk:
        browser = browsers[person.number]
        return walk(browser=browser, link=link(study, person), person=person, pace=0.01)

    rng = random.Random(7)
    with ThreadPoolExecutor(N_PEOPLE) as pool:
        walks = [pool.submit(go, person) for person in people]
        for _ in range(N_KILLS):
            time.sleep(rng.uniform(0.4, 0.9))
            web_server.kill()
            web_server.start()
        endings = [walk.result() for walk in walks]

    assert [(walk.ending, walk.problem) for walk in endings] == [(Ending.FINISHED, "")] * N_PEOPLE
    assert sum(browser.n_retries for browser in browsers) >= N_KILLS, "nobody met a dead server"
    assert Submission.objects.count() == Participation.objects.count() == N_PEOPLE
    for person in people:
        ids = simulated_ids(slug=study.slug, run="kill", number=person.number)
        stored = Participation.objects.get(submission__prolific_participant_id=ids.participant)
        scene = " ".join(stored.assignments.get().situation_version.text.split())
        assert [a.ratings for a in stored.administrations.order_by("position")] == [
            expected_ratings(study, person, ""),
            expected_ratings(study, person, scene),
        ]
        assert stored.state == Participation.State.COMPLETED
