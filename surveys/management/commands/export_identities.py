"""`manage.py export_identities SLUG --out FILE`: Prolific's ids by pseudonym, for payment only."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.exporting.identities import export_identities
from surveys.models import Study


class Command(BaseCommand):
    help = "Write Prolific's ids by pseudonym, for payment only. Keep it apart from the answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="SLUG")
        parser.add_argument("--out", type=Path, required=True, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['study']}")
        try:
            count = export_identities(study=study, path=options["out"])
        except OSError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} submissions in {options['out']}. Delete it after payment.")
