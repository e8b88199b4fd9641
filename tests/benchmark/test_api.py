from __future__ import annotations

import pytest
from django.test import Client

from benchmark.services.execution import execute_run
from benchmark.services.language_models import register_baseline
from benchmark.services.planning import plan_run
from benchmark.services.prompt_templates import load_prompt_templates
from surveys.models import InstrumentVersion
from surveys.services.catalogue import load_catalogue

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("name", ["language-models", "runs", "trials"])
def test_what_was_asked_is_for_staff(client: Client, name: str) -> None:
    assert client.get(f"/api/v1/{name}/").status_code == 403


def test_a_run_is_read_with_its_settings_counts_and_trials(admin_client: Client) -> None:
    load_catalogue()
    load_prompt_templates()
    run = plan_run(
        language_model=register_baseline("midpoint"),
        instrument=InstrumentVersion.objects.get(key="PANAS"),
        emotions=["Guilt"],
        situations="1-per-factor",
        default_repeats=2,
        repeats=1,
        seed=5,
    )
    execute_run(run)

    models = admin_client.get("/api/v1/language-models/").json()["results"]
    assert [(model["name"], model["kind"]) for model in models] == [("midpoint", "baseline")]
    (listed,) = admin_client.get("/api/v1/runs/", {"state": "finished"}).json()["results"]
    assert (listed["code"], listed["seed"], listed["instrument"]) == (run.code, 5, "PANAS")
    detail = admin_client.get(f"/api/v1/runs/{run.code}/").json()
    assert detail["trials"] == {"valid": run.trials.count()}

    query = {"run__code": run.code, "phase": "evoked"}
    trials = admin_client.get("/api/v1/trials/", query).json()["results"]
    assert trials[0]["situation"].startswith("Guilt-0_scenario-")
    assert trials[0]["administrations"][0]["ratings"] == [3] * 20
    assert trials[0]["messages"][-1]["role"] == "user"
