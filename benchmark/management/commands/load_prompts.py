"""`manage.py load_prompts`: the shipped wordings in which models are asked."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark.domain.prompts import PromptError
from benchmark.services.prompt_templates import load_prompt_templates


class Command(BaseCommand):
    help = "Load the shipped prompt templates of every stored instrument. Repeatable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            counts = load_prompt_templates()
        except PromptError as error:
            raise CommandError(str(error)) from error
        if options["format"] == "json":
            self.stdout.write(json.dumps(counts))
        else:
            listed = ", ".join(f"{n} {outcome}" for outcome, n in counts.items())
            self.stdout.write(f"Prompt templates: {listed}.")
