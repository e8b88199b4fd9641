"""Celery tasks: each loads an id, calls a service, and does nothing else."""

from __future__ import annotations
