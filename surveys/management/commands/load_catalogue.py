"""`manage.py load_catalogue`: the shipped instruments, emotions, factors and situations."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.domain.instrument import InstrumentError
from surveys.services.catalogue import load_catalogue


class Command(BaseCommand):
    help = "Load the shipped instruments, emotions, factors and situations. Repeatable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            counts = load_catalogue()
        except InstrumentError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(asdict(counts)))
        else:
            self.stdout.write(
                f"Catalogue: {counts.created} created, {counts.updated} updated, "
                f"{counts.unchanged} unchanged."
            )
