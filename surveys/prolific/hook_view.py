"""The address that Prolific delivers its events to."""

from __future__ import annotations

import hashlib
import json
import logging

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from surveys.prolific.webhooks import (
    Delivery,
    read_timestamp,
    take_delivery,
    verify,
)
from surveys.services.errors import SurveyError
from surveys.tasks import enqueue_submission

_log = logging.getLogger(__name__)
_STATUS = {"hook_secret_missing": 503, "hook_unsigned": 403, "hook_stale": 403}


@csrf_exempt
@require_POST
def prolific_hook(request: HttpRequest) -> HttpResponse:
    """Take one event. 403 for what Prolific did not sign lately, 400 for what is no event.

    Prolific repeats a delivery until it is answered with success, so one that could not be
    stored fails aloud.
    """
    now = timezone.now()
    body, headers = request.body, request.headers
    timestamp = headers.get("X-Prolific-Request-Timestamp", "")
    signature = headers.get("X-Prolific-Request-Signature", "")
    try:
        verify(body=body, signature=signature, timestamp=timestamp, now=now)
    except SurveyError as error:
        _log.warning("A webhook was refused: %s", error.code)
        return HttpResponse(error.code, status=_STATUS[error.code], content_type="text/plain")
    try:
        content = json.loads(body)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        return HttpResponse("no_event", status=400, content_type="text/plain")
    delivery = Delivery(
        event_id=(headers.get("X-Event-ID") or hashlib.sha256(body).hexdigest())[:100],
        sent_at=read_timestamp(headers.get("X-Timestamp", "")) or read_timestamp(timestamp) or now,
        body=content,
    )
    taken = take_delivery(delivery=delivery, now=now)
    if taken.needs_reading:
        enqueue_submission(delivery.resource)
    return HttpResponse("ok" if taken.is_new else "known", content_type="text/plain")
