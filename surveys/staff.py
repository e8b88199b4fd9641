"""Who asks, on pages that only let logged-in staff in."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest


def staff_of(request: HttpRequest) -> User:
    """The member of staff behind a request that a permission check has let through."""
    return cast(User, request.user)
