"""Rows for tests, made by factory_boy: the least that is valid, everything else by keyword."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cache
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from surveys.models import (
    Assignment,
    Collection,
    Emotion,
    Factor,
    InstrumentVersion,
    Participant,
    Participation,
    Situation,
    SituationVersion,
    Study,
    StudySituation,
    Submission,
)
from surveys.services.catalogue import DATA


@cache
def _definition_text(name: str) -> str:
    return (DATA / "instruments" / f"{name}.json").read_text(encoding="utf-8")


def definition(name: str = "panas") -> dict[str, Any]:
    """The shipped definition of an instrument, by the name of its file."""
    return json.loads(_definition_text(name))


class InstrumentFactory(DjangoModelFactory):
    """PANAS, or another with `file="mjs"`; one row for each instrument."""

    class Meta:
        model = InstrumentVersion
        django_get_or_create = ("key", "version")

    class Params:
        file = "panas"

    definition = factory.LazyAttribute(lambda o: definition(o.file))
    key = factory.LazyAttribute(lambda o: o.definition["key"])
    version = "1"
    name = factory.LazyAttribute(lambda o: o.definition["name"])


def complete_instrument(file: str) -> InstrumentVersion:
    """An instrument whose sentences are not shipped, with invented ones."""
    count = definition(file)["items"]
    texts = {str(n): f"Invented statement number {n}" for n in range(1, count + 1)}
    return InstrumentFactory(file=file, item_texts=texts)


class CollectionFactory(DjangoModelFactory):
    class Meta:
        model = Collection
        django_get_or_create = ("slug",)

    slug = "starter"
    name = "Starter"


class EmotionFactory(DjangoModelFactory):
    class Meta:
        model = Emotion
        django_get_or_create = ("name",)

    name = "Anger"
    position = factory.Sequence(lambda n: n)


class FactorFactory(DjangoModelFactory):
    class Meta:
        model = Factor

    emotion = factory.SubFactory(EmotionFactory)
    name = factory.Sequence(lambda n: f"Factor {n}")
    position = factory.Sequence(lambda n: n)


class SituationFactory(DjangoModelFactory):
    """A published standard situation; it has no words until a version is made."""

    class Meta:
        model = Situation

    collection = factory.SubFactory(CollectionFactory)
    factor = factory.SubFactory(FactorFactory)
    position = factory.Sequence(lambda n: n)
    state = Situation.State.PUBLISHED


class SituationVersionFactory(DjangoModelFactory):
    class Meta:
        model = SituationVersion

    situation = factory.SubFactory(SituationFactory)
    number = 1
    text = factory.Sequence(
        lambda n: f"You wait at stop number {n} in the rain, and the last bus drives past you."
    )


class StudyFactory(DjangoModelFactory):
    """An open study of PANAS that lets people in without ids.

    `StudyFactory(n_situations=3)` gives it three situations (one unless told otherwise).
    """

    class Meta:
        model = Study
        skip_postgeneration_save = True

    slug = factory.Sequence(lambda n: f"study-{n}")
    title = factory.Sequence(lambda n: f"Feelings in situations {n}")
    state = Study.State.OPEN
    instrument = factory.SubFactory(InstrumentFactory)
    admits_without_ids = True
    consent_text = "We ask how you feel. You may stop at any time."
    debrief_text = "We wanted to know how a situation changes feelings."

    @factory.post_generation
    def completion_code(obj: Study, create: bool, extracted: str | None, **kwargs: Any) -> None:
        code = "CODE1234" if extracted is None else extracted
        if code:
            obj.completion_codes.create(outcome="completed", code=code)

    @factory.post_generation
    def n_situations(obj: Study, create: bool, extracted: int | None, **kwargs: Any) -> None:
        for _ in range(1 if extracted is None else extracted):
            StudySituationFactory(study=obj)


class StudySituationFactory(DjangoModelFactory):
    class Meta:
        model = StudySituation

    study = factory.SubFactory(StudyFactory, n_situations=0)
    situation_version = factory.SubFactory(SituationVersionFactory)


class ParticipantFactory(DjangoModelFactory):
    class Meta:
        model = Participant


class ParticipationFactory(DjangoModelFactory):
    """Someone who consented a minute ago, with the study's first situations assigned.

    `ParticipationFactory(prolific_id="abc")` also makes the submission.
    """

    class Meta:
        model = Participation
        skip_postgeneration_save = True

    study = factory.SubFactory(StudyFactory)
    participant = factory.SubFactory(ParticipantFactory)
    item_order = factory.LazyAttribute(lambda o: list(o.study.instrument.spec.item_keys))
    consented_at = factory.LazyFunction(lambda: timezone.now() - timedelta(minutes=1))
    last_seen_at = factory.SelfAttribute("consented_at")
    consent_version = "1"

    @factory.post_generation
    def assigned(obj: Participation, create: bool, extracted: Any, **kwargs: Any) -> None:
        versions = extracted
        if versions is None:
            first = obj.study.study_situations.order_by("id")[: obj.study.situations_per_person]
            versions = [place.situation_version for place in first]
        for position, version in enumerate(versions):
            Assignment.objects.create(
                participation=obj, situation_version=version, position=position
            )

    @factory.post_generation
    def prolific_id(obj: Participation, create: bool, extracted: str | None, **kw: Any) -> None:
        if extracted:
            Submission.objects.create(
                study=obj.study,
                participation=obj,
                prolific_participant_id=extracted,
                prolific_study_id="study1",
                prolific_session_id="session1",
            )
