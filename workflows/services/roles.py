"""An image serves one role: who knows its answers from a test would know them on a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from annotation.models import Project, VerificationQuestion


def lock_roles(project_id: int) -> None:
    """Until the end of the transaction nobody else adds questions to the project's images.

    Nothing in the database says that an image has one role: whoever adds questions asks here first.
    """
    list(Project.objects.select_for_update(no_key=True).filter(pk=project_id).values_list("pk", flat=True))


def roles_of(images: Collection[int]) -> dict[int, set[str]]:
    """By image id, what its questions are for, also the retired ones: workers have seen them. One query."""
    roles: dict[int, set[str]] = defaultdict(set)
    questions = VerificationQuestion.objects.filter(image__in=images)
    for image, role in questions.order_by().values_list("image", "role").distinct():
        roles[image].add(role)
    return dict(roles)
