"""Versioned wordings of the protocol's steps as messages to a language model."""

from __future__ import annotations

from django.db import models

from surveys.models import InstrumentVersion


class PromptTemplate(models.Model):
    """How one preset puts one instrument to a model. A version that was used never changes.

    `default_text` and `evoked_text` are the user message of a measure in either phase; they hold
    the fields of benchmark.domain.prompts, such as {situation} and {items}.
    """

    preset = models.CharField(max_length=40)
    instrument = models.ForeignKey(
        InstrumentVersion, on_delete=models.PROTECT, related_name="prompt_templates"
    )
    version = models.PositiveSmallIntegerField(default=1)
    system_text = models.TextField(blank=True)
    default_text = models.TextField()
    evoked_text = models.TextField()
    source = models.TextField(blank=True, help_text="Where the wording comes from.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("preset", "instrument", "version")
        constraints = (
            models.UniqueConstraint(
                fields=("preset", "instrument", "version"), name="prompt_template_version_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.preset} · {self.instrument} · v{self.version}"
