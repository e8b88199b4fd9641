from __future__ import annotations

import pytest
from django.test import Client, override_settings

from config import health


def test_healthz_needs_no_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}


@pytest.mark.django_db
def test_readyz_names_what_is_ready(client: Client) -> None:
    response = client.get("/readyz")

    assert (response.status_code, response.json()) == (
        200,
        {"database": "ready", "broker": "ready"},
    )


@pytest.mark.django_db
def test_readyz_says_which_part_is_missing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.app.conf, "broker_url", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(health.app.conf, "broker_write_url", "redis://127.0.0.1:1/0")

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["broker"] == "unreachable"


@pytest.mark.django_db
def test_home_leads_to_everything(client: Client) -> None:
    page = client.get("/").content.decode()

    assert all(address in page for address in ("/dashboards/", "/s/demo/", "/admin/"))


@override_settings(ALLOWED_HOSTS=["testserver"])
@pytest.mark.django_db
def test_pages_carry_a_strict_policy(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
