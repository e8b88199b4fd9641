"""Everything stored about language models: endpoints, prompt templates, runs, trials."""

from __future__ import annotations

from benchmark.models.language_models import Endpoint, LanguageModel
from benchmark.models.prompt_templates import PromptTemplate
from benchmark.models.runs import ModelAdministration, Run, Trial

__all__ = ["Endpoint", "LanguageModel", "ModelAdministration", "PromptTemplate", "Run", "Trial"]
