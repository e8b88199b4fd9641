"""Prolific's API as typed verbs, as few as this project needs. There is no verb to reject.

Facts about the API: amounts are minor units (pence, cents) everywhere except in the lines of a
bonus set-up, which are major units; calls in bulk are accepted first and done later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from surveys.domain.pay import PayRates
from surveys.prolific.errors import ProlificError
from surveys.prolific.records import SubmissionRecord, read_submission
from surveys.prolific.transport import Patience, Transport, nonsense, read_token

PAGE_SIZE = 200
MAX_PAGES = 500
API = "/api/v1"


@dataclass(frozen=True, slots=True)
class BonusSetUp:
    """Bonuses that Prolific has noted and not paid; amounts in minor units."""

    id: str
    amount_minor: int
    total_minor: int | None


class ProlificClient:
    """One workspace's API. Every method raises ProlificError."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get_study(self, study: str) -> dict[str, Any]:
        return _mapping(self._transport.send("GET", f"{API}/studies/{study}/"), "id")

    def create_study(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """A new, unpublished study."""
        answer = self._transport.send("POST", f"{API}/studies/", body=fields, is_repeatable=False)
        return _mapping(answer, "id")

    def update_study(self, study: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        return _mapping(self._transport.send("PATCH", f"{API}/studies/{study}/", body=fields), "id")

    def transition_study(self, study: str, action: str) -> dict[str, Any]:
        """PUBLISH, START, PAUSE or STOP; stopping is final."""
        path = f"{API}/studies/{study}/transition/"
        return _mapping(self._transport.send("POST", path, body={"action": action}))

    def list_submissions(self, study: str) -> list[SubmissionRecord]:
        """Every submission of a study, once each, however the pages shift while they are read."""
        found: dict[str, SubmissionRecord] = {}
        offset = 0
        for _ in range(MAX_PAGES):
            params: dict[str, str | int] = {"limit": PAGE_SIZE, "offset": offset}
            answer = self._transport.send(
                "GET", f"{API}/studies/{study}/submissions/", params=params
            )
            items = answer.get("results") if isinstance(answer, dict) else answer
            if not isinstance(items, list):
                raise nonsense("a list of submissions was expected")
            page = {record.session: record for record in _records(items, study)}
            # An empty page ends the list, and so does a server that ignores the offset.
            if not page.keys() - found.keys():
                return list(found.values())
            found.update(page)
            offset += len(items)
        raise nonsense(f"more than {MAX_PAGES * PAGE_SIZE} submissions")

    def get_submission(self, session: str) -> SubmissionRecord:
        return read_submission(self._transport.send("GET", f"{API}/submissions/{session}/"))

    def bulk_approve(self, sessions: Sequence[str]) -> None:
        """Ask for these to be approved; accepted is not done, so read the states later."""
        body = {"submission_ids": list(sessions)}
        self._transport.send("POST", f"{API}/submissions/bulk-approve/", body=body)

    def request_return(self, session: str, reason: str) -> None:
        path = f"{API}/submissions/{session}/request-return/"
        self._transport.send("POST", path, body={"request_return_reasons": [reason]})

    def set_up_bonuses(self, study: str, amounts_minor: Mapping[str, int]) -> BonusSetUp:
        """Note bonuses by submission id; nothing is paid yet."""
        lines = "".join(f"{key},{major_units(minor)}\n" for key, minor in amounts_minor.items())
        body = {"study_id": study, "csv_bonuses": lines}
        # A set-up that nobody pays costs nothing, so asking again is safe.
        answer = self._transport.send("POST", f"{API}/submissions/bonus-payments/", body=body)
        fields = _mapping(answer, "id", "amount")
        amount, total = _whole(fields["amount"]), _whole(fields.get("total_amount"))
        if amount is None:
            raise nonsense("bonuses without an amount")
        return BonusSetUp(id=str(fields["id"]), amount_minor=amount, total_minor=total)

    def pay_bonuses(self, set_up: str) -> None:
        """Pay a set-up. Never sent twice where it is unclear whether it arrived."""
        path = f"{API}/bulk-bonus-payments/{set_up}/pay/"
        self._transport.send("POST", path, is_repeatable=False)

    def reward_recommendations(self, workspace: str, currency: str) -> PayRates:
        """Minimum and recommended pay an hour, in minor units."""
        params: dict[str, str | int] = {"workspace_id": workspace, "currency": currency}
        answer = self._transport.send("GET", f"{API}/reward-recommendations/", params=params)
        rows = answer if isinstance(answer, list) else [answer]
        for row in rows:
            if isinstance(row, dict) and row.get("currency") == currency:
                minimum = _whole(row.get("min_reward_per_hour"))
                recommended = _whole(row.get("recommended_reward_per_hour"))
                if minimum is not None and recommended is not None:
                    return PayRates(currency, minimum, recommended)
        raise nonsense(f"no recommended pay in {currency}")

    def create_webhook_secret(self, workspace: str) -> str:
        """A new secret that signs this workspace's webhooks; it replaces the one before."""
        body = {"workspace_id": workspace}
        answer = self._transport.send("POST", f"{API}/hooks/secrets/", body=body)
        return str(_mapping(answer, "value")["value"])

    def subscribe(self, workspace: str, event_type: str, target_url: str) -> str:
        """Have events of this type delivered, and confirm it; returns the subscription's id."""
        body = {"workspace_id": workspace, "event_type": event_type, "target_url": target_url}
        answer, headers = self._transport.send_raw(
            "POST", f"{API}/hooks/subscriptions/", None, body, False
        )
        subscription = str(_mapping(answer, "id")["id"])
        path = f"{API}/hooks/subscriptions/{subscription}/"
        self._transport.send("POST", path, body={"secret": headers.get("X-Hook-Secret", "")})
        return subscription


@contextmanager
def connect(*, address: str = "", patience: Patience | None = None) -> Iterator[ProlificClient]:
    """A client by the settings. Raises ProlificError `token_missing`."""
    usual = Patience(
        attempt_s=settings.PROLIFIC_TIMEOUT_SECONDS, total_s=settings.PROLIFIC_PATIENCE_SECONDS
    )
    transport = Transport(
        address or settings.PROLIFIC_API_URL, read_token(), patience=patience or usual
    )
    try:
        yield ProlificClient(transport)
    finally:
        transport.close()


def fetch_launch_keys() -> list[dict[str, Any]]:
    """The public keys of signed links; no token is needed for them, and nobody waits long."""
    quick = Patience(attempt_s=min(3, settings.PROLIFIC_TIMEOUT_SECONDS), max_attempts=2)
    transport = Transport(settings.PROLIFIC_API_URL, "", patience=quick)
    try:
        answer = transport.send("GET", "/.well-known/study/jwks.json")
    finally:
        transport.close()
    keys = answer.get("keys") if isinstance(answer, dict) else None
    if not isinstance(keys, list):
        raise nonsense("a set of keys was expected")
    return [key for key in keys if isinstance(key, dict)]


def major_units(minor: int) -> str:
    """425 pence as 4.25."""
    return f"{minor // 100}.{minor % 100:02d}"


def _records(items: Sequence[object], study: str) -> Iterator[SubmissionRecord]:
    for item in items:
        yield read_submission(item, study=study)


def _mapping(answer: object, *required: str) -> dict[str, Any]:
    if not isinstance(answer, dict) or any(not answer.get(name) for name in required):
        raise nonsense(f"an object with {', '.join(required) or 'fields'} was expected")
    return answer


def _whole(value: object) -> int | None:
    """A whole number of minor units; a fraction would mean major units, which is an error."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None


__all__ = ["BonusSetUp", "ProlificClient", "ProlificError", "connect", "major_units"]
