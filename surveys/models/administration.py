"""The record that people and models share: one respondent filling one instrument once."""

from __future__ import annotations

from django.db import models

from surveys.domain.protocol import Phase
from surveys.models.catalogue import SituationVersion
from surveys.models.instruments import InstrumentVersion

# For the Meta.constraints of each concrete record.
SITUATION_FITS_PHASE = models.CheckConstraint(
    condition=models.Q(phase="default", situation_version__isnull=True)
    | models.Q(phase="evoked", situation_version__isnull=False),
    name="%(app_label)s_%(class)s_situation_fits_phase",
)


class AdministrationRecord(models.Model):
    """Ratings of one instrument in one phase.

    `ratings` is a list in the instrument's own item order, null where not (yet) answered;
    `item_order` lists positions in that order as they were shown; `scores` maps subscale keys to
    numbers and exists exactly when every item is rated. Times are null where an imported source
    does not give them.
    """

    instrument = models.ForeignKey(InstrumentVersion, on_delete=models.PROTECT, related_name="+")
    phase = models.CharField(max_length=10, choices=[(p.value, p.value) for p in Phase])
    situation_version = models.ForeignKey(
        SituationVersion, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    item_order = models.JSONField(default=list)
    ratings = models.JSONField(default=list)
    scores = models.JSONField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def ratings_by_item(self) -> dict[str, int | None]:
        """Ratings keyed by item; queries the instrument."""
        return dict(zip(self.instrument.spec.item_keys, self.ratings, strict=True))
