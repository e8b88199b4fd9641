"""What a model would be asked about a situation, for those who write it; nothing is sent."""

from __future__ import annotations

from dataclasses import dataclass

from benchmark.domain.prompts import Message, PromptError, render_messages
from benchmark.models import PromptTemplate
from benchmark.services.prompt_templates import template_text
from surveys.domain.protocol import ImaginedSituation, Protocol
from surveys.models import SituationVersion


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The messages of one template; `fault` says why where it cannot be rendered."""

    template: PromptTemplate
    messages: tuple[Message, ...]
    fault: str = ""


def preview_prompts(version: SituationVersion) -> list[PromptPreview]:
    """The newest template of every preset and instrument that can be asked, in items' own order."""
    newest: dict[tuple[str, int], PromptTemplate] = {}
    for template in PromptTemplate.objects.select_related("instrument").order_by(
        "instrument", "preset", "version"
    ):
        if template.instrument.is_complete:
            newest[template.preset, template.instrument_id] = template
    return [_preview(template, version) for template in newest.values()]


def _preview(template: PromptTemplate, version: SituationVersion) -> PromptPreview:
    spec = template.instrument.spec
    situation = ImaginedSituation(version.pk, version.text)
    protocol = Protocol(spec, spec.item_keys, (situation,), has_default=False)
    try:
        messages = render_messages(template_text(template), spec, protocol.measures[0])
    except PromptError as error:
        return PromptPreview(template, (), str(error))
    return PromptPreview(template, messages)
