"""`manage.py compare`: people, models and baselines side by side."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchmark.comparison.build import build_comparison
from benchmark.comparison.catalogue import emotion_names, instruments
from benchmark.comparison.parameters import ParameterError, ask
from benchmark.domain.cells import Level
from benchmark.domain.files import WRITERS
from benchmark.domain.statistics import Method


class Command(BaseCommand):
    help = (
        "Compare how people, language models and baselines answered: the default phase, and the "
        "change after imagining situations, with its test."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instrument", default="PANAS", help="Key of the questionnaire.")
        parser.add_argument(
            "--by",
            default=Level.EMOTION.value,
            choices=[level.value for level in Level],
            help="How finely; each level holds the rows of those before it. Default: emotion.",
        )
        parser.add_argument(
            "--sources", default="", metavar="NAME,…", help="Default: everything that answered."
        )
        parser.add_argument(
            "--alpha", default="0.01", help="Two-sided level of significance. Default: 0.01."
        )
        parser.add_argument(
            "--method",
            default=Method.PAPER.value,
            choices=[method.value for method in Method],
            help="paper: the published study's tests; clustered: standard errors clustered by "
            "situation.",
        )
        parser.add_argument(
            "--format", default="table", choices=list(WRITERS), help="Default: table."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("instrument", "by", "sources", "alpha", "method")
        given = {name: [options[name]] for name in names if options[name]}
        try:
            asked = ask(given, instruments=instruments(), emotions=emotion_names())
        except ParameterError as error:
            raise CommandError(str(error), returncode=2) from error
        comparison = build_comparison(asked.options, asked.sources)
        self.stdout.write(WRITERS[options["format"]](comparison), ending="")
