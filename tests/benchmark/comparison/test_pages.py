from __future__ import annotations

import csv
import html
import io
import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.services.execution import execute_run
from benchmark.services.language_models import register_baseline
from benchmark.services.planning import plan_run
from surveys.models import Administration, InstrumentVersion, Participation, Situation, Study
from surveys.services.catalogue import load_catalogue
from tests import factories


@pytest.fixture
def catalogue(db: None) -> None:
    load_catalogue()


def own_study(n_people: int = 3, title: str = "Our people", **participation: object) -> Study:
    """A study whose people all answered 2 before and 4 after."""
    study = factories.StudyFactory(title=title, n_situations=0)
    version = (
        Situation.objects.standard().filter(factor__emotion__name="Anger").first().current_version
    )
    study.study_situations.create(situation_version=version)
    states = {"state": "completed"} | participation
    for number in range(n_people):
        person = factories.ParticipationFactory(study=study, **states)
        for position, (phase, rating) in enumerate((("default", 2), ("evoked", 4))):
            score = 10 * rating + (number if phase == "evoked" else 0)
            Administration.objects.create(
                participation=person,
                position=position,
                instrument=study.instrument,
                phase=phase,
                situation_version=version if position else None,
                item_order=list(range(20)),
                ratings=[rating] * 20,
                scores={"positive_affect": score, "negative_affect": score},
            )
    return study


def links(page: str) -> set[str]:
    found = re.findall(r'(?:href|src|srcset)="(/dashboards/[^"]*)"', page)
    return {html.unescape(address) for address in found}


def test_a_new_installation_shows_the_published_study(catalogue: None, client: Client) -> None:
    page = client.get("/dashboards/").content.decode()

    assert "EmotionBench participants" in page
    assert "1,266" in page
    assert "gpt-4" in page


def test_every_link_of_the_page_leads_somewhere(catalogue: None, client: Client) -> None:
    own_study()
    page = client.get("/dashboards/", {"by": "emotion"}).content.decode()
    addresses = links(page)

    assert len(addresses) > 15
    for address in addresses:
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"by": "planet"}, "There is no by “planet”"),
        ({"colour": "red"}, "There is no parameter “colour”"),
        ({"alpha": "2"}, "alpha must be a number between 0 and 1"),
        ({"sources": "nobody"}, "There is no source “nobody”"),
        ({"emotion": "Joy"}, "There is no emotion “Joy”"),
    ],
)
def test_an_address_that_cannot_be_answered_says_why(
    query: dict[str, str], sentence: str, catalogue: None, client: Client
) -> None:
    response = client.get("/dashboards/", query)

    assert response.status_code == 400
    assert sentence in response.content.decode()


def test_an_installation_without_anything_is_no_error(db: None, client: Client) -> None:
    factories.InstrumentFactory()
    response = client.get("/dashboards/", {"instrument": "PANAS", "sources": ""})

    assert response.status_code == 200


def test_an_instrument_that_nobody_answered_says_so(catalogue: None, client: Client) -> None:
    page = client.get("/dashboards/", {"instrument": "GASP"}).content.decode()

    assert "Nobody has answered GASP yet" in page


def test_own_people_appear_at_once(catalogue: None, client: Client) -> None:
    assert "Our people" not in client.get("/dashboards/").content.decode()
    own_study(n_people=4)
    page = client.get("/dashboards/").content.decode()

    assert "Our people" in page
    assert "4 valid" in page


