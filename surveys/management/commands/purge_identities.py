"""`manage.py purge_identities`: delete Prolific's ids whose time is over."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from surveys.models import Study
from surveys.services.retention import Purge, overdue_studies, purge_identities


class Command(BaseCommand):
    help = "Delete Prolific's ids of closed studies whose time is over, where everybody is paid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", metavar="SLUG", help="Only this one; else every study.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be deleted.")
        parser.add_argument("--no-input", action="store_true", help="Do not ask.")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        studies = self._studies(options["study"], overdue_studies(now=now))
        planned = [purge_identities(study=s, now=now, is_dry_run=True) for s in studies]
        for purge in planned:
            self.stdout.write(_sentence(purge))
        total = sum(purge.purged for purge in planned)
        if not planned:
            self.stdout.write("No study holds ids whose time is over.")
        if options["dry_run"] or not any(purge.is_due for purge in planned):
            return
        if total and not options["no_input"] and sys.stdin.isatty():
            self._confirm(total)
        done = [purge_identities(study=purge.study, now=now) for purge in planned]
        self.stdout.write(f"Deleted the ids of {sum(purge.purged for purge in done)} submissions.")
        unpaid = sum(purge.unpaid for purge in done)
        if unpaid:
            self.stderr.write(f"{unpaid} submissions keep theirs beyond their time: pay is open.")

    def _studies(self, slug: str | None, overdue: list[Study]) -> list[Study]:
        if slug is None:
            return overdue
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"there is no study {slug}")
        return [study]

    def _confirm(self, total: int) -> None:
        answer = input(f"Delete the ids of {total} submissions for good? Type yes: ")
        if answer.strip().lower() != "yes":
            raise CommandError("nothing was deleted")


def _sentence(purge: Purge) -> str:
    name = purge.study.slug
    if purge.due_at is None:
        return f"{name}: not closed, nothing is due."
    if not purge.is_due:
        return f"{name}: due on {purge.due_at:%Y-%m-%d}."
    unpaid = f", {purge.unpaid} are kept because pay is open" if purge.unpaid else ""
    return f"{name}: due since {purge.due_at:%Y-%m-%d}, {purge.purged} to delete{unpaid}."
