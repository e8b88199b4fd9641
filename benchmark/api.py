"""The models' side for programs, read-only and for staff: what was asked and what came back.

The comparison itself is open to all at /dashboards/comparison.json.
"""

from __future__ import annotations

from django.db.models import Count
from rest_framework import mixins, serializers, viewsets

from benchmark.models import LanguageModel, ModelAdministration, Run, Trial


class LanguageModelOut(serializers.ModelSerializer):
    endpoint: serializers.Field = serializers.SlugRelatedField("name", read_only=True)

    class Meta:
        model = LanguageModel
        fields = ("name", "kind", "identifier", "endpoint", "unsupported_parameters", "created_at")


class LanguageModelViewSet(viewsets.ReadOnlyModelViewSet):
    """Registered language models and baselines."""

    queryset = LanguageModel.objects.select_related("endpoint").order_by("name")
    serializer_class = LanguageModelOut
    filterset_fields = ("kind",)


class RunOut(serializers.ModelSerializer):
    language_model: serializers.Field = serializers.SlugRelatedField("name", read_only=True)
    instrument: serializers.Field = serializers.SlugRelatedField("key", read_only=True)

    class Meta:
        model = Run
        fields: tuple[str, ...] = (
            "code", "language_model", "instrument", "preset", "variant", "reply_format",
            "parameters", "plan", "seed", "state", "state_reason", "origin", "citation",
            "created_at", "started_at", "finished_at",
        )  # fmt: skip


class RunWithCountsOut(RunOut):
    trials = serializers.SerializerMethodField()

    class Meta(RunOut.Meta):
        fields = (*RunOut.Meta.fields, "trials")

    def get_trials(self, run: Run) -> dict[str, int]:
        """How many trials stand in each state."""
        counted = run.trials.order_by().values_list("state").annotate(n=Count("pk"))
        return dict(counted)


class RunViewSet(viewsets.ReadOnlyModelViewSet):
    """Runs, newest first, with their settings; one run with its trials counted by state."""

    queryset = Run.objects.select_related("language_model", "instrument")
    serializer_class = RunOut
    lookup_field = "code"
    filterset_fields = ("state", "origin", "preset", "language_model__name", "instrument__key")

    def get_serializer_class(self) -> type[serializers.BaseSerializer]:
        return RunWithCountsOut if self.action == "retrieve" else RunOut


class ModelAdministrationOut(serializers.ModelSerializer):
    class Meta:
        model = ModelAdministration
        fields = ("ratings", "scores")


class TrialOut(serializers.ModelSerializer):
    run: serializers.Field = serializers.SlugRelatedField("code", read_only=True)
    situation = serializers.CharField(source="situation_version.situation.code", default=None)
    administrations = ModelAdministrationOut(many=True)

    class Meta:
        model = Trial
        fields = (
            "run", "number", "phase", "situation", "repeat", "item_order", "seed", "state",
            "state_reason", "attempts", "messages", "messages_hash", "parameters_sent",
            "parameters_dropped", "raw_reply", "finish_reason", "usage", "response_model",
            "system_fingerprint", "latency_ms", "asked_at", "settled_at", "administrations",
        )  # fmt: skip


class TrialViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    """Trials with the exact messages, the raw reply and, where valid, the ratings."""

    queryset = Trial.objects.select_related(
        "run", "situation_version__situation__factor__emotion"
    ).prefetch_related("administrations")
    serializer_class = TrialOut
    filterset_fields = ("run__code", "state", "phase")
