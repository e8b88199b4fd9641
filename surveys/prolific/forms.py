"""What staff fill in about Prolific."""

from __future__ import annotations

from decimal import Decimal

from django import forms

from surveys.models import Study


class ConnectForm(forms.Form):
    """Which study to draft on Prolific, or to connect with one that is there already."""

    study = forms.ModelChoiceField(
        Study.objects.filter(origin=Study.Origin.OWN, prolific__isnull=True)
    )
    prolific_id = forms.RegexField(
        r"^[A-Za-z0-9_-]{1,64}$",
        required=False,
        label="Study id on Prolific",
        help_text="Only if the study was made on Prolific already: the last part of its address "
        "there. Empty: a draft is made.",
    )


class ReturnForm(forms.Form):
    """Why submissions are to be returned."""

    reason = forms.CharField(
        max_length=200,
        initial="Didn't finish the study",
        help_text="The participant reads this on Prolific.",
    )


class BonusForm(forms.Form):
    """A bonus for each of the chosen submissions."""

    amount = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_value=Decimal(1000),
        decimal_places=2,
        help_text="For each person, in pounds or dollars: 0.50 is fifty pence or cents.",
    )
    reason = forms.CharField(
        max_length=200,
        help_text="For your records. The same reason is paid to the same person only once.",
    )

    def amount_minor(self) -> int:
        """The amount in pence or cents."""
        return int(self.cleaned_data["amount"] * 100)
