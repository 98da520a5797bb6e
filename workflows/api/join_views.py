"""The part of the workers' API with which workers join by an invitation. It needs no token, and gives one.

The invitation's code comes in the body, since an address would appear in logs.
"""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workflows.api.authentication import make_token
from workflows.api.openapi import problems
from workflows.api.serializers import BodySerializer, TextField
from workflows.core.client_addresses import client_address
from workflows.crowd.invitations.domain import MAX_NAME_LENGTH
from workflows.crowd.invitations.invite import MAX_PASSCODE_LENGTH
from workflows.crowd.invitations.join import join, look_at_invitation

_SAYS = {
    404: "no invitation has this code",
    409: "all its places are taken",
    410: "the invitation has expired or was revoked",
    429: "too many tries: try again after Retry-After seconds",
}


class InvitationSerializer(BodySerializer):
    """An invitation, and the device of the person who opened it."""

    code = TextField(max_length=64, help_text="the part of its link after #")
    device = serializers.RegexField(
        r"^[\w-]+$",
        min_length=16,
        max_length=64,
        help_text="a random text that the browser keeps: with it, the same worker comes back",
    )


class JoinSerializer(InvitationSerializer):
    """An invitation, and the name with which a worker joins by it."""

    name = TextField(
        max_length=MAX_NAME_LENGTH,
        allow_blank=True,
        default="",
        help_text="a name or an e-mail address; may be missing if the device is known",
    )
    passcode = TextField(max_length=MAX_PASSCODE_LENGTH, allow_blank=True, default="", trim_whitespace=False)


class SeenSerializer(serializers.Serializer[None]):
    """What a worker has to give to join."""

    project = serializers.CharField()
    passcode = serializers.BooleanField(help_text="whether it has to be given")
    name = serializers.BooleanField(help_text="whether it has to be given; false if this device is known")


class JoinedSerializer(serializers.Serializer[None]):
    """The worker who joined."""

    token = serializers.CharField(help_text="for Authorization: Bearer")
    worker = serializers.CharField(help_text="the worker's name, as it is stored")


class OpenView(APIView):
    """Base of views that need no token."""

    authentication_classes = ()
    permission_classes = ()


class InvitationView(OpenView):
    @extend_schema(
        operation_id="lookAtInvitation",
        request=InvitationSerializer,
        responses={200: SeenSerializer, **problems(400, 413, 415, says=_SAYS, token=False)},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Return what an invitation asks for. This changes nothing."""
        body = InvitationSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        address = client_address(request._request)
        seen = look_at_invitation(**body.validated_data, address=address, now=timezone.now())
        return Response({"project": seen.project, "passcode": seen.passcode, "name": seen.name})


class JoiningView(OpenView):
    @extend_schema(
        operation_id="join",
        request=JoinSerializer,
        responses={
            201: JoinedSerializer,
            200: OpenApiResponse(JoinedSerializer, description="the worker joined before, from this device"),
            **problems(400, 403, 413, 415, says=_SAYS, token=False),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Join by an invitation, or come back by it. It is safe to repeat this."""
        body = JoinSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        address = client_address(request._request)
        joined = join(**body.validated_data, address=address, now=timezone.now())
        reply = {"token": make_token(joined.worker), "worker": joined.worker.external_id}
        return Response(reply, status=201 if joined.new else 200)
