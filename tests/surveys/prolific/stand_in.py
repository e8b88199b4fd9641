"""A stand-in for Prolific on a real loopback socket, with the quirks of the real one.

Lists and single calls name fields differently and carry addresses; states have spaces and
hyphens; publishing passes through PROCESSING; calls in bulk finish only when `finish_bulk_calls`
is called; bonus lines are major units while every answer is minor units; paying twice pays twice.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

TOKEN = "a token for tests"
REASONS = {400: "Bad request", 404: "Not found", 429: "Too many requests", 500: "Sorry"}
Answer = tuple[int, Any]


@dataclass
class Fault:
    """What happens instead of, or with `is_done` after, the next `times` requests of a path."""

    path: str
    status: int
    times: int
    headers: dict[str, str]
    is_done: bool = False


@dataclass
class Call:
    method: str
    path: str
    query: dict[str, str]
    body: Any


@dataclass
class ProlificStandIn:
    """The state of one workspace; tests set it and read it."""

    address: str = ""
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    bonus_set_ups: dict[str, dict[str, int]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    pending: list[Callable[[], None]] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=list)
    subscriptions: dict[str, dict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    # What tests arrange and ask.

    def add_study(self, study: str, **fields: Any) -> dict[str, Any]:
        self.studies[study] = {"id": study, "status": "ACTIVE", **fields}
        return self.studies[study]

    def add_submission(self, session: str, participant: str, study: str, **fields: Any) -> None:
        self.submissions[session] = {
            "id": session,
            "participant": participant,
            "study": study,
            "status": "ACTIVE",
            "code": "",
            "started_at": "2026-10-01T10:00:00Z",
            "completed_at": None,
            "bonuses": [],
            "return_requested": None,
            **fields,
        }

    def fail(
        self, path: str, status: int, *, times: int = 1, is_done: bool = False, **headers: str
    ) -> None:
        """Status 0 breaks the connection; `is_done` does what was asked all the same."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.faults.append(Fault(path, status, times, named, is_done))

    def finish_bulk_calls(self) -> None:
        for job in self.pending:
            job()
        self.pending.clear()

    def sent(self, path: str) -> list[Call]:
        """The calls, other than reading, whose path holds this."""
        return [c for c in self.calls if c.method != "GET" and path in c.path]

    def paid_minor(self, session: str) -> int:
        return sum(self.submissions[session]["bonuses"])

    # What the server does.

    def answer(self, call: Call) -> tuple[int, Any, dict[str, str]]:
        with self.lock:
            self.calls.append(call)
            fault = next((f for f in self.faults if f.times and f.path in call.path), None)
            if fault:
                fault.times -= 1
                if fault.is_done:
                    self._route(call)
                error = {"error": {"status": fault.status, "title": REASONS.get(fault.status, "")}}
                return fault.status, error, fault.headers
            status, body = self._route(call)
            headers = {"X-Hook-Secret": "confirm-me"} if call.path.endswith("scriptions/") else {}
            return status, body, headers

    def _route(self, call: Call) -> Answer:
        for method, pattern, handle in ROUTES:
            match = re.fullmatch(pattern, call.path)
            if match and method == call.method:
                try:
                    return handle(self, call, *match.groups())
                except KeyError as error:
                    return 404, {"error": {"title": "Not found", "detail": f"{error}"}}
        return 405, {"error": {"title": "Method not allowed"}}

    def create_study(self, call: Call) -> Answer:
        study = f"{len(self.studies) + 1:024x}"
        self.studies[study] = {"id": study, "status": "UNPUBLISHED", **call.body}
        return 201, self.studies[study]

    def get_study(self, call: Call, study: str) -> Answer:
        found = dict(self.studies[study])
        if found["status"] == "PROCESSING":
            self.studies[study]["status"] = "ACTIVE"
        return 200, found

    def update_study(self, call: Call, study: str) -> Answer:
        old = self.studies[study]
        if old["status"] != "UNPUBLISHED":
            places = call.body.get("total_available_places", 0)
            if (
                set(call.body) != {"total_available_places"}
                or places < old["total_available_places"]
            ):
                return 400, {"error": {"detail": "places can only be increased"}}
        old.update(call.body)
        return 200, old

    def transition(self, call: Call, study: str) -> Answer:
        after = {
            ("UNPUBLISHED", "PUBLISH"): "PROCESSING",
            ("ACTIVE", "PAUSE"): "PAUSED",
            ("PAUSED", "START"): "ACTIVE",
            ("ACTIVE", "STOP"): "AWAITING REVIEW",
            ("PAUSED", "STOP"): "AWAITING REVIEW",
        }
        found = self.studies[study]
        step = (found["status"], call.body["action"])
        if step not in after:
            return 400, {"error": {"detail": f"cannot {step[1]} a study that is {step[0]}"}}
        found["status"] = after[step]
        return 200, found

    def list_submissions(self, call: Call, study: str) -> Answer:
        self.studies[study]
        rows = [s for s in self.submissions.values() if s["study"] == study]
        start = int(call.query.get("offset", 0))
        page = rows[start : start + int(call.query.get("limit", 20))]
        return 200, {"results": [_in_list(s) for s in page], "meta": {"count": len(rows)}}

    def get_submission(self, call: Call, session: str) -> Answer:
        return 200, _alone(self.submissions[session])

    def bulk_approve(self, call: Call) -> Answer:
        chosen = [self.submissions[session] for session in call.body["submission_ids"]]
        if any(s["status"] != "AWAITING REVIEW" for s in chosen):
            return 400, {"error": {"detail": "some submissions are not awaiting review"}}
        for submission in chosen:
            self.pending.append(lambda s=submission: s.update(status="APPROVED"))
        return 200, {"message": "The request to bulk approve has been made"}

    def request_return(self, call: Call, session: str) -> Answer:
        self.submissions[session]["return_requested"] = "2026-10-01T12:00:00Z"
        self.submissions[session]["return_reasons"] = call.body["request_return_reasons"]
        return 200, _alone(self.submissions[session])

    def set_up_bonuses(self, call: Call) -> Answer:
        self.studies[call.body["study_id"]]
        amounts: dict[str, int] = {}
        for line in call.body["csv_bonuses"].splitlines():
            session, major = line.split(",")
            self.submissions[session]
            amounts[session] = int(Decimal(major) * 100)
        key = f"b{len(self.bonus_set_ups) + 1}"
        self.bonus_set_ups[key] = amounts
        amount = sum(amounts.values())
        fees, vat = amount // 3, amount // 15
        total = amount + fees + vat
        return 201, {"id": key, "amount": amount, "fees": fees, "vat": vat, "total_amount": total}

    def pay_bonuses(self, call: Call, key: str) -> Answer:
        for session, amount in self.bonus_set_ups[key].items():
            bonuses = self.submissions[session]["bonuses"]
            self.pending.append(lambda b=bonuses, a=amount: b.append(a))
        return 202, None

    def recommend_pay(self, call: Call) -> Answer:
        currency = call.query["currency"]
        rate = {"GBP": (600, 900), "USD": (800, 1200)}[currency]
        row = {
            "currency": currency,
            "min_reward_per_hour": rate[0],
            "recommended_reward_per_hour": rate[1],
        }
        return 200, [row]

    def launch_keys(self, call: Call) -> Answer:
        return 200, {"keys": self.keys}

    def create_secret(self, call: Call) -> Answer:
        return 201, {"id": "s1", "value": "hook secret", "workspace_id": call.body["workspace_id"]}

    def subscribe(self, call: Call) -> Answer:
        key = f"h{len(self.subscriptions) + 1}"
        self.subscriptions[key] = {**call.body, "id": key, "is_enabled": False}
        return 201, self.subscriptions[key]

    def confirm(self, call: Call, key: str) -> Answer:
        if call.body["secret"] != "confirm-me":
            return 400, {"error": {"detail": "wrong secret"}}
        self.subscriptions[key]["is_enabled"] = True
        return 200, self.subscriptions[key]


