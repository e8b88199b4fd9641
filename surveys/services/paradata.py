"""When pages were shown and sent: one statement each, true also when two tabs do it at once."""

from __future__ import annotations

from datetime import datetime, timedelta

from surveys.domain.paradata import MOST_VISIBLE
from surveys.models import PageVisit, Participation

_MOST_VISITS = 32_767
_MOST_VISIBLE_MS = int(MOST_VISIBLE / timedelta(milliseconds=1))

# Insert or change in one statement: reading first would let a second tab in between. Django's own
# upsert can only set what was given, and neither count nor keep.
_SHOWN = f"""
INSERT INTO surveys_pagevisit AS visit
  (participation_id, number, first_shown_at, last_shown_at, visits, visible_ms)
VALUES (%s, %s, %s, %s, 1, 0)
ON CONFLICT (participation_id, number) DO UPDATE SET
  last_shown_at = excluded.last_shown_at,
  visits = CASE WHEN visit.visits < {_MOST_VISITS} THEN visit.visits + 1 ELSE visit.visits END
RETURNING *
"""
# A page that was saved and not shown since is the same form sent again: its time counts once.
_SENT = f"""
INSERT INTO surveys_pagevisit AS visit
  (participation_id, number, first_shown_at, last_shown_at, visits, visible_ms, saved_at)
VALUES (%s, %s, %s, %s, 0, %s, %s)
ON CONFLICT (participation_id, number) DO UPDATE SET
  visible_ms = CASE
    WHEN visit.saved_at >= visit.last_shown_at THEN visit.visible_ms
    WHEN visit.visible_ms + excluded.visible_ms > {_MOST_VISIBLE_MS} THEN {_MOST_VISIBLE_MS}
    ELSE visit.visible_ms + excluded.visible_ms
  END,
  saved_at = COALESCE(visit.saved_at, excluded.saved_at)
RETURNING *
"""


def record_shown(*, participation: Participation, number: int, now: datetime) -> PageVisit:
    """Count one more visit of a page. The first time it was shown stays what it was."""
    return _one(_SHOWN, participation.pk, number, now, now)


def record_sent(
    *, participation: Participation, number: int, now: datetime, visible_ms: int, is_saved: bool
) -> PageVisit:
    """Add the time in view to a page that came in, and when it was first saved.

    A page that never was shown counts as shown now, with no visits. Nobody can have seen a page
    for longer than since it was shown, whatever the browser says.
    """
    saved_at = now if is_saved else None
    visit = _one(_SENT, participation.pk, number, now, now, visible_ms, saved_at)
    longest = int(max(timedelta(0), now - visit.first_shown_at) / timedelta(milliseconds=1))
    if visit.visible_ms > longest:
        visit.visible_ms = longest
        visit.save(update_fields=["visible_ms"])
    return visit


def _one(statement: str, *values: object) -> PageVisit:
    (visit,) = PageVisit.objects.raw(statement, values)
    return visit
