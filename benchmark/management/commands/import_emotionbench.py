"""`manage.py import_emotionbench DIR`: the published EmotionBench release, file by file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark.importing.release import import_files
from benchmark.importing.release_files import KINDS, find_release_files
from surveys.importing.outcome import FileOutcome
from surveys.importing.tables import first_names


class Command(BaseCommand):
    help = (
        "Import the published EmotionBench release: situations, instruments' texts and prompts, "
        "people's and models' answers. Repeatable; what differs from what is stored is reported "
        "and left. Each file is imported wholly or not at all."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", metavar="DIR", help="the release, a folder or a file of it")
        parser.add_argument("--only", choices=KINDS, default="", help="one kind of file only")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(options["dir"])
        if not root.exists():
            raise CommandError(f"{root} does not exist")
        files, unknown = find_release_files(root)
        if unknown:
            self.stderr.write(f"Not files of the release, passed over: {first_names(unknown, 5)}")
        wanted = [file for file in files if options["only"] in ("", file.kind)]
        if not wanted:
            what = f" with {options['only']}" if options["only"] else ""
            raise CommandError(f"{root} holds no file of the release{what}")
        broken = total = 0
        for outcome in import_files(files, only=options["only"], progress=self._progress):
            self._clear_progress()
            total += 1
            broken += bool(outcome.error)
            if options["format"] == "json":
                self.stdout.write(json.dumps(outcome.as_dict(), ensure_ascii=False))
            else:
                self._write_text(outcome)
        if broken:
            raise CommandError(f"{broken} of {total} files could not be imported")

    def _write_text(self, outcome: FileOutcome) -> None:
        if outcome.error:
            self.stderr.write(self.style.ERROR(f"{outcome.error} (nothing of it was imported)"))
            return
        self.stdout.write(
            f"{outcome.file} ({outcome.kind}): {outcome.created} created, "
            f"{outcome.updated} updated, {outcome.unchanged} unchanged, {outcome.invalid} invalid"
        )
        for warning in outcome.warnings:
            self.stdout.write(self.style.WARNING(f"  {warning}"))

    def _progress(self, number: int, total: int, name: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r\033[K[{number}/{total}] {name} …", ending="")

    def _clear_progress(self) -> None:
        if self.stderr.isatty():
            self.stderr.write("\r\033[K", ending="")
