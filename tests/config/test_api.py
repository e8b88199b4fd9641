from __future__ import annotations

import pytest
from django.test import Client

from surveys.services.catalogue import load_catalogue
from surveys.services.situations import add_situation
from tests import factories

pytestmark = pytest.mark.django_db


def results(client: Client, address: str, **query: str) -> list[dict]:
    return client.get(f"/api/v1/{address}/", query).json()["results"]


def test_the_catalogue_is_open_to_all(client: Client) -> None:
    load_catalogue()

    emotions = results(client, "emotions")
    assert [e["name"] for e in emotions][:2] == ["Anger", "Anxiety"]
    assert sum(len(e["factors"]) for e in emotions) == 36
    winter = results(client, "situations", factor="Winter", kind="standard")
    assert [s["code"] for s in winter] == [f"Depression-5_scenario-{n}" for n in range(5)]
    assert winter[0]["versions"][0]["text"]


def test_drafts_are_for_staff(client: Client, admin_client: Client) -> None:
    add_situation(factor=factories.FactorFactory(), text="Not yet.")

    assert results(client, "situations") == []
    assert [s["state"] for s in results(admin_client, "situations")] == ["draft"]


def test_the_sentences_of_items_are_not_given_out(client: Client) -> None:
    factories.complete_instrument("bfne")

    (instrument,) = results(client, "instruments")
    assert instrument["is_complete"] is True
    assert "Invented" not in str(instrument)


def test_studies_are_for_staff_and_count_whom_everybody_counts(
    client: Client, admin_client: Client
) -> None:
    study = factories.StudyFactory()
    for state, is_test in (("completed", False), ("completed", True), ("active", False)):
        factories.ParticipationFactory(study=study, state=state, is_test=is_test)

    assert client.get("/api/v1/studies/").status_code == 403
    assert [s["completed"] for s in results(admin_client, "studies")] == [1]


def test_the_description_is_complete(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    """Every path of the interface is described, without a warning."""
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.validation import validate_schema

    schema = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(schema)
    assert {"/api/v1/emotions/", "/api/v1/studies/{slug}/"} <= set(schema["paths"])
    assert "Warning" not in capsys.readouterr().err
    assert client.get("/api/docs/").status_code == 200
