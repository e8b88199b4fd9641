"""Stored instruments: the shipped definition, and the item texts where they were brought."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache

from django.db import models

from surveys.domain.instrument import Instrument
from surveys.domain.instrument_files import instrument_from_dict


@lru_cache(maxsize=64)
def _read(definition: str, item_texts: str) -> Instrument:
    """Every page of every participant needs it, and validating takes longer than the rest."""
    instrument = instrument_from_dict(json.loads(definition))
    texts = json.loads(item_texts)
    return instrument.with_texts(texts) if texts else instrument


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
        return _read(json.dumps(self.definition), json.dumps(self.item_texts))

    @property
    def is_complete(self) -> bool:
        return self.spec.is_complete
