"""The shapes of requests and replies about qualification tests."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from workflows.api.openapi import (
    AnswerField,
    CaptionAnswerSerializer,
    CheckAnswerSerializer,
    CoverageAnswerSerializer,
    GradingAnswerSerializer,
    LinkAnswerSerializer,
    NoBoxesAnswerSerializer,
    QualityAnswerSerializer,
    RelevanceAnswerSerializer,
    RequirementAnswerSerializer,
)
from workflows.api.serializers import (
    STAGES,
    BodySerializer,
    CheckSerializer,
    DrawingSerializer,
    InstructionsSerializer,
    ItemSerializer,
    numbers,
)
from workflows.batch_settings.domain.settings import MAX_ITEMS_PER_PAGE
from workflows.qualification.try_view import STATES


class TrainingSerializer(BodySerializer):
    """The answer to one training item."""

    item = serializers.IntegerField(min_value=1, help_text="its place, from 1")
    answer = AnswerField()


class TestSerializer(BodySerializer):
    """All answers of the scored part."""

    answers = serializers.ListField(child=TrainingSerializer(), min_length=1, max_length=MAX_ITEMS_PER_PAGE)


class RightBoxesSerializer(serializers.Serializer[None]):
    """Drawing: any of these boxes is right, and without one, no further box is needed. Boxes: all of them."""

    boxes = serializers.ListField(child=numbers(4))


class RightCaptionsSerializer(serializers.Serializer[None]):
    """Writing: the sentence without its mistake, in each way that is right."""

    captions = serializers.ListField(child=serializers.CharField())


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="RightAnswer",
        serializers=[
            LinkAnswerSerializer,
            RequirementAnswerSerializer,
            RightBoxesSerializer,
            QualityAnswerSerializer,
            CoverageAnswerSerializer,
            NoBoxesAnswerSerializer,
            CheckAnswerSerializer,
            RightCaptionsSerializer,
            CaptionAnswerSerializer,
            GradingAnswerSerializer,
            RelevanceAnswerSerializer,
        ],
        resource_type_field_name=None,
    )
)
class RightAnswerField(serializers.JSONField):
    """The right answer, in the shape of the stage's answers."""


class ExplanationSerializer(serializers.Serializer[None]):
    """The right answer to a training item, with an explanation."""

    right = serializers.BooleanField(help_text="the first answer to it was")
    explanation = serializers.CharField(allow_blank=True, help_text="why, in the researcher's words")
    answer = RightAnswerField()


class TrySerializer(serializers.Serializer[None]):
    """The next part of a try, in the shape of a page."""

    number = serializers.IntegerField(
        help_text="number of the try among the worker's tries at this stage, from 1"
    )
    stage = serializers.ChoiceField(choices=STAGES)
    part = serializers.ChoiceField(choices=["training", "testing", "passed", "failed"])
    answered = serializers.ListField(
        child=serializers.IntegerField(), help_text="places of the training items that were answered"
    )
    drawing = DrawingSerializer()
    check = CheckSerializer(required=False, help_text="only in the stage check")
    items = ItemSerializer(many=True)


class SituationSerializer(serializers.Serializer[None]):
    """How far a worker is in the test of a stage."""

    state = serializers.ChoiceField(choices=STATES)
    tries_left = serializers.IntegerField(help_text="how many tries can still be begun")
    retry_in = serializers.FloatField(
        allow_null=True, help_text="seconds until the next try is possible; null if it need not be waited for"
    )
    pass_mark = serializers.FloatField(help_text="share of right answers needed to pass")


class QualificationSerializer(SituationSerializer):
    """The test of a stage, with the try that was begun."""

    stage = serializers.ChoiceField(choices=STAGES)
    training_items = serializers.IntegerField()
    test_items = serializers.IntegerField()
    instructions = InstructionsSerializer(
        required=False,
        allow_null=True,
        help_text="as they are now; null if the built-in instructions are meant",
    )

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """Add the field `try`, which Python does not accept as an attribute's name."""
        return {**super().get_fields(), "try": TrySerializer(allow_null=True)}


class OutcomeSerializer(SituationSerializer):
    """The result of a try. If the answers are sent again, the result is the same."""

    passed = serializers.BooleanField()
    right = serializers.IntegerField(help_text="number of right answers; which ones is not said")
    asked = serializers.IntegerField()
