"""An admin registers a model, has it asked, and sees a situation as models are asked about it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from benchmark.models import Endpoint, LanguageModel, Run
from benchmark.services import enqueueing
from benchmark.services.language_models import register_baseline
from benchmark.services.prompt_templates import load_prompt_templates
from surveys.models import Factor, InstrumentVersion
from surveys.services.catalogue import load_catalogue
from surveys.services.situations import add_situation

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(admin_client: Client) -> Client:
    load_catalogue()
    load_prompt_templates()
    return admin_client


def question(model: LanguageModel, **changes: object) -> dict[str, object]:
    return {
        "language_model": model.pk,
        "instrument": InstrumentVersion.objects.get(key="PANAS").pk,
        "preset": "paper",
        "reply_format": "text",
        "emotions": ["Anger"],
        "situations": "1-per-factor",
        "default_repeats": 2,
        "repeats": 1,
        "temperature": "0.01",
        "top_p": "1",
        "seed": 7,
        "concurrency": 4,
    } | changes


def test_a_model_is_registered(admin: Client) -> None:
    admin.post(
        reverse("admin:benchmark_endpoint_add"),
        {
            "name": "local",
            "provider": "openai",
            "base_url": "http://localhost:8080/v1",
            "api_key_env": "LOCAL_KEY",
        },
    )
    endpoint = Endpoint.objects.get(name="local")
    admin.post(
        reverse("admin:benchmark_languagemodel_add"),
        {"name": "small", "kind": "model", "identifier": "small-1", "endpoint": endpoint.pk},
    )

    assert LanguageModel.objects.get(name="small").endpoint == endpoint


def test_a_key_in_place_of_its_variables_name_is_refused(admin: Client) -> None:
    response = admin.post(
        reverse("admin:benchmark_endpoint_add"),
        {"name": "x", "provider": "openai", "base_url": "", "api_key_env": "sk-abc-123"},
    )

    assert "not a key" in response.content.decode()
    assert not Endpoint.objects.exists()


def test_a_worker_is_woken_to_ask_a_model(
    admin: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks,
) -> None:
    woken: list[int] = []
    monkeypatch.setattr(enqueueing, "_send", woken.append)
    with django_capture_on_commit_callbacks(execute=True):
        response = admin.post(
            reverse("admin:benchmark_run_add"), question(register_baseline("midpoint"))
        )

    run = Run.objects.get()
    assert response.status_code == 302, response.context["form"].errors
    assert woken == [run.pk]
    assert (run.seed, run.created_by.username) == (7, "admin")
    assert run.trials.filter(phase="default").count() == 2
    assert run.trials.filter(phase="evoked").count() == 5


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"situations": "some"}, "is not study, all"),
        ({"default_repeats": 0, "repeats": 0}, ""),
        ({"preset": "paper", "instrument": "AGQ"}, "without their words"),
    ],
)
def test_what_cannot_be_asked_is_said(
    changes: dict[str, object], sentence: str, admin: Client
) -> None:
    if "instrument" in changes:
        changes = changes | {"instrument": InstrumentVersion.objects.get(key="AGQ").pk}
    response = admin.post(
        reverse("admin:benchmark_run_add"), question(register_baseline("midpoint"), **changes)
    )

    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert response.context["form"].errors
    assert not Run.objects.exists()


def test_a_draft_is_seen_as_models_are_asked_about_it(admin: Client) -> None:
    situation = add_situation(factor=Factor.objects.first(), text="A lorry blocks your lane.")
    change = admin.get(reverse("admin:surveys_situation_change", args=[situation.pk]))
    address = reverse("admin:benchmark_situation_prompts", args=[situation.pk])
    page = admin.get(address).content.decode()

    assert address in change.content.decode()
    assert "A lorry blocks your lane." in page
    assert "Imagine you are the protagonist" in page
    assert "1. Interested" in page


def test_only_staff_sees_it(client: Client) -> None:
    load_catalogue()
    situation = add_situation(factor=Factor.objects.first(), text="A lorry blocks your lane.")
    response = client.get(reverse("admin:benchmark_situation_prompts", args=[situation.pk]))

    assert response.status_code == 302
    assert "/login/" in response.url
