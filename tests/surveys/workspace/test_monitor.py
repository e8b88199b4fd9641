"""The monitor: its numbers agree with everything else, and its buttons do one step each."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db.models import Count
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from rest_framework.test import APIClient

from surveys.exporting.people import Selection, select_people
from surveys.models import (
    Administration,
    Assignment,
    PageVisit,
    Participation,
    ProlificStudy,
    Study,
    Submission,
)
from surveys.services.monitoring import observe
from surveys.services.places import has_room
from tests.factories import ParticipationFactory, StudyFactory

PEOPLE = st.lists(
    st.fixed_dictionaries(
        {
            "state": st.sampled_from(Participation.State.values),
            "is_test": st.booleans(),
            "excluded_because": st.sampled_from(["", "", "Quality rule: 2 flags"]),
            "minutes_ago": st.sampled_from([1, 30, 90]),
            "status": st.sampled_from(["", "", "RETURNED", "TIMED_OUT", "REJECTED", "APPROVED"]),
            "situation": st.integers(0, 2),
        }
    ),
    max_size=8,
)


def make_people(study: Study, people: list[dict]) -> None:
    versions = list(study.situations.order_by("id"))
    for n, person in enumerate(people):
        fields = dict(person)
        seen = timezone.now() - timedelta(minutes=fields.pop("minutes_ago"))
        status, situation = fields.pop("status"), fields.pop("situation")
        made = ParticipationFactory(
            study=study,
            consented_at=seen,
            completed_at=seen if fields["state"] == "completed" else None,
            assigned=[versions[situation]],
            prolific_id=f"p{n}" if status else None,
            **fields,
        )
        if status:
            Submission.objects.filter(participation=made).update(status=status)


class Agreement(TestCase):
    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(PEOPLE, st.sampled_from([None, 1, 2]))
    def test_every_count_is_the_one_that_others_give(self, people: list, target) -> None:
        study = StudyFactory(n_situations=3, target_per_situation=target)
        make_people(study, people)
        make_people(StudyFactory(n_situations=3), people)
        now = timezone.now()

        found = observe(study=study, now=now)

        seen, everybody = found.seen, study.participations.all()
        assert seen.funnel.counted == everybody.counted().count()
        assert seen.funnel.counted == Study.objects.with_counts().get(pk=study.pk).n_completed
        assert seen.funnel.counted == select_people(study, Selection()).count()
        assert seen.funnel.completed == everybody.counted_before_exclusion().count()
        assert seen.funnel.consented == everybody.filter(is_test=False).count()
        holding = everybody.holding_places(active_since=now - timedelta(minutes=60))
        assert seen.funnel.under_way == holding.filter(state="active").count()
        by_situation = dict(
            Assignment.objects.filter(participation__in=everybody.counted())
            .order_by()
            .values_list("situation_version__study_situations")
            .annotate(Count("pk"))
        )
        assert {fill.place: fill.counted for fill in seen.situations if fill.counted} == (
            by_situation
        )
        assert sum(fill.under_way for fill in seen.situations) == seen.funnel.under_way
        waits = any(need.code in {"waiting", "full"} for need in found.needs)
        is_full = target is not None and all(f.counted >= target for f in seen.situations)
        assert waits == (is_full or not has_room(study=study, now=now))


@pytest.mark.django_db
def test_the_api_gives_the_numbers_of_the_page(admin_user, admin_client: Client) -> None:
    study = StudyFactory(n_situations=2, target_per_situation=5, n_declined=3, reward_minor=120)
    ParticipationFactory.create_batch(2, study=study, state="completed")
    ParticipationFactory(study=study, state="completed", excluded_because="by hand")
    ParticipationFactory(study=study)
    api = APIClient()
    api.force_authenticate(admin_user)

    given = api.get(f"/api/v1/studies/{study.slug}/monitor/").json()

    funnel = given["funnel"]
    assert (funnel["declined"], funnel["counted"], funnel["excluded"]) == (3, 2, 1)
    assert funnel["counted"] == api.get(f"/api/v1/studies/{study.slug}/").json()["completed"]
    assert given["pay"]["planned"] == 900
    assert [page["title"] for page in given["pages"]][:2] == [
        "About the person", "Before, part 1 of 4",
    ]  # fmt: skip
    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()
    assert "2 completed and count; 2 of 10 wanted answers are there. 1 under way." in page
    assert "9.00 GBP an hour" in page


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow(admin_client, django_assert_max_num_queries) -> None:
    study = StudyFactory(n_situations=12)
    ParticipationFactory.create_batch(6, study=study, state="completed")
    ParticipationFactory.create_batch(6, study=study, is_test=True)
    ParticipationFactory.create_batch(6, study=study)

    with django_assert_max_num_queries(40):
        admin_client.get(f"/studies/{study.slug}/monitor/?part=live")


@pytest.mark.django_db
def test_medians_are_of_who_completed() -> None:
    study = StudyFactory()
    now = timezone.now()
    for minutes, state in [(4, "completed"), (6, "completed"), (20, "completed"), (1, "active")]:
        made = ParticipationFactory(
            study=study, state=state, consented_at=now - timedelta(minutes=minutes),
            completed_at=now if state == "completed" else None,
        )  # fmt: skip
        PageVisit.objects.create(
            participation=made, number=2, first_shown_at=now, last_shown_at=now,
            saved_at=now + timedelta(seconds=minutes),
        )  # fmt: skip

    found = observe(study=study, now=now)

    assert found.median_s == 6 * 60
    assert [page.median_s for page in found.pages][:3] == [None, 6, None]


@pytest.mark.django_db
def test_norms_are_shown_with_and_without_the_excluded(admin_client: Client) -> None:
    study = StudyFactory()
    for excluded, score in [("", 20), ("", 30), ("Quality rule: flags", 50)]:
        made = ParticipationFactory(study=study, state="completed", excluded_because=excluded)
        Administration.objects.create(
            participation=made, position=0, instrument=study.instrument, phase="default",
            scores={"positive_affect": score, "negative_affect": 10},
        )  # fmt: skip

    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()

    row = r'<th scope="row">{}</th><td>(\d+)</td><td>([\d.]+)'
    plain = re.search(row.format("Positive affect, counted"), page, re.IGNORECASE)
    both = re.search(row.format("Positive affect, with excluded"), page, re.IGNORECASE)
    assert plain.groups() == ("2", "25.0")
    assert both.groups() == ("3", "33.3")


def press(client: Client, study: Study, action: str, value: str = "") -> str:
    address = f"/studies/{study.slug}/monitor/"
    data = {"action": action, "value": value}
    return client.post(address, data, follow=True).content.decode()


@pytest.mark.django_db
def test_a_full_study_is_closed_with_one_click(admin_client: Client) -> None:
    study = StudyFactory(target_per_situation=1)
    ParticipationFactory(study=study, state="completed", outcome="completed")
    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()
    assert "The study can be closed." in page
    assert "Close the study" in page

    page = press(admin_client, study, "step", "closed")

    assert "The study is closed" in page
    assert Study.objects.get().state == "closed"
    assert study.events.get().actor.username == "admin"


@pytest.mark.django_db
def test_a_situation_is_closed_and_opened_live(admin_client: Client) -> None:
    study = StudyFactory(n_situations=2)
    row = study.study_situations.first()

    press(admin_client, study, "close-situation", str(row.pk))
    row.refresh_from_db()
    assert row.is_closed
    press(admin_client, study, "open-situation", str(row.pk))
    row.refresh_from_db()
    assert not row.is_closed


@pytest.mark.django_db
def test_a_pilot_is_reset_from_the_page_and_others_stay(admin_client: Client) -> None:
    study = StudyFactory(state="pilot")
    kept = ParticipationFactory(study=study)
    ParticipationFactory.create_batch(2, study=study, is_test=True)

    page = press(admin_client, study, "reset-pilot")

    assert "Tests deleted: 2." in page
    assert Participation.objects.get() == kept


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("action", "value", "says"),
    [
        ("step", "archived", "cannot take this step"),
        ("step", "nonsense", "cannot take this step"),
        ("close-situation", "999", "no longer in the study"),
        ("close-situation", "x", "no longer in the study"),
        ("explode", "", "not known here"),
        ("", "", "not known here"),
        ("ask-rates", "", "Set PROLIFIC_API_TOKEN"),
    ],
)
def test_what_cannot_be_done_is_said(
    action: str, value: str, says: str, admin_client: Client, monkeypatch
) -> None:
    monkeypatch.delenv("PROLIFIC_API_TOKEN", raising=False)
    study = StudyFactory()

    assert says in press(admin_client, study, action, value)
    assert Study.objects.get().state == "open"


@pytest.mark.django_db
def test_only_staff_with_the_permission_see_and_act(client: Client, django_user_model) -> None:
    study = StudyFactory()
    address = f"/studies/{study.slug}/monitor/"
    assert client.get(address).status_code == 302
    user = django_user_model.objects.create_user("viewer", password="secret", is_staff=True)
    client.login(username="viewer", password="secret")
    assert client.get(address).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="view_study"))

    page = client.get(address)

    assert page.status_code == 200
    assert "<button" not in page.content.decode()
    assert client.post(address, {"action": "step", "value": "closed"}).status_code == 403
    assert Study.objects.get().state == "open"
    assert APIClient().get(f"/api/v1/studies/{study.slug}/monitor/").status_code in {401, 403}


@pytest.mark.django_db
def test_a_draft_without_anything_has_a_page(admin_client: Client) -> None:
    study = StudyFactory(
        state="draft", n_situations=0, completion_code="", instrument__file="mjs", consent_text=""
    )
    page = admin_client.get(f"/studies/{study.slug}/monitor/")
    assert page.status_code == 200
    assert "The study has no situations yet." in page.content.decode()


@pytest.mark.django_db
def test_pages_are_those_that_participants_of_this_study_get() -> None:
    with_questions, without = StudyFactory(), StudyFactory(demographic_questions=[])

    now = timezone.now()
    assert len(observe(study=with_questions, now=now).pages) == 10
    assert len(observe(study=without, now=now).pages) == 9


@pytest.mark.django_db
def test_submissions_that_need_a_decision_lead_to_prolific(admin_client: Client) -> None:
    study = StudyFactory()
    row = ProlificStudy.objects.create(
        study=study, prolific_id="abc", status="PAUSED", synced_at=timezone.now()
    )
    ParticipationFactory(study=study, state="completed", outcome="completed", prolific_id="p1",
                         completed_at=timezone.now())  # fmt: skip
    Submission.objects.update(status="AWAITING_REVIEW", is_proven=True, completed_at=timezone.now())

    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()

    assert "need a decision: 1" in page
    assert "paused on Prolific" in page
    assert f"/admin/surveys/prolificstudy/{row.pk}/change/" in page
    row.delete()
    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()
    assert "need a decision: 1" in page
    assert f"/admin/surveys/submission/?study__id__exact={study.pk}" in page


@pytest.mark.django_db
def test_ids_kept_beyond_their_time_are_named(admin_client: Client) -> None:
    closed = timezone.now() - timedelta(days=31)
    study = StudyFactory(state="closed", closed_at=closed, identity_retention_days=30)
    ParticipationFactory(study=study, prolific_id="p1")

    assert (
        "should have been deleted"
        in admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()
    )


@pytest.mark.django_db
def test_the_links_of_the_monitor_lead_to_the_people_of_this_study(admin_client: Client) -> None:
    study = StudyFactory()
    test = ParticipationFactory(study=study, is_test=True)
    person = ParticipationFactory(study=study)
    other = ParticipationFactory(is_test=True)
    page = admin_client.get(f"/studies/{study.slug}/monitor/").content.decode()

    shown = []
    for address in re.findall(r'href="(/admin/surveys/participation/[^"]+)"', page):
        answer = admin_client.get(html.unescape(address))
        assert answer.status_code == 200
        shown.append(set(answer.context["cl"].queryset))

    assert shown == [{test, person}, {test}]
    assert other.study != study


@pytest.mark.django_db
def test_a_participation_is_read_with_its_signs_checks_and_page_times(admin_client) -> None:
    now = timezone.now()
    made = ParticipationFactory(flags=[{"code": "all_equal", "reason": "every answer is the same"}])
    made.attention_checks.create(
        measure_position=0, place=3, asked_value=2, text="Please choose “a little” here."
    )
    made.page_visits.create(
        number=1, first_shown_at=now, last_shown_at=now, saved_at=now + timedelta(seconds=12.5),
        visible_ms=9100,
    )  # fmt: skip

    page = admin_client.get(f"/admin/surveys/participation/{made.pk}/change/").content.decode()

    for shown in ("every answer is the same", "Please choose “a little” here.", "12.5", "9.1"):
        assert shown in page