@pytest.mark.parametrize(
    "participation",
    [{"is_test": True}, {"state": "withdrawn"}, {"state": "active"}, {"excluded_because": "x"}],
)
def test_who_does_not_count_does_not_appear(
    participation: dict[str, object], catalogue: None, client: Client
) -> None:
    own_study(**participation)

    assert "Our people" not in client.get("/dashboards/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_an_own_run_appears_and_is_marked_as_a_baseline(client: Client) -> None:
    load_catalogue()
    run = plan_run(
        language_model=register_baseline("uniform random"),
        instrument=InstrumentVersion.objects.get(key="PANAS"),
        emotions=["Anger"],
        situations="1-per-factor",
        default_repeats=5,
        repeats=2,
        seed=1,
    )
    execute_run(run)
    comparison = client.get("/dashboards/comparison.json").json()

    (column,) = [s for s in comparison["sources"] if s["name"] == "uniform random"]
    assert column["kind"] == "baseline"
    assert column["counts"]["valid"] == 15
    cell = client.get(f"/dashboards/cell/?source={run.code}&emotion=Anger").content.decode()
    assert "1 to 10 of 10" in cell


def test_individual_answers_of_own_people_are_for_staff(
    catalogue: None, client: Client, admin_client: Client
) -> None:
    study = own_study()
    address = f"/dashboards/cell/?source={study.slug}&emotion=Anger"
    public, staff = client.get(address), admin_client.get(address)

    assert "shown to its staff only" in public.content.decode()
    assert "1 to 3 of 3" in staff.content.decode()
    for page in (public, staff, client.get("/dashboards/")):
        for code in Participation.objects.values_list("code", flat=True):
            assert code not in page.content.decode()


def test_the_figures_of_a_cell_are_those_of_the_table(catalogue: None, client: Client) -> None:
    own_study(n_people=5)
    table = client.get("/dashboards/comparison.json", {"sources": "Our people"}).json()
    cell = next(
        c
        for c in table["sources"][0]["cells"]
        if c["emotion"] == "Anger" and c["subscale"] == "positive_affect"
    )
    study = Study.objects.get(title="Our people")
    page = client.get(f"/dashboards/cell/?source={study.slug}&emotion=Anger").content.decode()

    assert (cell["n"], cell["change"]) == (5, 22.0)
    assert "+22.00" in page
    assert "<td>5</td>" in page


def test_files_hold_the_same_numbers(catalogue: None, client: Client) -> None:
    own_study(title="=cmd()")
    query = {"by": "factor"}
    data = client.get("/dashboards/comparison.json", query).json()
    rows = list(csv.DictReader(io.StringIO(client.get(
        "/dashboards/comparison.csv", query).content.decode())))  # fmt: skip

    cells = [(s["name"], c) for s in data["sources"] for c in s["cells"]]
    assert len(rows) == len(cells)
    for row, (name, cell) in zip(rows, cells, strict=True):
        assert row["source"].removeprefix("'") == name
        assert row["change"] == ("" if cell["change"] is None else repr(cell["change"]))
    assert "'=cmd()" in {row["source"] for row in rows}
    for extension in ("csv", "json", "md", "tex"):
        text = client.get(f"/dashboards/comparison.{extension}", query).content.decode()
        assert not re.search(r"\b(nan|NaN|None|Infinity)\b", text), extension


def test_an_unknown_source_ends_the_command_with_two(catalogue: None) -> None:
    with pytest.raises(CommandError, match="known are EmotionBench participants") as caught:
        call_command("compare", sources="nobody")

    assert caught.value.returncode == 2


def test_charts_are_drawn(catalogue: None, client: Client) -> None:
    svg = client.get("/dashboards/change/positive_affect.svg", {"theme": "dark"})
    png = client.get("/dashboards/change/negative_affect.png")

    assert svg.content.startswith(b"<svg")
    assert b"style=" not in svg.content
    assert png.content.startswith(b"\x89PNG")
    assert client.get("/dashboards/change/joy.svg").status_code == 404
    assert (
        client.get("/dashboards/change/positive_affect.svg", {"theme": "pink"}).status_code == 400
    )


def test_the_page_asks_no_more_when_more_have_answered(
    catalogue: None, client: Client, django_assert_max_num_queries
) -> None:
    own_study(n_people=30)
    with django_assert_max_num_queries(25):
        client.get("/dashboards/", {"by": "factor"})


def test_json_of_page_and_command_are_the_same(catalogue: None, client: Client) -> None:
    own_study()
    out = io.StringIO()
    call_command("compare", by="factor", format="json", stdout=out)

    page = client.get("/dashboards/comparison.json", {"by": "factor"}).json()
    assert json.loads(out.getvalue()) == page