API = "/api/v1"
ROUTES: tuple[tuple[str, str, Callable[..., Answer]], ...] = (
    ("POST", f"{API}/studies/", ProlificStandIn.create_study),
    ("GET", f"{API}/studies/([^/]+)/", ProlificStandIn.get_study),
    ("PATCH", f"{API}/studies/([^/]+)/", ProlificStandIn.update_study),
    ("POST", f"{API}/studies/([^/]+)/transition/", ProlificStandIn.transition),
    ("GET", f"{API}/studies/([^/]+)/submissions/", ProlificStandIn.list_submissions),
    ("POST", f"{API}/submissions/bulk-approve/", ProlificStandIn.bulk_approve),
    ("POST", f"{API}/submissions/bonus-payments/", ProlificStandIn.set_up_bonuses),
    ("GET", f"{API}/submissions/([^/]+)/", ProlificStandIn.get_submission),
    ("POST", f"{API}/submissions/([^/]+)/request-return/", ProlificStandIn.request_return),
    ("POST", f"{API}/bulk-bonus-payments/([^/]+)/pay/", ProlificStandIn.pay_bonuses),
    ("GET", f"{API}/reward-recommendations/", ProlificStandIn.recommend_pay),
    ("GET", "/.well-known/study/jwks.json", ProlificStandIn.launch_keys),
    ("POST", f"{API}/hooks/secrets/", ProlificStandIn.create_secret),
    ("POST", f"{API}/hooks/subscriptions/", ProlificStandIn.subscribe),
    ("POST", f"{API}/hooks/subscriptions/([^/]+)/", ProlificStandIn.confirm),
)


