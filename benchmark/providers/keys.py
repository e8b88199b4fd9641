"""API keys: named by the database, kept in the environment, read when they are used."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

from benchmark.providers.base import RunStopped

NO_KEY = "not-needed"
"""What the client sends to a loopback endpoint that asks for no key."""


def read_key(api_key_env: str, base_url: str) -> str:
    """The key in the named variable, without surrounding white space.

    An endpoint on this machine for which no variable is named is asked without one. Raises
    RunStopped with one sentence where a key is needed and its variable is unnamed, missing,
    empty, or holds what no header can carry.
    """
    if not api_key_env:
        if is_loopback(base_url):
            return NO_KEY
        raise RunStopped(
            f"{host_of(base_url)} needs a key: name the environment variable that holds it "
            "(--api-key-env, or on the endpoint in the admin)."
        )
    key = os.environ.get(api_key_env, "").strip()
    if not key:
        raise RunStopped(f"The environment variable {api_key_env} with the API key is not set.")
    if not key.isascii() or not key.isprintable():
        raise RunStopped(f"The environment variable {api_key_env} does not hold a usable API key.")
    return key


def is_http_address(base_url: str) -> bool:
    try:
        parts = urlsplit(base_url)
        # A port that is none raises only when it is read.
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def host_of(base_url: str) -> str:
    """Host and port, for sentences; never credentials that an address may carry."""
    parts = urlsplit(base_url)
    host = parts.hostname or base_url
    return f"{host}:{parts.port}" if parts.port else host


def redact(text: str, key: str) -> str:
    """The text without the key, which endpoints like to quote when they refuse it."""
    return text.replace(key, "[key]") if key and key != NO_KEY else text
