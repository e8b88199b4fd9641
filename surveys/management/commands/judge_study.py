"""`manage.py judge_study SLUG`: look for signs of careless answers again."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.models import Study
from surveys.services.errors import SurveyError
from surveys.services.quality import judge_study


class Command(BaseCommand):
    help = "Judge every completed participation of a study again, by its present settings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="SLUG")
        parser.add_argument("--dry-run", action="store_true", help="Say what would change.")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"there is no study {options['study']}")
        try:
            result = judge_study(study=study, is_dry_run=options["dry_run"])
        except SurveyError as error:
            raise CommandError(f"{error.code}: {error}") from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(asdict(result)))
            return
        verb = "would change" if options["dry_run"] else "changed"
        self.stdout.write(
            f"{result.judged} judged: {result.flagged} have a flag, {result.excluded} are "
            f"excluded by the study's rule, {result.changed} {verb}."
        )
