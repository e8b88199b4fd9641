"""Gunicorn's settings that every way of starting it shares: `--config python:config.web_server`.

The access log is off unless somebody turns it on. Then it holds neither addresses of people nor
what came behind the question mark.
"""

from __future__ import annotations

logger_class = "config.logs.PrivateLogger"
access_log_format = '%(t)s "%(m)s %(U)s" %(s)s %(b)s %(L)s'
