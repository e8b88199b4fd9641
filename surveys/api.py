"""The people's side for programs, read-only. The catalogue is open to all, studies to staff."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.api_monitor import MonitorOut
from surveys.models import Emotion, Factor, InstrumentVersion, Situation, SituationVersion, Study
from surveys.services.monitoring import observe


class FactorOut(serializers.ModelSerializer):
    class Meta:
        model = Factor
        fields = ("name", "position")


class EmotionOut(serializers.ModelSerializer):
    factors = FactorOut(many=True)

    class Meta:
        model = Emotion
        fields = ("name", "position", "factors")


class EmotionViewSet(viewsets.ReadOnlyModelViewSet):
    """Emotions in catalogue order, each with its factors."""

    queryset = Emotion.objects.prefetch_related("factors")
    serializer_class = EmotionOut
    permission_classes = (AllowAny,)
    lookup_field = "name"


class SituationVersionOut(serializers.ModelSerializer):
    class Meta:
        model = SituationVersion
        fields = ("number", "text", "source", "created_at")


class SituationOut(serializers.ModelSerializer):
    code = serializers.CharField()
    emotion = serializers.CharField(source="factor.emotion.name", default=None)
    factor = serializers.CharField(source="factor.name", default=None)
    collection: serializers.Field = serializers.SlugRelatedField("slug", read_only=True)
    versions = SituationVersionOut(many=True)

    class Meta:
        model = Situation
        fields = ("code", "collection", "emotion", "factor", "kind", "state", "versions")


class SituationFilter(filters.FilterSet):
    emotion = filters.CharFilter("factor__emotion__name")
    factor = filters.CharFilter("factor__name")
    collection = filters.CharFilter("collection__slug")

    class Meta:
        model = Situation
        fields = ("emotion", "factor", "collection", "kind", "state")


class SituationViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    """Published situations with all their versions; drafts and retired ones for staff."""

    serializer_class = SituationOut
    permission_classes = (AllowAny,)
    filterset_class = SituationFilter
    queryset = (
        Situation.objects.in_catalogue_order()
        .select_related("collection", "factor__emotion")
        .prefetch_related("versions")
    )

    def get_queryset(self) -> QuerySet[Situation]:
        situations = super().get_queryset()
        return situations if self.request.user.is_staff else situations.filter(state="published")


class InstrumentOut(serializers.ModelSerializer):
    """What an instrument is; the sentences of its items are their authors' and are not given."""

    items = serializers.SerializerMethodField()
    subscales = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    citation = serializers.CharField(source="spec.source")
    scoring = serializers.CharField(source="spec.scoring")
    is_complete = serializers.BooleanField()

    class Meta:
        model = InstrumentVersion
        fields = (
            "key", "version", "name", "items", "options", "subscales", "scoring", "citation",
            "is_complete",
        )  # fmt: skip

    def get_items(self, instrument: InstrumentVersion) -> list[str]:
        return list(instrument.spec.item_keys)

    def get_options(self, instrument: InstrumentVersion) -> list[dict[str, Any]]:
        return [{"value": o.value, "label": o.label} for o in instrument.spec.options]

    def get_subscales(self, instrument: InstrumentVersion) -> list[dict[str, Any]]:
        subscales = instrument.spec.subscales
        return [{"key": s.key, "name": s.name, "items": list(s.items)} for s in subscales]


class InstrumentViewSet(viewsets.ReadOnlyModelViewSet):
    """Instruments: items by key, response options, subscales, scoring, what to cite."""

    queryset = InstrumentVersion.objects.all()
    serializer_class = InstrumentOut
    permission_classes = (AllowAny,)
    lookup_field = "key"


class StudyOut(serializers.ModelSerializer):
    instrument = serializers.CharField(source="instrument.key")
    situations = serializers.IntegerField(source="n_situations")
    completed = serializers.IntegerField(source="n_completed")

    class Meta:
        model = Study
        fields = (
            "slug", "title", "state", "origin", "instrument", "situations", "completed",
            "items_per_page", "item_order", "situations_per_person", "target_per_situation",
            "created_at",
        )  # fmt: skip


class StudyViewSet(viewsets.ReadOnlyModelViewSet):
    """Studies with how many participants count; for staff."""

    serializer_class = StudyOut
    lookup_field = "slug"
    filterset_fields = ("state", "origin")
    queryset = Study.objects.select_related("instrument").with_counts()

    @extend_schema(responses=MonitorOut)
    @action(detail=True)
    def monitor(self, request: Request, slug: str) -> Response:
        """How far people come, how full situations are, time, pay, quality, what needs action."""
        return Response(MonitorOut(observe(study=self.get_object(), now=timezone.now())).data)
