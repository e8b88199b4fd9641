"""People in studies: pseudonym, participation, assigned situations, answers, paradata."""

from __future__ import annotations

import secrets

from django.db import models

from surveys.domain.outcomes import Outcome
from surveys.models.administration import SITUATION_FITS_PHASE, AdministrationRecord
from surveys.models.catalogue import SituationVersion
from surveys.models.studies import Study
from surveys.querysets import AdministrationQuerySet, ParticipationQuerySet


def new_code() -> str:
    """A random public code of 128 bits; integer keys never leave the server."""
    return secrets.token_urlsafe(16)


class Participant(models.Model):
    """A person, known only by a pseudonym."""

    code = models.CharField(max_length=40, unique=True, default=new_code, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.code


class Participation(models.Model):
    """One person's way through one study. `code` is the secret of its address."""

    class State(models.TextChoices):
        ACTIVE = "active", "active"
        COMPLETED = "completed", "completed"
        WITHDRAWN = "withdrawn", "withdrawn"

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="participations")
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="participations"
    )
    code = models.CharField(max_length=40, unique=True, default=new_code, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    is_test = models.BooleanField(default=False)
    excluded_because = models.CharField(max_length=200, blank=True)
    outcome = models.CharField(
        max_length=20, blank=True, choices=[(o.value, o.label) for o in Outcome]
    )
    flags = models.JSONField(
        default=list, blank=True, help_text="Signs of careless answers, each with its reason."
    )
    item_order = models.JSONField(
        default=list, help_text="Item keys in the order shown, the same in both phases."
    )
    pages_done = models.PositiveSmallIntegerField(
        default=0, help_text="Pages saved so far; never goes back."
    )
    gender = models.CharField(max_length=60, blank=True)
    year_of_birth = models.PositiveSmallIntegerField(null=True, blank=True)
    country = models.CharField(max_length=80, blank=True)
    employment = models.CharField(max_length=120, blank=True)
    education = models.CharField(max_length=120, blank=True)
    declined_questions = models.JSONField(
        default=list, blank=True, help_text="Demographic questions answered 'prefer not to say'."
    )
    comment = models.TextField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    is_translated = models.BooleanField(default=False, help_text="A browser translated the pages.")
    viewport_class = models.CharField(
        max_length=10, blank=True, help_text="small, medium or large."
    )
    layout = models.CharField(max_length=10, blank=True, help_text="stacked or row.")
    consent_version = models.CharField(max_length=40, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True, db_index=True)
    completed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the last answer was saved."
    )
    left_at = models.DateTimeField(
        null=True, blank=True, help_text="When the completion code was first shown."
    )
    source_key = models.CharField(
        max_length=120, blank=True, help_text="Where an imported one stands in its file."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("study", "source_key"),
                condition=~models.Q(source_key=""),
                name="participation_source_key_once",
            ),
        )
        indexes = (models.Index(fields=("study", "state"), name="participation_by_study_state"),)

    def __str__(self) -> str:
        return f"{self.study} · {self.code[:8]}"


class Assignment(models.Model):
    """A situation that a participant was given, in the order of their protocol."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="assignments"
    )
    situation_version = models.ForeignKey(
        SituationVersion, on_delete=models.PROTECT, related_name="assignments"
    )
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("participation", "position")
        constraints = (
            models.UniqueConstraint(
                fields=("participation", "position"), name="assignment_position_once"
            ),
            models.UniqueConstraint(
                fields=("participation", "situation_version"), name="assignment_situation_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.participation}: {self.situation_version}"


class Administration(AdministrationRecord):
    """A person's answers to one measure; `position` counts the measures of the protocol."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="administrations"
    )
    position = models.PositiveSmallIntegerField()
    paradata = models.JSONField(
        default=dict,
        blank=True,
        help_text="By item key: shown_at, answered_at, changes; times in UTC.",
    )

    objects = AdministrationQuerySet.as_manager()

    class Meta:
        ordering = ("participation", "position")
        constraints = (
            SITUATION_FITS_PHASE,
            models.UniqueConstraint(
                fields=("participation", "position"), name="administration_position_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.participation} · {self.phase}"


class AttentionCheck(models.Model):
    """An instructed item: which option a person was asked to choose, and which they chose.

    It stands in one measure before the item at `place` (counted from 0 in shown order).
    """

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="attention_checks"
    )
    measure_position = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    asked_value = models.SmallIntegerField()
    text = models.CharField(max_length=200, help_text="As it was shown.")
    answered_value = models.SmallIntegerField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("participation", "measure_position")
        constraints = (
            models.UniqueConstraint(
                fields=("participation", "measure_position"), name="attention_check_once_a_measure"
            ),
        )

    def __str__(self) -> str:
        return f"{self.participation}: {self.text}"

    @property
    def is_failed(self) -> bool:
        return self.answered_value is not None and self.answered_value != self.asked_value


class PageVisit(models.Model):
    """When one page was first shown, how often, how long it was seen, and when it was saved.

    `first_shown_at` is never overwritten. `visible_ms` is the browser's own count of the time in
    which the page was in view, 0 where scripts are off.
    """

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="page_visits"
    )
    number = models.PositiveSmallIntegerField()
    first_shown_at = models.DateTimeField()
    last_shown_at = models.DateTimeField()
    visits = models.PositiveSmallIntegerField(default=1)
    visible_ms = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True, help_text="When it was first saved.")

    class Meta:
        ordering = ("participation", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("participation", "number"), name="page_visit_once_a_page"
            ),
        )

    def __str__(self) -> str:
        return f"{self.participation} · page {self.number}"
