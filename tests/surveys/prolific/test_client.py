"""The client against a stand-in on a real socket."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from surveys.prolific.client import ProlificClient, connect
from surveys.prolific.errors import ProlificError
from surveys.prolific.transport import Patience, Transport, read_token
from tests.surveys.prolific.conftest import QUICK
from tests.surveys.prolific.stand_in import TOKEN, ProlificStandIn


def patient(prolific: ProlificStandIn, pauses: list[float], **limits: float) -> ProlificClient:
    """A client that notes its pauses instead of sleeping."""
    patience = Patience(**{"attempt_s": 5, "total_s": 60, **limits})
    return ProlificClient(
        Transport(prolific.address, TOKEN, patience=patience, sleep=pauses.append)
    )


def test_list_and_single_call_give_the_same_record(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.add_study("st1")
    prolific.add_submission(
        "se1", "p1", "st1", status="AWAITING REVIEW", code="DONE", bonuses=[50],
        completed_at="2026-10-01T10:08:00", return_requested="2026-10-02T00:00:00Z",
    )  # fmt: skip

    listed = client_of_prolific.list_submissions("st1")

    assert listed == [client_of_prolific.get_submission("se1")]
    assert listed[0].status == "AWAITING_REVIEW"
    assert listed[0].entered_code == "DONE"
    assert listed[0].completed_at == datetime(2026, 10, 1, 10, 8, tzinfo=UTC)
    assert listed[0].is_return_requested
    assert listed[0].bonus_payments_minor == (50,)
    assert "203.0.113.77" not in repr(listed)
    assert "1990" not in repr(listed)


def test_all_pages_of_a_list_are_read(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.add_study("st1")
    for n in range(451):
        prolific.add_submission(f"se{n}", f"p{n}", "st1")

    records = client_of_prolific.list_submissions("st1")

    assert {record.session for record in records} == {f"se{n}" for n in range(451)}
    assert len(records) == 451


def test_busy_is_waited_for_as_long_as_it_asks(prolific: ProlificStandIn) -> None:
    prolific.add_study("st1")
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    prolific.fail("/studies/", 429, Retry_After="7")
    prolific.fail("/studies/", 429, Retry_After=later)
    prolific.fail("/studies/", 429)
    pauses: list[float] = []

    study = patient(prolific, pauses).get_study("st1")

    assert study["id"] == "st1"
    assert pauses[0] == 7
    assert 6 < pauses[1] <= 9
    assert 0 < pauses[2] <= 2


def test_patience_with_busy_ends(prolific: ProlificStandIn) -> None:
    prolific.fail("/studies/", 429, times=99, Retry_After="50")
    pauses: list[float] = []

    with pytest.raises(ProlificError) as caught:
        patient(prolific, pauses, total_s=40).get_study("st1")

    assert caught.value.code == "busy"
    assert caught.value.is_certain
    assert pauses == []


def test_pauses_grow_and_attempts_are_bounded(prolific: ProlificStandIn) -> None:
    prolific.fail("/studies/", 503, times=99)
    pauses: list[float] = []

    with pytest.raises(ProlificError):
        patient(prolific, pauses, max_attempts=5).get_study("st1")

    assert len(prolific.calls) == 5
    assert all(0.5 * 2**n * 0.5 <= pause <= 0.5 * 2**n for n, pause in enumerate(pauses))


@pytest.mark.parametrize("status", [0, 500, 502])
def test_what_may_be_repeated_survives_a_failing_server(
    status: int, prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.add_study("st1")
    prolific.fail("/studies/", status, times=2)

    assert client_of_prolific.get_study("st1")["id"] == "st1"


@pytest.mark.parametrize("status", [0, 500, 503])
def test_a_payment_is_never_sent_twice(
    status: int, prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.bonus_set_ups["b1"] = {}
    prolific.fail("/pay/", status)

    with pytest.raises(ProlificError) as caught:
        client_of_prolific.pay_bonuses("b1")

    assert caught.value.code == "unclear"
    assert not caught.value.is_certain
    assert len(prolific.sent("/pay/")) == 1


def test_a_payment_waits_while_prolific_is_busy(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.bonus_set_ups["b1"] = {}
    prolific.fail("/pay/", 429)

    client_of_prolific.pay_bonuses("b1")

    assert len(prolific.sent("/pay/")) == 2


@pytest.mark.parametrize(
    ("status", "code"), [(400, "refused"), (404, "not_found"), (422, "refused")]
)
def test_a_refusal_is_told_in_prolifics_words(
    status: int, code: str, prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.fail("/transition/", status)

    with pytest.raises(ProlificError) as caught:
        client_of_prolific.transition_study("st1", "PAUSE")

    assert caught.value.code == code
    assert caught.value.is_certain
    assert len(prolific.calls) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[1", b"[]", b'"text"', b"null", b'{"x": 1}'])
def test_nonsense_is_named(
    body: bytes, prolific: ProlificStandIn, client_of_prolific: ProlificClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(prolific, "answer", lambda call: (200, body, {}))

    for call in (client_of_prolific.get_study, client_of_prolific.get_submission):
        with pytest.raises(ProlificError) as caught:
            call("x")
        assert caught.value.code == "nonsense"


def test_an_unreachable_prolific_is_named() -> None:
    client = ProlificClient(Transport("http://127.0.0.1:9", TOKEN, patience=QUICK))

    with pytest.raises(ProlificError) as caught:
        client.pay_bonuses("b1")

    assert caught.value.code == "not_reached"
    assert caught.value.is_certain


def test_a_refused_token_is_never_quoted(
    prolific: ProlificStandIn, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_API_TOKEN", "wrong-secret")
    caplog.set_level(logging.INFO)

    with connect(patience=QUICK) as client, pytest.raises(ProlificError) as caught:
        client.get_study("st1")

    assert caught.value.code == "token_refused"
    assert "wrong-secret" not in str(caught.value)
    assert "wrong-secret" not in caplog.text


def test_ids_of_persons_are_not_quoted() -> None:
    error = ProlificError(code="refused", detail="participant 60bf9310e8dec401be6e9615 left")

    assert str(error) == "participant [id] left"


@pytest.mark.parametrize("value", ["", " ", "tök€n", "two\nlines"])
def test_without_a_usable_token_nothing_is_sent(
    value: str, prolific: ProlificStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_API_TOKEN", value)

    with pytest.raises(ProlificError) as caught, connect():
        pass

    assert caught.value.code == "token_missing"
    assert "PROLIFIC_API_TOKEN" in str(caught.value)


def test_the_token_may_be_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("from-file\n")
    monkeypatch.setenv("PROLIFIC_API_TOKEN_FILE", str(tmp_path / "token"))

    assert read_token() == "from-file"
    monkeypatch.setenv("PROLIFIC_API_TOKEN_FILE", str(tmp_path / "absent"))
    with pytest.raises(ProlificError):
        read_token()


def test_bonus_lines_are_major_units_and_answers_minor(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    prolific.add_study("st1")
    for session in ("se1", "se2", "se3"):
        prolific.add_submission(session, f"p-{session}", "st1")

    set_up = client_of_prolific.set_up_bonuses("st1", {"se1": 425, "se2": 7, "se3": 100})

    assert prolific.sent("bonus-payments")[0].body["csv_bonuses"] == (
        "se1,4.25\nse2,0.07\nse3,1.00\n"
    )
    assert set_up.amount_minor == 532
    assert prolific.bonus_set_ups[set_up.id] == {"se1": 425, "se2": 7, "se3": 100}


def test_recommended_pay_is_read_per_currency(client_of_prolific: ProlificClient) -> None:
    rates = client_of_prolific.reward_recommendations("w1", "USD")

    assert (rates.currency, rates.minimum, rates.recommended) == ("USD", 800, 1200)


def test_a_subscription_is_confirmed(
    prolific: ProlificStandIn, client_of_prolific: ProlificClient
) -> None:
    key = client_of_prolific.subscribe("w1", "submission.status.change", "https://x.org/hooks/")

    assert prolific.subscriptions[key]["is_enabled"]
    assert client_of_prolific.create_webhook_secret("w1") == "hook secret"
