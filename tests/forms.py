"""Admin forms as a browser has them: read, changed, sent back."""

from __future__ import annotations

from typing import Any

from django.test import Client


def shown_form(client: Client, address: str) -> dict[str, Any]:
    """What a browser would send back of an admin form that nobody touched."""
    context = client.get(address).context
    formsets = [inline.formset for inline in context["inline_admin_formsets"]]
    forms = [context["adminform"].form]
    forms += [form for formset in formsets for form in (formset.management_form, *formset.forms)]
    sent = {}
    for form in forms:
        for field in form:
            value = field.value()
            if value is not None and value is not False:
                sent[field.html_name] = getattr(value, "pk", value)
    return sent
