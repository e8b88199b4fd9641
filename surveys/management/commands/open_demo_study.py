"""`manage.py open_demo_study`: the demonstration study that anybody may try."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from surveys.services.demo import open_demo_study
from surveys.services.errors import SurveyError


class Command(BaseCommand):
    help = "Make and open the demonstration study over the starter situations. Repeatable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            study, created = open_demo_study()
        except SurveyError as error:
            raise CommandError(f"{error.code}: {error}") from error
        address = settings.SITE_URL.rstrip("/") + reverse("surveys:study", args=[study.slug])
        if options["format"] == "json":
            self.stdout.write(
                json.dumps({"address": address, "created": created, "state": study.state})
            )
        else:
            self.stdout.write(f"Demonstration study ({study.state}): {address}")
