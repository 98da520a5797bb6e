"""The API for models that judge: they fetch questions and post answers, by a token for nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import ModelVersion
from workflows.api.openapi import problems
from workflows.api.serializers import BodySerializer, QuestionSerializer, TextField
from workflows.judges.answers import MAX_ANSWERS_AT_ONCE, Outcome, Reply, take_model_answers
from workflows.judges.paid_questions import ask_model
from workflows.tasks import hint_advance

SALT = "groundcrew.model"
USUAL_QUESTIONS = 20
WAIT_SECONDS = 5
"""When a client may ask again if nothing waits for its model."""


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """The model of a token."""

    model: ModelVersion
    is_authenticated: bool = True


def make_model_token(model: ModelVersion) -> str:
    """Return a bearer token with which a client answers for this model, until its tokens are ended."""
    return signing.Signer(salt=SALT).sign_object({"model": model.pk, "generation": model.generation})


def _read(authorization: str) -> dict[str, int] | None:
    """Return what the token in the header says, or None without a token. Raises BadSignature."""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return None
    said: dict[str, int] = signing.Signer(salt=SALT).unsign_object(token.strip())
    return said


class ModelTokenAuthentication(BaseAuthentication):
    """Authenticates requests by `Authorization: Bearer <token>` of a model, in one query."""

    @staticmethod
    def is_signed(authorization: str) -> bool:
        """Return whether the header Authorization has a model's token that we made. It may have ended."""
        try:
            return _read(authorization) is not None
        except signing.BadSignature:
            return False

    def authenticate(self, request: Request) -> tuple[ModelIdentity, None] | None:
        try:
            said = _read(request.headers.get("Authorization", ""))
        except signing.BadSignature as error:
            raise AuthenticationFailed("This is no token of a model. Ask the researcher for one.") from error
        if said is None:
            return None
        models = ModelVersion.objects.filter(pk=said["model"], project__deleted_at=None)
        model = models.filter(generation=said["generation"]).first()
        if model is None:
            raise AuthenticationFailed("This token has ended. Ask the researcher for a new one.")
        return ModelIdentity(model), None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="groundcrew"'


class ModelTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular's hook
    """Describes the token in the OpenAPI document."""

    target_class = "workflows.api.model_views.ModelTokenAuthentication"
    name = "modelToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class ModelView(APIView):
    """Base of the views that need a model's token."""

    authentication_classes = (ModelTokenAuthentication,)
    permission_classes = (IsAuthenticated,)

    @property
    def model(self) -> ModelVersion:
        user: Any = self.request.user
        assert isinstance(user, ModelIdentity)
        return user.model


class WaitingSerializer(serializers.Serializer[None]):
    """How many questions are wanted."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_ANSWERS_AT_ONCE, default=USUAL_QUESTIONS, help_text="at most so many"
    )


class ModelQuestionSerializer(serializers.Serializer[None]):
    """A question that waits for the model, as workers see it."""

    key = serializers.CharField(help_text="names the question in the answer")
    question = QuestionSerializer()


class ModelQuestionsSerializer(serializers.Serializer[None]):
    """Questions that wait for the model, the oldest first."""

    stage = serializers.CharField()
    questions = serializers.ListField(child=ModelQuestionSerializer())


class ModelReplySerializer(BodySerializer):
    """The model's answer to one question: as workers give it."""

    key = TextField(max_length=24)
    answer = serializers.DictField(help_text="as in `CheckAnswer`")


class ModelAnswersSerializer(BodySerializer):
    """The answers of a model."""

    answers = serializers.ListField(
        child=ModelReplySerializer(), min_length=1, max_length=MAX_ANSWERS_AT_ONCE
    )


class OutcomesSerializer(serializers.Serializer[None]):
    """What became of each answer, in their order.

    `same`: it was stored before. `late`: workers are asked already. `other`: another answer is stored.
    """

    outcomes = serializers.ListField(child=serializers.ChoiceField(choices=[str(one) for one in Outcome]))


class ModelQuestionsView(ModelView):
    @extend_schema(
        operation_id="model_questions",
        parameters=[WaitingSerializer],
        responses={200: ModelQuestionsSerializer, **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """Return questions that wait for the model. Without any, ask again after Retry-After seconds."""
        wanted = WaitingSerializer(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        found = ask_model(model=self.model, now=timezone.now(), **wanted.validated_data)
        headers = {} if found else {"Retry-After": str(WAIT_SECONDS)}
        questions = [{"key": one.key, "question": one.question} for one in found]
        return Response({"stage": "check", "questions": questions}, headers=headers)


class ModelAnswersView(ModelView):
    @extend_schema(
        operation_id="answer_as_model",
        request=ModelAnswersSerializer,
        responses={200: OutcomesSerializer, **problems(400, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Store the model's answers. It is safe to send the same request again."""
        given = ModelAnswersSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        replies = [Reply(one["key"], one["answer"]) for one in given.validated_data["answers"]]
        outcomes = take_model_answers(model=self.model, replies=replies, now=timezone.now())
        if Outcome.STORED in outcomes:
            hint_advance()
        return Response({"outcomes": [str(one) for one in outcomes]})
