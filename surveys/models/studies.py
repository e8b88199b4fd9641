"""A study: what is asked, of whom, how many, under which consent text, for which pay."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from surveys.domain.demographics import QUESTIONS
from surveys.domain.outcomes import Outcome
from surveys.domain.protocol import ItemOrder
from surveys.models.catalogue import SituationVersion
from surveys.models.instruments import InstrumentVersion
from surveys.querysets import StudyQuerySet


def all_questions() -> list[str]:
    """Every question about the person; a study may ask fewer."""
    return list(QUESTIONS)


class Study(models.Model):
    """A data collection with people, own or imported.

    `surveys.domain.study_states` says which state may follow which.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "draft"
        PILOT = "pilot", "pilot"
        OPEN = "open", "open"
        PAUSED = "paused", "paused"
        CLOSED = "closed", "closed"
        ARCHIVED = "archived", "archived"

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
    contact = models.CharField(
        max_length=200, blank=True, help_text="Whom participants write to; shown at the end."
    )
    language = models.CharField(
        max_length=10,
        choices=settings.LANGUAGES,
        default="en",
        help_text="Of the pages. The instrument and the texts are used as they are.",
    )
    demographic_questions = models.JSONField(
        default=all_questions, blank=True, help_text="The questions about the person to ask."
    )
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
    attention_items = models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(2)],
        help_text="Instructed items: one goes into the first measure, a second into the last.",
    )
    reading_words_per_minute = models.PositiveSmallIntegerField(
        "fastest reading",
        null=True,
        blank=True,
        validators=[MinValueValidator(60), MaxValueValidator(2000)],
        help_text="Words a minute; a situation holds people for as long. Empty: no waiting.",
    )
    has_uplifting_task = models.BooleanField(
        "uplifting task at the end",
        default=True,
        help_text="After a negative situation, something pleasant to imagine.",
    )
    flag_item_seconds = models.FloatField(
        "flag faster than (seconds an item)", default=1.0, validators=[MinValueValidator(0)]
    )
    flag_reading_words_per_minute = models.PositiveSmallIntegerField(
        "flag faster reading than (words a minute)", default=600
    )
    flag_synonym_difference = models.FloatField(
        "flag synonyms further apart than",
        default=1.25,
        validators=[MinValueValidator(0)],
        help_text="Mean absolute difference of words that mean nearly the same, in scale points.",
    )
    exclusion_flags = models.PositiveSmallIntegerField(
        "exclude from so many flags",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Fixed before collection. Empty: flags are shown and exclude nobody.",
    )
    planned_minutes = models.PositiveSmallIntegerField(
        default=8, validators=[MinValueValidator(1)], help_text="Expected median duration."
    )
    reward_minor = models.PositiveIntegerField(
        "reward", null=True, blank=True, help_text="Pence or cents for one participant."
    )
    reward_currency = models.CharField(max_length=3, default="GBP")
    n_places = models.PositiveIntegerField(
        "places on Prolific", null=True, blank=True, help_text="Participants to be recruited."
    )
    withdrawal_days = models.PositiveSmallIntegerField(
        default=14, help_text="Days after finishing in which a participant may still withdraw."
    )
    identity_retention_days = models.PositiveSmallIntegerField(
        default=30, help_text="Days after closing until Prolific's ids are deleted."
    )
    n_declined = models.PositiveIntegerField(
        default=0, editable=False, help_text="How many read the consent and declined."
    )
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
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

    @property
    def is_pilot(self) -> bool:
        return self.state == self.State.PILOT

    def code_for(self, outcome: Outcome) -> str:
        """What a participant with this outcome takes back to Prolific; "" where none is set."""
        codes = {code.outcome: code.code for code in self.completion_codes.all()}
        return codes.get(outcome.value, "")


class CompletionCode(models.Model):
    """The code of one outcome, and what Prolific does with a submission that brings it."""

    class Action(models.TextChoices):
        MANUALLY_REVIEW = "MANUALLY_REVIEW", "review by hand"
        AUTOMATICALLY_APPROVE = "AUTOMATICALLY_APPROVE", "approve at once"
        REQUEST_RETURN = "REQUEST_RETURN", "ask for the submission's return"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="completion_codes")
    outcome = models.CharField(max_length=20, choices=[(o.value, o.label) for o in Outcome])
    code = models.CharField(max_length=40)
    action = models.CharField(max_length=24, choices=Action, default=Action.MANUALLY_REVIEW)

    class Meta:
        ordering = ("study", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("study", "outcome"), name="completion_code_outcome_once"
            ),
            models.UniqueConstraint(fields=("study", "code"), name="completion_code_once_a_study"),
        )

    def __str__(self) -> str:
        return f"{self.get_outcome_display()}: {self.code}"


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
