"""The study's prompts as versions of the preset `paper`, just as its code sends them."""

from __future__ import annotations

from benchmark.domain.prompts import TemplateText, check_template
from benchmark.models import PromptTemplate
from surveys.importing.outcome import FileOutcome
from surveys.importing.questionnaire_files import Questionnaire
from surveys.models import InstrumentVersion

PRESET = "paper"
SOURCE = (
    "EmotionBench release, questionnaires.json: the prompt and system line of {name}, put "
    "together as the release's own code sends them"
)
EVOKED = 'Imagine you are the protagonist in the scenario: "{situation}"'
# The release's files hold one space where a situation would stand in the default measure.
DEFAULT = " "


def template_text(prompt: str, system_text: str = "") -> TemplateText:
    """The study's prompt with its word SCENARIO as our template fields."""
    body = "Prompt: " + _escaped(prompt) + "\n{items}"
    template = TemplateText(
        system_text=_escaped(system_text),
        default_text=body.replace("SCENARIO", DEFAULT),
        evoked_text=body.replace("SCENARIO", EVOKED),
    )
    check_template(template)
    return template


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def store_prompt(
    questionnaire: Questionnaire, version: InstrumentVersion, outcome: FileOutcome
) -> None:
    """Add a template version unless one with the same wording is there."""
    text = template_text(questionnaire.prompt, questionnaire.system_text)
    own = PromptTemplate.objects.filter(preset=PRESET, instrument=version)
    same = own.filter(
        system_text=text.system_text,
        default_text=text.default_text,
        evoked_text=text.evoked_text,
    )
    if same.exists():
        outcome.unchanged += 1
        return
    latest = own.order_by("version").last()
    PromptTemplate.objects.create(
        preset=PRESET,
        instrument=version,
        version=latest.version + 1 if latest else 1,
        system_text=text.system_text,
        default_text=text.default_text,
        evoked_text=text.evoked_text,
        source=SOURCE.format(name=questionnaire.name),
    )
    outcome.created += 1


def template_of(quoted: str, version: InstrumentVersion) -> PromptTemplate | None:
    """The stored template whose prompt a file of answers quotes in its question column."""
    prompt = quoted.strip().removeprefix("Prompt: ")
    if "SCENARIO" not in prompt:
        return None
    text = template_text(prompt)
    return (
        PromptTemplate.objects.filter(
            preset=PRESET,
            instrument=version,
            default_text=text.default_text,
            evoked_text=text.evoked_text,
        )
        .order_by("-version")
        .first()
    )
