"""Having Prolific deliver its events here."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from surveys.prolific.webhooks import EVENT_TYPES
from tests.surveys.prolific.stand_in import ProlificStandIn


def command(**options: Any) -> str:
    out = StringIO()
    call_command("prolific_subscribe", stdout=out, **options)
    return out.getvalue()


def test_every_event_is_subscribed_and_confirmed(prolific: ProlificStandIn, settings: Any) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = "s"

    command()

    made = prolific.subscriptions.values()
    assert {s["event_type"] for s in made} == set(EVENT_TYPES)
    assert {s["target_url"] for s in made} == {"https://survey.example.org/hooks/prolific/"}
    assert all(s["is_enabled"] and s["workspace_id"] == "w1" for s in made)


def test_a_new_secret_is_shown_for_the_environment(prolific: ProlificStandIn) -> None:
    assert "PROLIFIC_WEBHOOK_SECRET=hook secret" in command(new_secret=True)
    assert prolific.subscriptions == {}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PROLIFIC_WORKSPACE_ID", "", "PROLIFIC_WORKSPACE_ID"),
        ("PROLIFIC_WEBHOOK_SECRET", "", "--new-secret"),
        ("SITE_URL", "http://localhost:8000", "AFFECTBENCH_SITE_URL"),
        ("PROLIFIC_API_URL", "http://127.0.0.1:9", "could not be reached"),
    ],
)
def test_what_is_missing_is_named(
    name: str, value: str, words: str, prolific: ProlificStandIn, settings: Any
) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = "s"
    settings.PROLIFIC_PATIENCE_SECONDS = 0
    setattr(settings, name, value)

    with pytest.raises(CommandError, match=words):
        command()
    assert prolific.subscriptions == {}
