"""The preview shows every page of a study as participants get it, and stores nothing."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.test import Client

from surveys.models import Study
from tests.factories import StudyFactory

pytestmark = pytest.mark.django_db


def rows() -> dict[str, int]:
    return {m.__name__: m._default_manager.count() for m in apps.get_models() if m._meta.managed}


def steps(client: Client, study: Study) -> list[str]:
    page = client.get(f"/preview/studies/{study.slug}/", follow=True).content.decode()
    assert f"/preview/studies/{study.slug}/consent/page/" in page
    links = re.findall(rf'<li><a href="/preview/studies/{study.slug}/([^/]+)/"', page)
    return list(dict.fromkeys(links))


@pytest.mark.parametrize("state", ["draft", "pilot", "open", "closed"])
def test_every_page_is_shown_and_nothing_stored(state: str, admin_client: Client) -> None:
    study = StudyFactory(
        state=state, situations_per_person=2, n_situations=3, items_per_page=10,
        admits_without_ids=False,
    )  # fmt: skip
    admin_client.get("/preview/studies/nothing/")  # its session is made before rows are counted
    before, stored = rows(), Study.objects.values().get()

    shown = {}
    for step in steps(admin_client, study):
        response = admin_client.get(f"/preview/studies/{study.slug}/{step}/page/")
        assert response.status_code == 200, step
        shown[step] = response.content.decode()

    assert list(shown) == [
        "consent", *(str(n) for n in range(1, 10)), "debriefing", "end", "declined", "withdraw",
        "withdrawn",
    ]  # fmt: skip
    assert rows() == before
    assert Study.objects.values().get() == stored
    texts = set(study.situations.values_list("text", flat=True))
    first, second = ({text for text in texts if text in shown[page]} for page in ("4", "7"))
    assert study.consent_text in shown["consent"]
    assert 'name="gender"' in shown["1"]
    assert len(set(re.findall(r'name="(item-[^"]+)"', shown["2"] + shown["3"]))) == 20
    assert len(first) == len(second) == 1
    assert first != second
    assert study.debrief_text in shown["debriefing"]
    assert "CODE1234" in shown["end"]
    assert "CODE1234" not in shown["debriefing"]
    assert "You have withdrawn" in shown["withdrawn"]


def test_a_previewed_page_may_be_framed_by_this_site_only(admin_client: Client) -> None:
    study = StudyFactory()

    framed = admin_client.get(f"/preview/studies/{study.slug}/2/page/")
    other = admin_client.get(f"/preview/studies/{study.slug}/2/")

    assert framed["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in framed["Content-Security-Policy"]
    assert other["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]


def test_pages_link_to_their_neighbours(admin_client: Client) -> None:
    study = StudyFactory(items_per_page=20)

    page = admin_client.get(f"/preview/studies/{study.slug}/2/").content.decode()

    assert f'rel="prev" href="/preview/studies/{study.slug}/1/"' in page
    assert f'rel="next" href="/preview/studies/{study.slug}/3/"' in page


def test_a_full_study_with_the_cookie_of_a_participant_still_shows_its_consent(
    admin_client: Client,
) -> None:
    study = StudyFactory(target_per_situation=0)
    admin_client.get(f"/s/{study.slug}/?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1")

    page = admin_client.get(f"/preview/studies/{study.slug}/consent/page/")

    assert study.consent_text in page.content.decode()


def test_a_study_with_too_few_situations_shows_those_it_has(admin_client: Client) -> None:
    study = StudyFactory(state="draft", n_situations=0, items_per_page=20)

    assert steps(admin_client, study)[:4] == ["consent", "1", "2", "debriefing"]


@pytest.mark.parametrize("step", ["nothing", "0", "99"])
def test_a_page_that_a_study_has_not_is_not_found(step: str, admin_client: Client) -> None:
    study = StudyFactory()

    assert admin_client.get(f"/preview/studies/{study.slug}/{step}/").status_code == 404
    assert admin_client.get(f"/preview/studies/{study.slug}/{step}/page/").status_code == 404


def test_a_study_whose_questionnaire_has_no_words_says_so(admin_client: Client) -> None:
    study = StudyFactory(instrument__file="mjs")

    page = admin_client.get(f"/preview/studies/{study.slug}/consent/")

    assert page.status_code == 409
    assert "items have no words yet" in page.content.decode()


def test_only_staff_may_preview(client: Client, django_user_model) -> None:
    study = StudyFactory()
    django_user_model.objects.create_user("someone", password="secret", is_staff=True)

    assert client.get(f"/preview/studies/{study.slug}/1/page/").status_code == 302
    client.login(username="someone", password="secret")
    assert client.get(f"/preview/studies/{study.slug}/1/page/").status_code == 403
