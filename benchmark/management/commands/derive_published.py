"""`manage.py derive_published`: the imported release as the cell statistics that are shipped."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark.comparison.deriving import CITATION, RELEASE, TITLE, imported_cells
from benchmark.comparison.published import DIRECTORY
from benchmark.domain.published import table_to_dict


class Command(BaseCommand):
    help = (
        "Derive n, mean and SD of every emotion and factor from the imported release and write "
        "them as the published sources of a fresh installation: figures only, no answers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--output", type=Path, default=DIRECTORY / "emotionbench.json", help="The data file."
        )
        parser.add_argument("--format", default="text", choices=["text", "json"])

    def handle(self, *args: Any, **options: Any) -> None:
        sources = imported_cells()
        if not sources:
            raise CommandError("Nothing is imported yet: run import_emotionbench first.")
        table = table_to_dict(sources, title=TITLE, citation=CITATION, release=RELEASE)
        text = json.dumps(table, ensure_ascii=False, allow_nan=False, indent=None) + "\n"
        # One cell a line keeps changes of the shipped file reviewable.
        text = text.replace('{"emotion":', '\n{"emotion":')
        output: Path = options["output"]
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
        report = [
            {"source": s.source.group, "instrument": s.source.instrument, "cells": len(s.cells)}
            for s in sources
        ]
        if options["format"] == "json":
            self.stdout.write(json.dumps({"file": output.name, "sources": report}))
            return
        for row in report:
            self.stdout.write(f"{row['source']} · {row['instrument']}: {row['cells']} cells")
        self.stdout.write(f"written to {output.name}")
