"""The shapes of requests and replies about the session of a crowd platform's worker."""

from __future__ import annotations

from rest_framework import serializers

from workflows.api.serializers import STAGES, BodySerializer
from workflows.crowd.participations.sessions import Progress

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


class FinishSerializer(serializers.Serializer[None]):
    """How the browser tells the platform that the page is done."""

    kind = serializers.ChoiceField(choices=["form", "link"])
    action = serializers.CharField(required=False, help_text="the address to which the form is posted (form)")
    fields_ = serializers.DictField(child=serializers.CharField(), required=False)
    href = serializers.CharField(required=False, help_text="the address to go to (link)")

    def get_fields(self) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
        """Add the field `fields`, which would hide an attribute of serializers otherwise."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


class CrowdReplySerializer(serializers.Serializer[None]):
    """A session: what the worker can do, and how the page tells the platform that it is done."""

    token = serializers.CharField(help_text="a bearer token for this one page")
    stage = serializers.ChoiceField(choices=STAGES)
    key = serializers.CharField(help_text="the platform's id of the assignment or submission")
    state = serializers.ChoiceField(
        choices=[str(state) for state in Progress],
        help_text="working: claim the page. submitted: tell the platform. over: the platform knows",
    )
    finish = FinishSerializer(
        allow_null=True,
        help_text="null once it is over, and before the submission if the platform gives a link",
    )
    contact = serializers.CharField(
        allow_blank=True, help_text="an e-mail or https address; empty if the researcher gave none"
    )
