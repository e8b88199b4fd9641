"""Prolific: its API, its webhooks, its money. The only room that speaks to Prolific.

Nothing here calls Prolific inside a database transaction: what is to be sent is read first, the
call is made, and what came of it is stored afterwards. Nothing here rejects a submission.
"""

from __future__ import annotations
