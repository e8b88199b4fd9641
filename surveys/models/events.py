"""What happened to a study and who did it; rows are added, never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from surveys.models.studies import Study


class StudyEvent(models.Model):
    """One thing that happened to a study; `actor` is null where the software did it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40, help_text="A verb, such as opened or paused.")
    detail = models.TextField(blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("study", "kind"), name="study_event_by_kind"),)

    def __str__(self) -> str:
        return f"{self.study}: {self.kind}"
