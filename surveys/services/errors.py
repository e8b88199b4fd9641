"""What can be refused, each with a stable code that pages, admin, API and commands map to words."""

from __future__ import annotations


class SurveyError(Exception):
    """A use case that was refused; `code` says which rule refused it.

    Entering: `study_unknown`, `study_draft`, `study_imported`, `study_paused`, `study_closed`,
    `study_full`, `study_other`, `ids_missing`, `consent_invalid`. Taking part:
    `participation_unknown`. Ending: `comment_too_long`, `withdrawal_over`. Entering, taking part
    and opening: `instrument_incomplete`. Opening: `consent_text_missing`,
    `completion_code_missing`, `situations_too_few`, `situations_unpublished`,
    `options_unlabelled`, `target_zero`, `exclusion_unreachable`. Running: `transition_illegal`,
    `situation_unknown`, `study_has_takers`, `study_archived`, `test_was_paid`. Monitor:
    `action_unknown`. Judging: `not_completed`. Exporting:
    `export_too_large`. Demonstration: `catalogue_missing`.
    """

    def __init__(self, *, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code
