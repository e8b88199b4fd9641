"""A study: what is asked, of whom, how many, under which consent text."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from surveys.domain.protocol import ItemOrder
from surveys.models.catalogue import SituationVersion
from surveys.models.instruments import InstrumentVersion
from surveys.querysets import StudyQuerySet


class Study(models.Model):
    """A data collection with people, own or imported."""

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        OPEN = "open", "open"
        CLOSED = "closed", "closed"

    class Origin(models.TextChoices):
        OWN = "own", "own"
        IMPORTED = "imported", "imported"

    slug = models.SlugField(unique=True, help_text="Its address is /s/<slug>/.")
    title = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.OWN, editable=False)
    citation = models.TextField(blank=True)
    instrument = models.ForeignKey(
        InstrumentVersion, on_delete=models.PROTECT, related_name="studies"
    )
    situations = models.ManyToManyField(
        SituationVersion, through="StudySituation", related_name="studies"
    )
    admits_without_ids = models.BooleanField(
        "people may enter without Prolific ids",
        default=False,
        help_text="For demonstrations and trials: the link alone lets people in.",
    )
    consent_text = models.TextField(blank=True, help_text="Information and consent, Markdown.")
    consent_version = models.CharField(max_length=40, default="1")
    debrief_text = models.TextField(blank=True, help_text="Shown at the end, Markdown.")
    completion_code = models.CharField(max_length=40, blank=True)
    items_per_page = models.PositiveSmallIntegerField(
        default=5, validators=[MinValueValidator(1), MaxValueValidator(60)]
    )
    item_order = models.CharField(
        max_length=10, choices=[(o.value, o.value) for o in ItemOrder], default=ItemOrder.PERMUTED
    )
    situations_per_person = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1)]
    )
    target_per_situation = models.PositiveIntegerField(
        null=True, blank=True, help_text="Participants wanted for each situation; empty: no limit."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = StudyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "studies"
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.title

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN


class StudySituation(models.Model):
    """A situation, in one version, as part of a study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="study_situations")
    situation_version = models.ForeignKey(
        SituationVersion, on_delete=models.PROTECT, related_name="study_situations"
    )
    is_closed = models.BooleanField(default=False, help_text="Given to nobody new.")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("study", "situation_version"), name="study_situation_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.study}: {self.situation_version}"
