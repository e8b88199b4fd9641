"""Asking any endpoint that speaks the OpenAI protocol, with a retry policy of our own.

The client's own retries are off: it goes by status alone, so it would ask again without credit
and give up on a long Retry-After. What is read from an answer is in `responses`, what a refusal
means in `refusals`, how fast to ask in `pacing`; this module puts them together for one question.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from benchmark.providers.base import Limits, Question, Reply, RunStopped, TrialFailed
from benchmark.providers.keys import host_of, is_loopback, read_key, redact
from benchmark.providers.pacing import Admission, backoff_s, retry_after_s, shared_pause
from benchmark.providers.parameters import (
    build_request,
    messages_sent,
    parameters_of,
    refused_parameter,
)
from benchmark.providers.refusals import Fault, Refusal, read_refusal
from benchmark.providers.responses import UnreadableBody, read_completion

if TYPE_CHECKING:
    import openai

LEARNED_BEFORE = "refused in an earlier run"


class NoAnswer(Exception):
    """The connection failed, broke, or stayed silent for the time of one attempt."""


@dataclass
class Attempts:
    """The account of one question: what was sent, how often it failed, how long it took.

    `wait_s` is what the last answer asked to wait, None where it asked nothing.
    """

    body: dict[str, Any] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)
    failures: int = 0
    spent_s: float = 0.0
    ordered_wait_s: float = 0.0
    asked_at: float = 0.0
    latency_ms: int = 0
    wait_s: float | None = None

    def failed(self, reason: str) -> TrialFailed:
        return TrialFailed(
            reason,
            parameters_sent=parameters_of(self.body),
            parameters_dropped=self.dropped,
        )


class ChatCompletions:
    """One language model at one endpoint, asked over `/chat/completions`."""

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key_env: str,
        concurrency: int,
        limits: Limits,
        unsupported_parameters: Iterable[str] = (),
    ) -> None:
        self._model = model
        self._host = host_of(base_url)
        self._api_key_env = api_key_env
        self._limits = limits
        self._key = read_key(api_key_env, base_url)
        self._client = _make_client(self._key, base_url, concurrency, limits)
        self._admission = Admission(concurrency, shared_pause(base_url, api_key_env))
        self._unsupported = dict.fromkeys(unsupported_parameters, LEARNED_BEFORE)
        self._rng = random.Random()

    def __repr__(self) -> str:
        return f"ChatCompletions({self._model!r} at {self._host!r})"

    @property
    def unsupported_parameters(self) -> frozenset[str]:
        return frozenset(self._unsupported)

    def stop(self) -> None:
        self._admission.stop()

    async def close(self) -> None:
        await self._client.close()

    async def ask(self, question: Question) -> Reply:
        """The reply to one question, however many attempts it takes within the limits.

        Raises TrialFailed where there is none, RunStopped where no question could have one.
        """
        attempts = Attempts()
        while True:
            await self._admission.enter(is_retry=attempts.asked_at > 0)
            try:
                outcome = await self._attempt(question, attempts)
            finally:
                self._admission.leave()
            if isinstance(outcome, Reply):
                self._admission.answered()
                return self._complete(outcome, question, attempts)
            if isinstance(outcome, Refusal):
                filtered = await self._after_refusal(outcome, attempts)
                if filtered:
                    return self._complete(filtered, question, attempts)
            else:
                await self._after_failure(str(outcome), attempts)

    async def _attempt(self, question: Question, attempts: Attempts) -> Reply | Refusal | NoAnswer:
        attempts.body, attempts.dropped = build_request(self._model, question, self._unsupported)
        attempts.asked_at = started = time.monotonic()
        try:
            status, headers, content = await self._send(attempts)
        except NoAnswer as error:
            return error
        finally:
            attempts.spent_s += time.monotonic() - started
        attempts.latency_ms = round(1000 * (time.monotonic() - started))
        attempts.wait_s = retry_after_s(headers, now=datetime.now(UTC))
        if status != 200:
            return self._redacted(read_refusal(status, content))
        try:
            outcome = read_completion(content)
        except UnreadableBody as error:
            if error.is_page:
                raise attempts.failed(f"{self._host} answered with {error}") from None
            return NoAnswer(f"{self._host} answered with {error}")
        return self._redacted(outcome) if isinstance(outcome, Refusal) else outcome

    async def _send(self, attempts: Attempts) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and whole body of one request; NoAnswer where none came in time."""
        import httpx2
        import openai

        left_s = self._limits.trial_budget_s - attempts.spent_s
        allowed_s = max(0.001, min(self._limits.attempt_timeout_s, left_s))
        try:
            async with asyncio.timeout(allowed_s):
                # Not the typed method: validating both ways costs more than all the rest.
                response = await self._client.post(
                    "/chat/completions", body=attempts.body, cast_to=httpx2.Response
                )
                return response.status_code, response.headers, response.content
        except openai.APIStatusError as error:
            return error.status_code, error.response.headers, error.response.content
        except (TimeoutError, openai.APITimeoutError):
            raise NoAnswer(f"{self._host} did not answer within {allowed_s:.3g} s") from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            reason = type(error.__cause__ or error).__name__
            raise NoAnswer(f"no whole answer from {self._host} ({reason})") from None

    async def _after_refusal(self, refusal: Refusal, attempts: Attempts) -> Reply | None:
        """Learn, wait, or raise; a reply where the refusal is the model's own of this content."""
        if self._learn(refusal, attempts):
            return None
        reason = f"{refusal.status} from {self._host}: {refusal.message}"
        match refusal.fault:
            case Fault.NO_CREDIT:
                raise RunStopped(
                    f"No credit at {self._host} ({refusal.status}): {refusal.message} "
                    "Top up the account, then resume."
                )
            case Fault.DENIED | Fault.NOT_FOUND:
                raise RunStopped(self._denied(refusal))
            case Fault.CONTENT_FILTER:
                return Reply(
                    None, finish_reason="content_filter", refusal=refusal.message or "filtered"
                )
            case Fault.BAD_REQUEST:
                raise attempts.failed(reason)
            case Fault.RATE_LIMITED:
                await self._after_rate_limit(reason, attempts)
            case Fault.TRANSIENT:
                await self._after_failure(reason, attempts)
        return None

    def _learn(self, refusal: Refusal, attempts: Attempts) -> bool:
        """Whether the refusal names a parameter that was sent, so that asking without it helps."""
        if refusal.status not in {400, 422, 500}:
            return False
        name = refused_parameter(refusal, attempts.body)
        # A server's own failure counts only where it speaks of support, as chat templates do.
        if name is None or (refusal.status == 500 and "support" not in refusal.message.lower()):
            return False
        self._unsupported.setdefault(name, refusal.message)
        return True

    async def _after_rate_limit(self, reason: str, attempts: Attempts) -> None:
        if attempts.wait_s is None:
            attempts.failures += 1
            wait_s = self._pause_or_fail(reason, attempts, most=self._limits.max_attempts + 3)
        else:
            wait_s = attempts.wait_s
        attempts.ordered_wait_s += wait_s
        if attempts.ordered_wait_s > self._limits.rate_limit_patience_s:
            raise RunStopped(
                f"{self._host} asks to wait {wait_s:.0f} s more for its rate limit: resume later."
            )
        self._admission.refused(asked_at=attempts.asked_at, wait_s=wait_s)

    async def _after_failure(self, reason: str, attempts: Attempts) -> None:
        attempts.failures += 1
        pause_s = self._pause_or_fail(reason, attempts, most=self._limits.max_attempts)
        if attempts.wait_s is not None and attempts.wait_s > pause_s:
            pause_s = attempts.wait_s
            attempts.ordered_wait_s += pause_s
            if attempts.ordered_wait_s > self._limits.rate_limit_patience_s:
                raise RunStopped(f"{self._host} asks to wait {pause_s:.0f} s: resume later.")
        else:
            attempts.spent_s += pause_s
        attempts.wait_s = None
        await self._admission.sleep(pause_s)

    def _pause_or_fail(self, reason: str, attempts: Attempts, *, most: int) -> float:
        pause_s = backoff_s(attempts.failures, self._limits, self._rng)
        is_late = attempts.spent_s + pause_s >= self._limits.trial_budget_s
        if attempts.failures >= most or is_late:
            times = "attempt" if attempts.failures == 1 else "attempts"
            raise attempts.failed(f"gave up after {attempts.failures} {times}: {reason}")
        return pause_s

    def _complete(self, reply: Reply, question: Question, attempts: Attempts) -> Reply:
        sent = messages_sent(question, self._unsupported) if attempts.dropped else None
        text = redact(reply.text, self._key) if reply.text else reply.text
        return replace(
            reply,
            text=text,
            latency_ms=attempts.latency_ms,
            messages=None if sent == question.messages else sent,
            parameters_sent=parameters_of(attempts.body),
            parameters_dropped=attempts.dropped,
        )

    def _redacted(self, refusal: Refusal) -> Refusal:
        return replace(refusal, message=redact(refusal.message, self._key))

    def _denied(self, refusal: Refusal) -> str:
        said = f"({refusal.status}): {refusal.message}"
        if refusal.fault is Fault.NOT_FOUND:
            return f"{self._host} has no such model or address, {self._model!r} {said}"
        where = f"in {self._api_key_env}" if self._api_key_env else "because none was given"
        if refusal.status == 401:
            return f"{self._host} did not accept the key {where} {said}"
        return f"{self._host} refuses access with the key {where} {said}"


def _make_client(key: str, base_url: str, concurrency: int, limits: Limits) -> openai.AsyncOpenAI:
    import httpx2
    import openai

    from benchmark.providers.pooling import PooledTransport

    http = httpx2.AsyncClient(
        # Mounted, not given as the transport: a proxy of the environment still goes first.
        mounts={"all://": PooledTransport(concurrency=concurrency)},
        timeout=httpx2.Timeout(limits.attempt_timeout_s),
        follow_redirects=True,
        # A proxy of the environment is for other hosts.
        trust_env=not is_loopback(base_url),
    )
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=0,
        timeout=limits.attempt_timeout_s,
        http_client=http,
    )
