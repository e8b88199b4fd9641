"""People need the web server and the database, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from celery import Task
from django.test import Client
from kombu.exceptions import OperationalError

from surveys.models import Participation, ProlificStudy
from surveys.simulation.pages import read_page
from surveys.simulation.respondents import Knowledge, Person, Style
from tests import factories

NOWHERE = "http://127.0.0.1:1"
LINK = {"PROLIFIC_PID": "5f0c0ffee0c0ffee0c0ffee0", "STUDY_ID": "abc", "SESSION_ID": "s1"}


@pytest.mark.django_db(transaction=True)
def test_people_finish_while_worker_broker_and_prolific_are_gone(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The study recruits on Prolific, so that entering has something to tell a worker."""
    asked: list[str] = []

    def unreachable(task: Task, *args: Any, **options: Any) -> None:
        asked.append(task.name)
        raise OperationalError("Error 111 connecting to the broker. Connection refused.")

    monkeypatch.setattr(Task, "apply_async", unreachable)
    settings.PROLIFIC_API_URL = NOWHERE
    monkeypatch.setenv("PROLIFIC_API_TOKEN", "a token that nobody is asked with")
    study = factories.StudyFactory(items_per_page=20, admits_without_ids=False)
    ProlificStudy.objects.create(study=study, prolific_id=LINK["STUDY_ID"])
    person = Person(0, Style.PLAUSIBLE, "alone", Knowledge({}, {}))

    response = client.get(f"/s/{study.slug}/", LINK, follow=True)
    for _ in range(20):
        page = read_page(response.content)
        if page.kind == "end":
            break
        assert response.status_code == 200
        assert page.form is not None, response.content
        sent = dict([*page.form.hidden, *person.answers(page.form.questions, "")])
        sent |= dict([page.form.button] if page.form.button else [])
        address = page.form.action or response.request["PATH_INFO"]
        response = client.post(address, sent, follow=True)

    assert page.code == "CODE1234"
    assert Participation.objects.get().state == Participation.State.COMPLETED
    assert asked, "nothing was told to a worker, so nothing was proven"
