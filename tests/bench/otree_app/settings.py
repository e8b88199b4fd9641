"""The settings of an oTree project with one app."""

from __future__ import annotations

SESSION_CONFIGS = [
    {"name": "affect", "app_sequence": ["affect"], "num_demo_participants": 1},
]
SESSION_CONFIG_DEFAULTS = {
    "real_world_currency_per_point": 1.0,
    "participation_fee": 0.0,
    "doc": "",
}
PARTICIPANT_FIELDS: list[str] = []
SESSION_FIELDS: list[str] = []
LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "GBP"
USE_POINTS = False
ADMIN_USERNAME = "admin"
DEMO_PAGE_INTRO_HTML = ""
SECRET_KEY = "only for measurements"
