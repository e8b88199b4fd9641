"""Have Prolific deliver its events to this site: once for each workspace."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from surveys.prolific.client import ProlificClient, connect
from surveys.prolific.errors import ProlificError
from surveys.prolific.webhooks import EVENT_TYPES


class Command(BaseCommand):
    help = "Subscribe to Prolific's events, or have a new secret made that signs them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--new-secret",
            action="store_true",
            help="make the workspace's secret, which replaces the one before, and show it once",
        )

    def handle(self, *args: Any, new_secret: bool = False, **options: Any) -> None:
        if not settings.PROLIFIC_WORKSPACE_ID:
            raise CommandError("Set PROLIFIC_WORKSPACE_ID first.")
        try:
            with connect() as client:
                if new_secret:
                    self._make_secret(client)
                else:
                    self._subscribe(client)
        except ProlificError as error:
            raise CommandError(str(error)) from error

    def _make_secret(self, client: ProlificClient) -> None:
        secret = client.create_webhook_secret(settings.PROLIFIC_WORKSPACE_ID)
        self.stdout.write("Set this where the web server reads its settings, and restart it:")
        self.stdout.write(f"PROLIFIC_WEBHOOK_SECRET={secret}")

    def _subscribe(self, client: ProlificClient) -> None:
        if not settings.PROLIFIC_WEBHOOK_SECRET:
            raise CommandError(
                "Set PROLIFIC_WEBHOOK_SECRET first: `prolific_subscribe --new-secret` makes one."
            )
        if urlsplit(settings.SITE_URL).scheme != "https":
            raise CommandError("Set AFFECTBENCH_SITE_URL to the public https address of this site.")
        address = settings.SITE_URL.rstrip("/") + reverse("surveys:prolific_hook")
        for event_type in EVENT_TYPES:
            client.subscribe(settings.PROLIFIC_WORKSPACE_ID, event_type, address)
            self.stdout.write(f"{event_type} is delivered to {address}")
