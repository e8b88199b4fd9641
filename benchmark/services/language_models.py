"""Registering what is asked: a model at an endpoint, or a baseline that needs none."""

from __future__ import annotations

from django.db import transaction

from benchmark.domain.baselines import Baseline
from benchmark.models import Endpoint, LanguageModel
from benchmark.providers.addresses import BASELINE, KNOWN, address_of
from benchmark.providers.keys import host_of, is_http_address
from benchmark.services.errors import BenchmarkError


@transaction.atomic
def register_language_model(
    *, name: str, provider: str = "", base_url: str = "", api_key_env: str = ""
) -> LanguageModel:
    """The row of a model, made when it is asked for the first time.

    A model of the same name at another address is another column, so that answers of one are
    never shown as the other's. Without provider and address a registered model is meant first.
    """
    if provider == BASELINE:
        return register_baseline(name)
    if not provider and not base_url:
        registered = LanguageModel.objects.filter(name=name).exclude(
            kind=LanguageModel.Kind.MODEL, endpoint__isnull=True
        )
        if known := registered.first():
            return known
    endpoint = _endpoint(provider or "openai", base_url, api_key_env)
    same = LanguageModel.objects.filter(identifier=name, endpoint=endpoint).first()
    if same:
        return same
    title = name
    if LanguageModel.objects.filter(name=name).exists():
        title = f"{name} @ {host_of(endpoint.base_url)}"[:120]
    return LanguageModel.objects.create(name=title, identifier=name, endpoint=endpoint)


def register_baseline(name: str) -> LanguageModel:
    """The row of a baseline, by its label or identifier."""
    by_name = {key: b for b in Baseline for key in (b.label, b.value)}
    if name not in by_name:
        known = ", ".join(repr(b.label) for b in Baseline)
        raise BenchmarkError("model_unknown", f"{name!r} is not a baseline; there are {known}.")
    baseline = by_name[name]
    row, _ = LanguageModel.objects.get_or_create(
        identifier=baseline.value,
        kind=LanguageModel.Kind.BASELINE,
        defaults={"name": baseline.label},
    )
    return row


def _endpoint(provider: str, base_url: str, api_key_env: str) -> Endpoint:
    if base_url and not is_http_address(base_url):
        raise BenchmarkError(
            "address_invalid",
            f"{base_url!r} is no address: write it as http://host:port/v1 or https://host/v1.",
        )
    try:
        address = address_of(provider, base_url.rstrip("/"), api_key_env)
    except KeyError:
        known = ", ".join(sorted([*KNOWN, BASELINE]))
        raise BenchmarkError(
            "provider_unknown",
            f"Provider {provider!r} is unknown: use one of {known}, or give --base-url.",
        ) from None
    endpoint, created = Endpoint.objects.get_or_create(
        provider=provider,
        base_url=address.base_url,
        defaults={
            "name": f"{provider} at {host_of(address.base_url)} ({_next_number()})"[:80],
            "api_key_env": address.api_key_env,
        },
    )
    if not created and api_key_env and endpoint.api_key_env != api_key_env:
        endpoint.api_key_env = api_key_env
        endpoint.save(update_fields=["api_key_env"])
    return endpoint


def _next_number() -> int:
    # Addresses may differ in their path alone, and the name is what tells them apart.
    newest = Endpoint.objects.order_by("-pk").values_list("pk", flat=True).first()
    return (newest or 0) + 1
