"""What can go wrong with Prolific, as one sentence that says what to do."""

from __future__ import annotations

import re

from surveys.services.errors import SurveyError

# Prolific quotes the ids that it was asked about; they are persons' and no text keeps them.
_ID = re.compile(r"\b[0-9a-f]{24}\b")
_CERTAIN = {"token_missing", "token_refused", "not_found", "refused", "busy", "not_reached"}


class ProlificError(SurveyError):
    """A call that did not do what was asked.

    `token_missing`, `token_refused`: the token is to be set. `not_found`, `refused`: Prolific
    said no. `busy`: it kept asking us to wait. `not_reached`: no connection. `unclear`: the
    request was sent and what came of it is unknown. `nonsense`: the answer has no known form.
    Launch links: `launch_invalid`, `launch_expired`, `launch_keys_unavailable`.
    """

    def __init__(self, *, code: str, detail: str) -> None:
        super().__init__(code=code, detail=_ID.sub("[id]", detail))

    @property
    def is_certain(self) -> bool:
        """Whether it is certain that Prolific did nothing."""
        return self.code in _CERTAIN
