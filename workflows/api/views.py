"""The workers' API, version 1. A view checks the request, calls one service, and shapes the reply."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import Assignment
from workflows.api import serializers
from workflows.api.authentication import Unbound, WorkerIdentity, renewed_token
from workflows.api.openapi import PAGE_EXAMPLES, RETRY_AFTER, SUBMISSION_EXAMPLES, problems
from workflows.assignments import page_view
from workflows.assignments.claim import claim, claim_next
from workflows.assignments.leases import renew_lease, return_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import NoSuchAssignmentError, submit
from workflows.assignments.worker_account import account_of, stages_with_work
from workflows.crowd.participations.sessions import claim_next_page, claim_place, may_touch, resume_place
from workflows.instructions.selectors import newest_for_worker, shown_to_worker
from workflows.tasks import hint_advance
from workflows.workers.enrolment import check_worker

RETRY_SECONDS = 2
STAGE = OpenApiParameter("stage", OpenApiTypes.STR, OpenApiParameter.PATH, enum=serializers.STAGES)


def known_stage(stage: str) -> str:
    """Return the stage named in an address. Raise Http404 if there is no such stage."""
    if stage not in serializers.STAGES:
        raise Http404
    return stage


class WorkerView(APIView):
    """Base of the views that need a worker's token."""

    permission_classes: tuple[type[BasePermission], ...] = (IsAuthenticated, Unbound)

    @property
    def identity(self) -> WorkerIdentity:
        user: Any = self.request.user
        assert isinstance(user, WorkerIdentity)
        return user

    @property
    def worker_id(self) -> int:
        return self.identity.worker_id


class PageView(WorkerView):
    """Base of the views about a page. Workers from a platform may call them for the page they came for."""

    permission_classes = (IsAuthenticated,)
    handing_in = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        bound, page = self.identity.participation_id, kwargs.get("assignment_id")
        if bound is None or page is None:
            return
        if not may_touch(participation_id=bound, page_id=page, handing_in=self.handing_in):
            raise NoSuchAssignmentError


class AssignmentsView(PageView):
    @extend_schema(
        operation_id="claim",
        parameters=[RETRY_AFTER],
        examples=PAGE_EXAMPLES,
        request=serializers.ClaimSerializer,
        responses={
            201: serializers.PageSerializer,
            200: OpenApiResponse(serializers.PageSerializer, description="the page the worker holds already"),
            204: OpenApiResponse(
                description="no work for this worker now; try again after Retry-After seconds"
            ),
            **problems(400, 403, 409, 413, 415),
        },
    )
    def post(self, request: Request) -> Response:
        """Claim a page of items under a lease."""
        wanted = serializers.ClaimSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        now = timezone.now()
        if (bound := self.identity.participation_id) is not None:
            found = claim_place(participation_id=bound, now=now, **wanted.validated_data)
        else:
            found = claim(worker_id=self.worker_id, now=now, **wanted.validated_data)
        if found is None:
            return Response(status=204, headers={"Retry-After": str(RETRY_SECONDS)})
        return Response(page_view.shown_page(found.assignment, now=now), status=201 if found.created else 200)


