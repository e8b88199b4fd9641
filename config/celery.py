"""The Celery application. `celery -A config worker --pool threads` runs a worker."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("affectbench")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def make_broker_folders(source: Any, **_: Any) -> None:
    """A folder as broker must exist before anybody posts to it or reads from it."""
    options = source.broker_transport_options or {}
    for name in ("data_folder_in", "control_folder"):
        if name in options:
            Path(options[name]).mkdir(parents=True, exist_ok=True)
