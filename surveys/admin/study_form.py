"""The form of a study: plain words, situations by emotion and factor, refusals with the reason."""

from __future__ import annotations

from typing import Any

from django import forms

from surveys.domain.demographics import QUESTIONS
from surveys.domain.study_changes import MEASURE_FIELDS, RULE_FIELDS
from surveys.models import Collection, Emotion, Factor, Situation, Study
from surveys.services.study_rules import has_takers, refused_study_changes
from surveys.services.study_situations import choose_situations
from surveys.study_words import FIXED, REFUSALS

QUESTION_LABELS = {
    "gender": "gender",
    "year_of_birth": "year of birth",
    "country": "country",
    "employment": "employment",
    "education": "education",
}
LABELS = {
    "slug": "Name in the address",
    "item_order": "Order of the items",
    "items_per_page": "Items on a page",
    "situations_per_person": "Situations for each person",
    "target_per_situation": "People wanted for each situation",
    "attention_items": "Instructed items",
    "demographic_questions": "Questions about the person",
    "planned_minutes": "Planned minutes",
    "reward_minor": "Reward, in pence or cents",
    "reward_currency": "Currency",
    "n_places": "Places on Prolific",
    "withdrawal_days": "Days to withdraw in",
    "identity_retention_days": "Days that Prolific's ids are kept",
    "language": "Language of the pages",
}
HELP = {
    "slug": "Its address is /s/<this name>/. It stays once the study has been open.",
    "consent_text": "What people read before they decide, in Markdown: purpose, duration, pay, "
    "what is stored and for how long, how to withdraw, whom to ask.",
    "consent_version": "Stored with each participation. A changed text needs a new version.",
    "debrief_text": "What people read at the end, in Markdown: the purpose, and where to find help "
    "if the situation was hard for them.",
    "item_order": "Permuted: drawn once for each person, and the same before and after.",
    "items_per_page": "1 shows one item at a time, which suits phones; 20 shows PANAS at once.",
    "situations_per_person": "Each one adds a text to imagine and the whole questionnaire.",
    "demographic_questions": "Each can be declined by the participant. None ticked: none is asked.",
    "attention_items": "“Please choose ‘A little’ here”: one goes into the first measure, a second "
    "into the last. 0 asks for none.",
    "target_per_situation": "Once a situation has as many, nobody new gets it. Empty: no limit.",
    "planned_minutes": "The median that you expect; it decides the hourly rate that you promise.",
    "reward_minor": "For one participant: 120 is 1.20. Nobody who began may be paid less later.",
    "n_places": "How many people you want to recruit there.",
    "admits_without_ids": "Anybody with the link may take part. For demonstrations, not for pay.",
}


class StudyForm(forms.ModelForm):
    """A study, with a way to add situations by emotion, factor, collection, kind and number."""

    demographic_questions = forms.TypedMultipleChoiceField(
        choices=[(name, QUESTION_LABELS[name]) for name in QUESTIONS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        initial=list(QUESTIONS),
        label=LABELS["demographic_questions"],
        help_text=HELP["demographic_questions"],
    )
    add_emotions = forms.ModelMultipleChoiceField(
        Emotion.objects.all(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Adds the situations of all factors of these emotions.",
    )
    add_factors = forms.ModelMultipleChoiceField(
        Factor.objects.order_by("emotion__position", "position"),
        required=False,
        help_text="Adds the situations of these factors.",
    )
    add_collections = forms.ModelMultipleChoiceField(
        Collection.objects.all(),
        required=False,
        label="Only of these collections",
        help_text="None chosen: all of them.",
    )
    add_kinds = forms.MultipleChoiceField(
        choices=Situation.Kind.choices,
        initial=[Situation.Kind.STANDARD],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Only of these kinds",
        help_text="Neutral situations belong to no factor and are added whichever are chosen.",
    )
    add_per_factor = forms.IntegerField(
        required=False,
        min_value=1,
        label="At most so many a factor",
        help_text="The first so many of each factor and kind. Empty: all of them.",
    )

    class Meta:
        model = Study
        exclude = ("created_at", "state")
        labels = LABELS
        help_texts = HELP
        widgets = {
            "consent_text": forms.Textarea(attrs={"rows": 14, "cols": 90}),
            "debrief_text": forms.Textarea(attrs={"rows": 8, "cols": 90}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and has_takers(self.instance):
            for name in (*MEASURE_FIELDS, *RULE_FIELDS):
                if field := self.fields.get(name):
                    field.help_text = f"{FIXED} {field.help_text}"

    def clean_demographic_questions(self) -> list[str]:
        chosen = self.cleaned_data["demographic_questions"]
        return [name for name in QUESTIONS if name in chosen]

    def clean_reward_currency(self) -> str:
        currency = self.cleaned_data["reward_currency"].strip().upper()
        if not (len(currency) == 3 and currency.isalpha() and currency.isascii()):
            raise forms.ValidationError("Give the three letters of the currency, such as GBP.")
        return currency

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.instance.pk:
            return cleaned
        # Entering locks the same row: nobody takes part between this check and the saving.
        stored = Study.objects.select_for_update().get(pk=self.instance.pk)
        fields = {field.name for field in Study._meta.concrete_fields}
        changes = {name: value for name, value in cleaned.items() if name in fields}
        for name, refusal in refused_study_changes(study=stored, changes=changes).items():
            self.add_error(name, REFUSALS[refusal])
        return cleaned

    def situations_to_add(self) -> list[Situation]:
        """Situations that were asked for; none where the form does not ask, or asks for none."""
        data = self.cleaned_data
        has_chosen = data.get("add_emotions") or data.get("add_factors")
        wants_neutral = Situation.Kind.NEUTRAL in data.get("add_kinds", ())
        if not (has_chosen or wants_neutral):
            return []
        return choose_situations(
            emotions=data["add_emotions"],
            factors=data["add_factors"],
            collections=data["add_collections"],
            kinds=data["add_kinds"],
            per_factor=data["add_per_factor"],
        )
