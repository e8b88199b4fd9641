"""What Prolific knows: its study, its submissions, what it sent us, and what we paid through it.

Prolific's words for states are kept as it spells them: unknown ones must survive. The submission
is the only table with ids of persons, and exports of answers never read it.
"""

from __future__ import annotations

from django.db import models

from surveys.models.participation import Participation
from surveys.models.studies import Study


class ProlificStudy(models.Model):
    """The study on Prolific that recruits for one of ours."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="prolific")
    prolific_id = models.CharField(max_length=64, unique=True)
    status = models.CharField(max_length=40, blank=True, help_text="As Prolific spells it.")
    n_places = models.PositiveIntegerField(null=True, blank=True)
    snapshot = models.JSONField(
        default=dict, blank=True, help_text="The study as Prolific last described it."
    )
    synced_at = models.DateTimeField(null=True, blank=True)
    sync_error = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "Prolific studies"

    def __str__(self) -> str:
        return f"{self.study} on Prolific"


class Submission(models.Model):
    """Prolific's record of a participation. The only table that holds Prolific's ids.

    `participation` is null for a submission that Prolific knows and we do not. Once the ids are
    purged they are empty, and `purged_at` says when.
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="submissions")
    participation = models.OneToOneField(
        Participation, on_delete=models.CASCADE, related_name="submission", null=True, blank=True
    )
    prolific_participant_id = models.CharField(max_length=64, blank=True)
    prolific_study_id = models.CharField(max_length=64, blank=True)
    prolific_session_id = models.CharField(max_length=64, blank=True)
    is_proven = models.BooleanField(
        default=False, help_text="Prolific's API or its signed link confirmed these ids."
    )
    status = models.CharField(
        max_length=40, blank=True, db_index=True, help_text="Upper case with underscores."
    )
    status_at = models.DateTimeField(null=True, blank=True)
    entered_code = models.CharField(max_length=80, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    return_requested_at = models.DateTimeField(null=True, blank=True)
    approved_at = models.DateTimeField(
        null=True, blank=True, help_text="When approval was asked for; the status tells the rest."
    )
    synced_at = models.DateTimeField(null=True, blank=True)
    purged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("study", "prolific_participant_id"),
                condition=~models.Q(prolific_participant_id=""),
                name="submission_person_once_a_study",
            ),
        )
        indexes = (models.Index(fields=("prolific_session_id",), name="submission_by_session"),)

    def __str__(self) -> str:
        return f"submission of {self.participation}"


class BonusPayment(models.Model):
    """A bonus for one submission, in minor units; paid at most once."""

    class State(models.TextChoices):
        PLANNED = "planned", "planned"
        SET_UP = "set_up", "set up on Prolific"
        PAID = "paid", "payment asked for"

    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="bonus_payments"
    )
    amount_minor = models.PositiveIntegerField(help_text="Pence or cents.")
    reason = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    prolific_bonus_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("submission", "reason"), name="bonus_reason_once"),
        )

    def __str__(self) -> str:
        return f"{self.amount_minor} for {self.submission}"


class WebhookDelivery(models.Model):
    """One event that Prolific delivered; the same event again changes nothing."""

    event_id = models.CharField(max_length=100, unique=True)
    event_type = models.CharField(max_length=60)
    sent_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField(auto_now_add=True)
    body = models.JSONField(default=dict)
    handled_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.event_type} {self.event_id}"
