"""Parts of the OpenAPI document besides requests and replies: answers by stage, problems, and examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    PolymorphicProxySerializer,
    extend_schema_field,
)
from rest_framework import serializers

from annotation.domain.answers import (
    GRADES,
    MAX_BOXES_AT_ONCE,
    MAX_CAPTION_LENGTH,
    MAX_CAPTIONS_AT_ONCE,
    BoxJudgment,
    NoBoxes,
    Requirement,
)
from workflows.quality.domain.stage_access import Access

PROBLEM = "application/problem+json"


class LinkAnswerSerializer(serializers.Serializer[None]):
    """Link and verification: do all of these refer to the same thing or things?"""

    same = serializers.BooleanField()


class RequirementAnswerSerializer(serializers.Serializer[None]):
    """Can a box be drawn, is it a scene or place, or can no box be drawn?"""

    requirement = serializers.ChoiceField(choices=[choice.value for choice in Requirement])


class DrawingAnswerSerializer(serializers.Serializer[None]):
    """One new box, or null: no further box is needed."""

    box = serializers.ListField(
        child=serializers.FloatField(),
        min_length=4,
        max_length=4,
        allow_null=True,
        help_text="left, top, right, bottom in pixels of the image; rounded, and clipped to the image",
    )
    scale = serializers.FloatField(
        required=False,
        help_text="how closely the box was drawn: CSS pixels for each pixel of the image; above 0",
    )
    suggestion = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="the place in the question's `suggestions`, from 0, of the one that the worker accepted, "
        "even if its edges were changed then",
    )


class QualityAnswerSerializer(serializers.Serializer[None]):
    """Is the new box tight around one whole entity that is meant and not yet covered?"""

    good = serializers.BooleanField()


class CoverageAnswerSerializer(serializers.Serializer[None]):
    """Are all required boxes here?"""

    complete = serializers.BooleanField()


class BoxesAnswerSerializer(serializers.Serializer[None]):
    """All boxes that are missing."""

    boxes = serializers.ListField(
        child=DrawingAnswerSerializer(),
        min_length=1,
        max_length=MAX_BOXES_AT_ONCE,
        help_text="each as in drawing, and none of them null",
    )


class NoBoxesAnswerSerializer(serializers.Serializer[None]):
    """Boxes: why none is missing."""

    none = serializers.ChoiceField(
        choices=[reason.value for reason in NoBoxes],
        help_text="scene: it is a scene or place; nobox: no box can be drawn; done: all boxes are there",
    )


class CheckAnswerSerializer(serializers.Serializer[None]):
    """What each of the new boxes is, and whether something has no box at all."""

    boxes = serializers.ListField(
        child=serializers.ChoiceField(choices=[said.value for said in BoxJudgment]),
        max_length=MAX_BOXES_AT_ONCE,
        help_text="one of each of the question's `new_boxes`, in their order",
    )
    missing = serializers.BooleanField()
    point = serializers.ListField(
        child=serializers.FloatField(),
        min_length=2,
        max_length=2,
        required=False,
        help_text="x, y in pixels of the image: where something is missing",
    )


class CaptionAnswerSerializer(serializers.Serializer[None]):
    """Writing: a sentence that describes the photograph, or the corrected sentence.

    Caption check: what the caption is. `right`: it describes the photograph; `minor`: with minor errors;
    `wrong`: it does not.
    """

    caption = serializers.CharField(max_length=MAX_CAPTION_LENGTH, help_text="one line, with a letter")


class GradingAnswerSerializer(serializers.Serializer[None]):
    """How well does the caption describe the photograph?"""

    grade = serializers.ChoiceField(
        choices=list(GRADES),
        help_text="1: it is unrelated; 2: it describes some aspects; 3: minor errors; 4: no error",
    )


class RelevanceAnswerSerializer(serializers.Serializer[None]):
    """Which of the captions describe the photograph?"""

    describes = serializers.ListField(
        child=serializers.BooleanField(),
        min_length=1,
        max_length=MAX_CAPTIONS_AT_ONCE,
        help_text="one of each of the question's `captions`, in their order",
    )


class UnusableAnswerSerializer(serializers.Serializer[None]):
    """Any stage: the photograph does not load, or shows nothing that could be judged."""

    unusable = serializers.BooleanField(help_text="always true")


class UnsureAnswerSerializer(serializers.Serializer[None]):
    """Any stage but drawing, boxes and writing, if the page's `unsure` allows it: the worker cannot tell."""

    unsure = serializers.BooleanField(help_text="always true")


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="Answer",
        serializers=[
            LinkAnswerSerializer,
            RequirementAnswerSerializer,
            DrawingAnswerSerializer,
            QualityAnswerSerializer,
            CoverageAnswerSerializer,
            BoxesAnswerSerializer,
            NoBoxesAnswerSerializer,
            CheckAnswerSerializer,
            CaptionAnswerSerializer,
            GradingAnswerSerializer,
            RelevanceAnswerSerializer,
            UnusableAnswerSerializer,
            UnsureAnswerSerializer,
        ],
        resource_type_field_name=None,
    )
)
class AnswerField(serializers.JSONField):
    """An answer. Its shape depends on the page's stage, so `submit` checks it."""


