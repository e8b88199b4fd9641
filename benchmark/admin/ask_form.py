"""The form with which an admin has a worker ask a model."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q

from benchmark.domain.prompts import ReplyFormat
from benchmark.domain.situation_choice import SituationChoiceError, parse_situation_choice
from benchmark.models import LanguageModel, PromptTemplate, Run
from benchmark.services.planning import RunSettings, plan_run
from surveys.models import Emotion, InstrumentVersion

DEFAULTS = RunSettings()


def _presets() -> list[tuple[str, str]]:
    presets = PromptTemplate.objects.order_by("preset").values_list("preset", flat=True).distinct()
    return [(preset, preset) for preset in presets]


class AskForm(forms.Form):
    """What is asked, of which model, how often. Everything else is as the command has it."""

    language_model = forms.ModelChoiceField(
        LanguageModel.objects.filter(
            Q(endpoint__isnull=False) | Q(kind=LanguageModel.Kind.BASELINE)
        ),
        help_text="Models that were imported have no endpoint and cannot be asked.",
    )
    instrument = forms.ModelChoiceField(InstrumentVersion.objects.all(), empty_label=None)
    preset = forms.ChoiceField(
        choices=_presets,
        initial=DEFAULTS.preset,
        help_text="paper: the study's own wording. clean: our wording, without its artefacts.",
    )
    reply_format = forms.ChoiceField(
        choices=[(f.value, f.value.replace("_", " ")) for f in ReplyFormat],
        help_text="JSON schema where the endpoint supports it: small models need it.",
    )
    emotions = forms.ModelMultipleChoiceField(
        Emotion.objects.all(), required=False, to_field_name="name", help_text="None chosen: all."
    )
    situations = forms.CharField(
        initial=DEFAULTS.situations,
        help_text="study, all, or a number a factor such as 1-per-factor.",
    )
    default_repeats = forms.IntegerField(min_value=0, initial=DEFAULTS.default_repeats)
    repeats = forms.IntegerField(
        min_value=0, initial=DEFAULTS.repeats, help_text="How often each situation is asked."
    )
    temperature = forms.FloatField(
        min_value=0, max_value=2, required=False, initial=DEFAULTS.parameters["temperature"]
    )
    top_p = forms.FloatField(
        min_value=0, max_value=1, required=False, initial=DEFAULTS.parameters["top_p"]
    )
    seed = forms.IntegerField(min_value=0, required=False, help_text="Empty: drawn.")
    concurrency = forms.IntegerField(
        min_value=1, max_value=256, initial=DEFAULTS.concurrency, help_text="Requests in flight."
    )

    def clean_situations(self) -> str:
        text: str = self.cleaned_data["situations"].strip()
        try:
            parse_situation_choice(text)
        except SituationChoiceError as error:
            raise forms.ValidationError(str(error)) from error
        return text

    def plan(self, user: Any) -> Run:
        """Plan the run; BenchmarkError where it could not be asked."""
        data = dict(self.cleaned_data)
        data["parameters"] = {name: data.pop(name) for name in ("temperature", "top_p")}
        data["emotions"] = [emotion.name for emotion in data["emotions"]]
        model, instrument = data.pop("language_model"), data.pop("instrument")
        return plan_run(
            language_model=model,
            instrument=instrument,
            settings=RunSettings(**data),
            created_by=user,
        )
