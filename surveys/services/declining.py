"""Declining to take part: one more in the study's counter, and nothing else anywhere."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.core.cache import cache
from django.db.models import F
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from surveys.models import Study
from surveys.services.errors import SurveyError

logger = logging.getLogger(__name__)
REMEMBERED = timedelta(days=1)


def decline_study(*, slug: str, key: str) -> None:
    """Count somebody who decided not to take part, once for each `key` within a day.

    `key` tells two people apart: the participant's id, or the code of the consent form. Only a
    keyed hash of it is remembered, and only in the cache, so that a double click counts once and
    no row says who declined. Without Redis each web process has a cache of its own, and a double
    click that meets two of them counts twice. A pilot counts nobody. Raises SurveyError
    `study_unknown`.
    """
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise SurveyError(code="study_unknown")
    if not study.is_pilot and _is_first(slug, key):
        Study.objects.filter(pk=study.pk).update(n_declined=F("n_declined") + 1)


def _is_first(slug: str, key: str) -> bool:
    digest = salted_hmac("surveys.declining", f"{slug} {key}", algorithm="sha256").hexdigest()
    try:
        return bool(cache.add(f"declined:{digest}", 1, REMEMBERED.total_seconds()))
    except RedisError:
        # A person who declines must not meet an error page; the counter may count them twice.
        logger.warning("The cache does not answer: a double click on declining may count twice.")
        return True
