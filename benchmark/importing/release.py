"""The import of a release: every file by itself, in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from django.db import transaction

from benchmark.importing.prompt_templates import store_prompt
from benchmark.importing.quoted_situations import quoted_situations
from benchmark.importing.release_files import ReleaseFile
from benchmark.importing.trial_files import read_trials
from benchmark.importing.trial_names import instrument_of, parse_file_name
from benchmark.importing.trial_tables import read_trial_table
from benchmark.importing.trials import store_trials
from benchmark.models import LanguageModel
from surveys.importing.catalogue import (
    COLLECTION,
    StoredSituation,
    store_situations,
    store_sources,
    stored_situations,
)
from surveys.importing.faults import ReleaseFileError
from surveys.importing.instruments import store_item_texts, stored_instruments
from surveys.importing.outcome import FileOutcome
from surveys.importing.people import participants_instrument, store_people
from surveys.importing.people_files import read_people
from surveys.importing.places import Place
from surveys.importing.presented import presented_situations, store_presented
from surveys.importing.questionnaire_files import read_questionnaires
from surveys.importing.situation_files import read_situations
from surveys.importing.situation_sources import read_situation_sources
from surveys.models import InstrumentVersion, Situation
from surveys.services.catalogue import load_catalogue

Progress = Callable[[int, int, str], None]
Quoted = Mapping[Place, str]


def import_files(
    files: Sequence[ReleaseFile], *, only: str = "", progress: Progress | None = None
) -> Iterator[FileOutcome]:
    """Import each file in one transaction of its own and say what came of it.

    `only` limits the kinds. People and models need the situations: where none are stored, the
    situation files among `files` are imported too. What people were shown stands only in the
    model files, so those are asked first, whichever are imported. The shipped instruments are
    loaded where none are stored.
    """
    if not InstrumentVersion.objects.exists():
        load_catalogue()
    chosen = [file for file in files if not only or file.kind == only]
    if only in ("people", "models") and not _has_situations():
        chosen = [file for file in files if file.kind in ("situations", only)]
    quoted = quoted_situations(file.path for file in files if file.kind == "models")
    for number, file in enumerate(chosen, 1):
        if progress:
            progress(number, len(chosen), file.name)
        yield import_file(file, quoted)


def import_file(file: ReleaseFile, quoted: Quoted) -> FileOutcome:
    """Import one file wholly, or nothing of it and say in `error` what is wrong where.

    `quoted` are the words that the release's model files say were shown, by place.
    """
    outcome = FileOutcome(file=file.name, kind=file.kind)
    try:
        with transaction.atomic():
            IMPORTS[file.kind](file.path, outcome, quoted)
    except ReleaseFileError as error:
        return FileOutcome(file=file.name, kind=file.kind, error=f"{file.name}: {error}")
    return outcome


def _has_situations() -> bool:
    return Situation.objects.filter(collection__slug=COLLECTION).exists()


def _needed_situations() -> dict[Place, StoredSituation]:
    situations = stored_situations()
    if not situations:
        raise ReleaseFileError(
            "the release's situations are not imported yet: import situations.csv first"
        )
    return situations


def _import_situations(path: Path, outcome: FileOutcome, quoted: Quoted) -> None:
    if path.suffix.lower() != ".xlsx":
        store_situations(read_situations(path), outcome)
        return
    papers = read_situation_sources(path)
    _needed_situations()
    store_sources(papers, outcome)


def _import_instruments(path: Path, outcome: FileOutcome, quoted: Quoted) -> None:
    instruments = stored_instruments()
    for questionnaire in read_questionnaires(path):
        version = instruments.get(questionnaire.name.casefold())
        if version is None:
            outcome.warnings.append(f"{questionnaire.name} is not one of the instruments here")
            continue
        store_item_texts(questionnaire, version, outcome)
        store_prompt(questionnaire, version, outcome)


def _import_people(path: Path, outcome: FileOutcome, quoted: Quoted) -> None:
    instrument = participants_instrument(stored_instruments())
    people = read_people(path, instrument.spec)
    _needed_situations()
    store_people(people, instrument, quoted, outcome)


def _import_models(path: Path, outcome: FileOutcome, quoted: Quoted) -> None:
    instruments = stored_instruments()
    name = parse_file_name(path.stem, instruments)
    longest = LanguageModel._meta.get_field("name").max_length or 0
    if len(name.model) > longest:
        raise ReleaseFileError(f"the model's name is longer than {longest} characters")
    source = read_trial_table(path)
    instrument = instrument_of(name, source, instruments)
    catalogue = _needed_situations()
    read = read_trials(source, instrument.spec, presented_situations())
    places = {trial.place for trial in read.trials if trial.place is not None}
    store_trials(
        read,
        model=name.model,
        file_name=path.name,
        quoted_prompt=source.prompt,
        instrument=instrument,
        situations=store_presented(places, quoted, outcome),
        catalogue=catalogue,
        outcome=outcome,
    )


IMPORTS: dict[str, Callable[[Path, FileOutcome, Quoted], None]] = {
    "situations": _import_situations,
    "instruments": _import_instruments,
    "people": _import_people,
    "models": _import_models,
}
