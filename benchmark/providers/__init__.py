"""Whose API a language model is asked through. The only room that speaks to an endpoint.

`base` holds what the engine knows of a provider; `chat_completions` asks any endpoint of the
OpenAI protocol; `baselines` answers without one.
"""

from __future__ import annotations
