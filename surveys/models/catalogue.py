"""The catalogue: emotions, the factors under them, and versioned situations."""

from __future__ import annotations

from django.db import models

from surveys.querysets import FactorManager, SituationQuerySet


class Collection(models.Model):
    """Where a set of situations comes from, under which licence, and what to cite."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=200, blank=True)
    citation = models.TextField(blank=True)

    def __str__(self) -> str:
        return self.name


class Emotion(models.Model):
    """One of the emotions that situations are meant to evoke."""

    name = models.CharField(max_length=60, unique=True)
    position = models.PositiveSmallIntegerField(unique=True)

    class Meta:
        ordering = ("position",)

    def __str__(self) -> str:
        return self.name


class Factor(models.Model):
    """A group of situations under one emotion; `position` counts from 0 as in the release."""

    emotion = models.ForeignKey(Emotion, on_delete=models.PROTECT, related_name="factors")
    name = models.CharField(max_length=120)
    position = models.PositiveSmallIntegerField()

    objects = FactorManager()

    class Meta:
        ordering = ("emotion__position", "position")
        constraints = (
            models.UniqueConstraint(fields=("emotion", "name"), name="factor_name_once"),
            models.UniqueConstraint(fields=("emotion", "position"), name="factor_position_once"),
        )

    def __str__(self) -> str:
        return f"{self.emotion} · {self.name}"


class Situation(models.Model):
    """A scene to imagine. Its words live in versions, because an answered text never changes."""

    class Kind(models.TextChoices):
        STANDARD = "standard", "standard"
        POSITIVE = "positive", "positive counterpart"
        NEUTRAL = "neutral", "neutral"

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        PUBLISHED = "published", "published"
        RETIRED = "retired", "retired"

    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, related_name="situations")
    factor = models.ForeignKey(
        Factor, on_delete=models.PROTECT, related_name="situations", null=True, blank=True
    )
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.STANDARD)
    position = models.PositiveSmallIntegerField(
        help_text="Counts from 0 within the factor, kind and collection."
    )
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT, db_index=True)
    is_in_published_study = models.BooleanField(
        default=False, help_text="One of the situations that the published study presented."
    )

    objects = SituationQuerySet.as_manager()

    class Meta:
        ordering = ("factor__emotion__position", "factor__position", "kind", "position")
        constraints = (
            models.UniqueConstraint(
                fields=("collection", "factor", "kind", "position"), name="situation_place_once"
            ),
            # Nulls are distinct in a unique constraint, and neutral situations have no factor.
            models.UniqueConstraint(
                fields=("collection", "position"),
                condition=models.Q(factor__isnull=True),
                name="situation_neutral_place_once",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="neutral", factor__isnull=True)
                | (~models.Q(kind="neutral") & models.Q(factor__isnull=False)),
                name="situation_neutral_has_no_factor",
            ),
        )

    def __str__(self) -> str:
        place = str(self.factor) if self.factor_id else "neutral"
        suffix = "" if self.kind != self.Kind.POSITIVE else " (positive)"
        return f"{place} · {self.position + 1}{suffix}"

    @property
    def code(self) -> str:
        """The release's notation, `Anger-0_scenario-0`; queries the factor."""
        if self.factor is None:
            return f"neutral_scenario-{self.position}"
        kind = "positive" if self.kind == self.Kind.POSITIVE else "scenario"
        return f"{self.factor.emotion.name}-{self.factor.position}_{kind}-{self.position}"

    @property
    def current_version(self) -> SituationVersion | None:
        """The newest words; uses prefetched versions where there are any."""
        return max(self.versions.all(), key=lambda version: version.number, default=None)

    @property
    def text(self) -> str:
        """The newest words; "" while there are none."""
        return self.current_version.text if self.current_version else ""


class SituationVersion(models.Model):
    """The words of a situation at one time. Rows are added, never edited once answered."""

    situation = models.ForeignKey(Situation, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField()
    text = models.TextField()
    source = models.CharField(max_length=300, blank=True, help_text="The paper it comes from.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("situation", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("situation", "number"), name="situation_version_number_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.situation} v{self.number}"
