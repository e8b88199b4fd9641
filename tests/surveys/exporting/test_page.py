from __future__ import annotations

import io
import zipfile

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from surveys.exporting import workbooks
from surveys.models import StudyEvent
from tests.factories import ParticipationFactory, StudyFactory
from tests.surveys.exporting.people import PROLIFIC_ID, answered

pytestmark = pytest.mark.django_db


def staff(*permissions: str, is_staff: bool = True) -> Client:
    user = User.objects.create_user("ann", password="x", is_staff=is_staff)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def address(study, part: str = "") -> str:
    return f"/studies/{study.slug}/data/{part}"


ANSWERS = {"format": "csv", "rows": "participant"}


def unpacked(response) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content))) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def test_staff_download_answers_with_all_that_explains_them() -> None:
    study = StudyFactory()
    answered(study, comment="counted")
    answered(study, comment="left out", excluded_because="2 flags")
    client = staff("view_participation")

    response = client.post(address(study), ANSWERS)

    assert response["content-disposition"] == (
        f'attachment; filename="{study.slug}-participants-csv.zip"'
    )
    files = unpacked(response)
    assert sorted(files) == [
        f"{study.slug}-participants-codebook.csv",
        f"{study.slug}-participants.csv",
        f"{study.slug}-readme.txt",
        f"{study.slug}-situations.csv",
    ]
    table = files[f"{study.slug}-participants.csv"]
    assert "counted" in table
    assert "left out" not in table
    event = StudyEvent.objects.get()
    assert (event.kind, event.actor.username) == ("exported", "ann")


def test_excluded_and_active_people_come_when_asked_for() -> None:
    study = StudyFactory()
    answered(study, comment="left out", excluded_because="2 flags")
    ParticipationFactory(study=study, comment="under way")
    client = staff("view_participation")

    both = {"include_excluded": "on", "include_active": "on"}
    table = unpacked(client.post(address(study), ANSWERS | both))[f"{study.slug}-participants.csv"]

    assert "left out" in table
    assert "under way" in table


def test_the_page_says_how_many_are_in_it() -> None:
    study = StudyFactory()
    answered(study)
    answered(study, excluded_because="2 flags")
    ParticipationFactory(study=study)
    answered(study, is_test=True)

    html = staff("view_participation").get(address(study)).content.decode()

    assert "1 completed and count" in html
    assert "also the 1 excluded" in html
    assert "also the 1 who have not finished" in html
    assert "Positive Affect, with excluded" in html
    assert "Identities" not in html


@pytest.mark.parametrize("sent", [{}, ANSWERS | {"format": "docx"}, ANSWERS | {"rows": "cell"}])
def test_what_is_not_offered_is_refused_in_words(sent: dict[str, str]) -> None:
    response = staff("view_participation").post(address(StudyFactory()), sent)

    assert response.status_code == 400
    assert "Choose a format" in response.content.decode()


def test_too_many_rows_for_a_sheet_are_told(monkeypatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_ROWS", 1)
    study = StudyFactory()
    answered(study)

    response = staff("view_participation").post(address(study), ANSWERS | {"format": "xlsx"})

    assert response.status_code == 400
    assert "cannot hold so many rows" in response.content.decode()


@pytest.mark.parametrize(
    ("permissions", "part", "expected"),
    [
        ((), "", 403),
        (("change_submission",), "", 403),
        (("view_participation",), "identities/", 403),
        (("view_participation", "view_submission"), "identities/", 403),
        (("change_submission",), "identities/", 200),
    ],
)
def test_answers_and_identities_need_a_permission_each(permissions, part, expected) -> None:
    study = StudyFactory()

    assert staff(*permissions).post(address(study, part), ANSWERS).status_code == expected
    assert StudyEvent.objects.exists() == (expected == 200)


@pytest.mark.parametrize("part", ["", "identities/"])
def test_nobody_but_staff_gets_anything(part: str) -> None:
    study = StudyFactory()
    no_staff = staff("view_participation", "change_submission", is_staff=False)

    for client in (Client(), no_staff):
        response = client.post(address(study, part), ANSWERS)
        assert response.status_code == 302
        assert response["location"].startswith("/admin/login/")
    assert not StudyEvent.objects.exists()


def test_identities_come_apart_from_answers_and_are_noted() -> None:
    study = StudyFactory()
    person = answered(study, prolific_id=PROLIFIC_ID, comment="private words")
    client = staff("change_submission", "view_participation")

    assert "1 submission still has ids" in client.get(address(study)).content.decode()
    response = client.post(address(study, "identities/"))

    content = b"".join(response.streaming_content).decode()
    assert f"p_{person.participant.code},{PROLIFIC_ID}" in content
    assert "private words" not in content
    event = StudyEvent.objects.get()
    assert (event.kind, event.actor.username) == ("identities exported", "ann")
    assert client.get(address(study, "identities/")).status_code == 405
