"""Bringing the sentences of instruments, and comparing the release's definitions with ours."""

from __future__ import annotations

from collections.abc import Iterable

from surveys.domain.instrument import Instrument, InstrumentError
from surveys.importing.faults import ReleaseFileError
from surveys.importing.outcome import FileOutcome
from surveys.importing.questionnaire_files import Questionnaire
from surveys.models import InstrumentVersion

SOURCE = "EmotionBench release, questionnaires.json"


def stored_instruments() -> dict[str, InstrumentVersion]:
    """The newest version of every instrument, by casefolded key and alias."""
    result: dict[str, InstrumentVersion] = {}
    for version in InstrumentVersion.objects.order_by("pk"):
        for name in (version.key, *version.spec.aliases):
            result[name.casefold()] = version
    return result


def store_item_texts(
    questionnaire: Questionnaire, version: InstrumentVersion, outcome: FileOutcome
) -> None:
    """Bring the item texts where they are absent; report whatever differs, and leave it."""
    spec = version.spec
    if len(questionnaire.items) != len(spec.items):
        outcome.unchanged += 1
        outcome.warnings.append(
            f"{spec.key}: {len(questionnaire.items)} items in the file, {len(spec.items)} here; "
            "its item texts were not brought"
        )
        return
    outcome.warnings += differences(questionnaire, spec)
    if spec.is_complete:
        outcome.unchanged += 1
        other = [
            item.key
            for item, text in zip(spec.items, questionnaire.items, strict=True)
            if item.text.casefold() != text.casefold()
        ]
        if other:
            outcome.warnings.append(
                f"{spec.key}: the texts of items {', '.join(other)} differ from the stored ones, "
                "which stay"
            )
        return
    texts = dict(zip(spec.item_keys, questionnaire.items, strict=True))
    try:
        spec.with_texts(texts)
    except InstrumentError as error:
        raise ReleaseFileError(str(error), header=f"{questionnaire.name}.questions") from error
    version.item_texts, version.item_texts_source = texts, SOURCE
    version.save(update_fields=["item_texts", "item_texts_source"])
    del version.spec  # cached without the texts
    outcome.updated += 1


def differences(questionnaire: Questionnaire, spec: Instrument) -> list[str]:
    """Where scale, scoring, reverse keys or subscales are not ours; one line each."""
    numbers = {key: number for number, key in enumerate(spec.item_keys, 1)}
    reverse = {numbers[key] for key in spec.reverse}
    found = []
    if questionnaire.scale != spec.lowest + spec.highest:
        found.append(
            f"{spec.key}: reversed ratings are taken from {questionnaire.scale} in the file, "
            f"from {spec.lowest + spec.highest} here"
        )
    if questionnaire.scoring != spec.scoring.value:
        found.append(
            f"{spec.key}: scored by {questionnaire.scoring} in the file, "
            f"by {spec.scoring.value} here"
        )
    if questionnaire.reverse != reverse:
        found.append(
            f"{spec.key}: reverse-keyed items {_listed(questionnaire.reverse)} in the file, "
            f"{_listed(reverse)} here"
        )
    ours = {frozenset(numbers[key] for key in s.items): s.name for s in spec.subscales}
    theirs = {items: name for name, items in questionnaire.subscales}
    found += [
        f"{spec.key}: the file's subscale {name} ({_listed(items)}) is not here"
        for items, name in theirs.items()
        if items not in ours
    ]
    found += [
        f"{spec.key}: our subscale {name} ({_listed(items)}) is not in the file"
        for items, name in ours.items()
        if items not in theirs
    ]
    return found


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers)) or "none"
