"""The monitor of a study for programs: the numbers of its page under plain names."""

from __future__ import annotations

from rest_framework import serializers

from surveys.domain.monitoring import Flags, Funnel, Present
from surveys.domain.needs import Need
from surveys.domain.pay import Pay
from surveys.services.monitoring import Fill, Monitor, PageCount
from surveys.services.pilot import TestCounts
from surveys.study_words import need_sentence, page_title


class FunnelOut(serializers.Serializer[Funnel]):
    declined = serializers.IntegerField()
    consented = serializers.IntegerField()
    under_way = serializers.IntegerField()
    left = serializers.IntegerField()
    completed = serializers.IntegerField()
    withdrawn = serializers.IntegerField()
    counted = serializers.IntegerField()
    excluded = serializers.IntegerField()
    took_code = serializers.IntegerField()


class PageOut(serializers.Serializer[PageCount]):
    number = serializers.IntegerField()
    title = serializers.SerializerMethodField()
    reached = serializers.IntegerField()
    median_s = serializers.FloatField(allow_null=True)

    def get_title(self, page: PageCount) -> str:
        return page_title(page.page)


class FillOut(serializers.Serializer[Fill]):
    name = serializers.CharField()
    is_closed = serializers.BooleanField()
    is_published = serializers.BooleanField()
    counted = serializers.IntegerField()
    under_way = serializers.IntegerField()


class PresentOut(serializers.Serializer[Present]):
    participation = serializers.CharField(source="code")
    page = serializers.IntegerField()
    minutes_silent = serializers.IntegerField()
    is_stuck = serializers.BooleanField()


class PayOut(serializers.Serializer[Pay]):
    """Minor units (pence, cents) an hour; null where unknown."""

    planned = serializers.FloatField(allow_null=True)
    actual = serializers.FloatField(allow_null=True)
    median_s = serializers.FloatField(allow_null=True)
    short_of_minimum = serializers.FloatField(allow_null=True)
    short_of_recommended = serializers.FloatField(allow_null=True)


class FlagsOut(serializers.Serializer[Flags]):
    flagged = serializers.IntegerField()
    unjudged = serializers.IntegerField()
    by_code = serializers.DictField(child=serializers.IntegerField())


class TestsOut(serializers.Serializer[TestCounts]):
    active = serializers.IntegerField()
    completed = serializers.IntegerField()
    withdrawn = serializers.IntegerField()


class NeedOut(serializers.Serializer[Need]):
    code = serializers.CharField()
    sentence = serializers.SerializerMethodField()

    def get_sentence(self, need: Need) -> str:
        return need_sentence(need)


class MonitorOut(serializers.Serializer[Monitor]):
    slug = serializers.CharField(source="study.slug")
    state = serializers.CharField(source="study.state")
    target_per_situation = serializers.IntegerField(
        source="study.target_per_situation", allow_null=True
    )
    at = serializers.DateTimeField()
    funnel = FunnelOut(source="seen.funnel")
    pages = PageOut(many=True)
    situations = FillOut(source="seen.situations", many=True)
    present = PresentOut(source="seen.present", many=True)
    median_s = serializers.FloatField(allow_null=True)
    pay = PayOut(source="seen.pay")
    flags = FlagsOut(source="seen.flags")
    tests = TestsOut(source="seen.tests")
    needs = NeedOut(many=True)
