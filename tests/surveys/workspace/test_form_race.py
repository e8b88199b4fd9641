"""Somebody takes part while a researcher's form is being saved."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from surveys.models import Study
from surveys.services.studies import lock_study
from tests.factories import ParticipationFactory, StudyFactory
from tests.forms import shown_form


@pytest.mark.django_db(transaction=True)
def test_a_change_waits_for_who_is_entering_and_is_then_refused(admin_client: Client) -> None:
    study = StudyFactory(item_order="permuted")
    address = reverse("admin:surveys_study_change", args=[study.pk])
    data = shown_form(admin_client, address) | {"item_order": "fixed", "_continue": "1"}
    is_entering = threading.Event()

    def enter() -> None:
        try:
            with transaction.atomic():
                ParticipationFactory(study=lock_study(study))
                is_entering.set()
                # Long enough for the form to arrive at the lock.
                threading.Event().wait(0.7)
        finally:
            connection.close()

    thread = threading.Thread(target=enter)
    thread.start()
    assert is_entering.wait(10)
    page = admin_client.post(address, data, follow=True).content.decode()
    thread.join()

    assert "this is part of what they answered" in page
    assert Study.objects.get().item_order == "permuted"
