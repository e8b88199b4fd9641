"""The shipped prompt templates, stored; and which one a run takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import transaction

from benchmark.domain.prompts import TemplateText, template_from_dict
from benchmark.models import PromptTemplate
from benchmark.services.errors import BenchmarkError
from surveys.models import InstrumentVersion

DATA = Path(__file__).resolve().parent.parent / "data" / "prompts"
EVERY_INSTRUMENT = "*"


@transaction.atomic
def load_prompt_templates(*, data: Path = DATA) -> dict[str, int]:
    """Store every shipped template for every stored instrument it is for; repeatable.

    Returns how many were created, updated and unchanged. A version that a run used keeps its
    words. Raises PromptError on a template that could not be rendered.
    """
    counts = {"created": 0, "updated": 0, "unchanged": 0}
    for preset, shipped in _shipped(data):
        text = template_from_dict(shipped)
        instruments = InstrumentVersion.objects.all()
        if shipped["instrument"] != EVERY_INSTRUMENT:
            instruments = instruments.filter(key=shipped["instrument"])
        for instrument in instruments:
            counts[_store(preset, instrument, shipped, text)] += 1
    return counts


def _shipped(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(data.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for template in content["templates"]:
            yield content["preset"], template


def _store(
    preset: str, instrument: InstrumentVersion, shipped: dict[str, Any], text: TemplateText
) -> str:
    values = {
        "system_text": text.system_text,
        "default_text": text.default_text,
        "evoked_text": text.evoked_text,
        "source": shipped["source"],
    }
    stored, created = PromptTemplate.objects.get_or_create(
        preset=preset, instrument=instrument, version=shipped["version"], defaults=values
    )
    if created:
        return "created"
    is_same = all(getattr(stored, name) == value for name, value in values.items())
    if is_same or stored.runs.exists():
        return "unchanged"
    PromptTemplate.objects.filter(pk=stored.pk).update(**values)
    return "updated"


def newest_template(*, preset: str, instrument: InstrumentVersion) -> PromptTemplate:
    """The newest version of a preset for an instrument, loading the shipped ones if need be."""
    templates = PromptTemplate.objects.filter(preset=preset, instrument=instrument)
    if not templates.exists():
        load_prompt_templates()
    newest = templates.order_by("-version").first()
    if newest is None:
        raise BenchmarkError(
            "prompt_missing",
            f"There is no prompt {preset!r} for {instrument.key}: import the release with "
            "import_emotionbench, or use --preset clean.",
        )
    return newest


def template_text(template: PromptTemplate) -> TemplateText:
    return TemplateText(template.system_text, template.default_text, template.evoked_text)
