"""The demonstration study of a fresh installation."""

from __future__ import annotations

from django.db import transaction

from surveys.domain.outcomes import Outcome
from surveys.models import InstrumentVersion, Situation, Study
from surveys.services.catalogue import DATA
from surveys.services.errors import SurveyError
from surveys.services.studies import add_situations, open_study

SLUG = "demo"
STARTER_COLLECTION = "starter"


@transaction.atomic
def open_demo_study() -> tuple[Study, bool]:
    """The study at /s/demo/, and whether it was made now.

    One that exists stays as it is, also where an admin has changed or closed it. Raises
    SurveyError `catalogue_missing` before the catalogue is loaded.
    """
    existing = Study.objects.filter(slug=SLUG).first()
    if existing is not None:
        return existing, False
    panas = InstrumentVersion.objects.filter(key="PANAS").order_by("id").last()
    situations = (
        Situation.objects.filter(collection__slug=STARTER_COLLECTION)
        .published()
        .standard()
        .in_catalogue_order()
        .prefetch_related("versions")
    )
    if panas is None or not situations:
        raise SurveyError(code="catalogue_missing", detail="run load_catalogue first")
    study = Study.objects.create(
        slug=SLUG,
        title="Feelings in everyday situations",
        instrument=panas,
        admits_without_ids=True,
        consent_text=_text("demo_consent"),
        debrief_text=_text("demo_debrief"),
    )
    study.completion_codes.create(outcome=Outcome.COMPLETED, code="AFFECTDEMO")
    add_situations(study=study, situations=situations)
    return open_study(study=study), True


def _text(name: str) -> str:
    return (DATA / "texts" / f"{name}.md").read_text(encoding="utf-8")
