"""Joining by an invitation: the part of the workers' API that needs no token, and gives one.

The code comes in the body: in an address it would stand in logs.
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
from workflows.api.serializers import BodySerializer
from workflows.core.client_addresses import client_address
from workflows.crowd.invitations.domain import LONGEST_NAME
from workflows.crowd.invitations.invite import LONGEST_PASSCODE
from workflows.crowd.invitations.join import join, look

_SAYS = {
    404: "no invitation has this code",
    409: "all its places are taken",
    410: "the invitation has expired or was revoked",
    429: "too many tries: another is taken after Retry-After seconds",
}


class InvitationSerializer(BodySerializer):
    """Which invitation, and who comes."""

    code = serializers.CharField(max_length=64, help_text="what stands behind # in its link")
    device = serializers.RegexField(
        r"^[\w-]+$",
        min_length=16,
        max_length=64,
        help_text="made up at random and kept by the browser: with it the same worker comes back",
    )


class JoinSerializer(InvitationSerializer):
    """And under which name."""

    name = serializers.CharField(
        max_length=LONGEST_NAME,
        allow_blank=True,
        default="",
        help_text="a name or an e-mail address; may be missing where the device alone says who it is",
    )
    passcode = serializers.CharField(
        max_length=LONGEST_PASSCODE, allow_blank=True, default="", trim_whitespace=False
    )


class SeenSerializer(serializers.Serializer[None]):
    """What joining takes."""

    project = serializers.CharField()
    passcode = serializers.BooleanField(help_text="has to be given")
    name = serializers.BooleanField(help_text="has to be given: false where this device comes back")


class JoinedSerializer(serializers.Serializer[None]):
    """Who the worker is now."""

    token = serializers.CharField(help_text="for Authorization: Bearer")
    worker = serializers.CharField(help_text="the name, as it is kept")


class OpenView(APIView):
    """Base of views for who is nobody yet."""

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
        """What an invitation asks for. Changes nothing."""
        body = InvitationSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        address = client_address(request._request)
        seen = look(**body.validated_data, address=address, now=timezone.now())
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
        """Join by an invitation, or come back by it. Safe to repeat."""
        body = JoinSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        address = client_address(request._request)
        joined = join(**body.validated_data, address=address, now=timezone.now())
        reply = {"token": make_token(joined.worker), "worker": joined.worker.external_id}
        return Response(reply, status=201 if joined.new else 200)
