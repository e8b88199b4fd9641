"""From a trial to the question put to a model, and from its reply to what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from benchmark.domain.plan import only_measure, trial_protocol
from benchmark.domain.prompts import Message, ReplyFormat, render_messages
from benchmark.domain.replies import parse_reply
from benchmark.domain.reply_schema import reply_schema
from benchmark.models import Run, Trial
from benchmark.providers.base import Question, Reply, TrialFailed
from benchmark.services.prompt_templates import template_text
from surveys.domain.protocol import Administration, ImaginedSituation, Protocol
from surveys.models import SituationVersion


@dataclass(frozen=True, slots=True)
class AskedTrial:
    """A trial in flight: what it goes through, what was asked, since when."""

    trial: Trial
    protocol: Protocol
    question: Question
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of an asked trial; `administration` exactly where it is valid."""

    asked: AskedTrial
    state: str
    reason: str
    messages: tuple[Message, ...]
    reply: Reply
    administration: Administration | None = None


class QuestionDesk:
    """Renders the questions of one run; what they share is read once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._spec = run.instrument.spec
        if run.prompt_template is None:
            raise ValueError(f"{run} has no prompt template")
        self._template = template_text(run.prompt_template)
        self._labels = {option.value: option.label for option in self._spec.options if option.label}

    @cached_property
    def _situations(self) -> Mapping[int, ImaginedSituation]:
        keys = self._run.trials.filter(situation_version__isnull=False)
        rows = SituationVersion.objects.filter(pk__in=keys.values("situation_version"))
        return {pk: ImaginedSituation(pk, text) for pk, text in rows.values_list("pk", "text")}

    def ask(self, trial: Trial, *, now: datetime) -> AskedTrial:
        """The question of a trial; PromptError or ProtocolError where it cannot be put."""
        key = trial.situation_version_id
        situation = self._situations[key] if key is not None else None
        protocol = trial_protocol(self._spec, trial.item_order, situation)
        measure = only_measure(protocol)
        reply_format = ReplyFormat(self._run.reply_format)
        question = Question(
            messages=render_messages(self._template, self._spec, measure, reply_format),
            instrument=self._spec,
            measure=measure,
            seed=trial.seed or 0,
            parameters=self._run.parameters,
            schema=self._schema(protocol) if reply_format is ReplyFormat.JSON_SCHEMA else None,
        )
        return AskedTrial(trial, protocol, question, now)

    def _schema(self, protocol: Protocol) -> Mapping[str, Any]:
        items = [item.text for item in only_measure(protocol).items]
        return reply_schema(items, self._spec.lowest, self._spec.highest)

    def judge(self, asked: AskedTrial, reply: Reply) -> Settlement:
        """Parse a reply; a valid one is scored, any other keeps its reason."""
        measure = asked.question.measure
        parsed = parse_reply(
            reply.text,
            items=[item.text for item in measure.items],
            low=self._spec.lowest,
            high=self._spec.highest,
            labels=self._labels,
            finish_reason=reply.finish_reason or None,
            refusal=reply.refusal,
        )
        reason = "; ".join(part for part in (parsed.reason, reply.note) if part)
        administration = None
        if parsed.ratings is not None:
            administration = asked.protocol.administer(measure, parsed.ratings)
        messages = reply.messages or asked.question.messages
        return Settlement(asked, parsed.state.value, reason, messages, reply, administration)

    def failed(self, asked: AskedTrial, error: TrialFailed) -> Settlement:
        """A trial that got no answer: its state is failed, and an error's body is no reply."""
        nothing = Reply(
            None,
            parameters_sent=error.parameters_sent,
            parameters_dropped=error.parameters_dropped,
        )
        return Settlement(
            asked, Trial.State.FAILED.value, str(error), asked.question.messages, nothing
        )