def _in_list(submission: dict[str, Any]) -> dict[str, Any]:
    """The form that lists have, with what must not be kept."""
    return {
        "id": submission["id"],
        "participant_id": submission["participant"],
        "status": submission["status"],
        "started_at": submission["started_at"],
        "completed_at": submission["completed_at"],
        "is_complete": submission["completed_at"] is not None,
        "time_taken": 300.5,
        "reward": 120,
        "study_code": submission["code"] or None,
        "star_awarded": False,
        "bonus_payments": submission["bonuses"],
        "ip": "203.0.113.77",
        "strata": {"date of birth": "1990-01-31"},
        "return_requested": submission["return_requested"],
        "has_siblings": None,
    }


def _alone(submission: dict[str, Any]) -> dict[str, Any]:
    """The form that single calls have."""
    return {
        "id": submission["id"],
        "started_at": submission["started_at"],
        "status": submission["status"],
        "study_id": submission["study"],
        "completed_at": submission["completed_at"],
        "entered_code": submission["code"] or None,
        "participant": submission["participant"],
        "parent_study_id": None,
        "bonus_payments": submission["bonuses"],
        "return_requested": submission["return_requested"],
    }


def _handler(stand_in: ProlificStandIn) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            call = Call(
                self.command,
                parts.path,
                dict(parse_qsl(parts.query)),
                json.loads(raw) if raw else None,
            )
            is_open = parts.path.startswith("/.well-known/")
            if not is_open and self.headers.get("Authorization") != f"Token {TOKEN}":
                said = f"bad token {self.headers.get('Authorization', '').removeprefix('Token ')}"
                self.reply(401, {"error": {"detail": said}}, {})
                return
            self.reply(*stand_in.answer(call))

        do_GET = do_POST = do_PATCH = handle_any

        def reply(self, status: int, body: Any, headers: dict[str, str]) -> None:
            if status == 0:
                self.close_connection = True
                return
            data = body if isinstance(body, bytes) else b"" if body is None else _json(body)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests read `calls`."""

    return Handler


def _json(body: Any) -> bytes:
    return json.dumps(body).encode()


@contextmanager
def serve() -> Iterator[ProlificStandIn]:
    """A stand-in that answers while the block runs."""
    stand_in = ProlificStandIn()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stand_in))
    server.daemon_threads = True
    stand_in.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
