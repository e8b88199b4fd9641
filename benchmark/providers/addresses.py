"""Well-known providers: their address and the usual name of their key's variable.

A convenience only: any address of the protocol works with `--base-url`.
"""

from __future__ import annotations

from typing import NamedTuple


class Address(NamedTuple):
    """Where a provider is asked; `api_key_env` is "" where it needs no key."""

    base_url: str
    api_key_env: str


BASELINE = "baseline"
KNOWN: dict[str, Address] = {
    "openai": Address("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "anthropic": Address("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "deepinfra": Address("https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
    "google": Address("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "ollama": Address("http://127.0.0.1:11434/v1", ""),
    "openrouter": Address("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": Address("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
}


def address_of(provider: str, base_url: str, api_key_env: str) -> Address:
    """The address to ask: the given one, or the provider's own with its usual variable.

    The usual variable is never used for another address, so that no key goes to a stranger.
    KeyError where the provider is unknown and no address is given.
    """
    if base_url:
        return Address(base_url, api_key_env)
    known = KNOWN[provider]
    return Address(known.base_url, api_key_env or known.api_key_env)
