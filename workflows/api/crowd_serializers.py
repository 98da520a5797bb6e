"""The shapes of a session for somebody who comes from a crowd platform."""

from __future__ import annotations

from rest_framework import serializers

from workflows.api.serializers import STAGES, BodySerializer
from workflows.crowd.participations.sessions import Progress

IDS = r"^[A-Za-z0-9_-]{1,128}$"
"""What platforms name assignments and workers by."""
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk says in an assignment's stead to who has not accepted one."""


class CrowdSessionSerializer(BodySerializer):
    """Who came, and what for: as the platform says it in the address of the page."""

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
        """Not of a preview: everybody's has the same."""
        if value == PREVIEW:
            raise serializers.ValidationError("This is a preview: accept the assignment first.")
        return value


class FinishSerializer(serializers.Serializer[None]):
    """How the browser tells the platform that the page is done."""

    kind = serializers.ChoiceField(choices=["form", "link"])
    action = serializers.CharField(required=False, help_text="where a form posts to (form)")
    fields_ = serializers.DictField(child=serializers.CharField(), required=False)
    href = serializers.CharField(required=False, help_text="where to go (link)")

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """`fields` is also the name of what every serializer has."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


class CrowdReplySerializer(serializers.Serializer[None]):
    """A session: what there is to do, and how it ends."""

    token = serializers.CharField(help_text="a bearer token for this one page")
    stage = serializers.ChoiceField(choices=STAGES)
    key = serializers.CharField(help_text="the platform's id of the assignment or submission")
    state = serializers.ChoiceField(
        choices=[str(state) for state in Progress],
        help_text="working: claim the page. submitted: tell the platform. over: the platform knows",
    )
    finish = FinishSerializer(
        allow_null=True,
        help_text="null once it is over, and where a link is told only to who has submitted: ask again then",
    )
    contact = serializers.CharField(
        allow_blank=True, help_text="an e-mail or https address; empty where the researcher gave none"
    )