class FieldProblemSerializer(serializers.Serializer[None]):
    """A mistake in one field of the request."""

    pointer = serializers.CharField(help_text="JSON pointer (RFC 6901) into the request's body")
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[None]):
    """Problem details (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="what happened and what to do, in words for people")
    standing = serializers.ChoiceField(
        choices=[str(standing) for standing in Access],
        required=False,
        help_text="why the stage is closed to the worker",
    )
    retry_in = serializers.FloatField(
        required=False, allow_null=True, help_text="seconds until the test of the stage can be tried again"
    )
    pages_held = serializers.IntegerField(
        required=False, help_text="the pages in hand, of which one has to be submitted or returned first"
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the field `errors`, which would hide an attribute of serializers otherwise."""
        return {**super().get_fields(), "errors": FieldProblemSerializer(many=True, required=False)}


_PROBLEMS = {
    400: "the request is wrong; `errors` names the fields",
    401: "there is no token, or it is not valid any more",
    403: "the worker may not work here",
    404: "the worker has no such page",
    409: "not in this state: the lease is over, the key was used before, too many pages are held, "
    "or the page was submitted with other answers",
    413: "the body is too large",
    415: "the body is not application/json",
    503: "the server is busy: the same request may be sent again after Retry-After seconds",
}


def problems(
    *codes: int, says: Mapping[int, str] = MappingProxyType({}), token: bool = True
) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the responses for these statuses, and for those that every request can get.

    `says` has more statuses, or other words for these. Without `token`, the request needs no token.
    """
    words = {**_PROBLEMS, **says}
    return {
        (code, PROBLEM): OpenApiResponse(ProblemSerializer, description=words[code])
        for code in sorted({503, *([401] if token else []), *codes, *says})
    }


RETRY_AFTER = OpenApiParameter(
    "Retry-After", int, OpenApiParameter.HEADER, response=[204], description="seconds to wait"
)

_PAGE = "0b5a6d2e-6a35-4a52-9f0e-0f6f3a5d1c11"
_IMAGE = {
    "id": "hY3m…Qk",
    "url": "/media/Zr8w…0A",
    "width": 1600,
    "height": 1200,
    "renditions": [
        {"width": 640, "url": "/media/Zr8w…0A/640"},
        {"width": 1280, "url": "/media/Zr8w…0A/1280"},
    ],
}


def _page(
    stage: str,
    seconds: float,
    captions: Sequence[Sequence[tuple[str, bool]]],
    *,
    reward: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] = MappingProxyType({}),
    **more: Any,
) -> OpenApiExample:
    """Return a page with one item, whose question shows these captions: segments, and which are mentions."""
    return OpenApiExample(
        stage,
        response_only=True,
        status_codes=["201"],
        value={
            "id": _PAGE,
            "stage": stage,
            "state": "live",
            "expires_at": "2026-03-01T12:15:00+00:00",
            "expires_in": 900.0,
            "reward": reward,
            "usual_seconds": seconds,
            "drawing": {"method": "either", "minimum_side": 3},
            **settings,
            "unsure": 0,
            "instructions": None,
            "items": [
                {
                    "item": 1,
                    "question": {
                        "image": _IMAGE,
                        "captions": [
                            {
                                "index": place,
                                "language": "en",
                                "segments": [
                                    {"text": text, "mention": mention} for text, mention in segments
                                ],
                            }
                            for place, segments in enumerate(captions)
                        ],
                        **more,
                    },
                }
            ],
        },
    )


PAGE_EXAMPLES = [
    _page(
        "link",
        75.0,
        [
            [("A man", True), (" walks a dog .", False)],
            [("Somebody", True), (" with a dog .", False)],
        ],
        reward={"amount": 5, "currency": "USD"},
    ),
    _page("quality", 110.0, [[("Two men", True)]], boxes=[[12, 30, 210, 470]], box=[300, 28, 512, 466]),
    _page(
        "check",
        75.0,
        [[("Three men", True)]],
        settings={"check": {"preset": "good"}},
        boxes=[[12, 30, 210, 470]],
        new_boxes=[[300, 28, 512, 466], [520, 40, 700, 460]],
    ),
    _page("writing", 180.0, [], correct=None, language="en"),
    _page("relevance", 150.0, [[("A man walks a dog .", False)], [("Two children swim in a lake .", False)]]),
]


def _submission(stage: str, answer: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(
        stage, request_only=True, value={"answers": [{"item": 1, "answer": answer, "seconds": 4.2}]}
    )


SUBMISSION_EXAMPLES = [
    _submission("link", {"same": True}),
    _submission("verification", {"same": False}),
    _submission("requirement", {"requirement": "scene"}),
    _submission("drawing", {"box": [300, 28, 512, 466]}),
    _submission("quality", {"good": True}),
    _submission("coverage", {"complete": False}),
    _submission("boxes", {"boxes": [{"box": [300, 28, 512, 466]}, {"box": [520, 40, 700, 460]}]}),
    _submission("check", {"boxes": ["good", "cut"], "missing": False}),
    _submission("writing", {"caption": "A man in a red coat rides a brown horse ."}),
    _submission("caption_check", {"caption": "minor"}),
    _submission("grading", {"grade": 3}),
    _submission("relevance", {"describes": [True, False]}),
]
