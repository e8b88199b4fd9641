"""What participants read when they are refused: one page for each code of a SurveyError."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.domain.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal in words: the page's status, its heading, and what to do now.

    `outcome` names the completion code that takes a person back to Prolific, where the study has
    one; `is_return` says that the submission there has to be returned.
    """

    status: int
    heading: str | Promise
    advice: str | Promise
    outcome: Outcome | None = None
    is_return: bool = False


PROBLEMS: dict[str, Problem] = {
    "study_unknown": Problem(
        404,
        _("There is no such study"),
        _("Check that the address is complete, or open the link that you were given once more."),
    ),
    "study_draft": Problem(
        403,
        _("This study has not opened yet"),
        _("Nothing was stored. Please come back later through the link that you were given."),
        is_return=True,
    ),
    "study_imported": Problem(
        404,
        _("This study takes no participants here"),
        _("Its answers were collected elsewhere and before. Thank you for your interest."),
    ),
    "study_paused": Problem(
        409,
        _("This study takes a break"),
        _(
            "It lets nobody new in for the moment. Nothing was stored, and you have done nothing "
            "wrong. Open your link again later; if you have begun before, it still leads to your "
            "answers."
        ),
        Outcome.STUDY_FULL,
        is_return=True,
    ),
    "study_closed": Problem(
        410,
        _("This study has ended"),
        _("It takes no new participants, and nothing was stored. Thank you for your interest."),
        Outcome.STUDY_FULL,
        is_return=True,
    ),
    "study_archived": Problem(
        410,
        _("This study has ended for good"),
        _("It has been put away and will not open again. Nothing was stored."),
        Outcome.STUDY_FULL,
        is_return=True,
    ),
    "study_full": Problem(
        409,
        _("This study has all the participants it needs just now"),
        _(
            "You have done nothing wrong, and nothing was stored. Sometimes a place becomes free: "
            "you may open your link again in an hour."
        ),
        Outcome.STUDY_FULL,
        is_return=True,
    ),
    "study_other": Problem(
        400,
        _("This link belongs to another study"),
        _(
            "The study on Prolific that you came from is not this one. Nothing was stored. Please "
            "go back to Prolific and open the study from there once more."
        ),
        is_return=True,
    ),
    "ids_missing": Problem(
        400,
        _("Please come in through your link from Prolific"),
        _(
            "This address alone does not tell us which submission is yours. Go back to the study "
            "on Prolific and open it from there once more. If you see this page again, your "
            "browser refuses our cookie: allow cookies for this site until you have agreed to "
            "take part, or use another browser. After that, no cookie is needed."
        ),
        is_return=True,
    ),
    "consent_invalid": Problem(
        400,
        _("This form could not be read"),
        _("Nothing was stored. Please open the link that you were given once more."),
    ),
    "participation_unknown": Problem(
        404,
        _("We do not know this address"),
        _("Check that it is complete, or open the link that you were given once more."),
    ),
    "instrument_incomplete": Problem(
        503,
        _("This study is not ready"),
        _(
            "Its questionnaire lacks the words of its items, so it cannot be answered at present. "
            "Answers that were given are kept. Please try again later."
        ),
        is_return=True,
    ),
    "withdrawal_over": Problem(
        410,
        _("The time for withdrawing is over"),
        _(
            "The date that you were told has passed, and your answers may already be part of "
            "results. If you want them deleted all the same, please write to the researchers."
        ),
    ),
}
