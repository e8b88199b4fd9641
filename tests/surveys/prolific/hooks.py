"""Events as Prolific delivers them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import time
from typing import Any

from django.test import Client

SECRET = "hook secret"
_NUMBERS = itertools.count(1)


def signed(body: bytes, *, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    """The headers of a delivery of these bytes."""
    timestamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return {
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
    }


def post(body: bytes, headers: dict[str, str]) -> Any:
    # Prolific brings no cookie, and no token against forged forms.
    client = Client(enforce_csrf_checks=True)
    return client.post("/hooks/prolific/", body, content_type="application/json", headers=headers)


def deliver(
    event_type: str, resource: str, *, event_id: str = "", sent_at: float | None = None, **more: Any
) -> Any:
    """Deliver one event, signed now; `sent_at` is when it happened, in seconds since 1970."""
    # Odd spacing, so that only the very bytes verify.
    body = json.dumps(
        {"event_type": event_type, "resource_id": resource, **more}, separators=(" ,", ":  ")
    ).encode()
    headers = {
        **signed(body),
        "X-Event-ID": event_id or f"e{next(_NUMBERS)}",
        "X-Timestamp": str(time.time() if sent_at is None else sent_at),
    }
    return post(body, headers)


def deliver_status(session: str, status: str, *, participant: str = "", **more: Any) -> Any:
    return deliver(
        "submission.status.change",
        session,
        participant_id=participant or f"p-{session}",
        status=status,
        **more,
    )
