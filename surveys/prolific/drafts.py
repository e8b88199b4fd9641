"""A study in Prolific's words, and its draft there.

A draft is unpublished and costs nothing. What may be changed on Prolific later is little: after
publishing only the number of places, and only upwards.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from surveys.domain.outcomes import Outcome
from surveys.domain.pay import maximum_minutes
from surveys.models import CompletionCode, ProlificStudy, Situation, Study
from surveys.prolific.client import ProlificClient
from surveys.prolific.records import normalise_status
from surveys.services.errors import SurveyError
from surveys.services.studies import record_event
from surveys.texts import render_markdown

UNPUBLISHED = "UNPUBLISHED"
CODE_TYPES = {
    Outcome.COMPLETED: "COMPLETED",
    Outcome.FAILED_ATTENTION: "FAILED_ATTENTION_CHECK",
    Outcome.NO_CONSENT: "NO_CONSENT",
    Outcome.WITHDRAWN: "OTHER",
    Outcome.STUDY_FULL: "OTHER",
}
RETURN_REASONS = {
    Outcome.COMPLETED: "Didn't finish the study",
    Outcome.FAILED_ATTENTION: "Didn't finish the study",
    Outcome.NO_CONSENT: "Did not consent",
    Outcome.WITHDRAWN: "Withdrew consent",
    Outcome.STUDY_FULL: "The study had no place left",
}
# Not its filters: a list of people who may take part would be ids of persons.
_KEPT = (
    "id", "name", "internal_name", "status", "external_study_url", "prolific_id_option",
    "completion_codes", "completion_code", "reward", "estimated_completion_time",
    "maximum_allowed_time", "total_available_places", "metadata",
)  # fmt: skip
_WARNING = (
    "You will read a short description of a situation and imagine being in it. It may be "
    "unpleasant, such as a quarrel, a loss, an embarrassing moment or an accident."
)


def study_address(study: Study) -> str:
    """Our address with the three ids that Prolific fills in."""
    ids = "&".join(f"{n}={{{{%{n}%}}}}" for n in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
    return f"{settings.SITE_URL.rstrip('/')}/s/{study.slug}/?{ids}"


def code_fields(code: CompletionCode) -> dict[str, Any]:
    """One completion code as Prolific describes it."""
    outcome = Outcome(code.outcome)
    action: dict[str, Any] = {"action": code.action}
    if code.action == CompletionCode.Action.REQUEST_RETURN:
        action["return_reason"] = RETURN_REASONS[outcome]
    return {
        "code": code.code,
        "code_type": CODE_TYPES[outcome],
        "actions": [action],
        "actor": "participant",
    }


def draft_faults(*, study: Study) -> tuple[str, ...]:
    """What keeps a study from being drafted, each as a sentence that says what to do."""
    address = urlsplit(settings.SITE_URL)
    faults = {
        "This study was imported and takes in nobody.": study.origin == Study.Origin.IMPORTED,
        "Set the reward of the study.": not study.reward_minor,
        "Set the number of places on Prolific.": not study.n_places,
        "Set a completion code for completed.": not study.code_for(Outcome.COMPLETED),
        "Write the information and consent text.": not study.consent_text.strip(),
        "Set AFFECTBENCH_SITE_URL to the public https address of this site.": (
            address.scheme != "https" or not address.hostname or address.hostname == "localhost"
        ),
    }
    return tuple(sentence for sentence, is_so in faults.items() if is_so)


def study_fields(*, study: Study) -> dict[str, Any]:
    """Everything that Prolific is to know of a study."""
    fields: dict[str, Any] = {
        "name": study.title,
        "internal_name": study.slug,
        "description": _description(study),
        "external_study_url": study_address(study),
        "is_external_study_url_secure": settings.PROLIFIC_SIGNED_LINKS,
        "prolific_id_option": "url_parameters",
        "completion_codes": [code_fields(code) for code in study.completion_codes.all()],
        "reward": study.reward_minor,
        "estimated_completion_time": study.planned_minutes,
        "maximum_allowed_time": maximum_minutes(
            study.planned_minutes, settings.PROLIFIC_MAXIMUM_TIME
        ),
        "total_available_places": study.n_places,
        "device_compatibility": ["desktop", "tablet", "mobile"],
        "submissions_config": {"max_submissions_per_participant": 1},
        "study_labels": ["survey"],
        "metadata": f"affectbench:{study.slug}",
    }
    if settings.PROLIFIC_PROJECT_ID:
        fields["project"] = settings.PROLIFIC_PROJECT_ID
    # Only neutral and positive situations are free of what people may want to be warned of.
    standard = Situation.Kind.STANDARD
    if study.study_situations.filter(situation_version__situation__kind=standard).exists():
        fields |= {"content_warnings": ["sensitive"], "content_warning_details": _WARNING}
    return fields


def _description(study: Study) -> str:
    """The consent text up to its first heading, as the limited HTML that Prolific shows."""
    first = "\n".join(_until_heading(study.consent_text)).strip()
    return render_markdown(first or study.consent_text).strip()


def _until_heading(text: str) -> list[str]:
    lines = text.strip().splitlines()
    # A heading at the very top is the title, which Prolific shows anyway.
    start = 1 if lines and lines[0].startswith("#") else 0
    end = next((n for n, line in enumerate(lines) if n >= start and line.startswith("#")), None)
    return lines[start:end]


def draft_study(
    *, study: Study, client: ProlificClient, actor: User | None = None
) -> ProlificStudy:
    """Make the draft on Prolific. Raises SurveyError `draft_incomplete`, `prolific_exists`."""
    faults = draft_faults(study=study)
    if faults:
        raise SurveyError(code="draft_incomplete", detail=" ".join(faults))
    if ProlificStudy.objects.filter(study=study).exists():
        raise _exists()
    described = client.create_study(study_fields(study=study))
    return _store(study, described, actor, "prolific drafted")


def connect_study(
    *,
    study: Study,
    prolific_id: str,
    client: ProlificClient,
    actor: User | None = None,
) -> ProlificStudy:
    """Use a study that was made on Prolific by hand. Raises SurveyError `prolific_exists`."""
    described = client.get_study(prolific_id)
    return _store(study, described, actor, "prolific connected")


def _store(study: Study, described: dict[str, Any], actor: User | None, kind: str) -> ProlificStudy:
    row = ProlificStudy(study=study, prolific_id=str(described["id"]))
    note_description(row, described)
    try:
        with transaction.atomic():
            row.save()
            record_event(study=study, kind=kind, detail=row.prolific_id, actor=actor)
    except IntegrityError as error:
        raise _exists() from error
    return row


def _exists() -> SurveyError:
    return SurveyError(
        code="prolific_exists",
        detail="This study, or the one on Prolific, is already connected with another one.",
    )


def note_description(row: ProlificStudy, described: dict[str, Any]) -> None:
    """Take over what Prolific says about its study; the caller saves."""
    places = described.get("total_available_places")
    row.status = normalise_status(described.get("status"))
    row.n_places = places if isinstance(places, int) and places >= 0 else None
    row.snapshot = {key: described[key] for key in _KEPT if key in described}
    row.sync_error = ""


def push_study(
    *, row: ProlificStudy, client: ProlificClient, actor: User | None = None
) -> ProlificStudy:
    """Bring Prolific's study in line with ours, as far as Prolific allows it.

    A draft takes over everything; afterwards only more places can be asked for. Raises
    SurveyError `push_too_late` where nothing can be changed any more.
    """
    described = client.get_study(row.prolific_id)
    status = normalise_status(described.get("status"))
    ours, theirs = row.study.n_places or 0, described.get("total_available_places") or 0
    if status == UNPUBLISHED:
        fields = study_fields(study=row.study)
    elif ours > theirs:
        fields = {"total_available_places": ours}
    else:
        raise SurveyError(
            code="push_too_late",
            detail="A published study only takes more places. For anything else stop it, and "
            "draft a new one.",
        )
    described = client.update_study(row.prolific_id, fields)
    note_description(row, described)
    with transaction.atomic():
        row.save()
        detail = ", ".join(fields)
        record_event(study=row.study, kind="prolific updated", detail=detail, actor=actor)
    return row