class AssignmentView(PageView):
    @extend_schema(
        operation_id="page",
        examples=PAGE_EXAMPLES,
        responses={200: serializers.PageSerializer, **problems(404)},
    )
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Return a page as it was claimed, for instance after a reload."""
        pages = Assignment.objects.select_related("batch")
        found = pages.filter(pk=assignment_id, worker_id=self.worker_id).first()
        if found is None:
            raise NoSuchAssignmentError
        return Response(page_view.shown_page(found, now=timezone.now()))


class SubmissionView(PageView):
    handing_in = True

    @extend_schema(
        operation_id="submit",
        examples=SUBMISSION_EXAMPLES,
        request=serializers.SubmissionSerializer,
        responses={
            201: serializers.ReceiptSerializer,
            200: OpenApiResponse(serializers.ReceiptSerializer, description="it was submitted before"),
            **problems(400, 403, 404, 409, 413, 415),
        },
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Submit all answers of a page. It is safe to repeat this with the same answers.

        With `next`, the page that follows is claimed once the answers are stored. A worker who holds a page
        of the stage gets that one, so a repetition leases no further page.
        """
        body = serializers.SubmissionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        now = timezone.now()
        if (bound := self.identity.participation_id) is not None:
            resume_place(participation_id=bound, now=now)
        receipt = submit(
            worker_id=self.worker_id,
            assignment_id=assignment_id,
            replies=[Reply(**reply) for reply in body.validated_data["answers"]],
            now=now,
        )
        if not receipt.replayed:
            hint_advance()
        reply = {
            "id": str(assignment_id),
            "accepted": receipt.accepted,
            "acknowledged": receipt.acknowledged,
            "reward": page_view.money(receipt.reward, receipt.currency),
        }
        if body.validated_data["next"]:
            reply["next"] = (
                claim_next(worker_id=self.worker_id, stage=receipt.stage, now=now)
                if bound is None
                else claim_next_page(participation_id=bound, now=now)
            )
        return Response(reply, status=200 if receipt.replayed else 201)


class RenewalView(PageView):
    @extend_schema(
        operation_id="renew",
        request=None,
        responses={200: serializers.LeaseSerializer, **problems(404, 409)},
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Extend the lease while the worker is active."""
        now = timezone.now()
        end = renew_lease(worker_id=self.worker_id, assignment_id=assignment_id, now=now)
        if end is None:
            raise NoSuchAssignmentError
        return Response(page_view.lease(end, now=now))


class ReturnView(PageView):
    @extend_schema(
        operation_id="giveBack",
        request=None,
        responses={204: OpenApiResponse(description="returned"), **problems(404)},
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Give a page back unanswered. It is safe to repeat this."""
        if not return_page(worker_id=self.worker_id, assignment_id=assignment_id):
            raise NoSuchAssignmentError
        return Response(status=204)


class StagesView(WorkerView):
    @extend_schema(
        operation_id="stages",
        responses={200: serializers.WaitingSerializer(many=True), **problems()},
    )
    def get(self, request: Request) -> Response:
        """Return which stages have work for this worker: a page to claim, or one that they hold."""
        return Response(stages_with_work(worker_id=self.worker_id, now=timezone.now()))


class InstructionsView(WorkerView):
    @extend_schema(
        operation_id="instructions",
        parameters=[STAGE],
        responses={200: serializers.NewestInstructionsSerializer, **problems(404)},
    )
    def get(self, request: Request, stage: str) -> Response:
        """Return the instructions of a stage as they are now, for instance to try it out."""
        version = newest_for_worker(self.worker_id, known_stage(stage))
        found = shown_to_worker(version, worker_id=self.worker_id, now=timezone.now())
        return Response({"instructions": found})


class MeView(WorkerView):
    @extend_schema(
        operation_id="me",
        responses={200: serializers.MeSerializer, **problems(403)},
    )
    def get(self, request: Request) -> Response:
        """Return what the worker did and earned, and how they stand in each stage."""
        found = account_of(worker_id=self.worker_id, now=timezone.now())
        if found is None:
            raise PermissionDenied
        return Response(found)


class TokenView(WorkerView):
    @extend_schema(
        operation_id="renewToken",
        request=None,
        responses={200: serializers.TokenSerializer, **problems(403)},
    )
    def post(self, request: Request) -> Response:
        """Return the token to use from now on, so that workers who come often stay signed in for long.

        A token that is less than a day old comes back as it is. An older one ends a minute after its
        successor was first used; repeat the request if the reply was lost. After 180 days (six times
        GROUNDCREW_TOKEN_DAYS), the worker needs a new link. A blocked worker gets no token.
        """
        check_worker(self.worker_id)
        return Response({"token": renewed_token(self.identity, now=timezone.now())})


class NothingView(APIView):
    """Replies 404, as a problem, to every other address."""

    authentication_classes = ()
    permission_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404
