"""Instruments: what they are, and the item texts that an admin may bring."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from surveys.domain.instrument import InstrumentError
from surveys.domain.instrument_files import instrument_from_dict
from surveys.models import InstrumentVersion


class ItemTextsForm(forms.ModelForm):
    """The sentences of an instrument whose items are its authors', one a line."""

    lines = forms.CharField(
        label="Item texts",
        required=False,
        widget=forms.Textarea(attrs={"rows": 20, "cols": 100}),
        help_text="One item a line, in the instrument's order. The sentences are their authors': "
        "you need the right to use them.",
    )

    class Meta:
        model = InstrumentVersion
        fields = ("item_texts_source",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["lines"] = "\n".join(self.instance.item_texts.values())

    def clean_lines(self) -> str:
        lines = [line.strip() for line in self.cleaned_data["lines"].splitlines() if line.strip()]
        if not lines:
            self.instance.item_texts = {}
            return ""
        spec = instrument_from_dict(self.instance.definition)
        if len(lines) != len(spec.items):
            raise forms.ValidationError(
                f"{len(lines)} lines for the {len(spec.items)} items of {spec.key}."
            )
        texts = dict(zip(spec.item_keys, lines, strict=True))
        try:
            spec.with_texts(texts)
        except InstrumentError as error:
            raise forms.ValidationError(str(error)) from error
        self.instance.item_texts = texts
        return "\n".join(lines)


@admin.register(InstrumentVersion)
class InstrumentAdmin(admin.ModelAdmin):
    form = ItemTextsForm
    list_display = ("key", "name", "version", "items", "can_be_given")
    search_fields = ("key", "name")
    readonly_fields = ("key", "version", "name", "items", "can_be_given", "cite", "definition")

    @admin.display(description="items")
    def items(self, instrument: InstrumentVersion) -> int:
        return len(instrument.spec.items)

    @admin.display(boolean=True, description="has its words")
    def can_be_given(self, instrument: InstrumentVersion) -> bool:
        return instrument.is_complete

    @admin.display(description="source to cite")
    def cite(self, instrument: InstrumentVersion) -> str:
        return instrument.spec.source

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        shipped = bool(obj) and instrument_from_dict(obj.definition).is_complete
        texts = () if shipped else ("lines", "item_texts_source")
        return ("key", "name", "version", "items", "can_be_given", "cite", *texts, "definition")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        # Words that somebody has answered do not change.
        locked = ("item_texts_source",) if obj and self._is_answered(obj) else ()
        return (*self.readonly_fields, *locked)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        if obj and "lines" in form.base_fields and self._is_answered(obj):
            form.base_fields["lines"].disabled = True
        return form

    @staticmethod
    def _is_answered(instrument: InstrumentVersion) -> bool:
        return bool(instrument.item_texts) and (
            instrument.studies.exists() or instrument.runs.exists()
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
