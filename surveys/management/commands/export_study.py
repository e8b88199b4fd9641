"""`manage.py export_study SLUG --out FOLDER`: the answers of a study as files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from surveys.exporting.export import Rows, export_study
from surveys.exporting.formats import Format
from surveys.exporting.people import Selection
from surveys.models import Study
from surveys.services.errors import SurveyError


class Command(BaseCommand):
    help = "Write the answers of a study, with a codebook, its situations and a read-me."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="SLUG")
        parser.add_argument("--format", choices=[f.value for f in Format], default="csv")
        parser.add_argument("--rows", choices=[r.value for r in Rows], default="participant")
        parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
        parser.add_argument(
            "--include-excluded", action="store_true", help="Marked by the column is_excluded."
        )
        parser.add_argument(
            "--include-active", action="store_true", help="Not finished; marked by column state."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.select_related("instrument").filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['study']}")
        try:
            export = export_study(
                study=study,
                form=Format(options["format"]),
                rows=Rows(options["rows"]),
                selection=Selection(options["include_excluded"], options["include_active"]),
                folder=options["out"],
                now=timezone.now(),
            )
        except (SurveyError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{export.row_count} rows.")
        for path in export.files:
            self.stdout.write(str(path))
