"""Stored instruments: the shipped definition, and the item texts where they were brought."""

from __future__ import annotations

from functools import cached_property

from django.db import models

from surveys.domain.instrument import Instrument
from surveys.domain.instrument_files import instrument_from_dict


class InstrumentVersion(models.Model):
    """One version of an instrument.

    `definition` is the shipped file. `item_texts` maps item keys to words, and is empty until an
    import or an admin brings the sentences of an instrument whose items are its authors'.
    """

    key = models.CharField(max_length=40)
    version = models.CharField(max_length=20, default="1")
    name = models.CharField(max_length=200)
    definition = models.JSONField()
    item_texts = models.JSONField(default=dict, blank=True)
    item_texts_source = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "instrument"
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("key", "version"), name="instrument_version_once"),
        )

    def __str__(self) -> str:
        return self.key

    @cached_property
    def spec(self) -> Instrument:
        """The validated instrument with its texts; InstrumentError where the row is broken."""
        instrument = instrument_from_dict(self.definition)
        return instrument.with_texts(self.item_texts) if self.item_texts else instrument

    @property
    def is_complete(self) -> bool:
        return self.spec.is_complete
