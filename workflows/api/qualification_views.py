"""The part of the workers' API that is about qualification tests."""

from __future__ import annotations

from random import SystemRandom
from typing import Any, TypedDict

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from workflows.api import qualification_serializers as shapes
from workflows.api.openapi import problems
from workflows.api.views import STAGE, WorkerView, known_stage
from workflows.crowd.participations.sessions import is_live
from workflows.qualification import try_view
from workflows.qualification.tries import answer_training, begin_try, hand_in_test


class Who(TypedDict):
    """The worker who takes a test and, for a platform's worker, their participation."""

    worker_id: int
    participation_id: int | None


class StageView(WorkerView):
    """Base of the views about a stage. Workers from a platform may call them for the stage they came for."""

    permission_classes = (IsAuthenticated,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        bound = self.identity.participation_id
        if bound is None:
            return
        if not is_live(participation_id=bound, stage=kwargs["stage"]):
            raise PermissionDenied

    @property
    def who(self) -> Who:
        return {"worker_id": self.worker_id, "participation_id": self.identity.participation_id}


class QualificationView(StageView):
    @extend_schema(
        operation_id="qualification",
        parameters=[STAGE],
        responses={200: shapes.QualificationSerializer, **problems(404)},
    )
    def get(self, request: Request, stage: str) -> Response:
        """Return where the worker is in the qualification test of a stage, with the try that was begun."""
        found = try_view.state_of(**self.who, stage=known_stage(stage), now=timezone.now())
        return Response(found)


class TriesView(StageView):
    @extend_schema(
        operation_id="beginTry",
        parameters=[STAGE],
        request=None,
        responses={
            201: shapes.TrySerializer,
            200: OpenApiResponse(shapes.TrySerializer, description="the try that was begun before"),
            **problems(403, 404, 409),
        },
    )
    def post(self, request: Request, stage: str) -> Response:
        """Begin a try at the test of a stage, or continue the one that was begun."""
        now = timezone.now()
        held, new = begin_try(**self.who, stage=known_stage(stage), now=now, rng=SystemRandom())
        shown = try_view.shown(held, now=now, participation_id=self.identity.participation_id)
        return Response(shown, status=201 if new else 200)


class TrainingView(StageView):
    @extend_schema(
        operation_id="train",
        parameters=[STAGE],
        request=shapes.TrainingSerializer,
        responses={200: shapes.ExplanationSerializer, **problems(400, 404, 413, 415)},
    )
    def post(self, request: Request, stage: str, number: int) -> Response:
        """Answer a training item. The reply says what was right. Only the first answer to an item is kept."""
        body = shapes.TrainingSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = answer_training(**self.who, stage=known_stage(stage), number=number, **body.validated_data)
        return Response({"right": said.right, "explanation": said.explanation, "answer": said.answer})


class TestView(StageView):
    @extend_schema(
        operation_id="handIn",
        parameters=[STAGE],
        request=shapes.TestSerializer,
        responses={
            201: shapes.OutcomeSerializer,
            200: OpenApiResponse(shapes.OutcomeSerializer, description="it was handed in before"),
            **problems(400, 404, 409, 413, 415),
        },
    )
    def post(self, request: Request, stage: str, number: int) -> Response:
        """Hand in all answers of the scored part. It is safe to repeat this."""
        body = shapes.TestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        now = timezone.now()
        answers = [(one["item"], one["answer"]) for one in body.validated_data["answers"]]
        held, just_now = hand_in_test(
            **self.who, stage=known_stage(stage), number=number, answers=answers, now=now
        )
        ended = try_view.outcome(held, now=now, participation_id=self.identity.participation_id)
        return Response(ended, status=201 if just_now else 200)
