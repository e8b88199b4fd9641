"""Read Prolific's submissions once: for cron, a systemd timer, or by hand."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from surveys.models import ProlificStudy
from surveys.prolific.client import connect
from surveys.prolific.errors import ProlificError
from surveys.prolific.reconciling import Reconciliation, reconcile
from surveys.prolific.regular import running_studies


class Command(BaseCommand):
    help = "Read submissions from Prolific, repair what differs, and list what needs action."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", help="only the study with this name in its address")

    def handle(self, *args: Any, study: str | None = None, **options: Any) -> None:
        rows = list(self._rows(study))
        if not rows:
            self.stdout.write("No study is running on Prolific.")
            return
        failed = []
        try:
            with connect() as client:
                for row in rows:
                    try:
                        result = reconcile(row=row, client=client, now=timezone.now())
                    except ProlificError as error:
                        failed.append(f"{row.study.slug}: {error}")
                    else:
                        self._report(row, result)
        except ProlificError as error:
            raise CommandError(str(error)) from error
        if failed:
            raise CommandError("\n".join(failed))

    def _rows(self, slug: str | None) -> list[ProlificStudy]:
        if slug is None:
            return list(running_studies())
        row = ProlificStudy.objects.select_related("study").filter(study__slug=slug).first()
        if row is None:
            raise CommandError(f"{slug} is not connected with a study on Prolific.")
        return [row]

    def _report(self, row: ProlificStudy, result: Reconciliation) -> None:
        sync = result.sync
        self.stdout.write(
            f"{row.study.slug}: {sync.created} added, {sync.changed} changed, "
            f"{sync.unchanged} unchanged, {len(result.cases)} need action"
        )
        for case in result.cases:
            # Prolific's ids stay out of terminals and the mails that cron makes of them.
            self.stdout.write(f"  submission {case.submission.pk}: {case.finding.sentence}")
