"""Settings of the tests: the project's own, with a known key and nothing that slows."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("DJANGO_SECRET_KEY", "a key for tests only, long enough to satisfy checks")
os.environ.setdefault("DJANGO_DEBUG", "true")
os.environ.setdefault("AFFECTBENCH_VAR_DIR", tempfile.mkdtemp(prefix="affectbench-test-"))

from config.settings import *  # noqa: F403
from config.settings import DATABASES

DEBUG = False
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
AXES_ENABLED = False
STATIC_ROOT = Path(os.environ["AFFECTBENCH_VAR_DIR"]) / "static"
STATIC_ROOT.mkdir(exist_ok=True)
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, so that threads and other processes of a test see the same database.
    DATABASES["default"]["TEST"] = {"NAME": os.environ["AFFECTBENCH_VAR_DIR"] + "/test.sqlite3"}
