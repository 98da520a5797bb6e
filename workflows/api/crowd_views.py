"""The workers' API for people who come from a crowd platform. A session is for one place."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.models import Batch
from workflows.api.authentication import make_bound_token
from workflows.api.openapi import problems
from workflows.api.serializers import STAGES, BodySerializer, NewestInstructionsSerializer
from workflows.api.views import STAGE, known_stage
from workflows.batch_settings.domain.crowd_settings import LINK, MTURK, PROLIFIC
from workflows.batch_settings.selectors import settings_of
from workflows.core.client_addresses import client_address
from workflows.crowd.link.addresses import NoLinkError, batch_of, way_back, way_out
from workflows.crowd.link.arrivals import arrive
from workflows.crowd.link.domain.participants import NobodyError, who_came
from workflows.crowd.models import Publication
from workflows.crowd.participations import sessions
from workflows.crowd.participations.domain.completion import Code, Form, Link, ReportError, mturk_form
from workflows.crowd.participations.screen_outs import paid_before
from workflows.crowd.participations.selectors import is_complete, pages_done
from workflows.crowd.participations.sessions import Progress
from workflows.crowd.participations.strangers import CrowdedError
from workflows.instructions.selectors import shown_to_anybody
from workflows.platforms.domain import strange
from workflows.platforms.prolific.completion_codes import completion_code, completion_url, screen_out_code

IDS = r"^[A-Za-z0-9_-]{1,128}$"
"""The characters and lengths of platforms' ids of assignments and workers."""
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""The text that Mechanical Turk gives in place of an assignment's id before somebody accepts one."""


class CrowdSessionSerializer(BodySerializer):
    """Who came and for which publication, as the platform says it in the page's address."""

    publication = serializers.RegexField(r"^[0-9a-f-]{1,64}$", help_text="the token in our own address")
    stage = serializers.ChoiceField(choices=STAGES)
    assignment = serializers.RegexField(IDS, help_text="the platform's id of the assignment or submission")
    worker = serializers.RegexField(IDS, help_text="the platform's id of the worker")
    submit_to = serializers.CharField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="Mechanical Turk's `turkSubmitTo`: one of the sites of this platform",
    )

    def validate_assignment(self, value: str) -> str:
        """Refuse a preview, since all previews have the same text in place of an id."""
        if value == PREVIEW:
            raise serializers.ValidationError("This is a preview: accept the assignment first.")
        return value


class ArrivalSerializer(BodySerializer):
    """The address of a batch as a platform has filled it in."""

    link = serializers.RegexField(r"^[A-Za-z0-9-]{1,64}$", help_text="what names the batch in its address")
    query = serializers.CharField(max_length=2000, allow_blank=True, default="", help_text="after ?")
    fragment = serializers.CharField(max_length=2000, allow_blank=True, default="", help_text="after #")
    participant = serializers.CharField(
        max_length=128, allow_blank=True, default="", help_text="the last part of the address, if it has one"
    )


class FinishSerializer(serializers.Serializer[None]):
    """How the browser tells the platform that the worker is done."""

    kind = serializers.ChoiceField(choices=["form", "link", "code"])
    action = serializers.CharField(required=False, help_text="the address to which the form is posted (form)")
    fields_ = serializers.DictField(child=serializers.CharField(), required=False)
    href = serializers.CharField(required=False, help_text="the address to go to (link)")
    code = serializers.CharField(required=False, help_text="what the worker types on the platform (code)")

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """Add the field `fields`, which would hide an attribute of serializers otherwise."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


AWAY = "away"


class CrowdReplySerializer(serializers.Serializer[None]):
    """A session: what the worker can do, and how the browser tells the platform that they are done."""

    token = serializers.CharField(help_text="a bearer token for the pages of this one place; empty if away")
    stage = serializers.ChoiceField(choices=STAGES)
    key = serializers.CharField(help_text="the platform's id of the assignment or submission")
    state = serializers.ChoiceField(
        choices=[*map(str, Progress), AWAY],
        help_text="working: claim a page. submitted: tell the platform. over: the platform knows. "
        "away: there is no work for whoever came by a batch's address",
    )
    pages = serializers.IntegerField(help_text="the most pages of the place")
    pages_done = serializers.IntegerField(help_text="how many of them are submitted")
    pays_failed_test = serializers.BooleanField(
        help_text="whether who fails the test is paid for it: ask for the session again then"
    )
    finish = FinishSerializer(
        allow_null=True,
        help_text="null once it is over, and before the submission if the platform gives a link",
    )
    contact = serializers.CharField(
        allow_blank=True, help_text="an e-mail or https address; empty if the researcher gave none"
    )


CROWDED = "More people have opened this task than it has places. Return it, and take another one."
_SAYS = {429: "too many sessions from there that no platform has confirmed: wait for Retry-After seconds"}
NOBODY = "The address does not say who came: open the task on its platform again."
OVER = "This task is over. Return it at the platform; if you worked on it, write to the requester there."


class CrowdedRefusal(exceptions.APIException):
    status_code = 409
    default_detail = CROWDED


class NotYet(exceptions.APIException):
    status_code = 503
    default_detail = "This task was published this moment. Try again."
    wait = 2


class SessionsView(APIView):
    authentication_classes = ()
    permission_classes = ()

    @extend_schema(
        operation_id="crowdSession",
        request=CrowdSessionSerializer,
        responses={
            200: OpenApiResponse(CrowdReplySerializer, description="the same however often it is asked"),
            **problems(400, 404, 409, 413, 415, says=_SAYS, token=False),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Begin or continue the pages of a place on a crowd platform.

        Anybody with the platform's ids may call this. The token in the reply opens only the pages of this one
        place, and the answers count only when the platform confirms the worker.
        """
        body = CrowdSessionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        try:
            publication = sessions.published(token=given["publication"], stage=given["stage"])
            # This comes before anything is written: nobody should work on a page that cannot be reported.
            _check_ids(publication, given)
            form = _form(publication, given) if publication.provider == MTURK else None
            session = sessions.begin(
                token=given["publication"],
                stage=given["stage"],
                external_id=given["assignment"],
                worker=given["worker"],
                confirmed=False,
                submit_to=given["submit_to"],
                now=timezone.now(),
                address=client_address(request._request),
            )
        except sessions.NoPublicationError as error:
            raise exceptions.NotFound(OVER) from error
        except sessions.NotOpenYetError as error:
            raise NotYet from error
        except CrowdedError as error:
            raise CrowdedRefusal from error
        return Response(_shown(session, form))


