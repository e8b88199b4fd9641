from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from benchmark.models import Run
from benchmark.providers.base import Limits
from benchmark.services.execution import execute_run
from benchmark.services.language_models import register_language_model
from benchmark.services.planning import plan_run
from benchmark.services.prompt_templates import load_prompt_templates
from surveys.models import InstrumentVersion
from surveys.services.catalogue import load_catalogue

QUICK = Limits(
    attempt_timeout_s=1.0,
    trial_budget_s=4.0,
    rate_limit_patience_s=20.0,
    max_attempts=3,
    first_backoff_s=0.02,
    longest_backoff_s=0.1,
)
Plan = Callable[..., Run]


@pytest.fixture
def catalogue(transactional_db: None) -> None:
    """The shipped content, visible to the engine's own connection."""
    load_catalogue()
    load_prompt_templates()


@pytest.fixture
def plan(catalogue: None) -> Plan:
    """Plan a small run of PANAS against an address."""

    def make(address: str, **choices: Any) -> Run:
        key_env = choices.pop("api_key_env", "")
        model = register_language_model(name="peer-1", base_url=address, api_key_env=key_env)
        settings = {
            "emotions": ["Anger"],
            "situations": "1-per-factor",
            "default_repeats": 3,
            "repeats": 1,
            "seed": 5,
            "concurrency": 4,
        }
        return plan_run(
            language_model=model,
            instrument=InstrumentVersion.objects.get(key="PANAS"),
            **settings | choices,
        )

    return make


@pytest.fixture
def ask(plan: Plan) -> Plan:
    """Plan a small run and execute it with little patience."""

    def make(address: str, **choices: Any) -> Run:
        limits = choices.pop("limits", QUICK)
        return execute_run(plan(address, **choices), limits=limits)

    return make
