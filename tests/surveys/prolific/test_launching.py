"""Proof that a launch is real."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import cache as remembered
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core.cache import cache
from django.utils import timezone

from surveys.domain.entry_ids import EntryIds
from surveys.models import Participation
from surveys.prolific.client import ProlificClient
from surveys.prolific.errors import ProlificError
from surveys.prolific.launching import prove_launch, read_launch, read_launch_token
from tests.surveys.prolific.rows import connected_study, somebody
from tests.surveys.prolific.stand_in import ProlificStandIn

IDS = EntryIds("p1", "st1", "se1", is_proven=True)


@pytest.fixture(autouse=True)
def _no_keys_remembered() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@remembered
def private_key(kid: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public_key(kid: str) -> dict[str, Any]:
    key = jwt.algorithms.RSAAlgorithm.to_jwk(private_key(kid).public_key())
    return {**json.loads(key), "kid": kid, "alg": "RS256", "use": "sig"}


def token(kid: str = "k1", **claims: Any) -> str:
    usual = {
        "iss": "https://www.prolific.com",
        "aud": "survey.example.org",
        "sub": "se1",
        "exp": time.time() + 600,
        "prolific": {
            "participant_id": "p1", "study_id": "st1", "submission_id": "se1", "workspace_id": "w",
        },
    }  # fmt: skip
    content = {k: v for k, v in {**usual, **claims}.items() if v is not None}
    return jwt.encode(content, private_key(kid), algorithm="RS256", headers={"kid": kid})


def code_of(text: str) -> str:
    with pytest.raises(ProlificError) as caught:
        read_launch_token(text)
    return caught.value.code


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"aud": "https://survey.example.org"},
        {"aud": ["other.org", "survey.example.org"]},
        {"prolific": {"PROLIFIC_PID": "p1", "STUDY_ID": "st1", "SESSION_ID": "se1"}},
        {"prolific": {"participant": "p1", "study": "st1"}},
    ],
)
def test_a_signed_link_gives_the_ids(prolific: ProlificStandIn, claims: dict[str, Any]) -> None:
    prolific.keys = [public_key("k1")]

    assert read_launch_token(token(**claims)) == IDS


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ({"exp": time.time() - 60}, "launch_expired"),
        ({"exp": None}, "launch_invalid"),
        ({"aud": "evil.example.org"}, "launch_invalid"),
        ({"aud": None}, "launch_invalid"),
        ({"prolific": None}, "launch_invalid"),
        ({"prolific": {"participant_id": "undefined", "study_id": "st1"}}, "launch_invalid"),
        ({"prolific": {"participant_id": 7, "study_id": "st1"}}, "launch_invalid"),
    ],
)
def test_other_claims_are_not_believed(
    prolific: ProlificStandIn, claims: dict[str, Any], code: str
) -> None:
    prolific.keys = [public_key("k1")]

    assert code_of(token(**claims)) == code


def test_another_signature_is_not_believed(prolific: ProlificStandIn) -> None:
    prolific.keys = [public_key("k1")]
    forged = jwt.encode(
        jwt.decode(token(), options={"verify_signature": False}),
        private_key("forger"),
        algorithm="RS256",
        headers={"kid": "k1"},
    )
    unsigned = jwt.encode({"aud": "survey.example.org", "exp": time.time() + 60}, None, "none")
    # The public key as a shared secret is the classical confusion of algorithms.
    confused = jwt.encode({"exp": time.time() + 60}, "x" * 64, "HS256", headers={"kid": "k1"})

    for text in (forged, unsigned, confused, "", "a.b.c", "ä", token()[:-4] + "AAAA"):
        assert code_of(text) == "launch_invalid"


def test_keys_are_asked_for_once_and_again_for_an_unknown_one(prolific: ProlificStandIn) -> None:
    prolific.keys = [public_key("k1")]
    for _ in range(3):
        read_launch_token(token())
    assert len(prolific.calls) == 1

    cache.delete("prolific-launch-keys-fetched")  # A minute has passed.
    prolific.keys = [public_key("k2")]
    assert read_launch_token(token("k2")) == IDS
    assert len(prolific.calls) == 2


def test_forged_keys_do_not_make_us_ask_each_time(prolific: ProlificStandIn) -> None:
    prolific.keys = [public_key("k1")]
    for _ in range(5):
        assert code_of(token("forger")) == "launch_invalid"

    assert len(prolific.calls) == 1


def test_without_keys_nothing_is_proven_and_prolific_is_not_pressed(
    prolific: ProlificStandIn,
) -> None:
    prolific.fail("jwks", 500, times=99)
    for _ in range(3):
        assert code_of(token()) == "launch_keys_unavailable"

    assert len(prolific.calls) == 2


def test_signed_ids_win_over_plain_ones(prolific: ProlificStandIn, settings: Any) -> None:
    prolific.keys = [public_key("k1")]
    plain = {"PROLIFIC_PID": ["other"], "STUDY_ID": ["st1"], "SESSION_ID": ["se1"]}

    assert read_launch({**plain, "Prolific_Token": [token()]}) == IDS
    assert read_launch({"prolific_token": [token()]}) == IDS
    assert read_launch(plain) == EntryIds("other", "st1", "se1")
    assert read_launch({**plain, "prolific_token": ["broken"]}) == EntryIds("other", "st1", "se1")
    settings.PROLIFIC_LAUNCH_PARAMETER = "jwt"
    assert read_launch({"prolific_token": [token()]}) is None
    assert read_launch({"jwt": [token()]}) == IDS


@pytest.mark.django_db
class TestByTheApi:
    def prove(self, row: Any, client: ProlificClient) -> bool:
        done = prove_launch(submission_id=row.pk, client=client, now=timezone.now())
        row.refresh_from_db()
        assert row.is_proven is done
        return done

    def test_what_prolific_confirms_is_proven(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "se1", state="active")
        prolific.add_submission("se1", "p-se1", "st1")

        assert self.prove(row, client_of_prolific)
        assert self.prove(row, client_of_prolific)
        assert row.status == "ACTIVE"
        assert len(prolific.calls) == 1

    @pytest.mark.parametrize(("participant", "study"), [("other", "st1"), ("p-se1", "foreign")])
    def test_other_ids_are_not_proven(
        self,
        participant: str,
        study: str,
        prolific: ProlificStandIn,
        client_of_prolific: ProlificClient,
    ) -> None:
        row = somebody(connected_study(prolific), "se1", state="active")
        prolific.add_submission("se1", participant, study)

        assert not self.prove(row, client_of_prolific)
        assert row.status == ""

    def test_an_unknown_session_is_not_proven(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "se1", state="active")

        assert not self.prove(row, client_of_prolific)

    def test_an_unreachable_prolific_proves_nothing(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "se1", state="active")
        prolific.fail("/submissions/", 500, times=99)

        with pytest.raises(ProlificError):
            self.prove(row, client_of_prolific)

    def test_tests_are_not_asked_about(
        self, prolific: ProlificStandIn, client_of_prolific: ProlificClient
    ) -> None:
        row = somebody(connected_study(prolific), "pilot-1")
        Participation.objects.update(is_test=True)

        assert not self.prove(row, client_of_prolific)
        assert prolific.calls == []