class ArrivalsView(APIView):
    authentication_classes = ()
    permission_classes = ()

    @extend_schema(
        operation_id="crowdArrival",
        request=ArrivalSerializer,
        responses={
            200: OpenApiResponse(CrowdReplySerializer, description="the same however often it is asked"),
            **problems(400, 404, 409, 413, 415, says=_SAYS, token=False),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Begin or continue a place for who came by a batch's address.

        The stage is the one that needs work. As with `crowd/sessions`, the token opens only this one place.
        """
        body = ArrivalSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        try:
            batch = batch_of(given["link"])
            own = settings_of(batch)
            worker, assignment = who_came(
                query=given["query"],
                fragment=given["fragment"],
                path=given["participant"],
                participant=own.by_link.participant,
                assignment=own.by_link.assignment,
            )
        except NoLinkError as error:
            raise exceptions.NotFound(OVER) from error
        except NobodyError as error:
            raise exceptions.ValidationError({"query": [NOBODY]}) from error
        arrival = arrive(
            batch=batch,
            worker=worker,
            assignment=assignment,
            now=timezone.now(),
            address=client_address(request._request),
        )
        if arrival.session is not None:
            return Response(_shown(arrival.session, None))
        # Whoever might get work in a moment is not sent away for good.
        finish = None if arrival.soon else way_out(own, worker=worker, assignment=arrival.assignment)
        return Response(
            {
                "token": "",
                "stage": own.stages[0],
                "key": arrival.assignment,
                "state": AWAY,
                "pages": 0,
                "pages_done": 0,
                "pays_failed_test": False,
                "finish": None if finish is None else asdict(finish),
                "contact": _contact(batch),
            }
        )


class OpenInstructionsView(APIView):
    authentication_classes = ()
    permission_classes = ()

    @extend_schema(
        operation_id="crowdInstructions",
        parameters=[STAGE],
        responses={200: NewestInstructionsSerializer, **problems(404, token=False)},
        auth=[],
    )
    def get(self, request: Request, stage: str, publication: str) -> Response:
        """Return the instructions for somebody who looks at a task and has not accepted it.

        Anybody who knows the publication's token may call this. Examples are left out, since they show parts
        of the project's photographs.
        """
        try:
            found = sessions.published(token=publication, stage=known_stage(stage))
        except sessions.NoPublicationError as error:
            raise exceptions.NotFound(OVER) from error
        return Response({"instructions": shown_to_anybody(found.batch.project_id, stage)})


def _check_ids(publication: Publication, given: dict[str, Any]) -> None:
    """Raise ValidationError for ids that the platform would never give."""
    wrong = strange(publication.provider, assignment=given["assignment"], worker=given["worker"])
    if wrong:
        raise exceptions.ValidationError({name: ["This is no id of the platform's."] for name in wrong})


def _form(publication: Publication, given: dict[str, Any]) -> Form:
    """Return the form that the browser posts. Raise ValidationError if its address is not the platform's."""
    account = settings.MTURK
    try:
        return mturk_form(
            submit_to=given["submit_to"],
            allowed=account.submit_origins if account else (),
            assignment=given["assignment"],
            page=publication.token,
        )
    except ReportError as error:
        raise exceptions.ValidationError({"submit_to": [str(error)]}) from error


def _shown(session: sessions.Session, form: Form | None) -> dict[str, Any]:
    participation = session.participation
    publication = participation.publication
    state, finish = session.progress, _finish(session, form)
    if publication.provider == LINK and finish is not None:
        state = Progress.SUBMITTED  # the list may have come before the worker went back with the code
    return {
        "token": make_bound_token(participation.worker_id, participation.pk),
        "stage": publication.stage,
        "key": participation.external_id,
        "state": state,
        "pages": publication.pages,
        "pages_done": pages_done(participation),
        "pays_failed_test": publication.screen_outs > 0 and not paid_before(participation),
        "finish": None if finish is None else asdict(finish),
        "contact": _contact(publication.batch),
    }


def _finish(session: sessions.Session, form: Form | None) -> Form | Link | Code | None:
    """Return how the platform is told; None if it knows, or if there is nothing to tell yet."""
    participation = session.participation
    publication = participation.publication
    if publication.provider == LINK:
        return way_back(publication.batch, participation) if is_complete(participation) else None
    if session.progress == Progress.OVER:
        return None
    # Prolific's code proves that the worker has finished, so it is only given after the submission.
    done = session.progress == Progress.SUBMITTED
    if done and publication.provider == PROLIFIC and settings.PROLIFIC is not None:
        code = screen_out_code if session.screened_out else completion_code
        return Link(completion_url(settings.PROLIFIC, code(publication.token)))
    return form


def _contact(batch: Batch) -> str:
    return batch.project.contact or settings.GROUNDCREW_CONTACT
