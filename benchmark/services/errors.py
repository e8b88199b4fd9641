"""Why a use case of the benchmark was refused."""

from __future__ import annotations


class BenchmarkError(Exception):
    """A refusal in one plain sentence; `code` says which rule refused.

    Planning: `model_unknown`, `provider_unknown`, `instrument_unknown`, `instrument_incomplete`,
    `prompt_missing`, `emotion_unknown`, `choice_invalid`, `situations_missing`, `people_missing`,
    `plan_empty`, `setting_invalid`. Running: `run_unknown`, `run_imported`, `run_cancelled`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
