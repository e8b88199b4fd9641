"""/api/v1/: the apps' views for programs, under the words of the documents."""

from __future__ import annotations

from rest_framework.routers import DefaultRouter

from benchmark import api as benchmark
from surveys import api as surveys

router = DefaultRouter()
router.register("emotions", surveys.EmotionViewSet, basename="emotion")
router.register("situations", surveys.SituationViewSet, basename="situation")
router.register("instruments", surveys.InstrumentViewSet, basename="instrument")
router.register("studies", surveys.StudyViewSet, basename="study")
router.register("language-models", benchmark.LanguageModelViewSet, basename="language-model")
router.register("runs", benchmark.RunViewSet, basename="run")
router.register("trials", benchmark.TrialViewSet, basename="trial")
