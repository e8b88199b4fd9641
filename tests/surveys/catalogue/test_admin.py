"""An admin's work with situations, studies and instruments, through the pages of /admin/."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Factor, InstrumentVersion, Situation, Study
from surveys.services.catalogue import load_catalogue
from surveys.services.situations import add_situation
from tests.forms import shown_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(admin_client: Client) -> Client:
    load_catalogue()
    return admin_client


def no_versions() -> dict[str, int]:
    return {"versions-TOTAL_FORMS": 0, "versions-INITIAL_FORMS": 0}


def test_a_situation_goes_from_draft_to_published(admin: Client) -> None:
    factor = Factor.objects.get(name="Driving Situations")
    data = {
        "factor": factor.pk,
        "kind": "standard",
        "state": "draft",
        "text": "A lorry blocks your lane.",
        "source": "",
        "_continue": "1",
    }
    response = admin.post(reverse("admin:surveys_situation_add"), data | no_versions())
    situation = Situation.objects.get(versions__text="A lorry blocks your lane.")
    assert response.status_code == 302
    assert situation not in Situation.objects.published()

    admin.post(
        reverse("admin:surveys_situation_changelist"),
        {"action": "publish", "_selected_action": [situation.pk]},
    )
    assert situation in Situation.objects.published()


@pytest.mark.parametrize(
    ("kind", "with_factor"), [("neutral", True), ("standard", False), ("positive", False)]
)
def test_a_situation_in_the_wrong_place_is_refused(
    kind: str, with_factor: bool, admin: Client
) -> None:
    factor = Factor.objects.first()
    data = {
        "factor": factor.pk if with_factor else "",
        "kind": kind,
        "state": "draft",
        "text": "You wait.",
    }
    response = admin.post(reverse("admin:surveys_situation_add"), data | no_versions())

    assert response.status_code == 200
    assert "factor" in response.context["adminform"].form.errors


def test_revising_words_in_use_keeps_the_old_version(admin: Client) -> None:
    situation = Situation.objects.published().filter(kind="standard").first()
    old = situation.current_version
    study = Study.objects.create(
        slug="x", title="X", instrument=InstrumentVersion.objects.get(key="PANAS")
    )
    study.study_situations.create(situation_version=old)

    response = admin.post(
        reverse("admin:surveys_situation_change", args=[situation.pk]),
        {"state": "published", "text": "You drive on.", "source": ""} | no_versions(),
        follow=True,
    )

    old.refresh_from_db()
    assert old.text != "You drive on."
    assert situation.versions.get(number=2).text == "You drive on."
    assert "a new version was made" in response.content.decode()


def test_a_study_is_made_opened_and_closed(admin: Client) -> None:
    factor = Factor.objects.get(name="Winter")
    own = add_situation(factor=factor, text="Snow falls on you.", state="published")
    data = shown_form(admin, reverse("admin:surveys_study_add")) | {
        "title": "Winter study",
        "slug": "winter",
        "instrument": InstrumentVersion.objects.get(key="PANAS").pk,
        "add_factors": [factor.pk],
        "add_kinds": ["standard"],
        "consent_text": "We ask how you feel.",
        "completion_codes-TOTAL_FORMS": 1,
        "completion_codes-0-outcome": "completed",
        "completion_codes-0-code": "C123",
        "completion_codes-0-action": "MANUALLY_REVIEW",
    }
    response = admin.post(reverse("admin:surveys_study_add"), data)
    assert response.status_code == 302, response.context["adminform"].form.errors
    study = Study.objects.get(slug="winter")
    assert study.situations.count() == 6
    assert study.situations.filter(situation=own).exists()

    change = reverse("admin:surveys_study_change", args=[study.pk])
    admin.post(change, shown_form(admin, change) | {"_step-open": "1"})
    study.refresh_from_db()
    assert study.state == "open"

    admin.post(change, shown_form(admin, change) | {"_step-closed": "1"})
    study.refresh_from_db()
    assert study.state == "closed"


def test_opening_a_study_that_is_not_ready_says_why(admin: Client) -> None:
    study = Study.objects.create(
        slug="bare", title="Bare", instrument=InstrumentVersion.objects.get(key="PANAS")
    )
    address = reverse("admin:surveys_study_change", args=[study.pk])
    data = shown_form(admin, address) | {"_step-open": "1"}
    page = admin.post(address, data, follow=True).content.decode()

    study.refresh_from_db()
    assert study.state == "draft"
    assert "Write the information and consent text first." in page


def test_item_texts_are_brought_by_hand(admin: Client) -> None:
    bfne = InstrumentVersion.objects.get(key="BFNE")
    address = reverse("admin:surveys_instrumentversion_change", args=[bfne.pk])
    assert not bfne.is_complete

    refused = admin.post(address, {"lines": "only\ntwo", "item_texts_source": ""})
    assert "2 lines for the 12 items" in refused.content.decode()
    admin.post(address, {"lines": "\n".join(f"Statement {n}" for n in range(12))})

    assert InstrumentVersion.objects.get(key="BFNE").is_complete


@pytest.mark.parametrize(
    "page",
    [
        "surveys_situation_changelist",
        "surveys_study_changelist",
        "surveys_participation_changelist",
        "surveys_instrumentversion_changelist",
        "benchmark_run_changelist",
        "benchmark_trial_changelist",
        "benchmark_languagemodel_changelist",
        "benchmark_prompttemplate_changelist",
    ],
)
def test_lists_are_searchable_with_few_queries(
    page: str, admin: Client, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(15):
        response = admin.get(reverse(f"admin:{page}"), {"q": "driving"})

    assert response.status_code == 200
