"""What is asked and where: language models and the endpoints that serve them."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models


class Endpoint(models.Model):
    """An address that speaks the OpenAI protocol. Holds the *name* of its key's variable only."""

    name = models.CharField(max_length=80, unique=True)
    provider = models.CharField(max_length=40, default="openai")
    base_url = models.URLField(
        max_length=300, blank=True, help_text="Empty: the provider's own address."
    )
    api_key_env = models.CharField(
        "environment variable with the API key",
        max_length=80,
        blank=True,
        validators=[RegexValidator(r"^[A-Za-z_][A-Za-z0-9_]*$", "A variable's name, not a key.")],
        help_text="The name of the variable. The key itself is never stored.",
    )

    def __str__(self) -> str:
        return self.name


class LanguageModel(models.Model):
    """A column of the comparison: a language model, or a baseline that needs none."""

    class Kind(models.TextChoices):
        MODEL = "model", "language model"
        BASELINE = "baseline", "baseline"

    name = models.CharField(max_length=120, unique=True, help_text="As tables show it.")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.MODEL)
    identifier = models.CharField(
        max_length=200, help_text="As the endpoint knows it, or the baseline's strategy."
    )
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.PROTECT, related_name="language_models", null=True, blank=True
    )
    unsupported_parameters = models.JSONField(
        default=list, blank=True, help_text="Parameters that the endpoint refused, as learned."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
