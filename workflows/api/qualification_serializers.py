"""The shapes of the qualification test's requests and replies."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from workflows.api.openapi import (
    AnswerField,
    CoverageAnswerSerializer,
    LinkAnswerSerializer,
    QualityAnswerSerializer,
    RequirementAnswerSerializer,
)
from workflows.api.serializers import STAGES, BodySerializer, DrawingSerializer, ItemSerializer
from workflows.batch_settings.domain.settings import MAX_ITEMS_A_PAGE
from workflows.qualification.try_view import STATES


class TrainingSerializer(BodySerializer):
    """The answer to one training item."""

    item = serializers.IntegerField(min_value=1, help_text="its place, from 1")
    answer = AnswerField()


class TestSerializer(BodySerializer):
    """All answers of the scored part."""

    answers = serializers.ListField(child=TrainingSerializer(), min_length=1, max_length=MAX_ITEMS_A_PAGE)


class RightBoxesSerializer(serializers.Serializer[None]):
    """Drawing: any of these boxes is right; none of them: no further box is."""

    boxes = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4)
    )


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="RightAnswer",
        serializers=[
            LinkAnswerSerializer,
            RequirementAnswerSerializer,
            RightBoxesSerializer,
            QualityAnswerSerializer,
            CoverageAnswerSerializer,
        ],
        resource_type_field_name=None,
    )
)
class RightAnswerField(serializers.JSONField):
    """The right answer, as the stage's answers are."""


class ExplanationSerializer(serializers.Serializer[None]):
    """What there is to learn from a training item."""

    right = serializers.BooleanField(help_text="the first answer to it was")
    explanation = serializers.CharField(allow_blank=True, help_text="why, in the researcher's words")
    answer = RightAnswerField()


class TrySerializer(serializers.Serializer[None]):
    """The part of a try that comes next, in the shape of a page."""

    number = serializers.IntegerField(help_text="of the worker's tries at this stage, from 1")
    stage = serializers.ChoiceField(choices=STAGES)
    part = serializers.ChoiceField(choices=["training", "testing", "passed", "failed"])
    answered = serializers.ListField(
        child=serializers.IntegerField(), help_text="training items that were answered"
    )
    drawing = DrawingSerializer()
    items = ItemSerializer(many=True)


class SituationSerializer(serializers.Serializer[None]):
    """Where a worker is in the test of a stage."""

    state = serializers.ChoiceField(choices=STATES)
    tries_left = serializers.IntegerField(help_text="that can still be begun")
    retry_in = serializers.FloatField(
        allow_null=True, help_text="seconds until the next try is possible, where it has to be waited for"
    )
    pass_mark = serializers.FloatField(help_text="share of right answers that passes")


class QualificationSerializer(SituationSerializer):
    """The test of a stage, with the try in hand."""

    stage = serializers.ChoiceField(choices=STAGES)
    training_items = serializers.IntegerField()
    test_items = serializers.IntegerField()

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """`try` is no name that Python takes."""
        return {**super().get_fields(), "try": TrySerializer(allow_null=True)}


class OutcomeSerializer(SituationSerializer):
    """How a try ended; a replay gets the same again."""

    passed = serializers.BooleanField()
    right = serializers.IntegerField(help_text="answers; which ones is not said")
    asked = serializers.IntegerField()
