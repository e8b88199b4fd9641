"""Runs and their trials: one benchmark execution, and one question sequence put to a model."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from benchmark.models.language_models import LanguageModel
from benchmark.models.prompt_templates import PromptTemplate
from benchmark.querysets import RunQuerySet, TrialQuerySet
from surveys.domain.protocol import Phase
from surveys.models import AdministrationRecord, InstrumentVersion, SituationVersion
from surveys.models.administration import SITUATION_FITS_PHASE
from surveys.models.participation import new_code


class Run(models.Model):
    """One execution with all its settings, own or imported."""

    class State(models.TextChoices):
        PLANNED = "planned", "planned"
        RUNNING = "running", "running"
        PAUSED = "paused", "paused"
        CANCELLED = "cancelled", "cancelled"
        PARTIAL = "partial", "partial"
        FINISHED = "finished", "finished"

    class Origin(models.TextChoices):
        OWN = "own", "own"
        IMPORTED = "imported", "imported"

    code = models.CharField(max_length=40, unique=True, default=new_code, editable=False)
    language_model = models.ForeignKey(LanguageModel, on_delete=models.PROTECT, related_name="runs")
    instrument = models.ForeignKey(InstrumentVersion, on_delete=models.PROTECT, related_name="runs")
    prompt_template = models.ForeignKey(
        PromptTemplate, on_delete=models.PROTECT, related_name="runs", null=True, blank=True
    )
    preset = models.CharField(max_length=40, blank=True)
    variant = models.CharField(max_length=40, default="standard")
    reply_format = models.CharField(
        max_length=20, choices=[("text", "text"), ("json_schema", "JSON schema")], default="text"
    )
    parameters = models.JSONField(
        default=dict, blank=True, help_text="Sampling parameters asked for, by their API names."
    )
    plan = models.JSONField(
        default=dict, blank=True, help_text="What the trials were enumerated from."
    )
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED, db_index=True)
    state_reason = models.CharField(max_length=300, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.OWN, editable=False)
    source_key = models.CharField(max_length=300, blank=True, help_text="The imported file.")
    citation = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("source_key",),
                condition=~models.Q(source_key=""),
                name="run_source_key_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.language_model} · {self.instrument} · {self.code[:8]}"


class Trial(models.Model):
    """One measure put to a model, from plan to settled answer.

    A worker holds a trial by its lease (`leased_by` until `leased_until`); settling it needs the
    same lease, so that an answer is stored once. `item_order` lists positions in the instrument's
    own order as they are shown.
    """

    class State(models.TextChoices):
        PLANNED = "planned", "planned"
        LEASED = "leased", "leased"
        VALID = "valid", "valid"
        REFUSED = "refused", "refused"
        INVALID = "invalid", "invalid"
        EMPTY = "empty", "empty"
        TRUNCATED = "truncated", "truncated"
        FAILED = "failed", "failed"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="trials")
    number = models.PositiveIntegerField(help_text="Counts from 0 within the run.")
    phase = models.CharField(max_length=10, choices=[(p.value, p.value) for p in Phase])
    situation_version = models.ForeignKey(
        SituationVersion, on_delete=models.PROTECT, related_name="trials", null=True, blank=True
    )
    repeat = models.PositiveIntegerField(default=0)
    item_order = models.JSONField(default=list)
    seed = models.BigIntegerField(null=True, blank=True, help_text="Sent to the endpoint.")
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    state_reason = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_by = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    messages = models.JSONField(default=list, blank=True)
    messages_hash = models.CharField(max_length=64, blank=True, help_text="SHA-256, hexadecimal.")
    parameters_sent = models.JSONField(default=dict, blank=True)
    parameters_dropped = models.JSONField(
        default=dict, blank=True, help_text="Parameters not sent, each with the reason."
    )
    raw_reply = models.TextField(null=True, blank=True)  # null: no text was returned
    finish_reason = models.CharField(max_length=40, blank=True)
    usage = models.JSONField(default=dict, blank=True)
    response_model = models.CharField(max_length=200, blank=True)
    system_fingerprint = models.CharField(max_length=120, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    situation_as_shown = models.TextField(
        blank=True, help_text="The words an imported source quotes, where they differ."
    )
    source_key = models.CharField(
        max_length=120, blank=True, help_text="The column of an imported file."
    )

    objects = TrialQuerySet.as_manager()

    class Meta:
        ordering = ("run", "number")
        constraints = (
            models.UniqueConstraint(fields=("run", "number"), name="trial_number_once"),
            models.CheckConstraint(
                condition=models.Q(phase="default", situation_version__isnull=True)
                | models.Q(phase="evoked", situation_version__isnull=False),
                name="trial_situation_fits_phase",
            ),
        )
        indexes = (
            # Leasing asks for the first free trials of a run; progress counts by state.
            models.Index(fields=("run", "state", "number"), name="trial_by_run_state"),
        )

    def __str__(self) -> str:
        return f"{self.run} · trial {self.number}"


class ModelAdministration(AdministrationRecord):
    """A model's answers to one measure of a valid trial."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="administrations")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("trial", "position")
        constraints = (
            SITUATION_FITS_PHASE,
            models.UniqueConstraint(
                fields=("trial", "position"), name="model_administration_position_once"
            ),
            models.CheckConstraint(
                condition=models.Q(scores__isnull=False), name="model_administration_is_scored"
            ),
        )

    def __str__(self) -> str:
        return f"{self.trial} · {self.phase}"
