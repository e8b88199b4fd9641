"""/api/v1/: the apps' views for programs, under the words of the documents."""

from __future__ import annotations

from rest_framework.routers import DefaultRouter

from surveys import api as surveys

router = DefaultRouter()
router.register("emotions", surveys.EmotionViewSet, basename="emotion")
router.register("situations", surveys.SituationViewSet, basename="situation")
router.register("instruments", surveys.InstrumentViewSet, basename="instrument")
router.register("studies", surveys.StudyViewSet, basename="study")
