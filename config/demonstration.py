"""A new installation's content: catalogue, prompts, the demonstration study, the first admin."""

from __future__ import annotations

import secrets

from django.contrib.auth import get_user_model

from benchmark.services.prompt_templates import load_prompt_templates
from surveys.services.catalogue import load_catalogue
from surveys.services.demo import open_demo_study


def prepare_installation(admin_name: str) -> str:
    """Bring the content up to date; repeatable.

    Returns the password of the admin account where one had to be made, else "". It is stored
    nowhere but as the account's hash.
    """
    load_catalogue()
    load_prompt_templates()
    open_demo_study()
    users = get_user_model()._default_manager
    if users.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser(admin_name, "", password)
    return password
