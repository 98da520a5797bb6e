"""The projects that a researcher may see, and which project an address of the console is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Model, Q
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from annotation.models import (
    Batch,
    Caption,
    Case,
    Chain,
    Decision,
    Image,
    ImageWork,
    Judgment,
    ModelVersion,
    Project,
    VerificationQuestion,
    Worker,
)
from workflows.crowd.models import Payment, Problem, Publication
from workflows.jobs.models import Job, Snapshot
from workflows.members.domain import Role
from workflows.members.selectors import roles_of
from workflows.review.models import SpotCheck
from workflows.workers.models import Participation

VIEW = "annotation.view_chain"
"""See every page."""
DECIDE = "annotation.change_chain"
"""Decide about annotation and workers."""
MANAGE = "annotation.change_batch"
"""Import a corpus, spend money, launch and end batches, and export the data set."""

ROLES: Mapping[str, tuple[str, ...]] = {
    "viewer": (VIEW,),
    "reviewer": (VIEW, DECIDE),
    "manager": (VIEW, DECIDE, MANAGE),
}
"""The roles and their permissions: in the whole installation as groups, in a project as memberships."""
_MEMBERS: Mapping[str, tuple[str, ...]] = {**ROLES, Role.ADVISOR: (VIEW,)}

PROJECT_OF: Mapping[str, tuple[type[Model], str]] = {
    "projects": (Project, "pk"),
    "batches": (Batch, "project"),
    "images": (Image, "project"),
    "captions": (Caption, "image__project"),
    "chain": (Chain, "work__image__project"),
    "image": (ImageWork, "image__project"),
    "written-captions": (Judgment, "worker__project"),
    "case": (Case, "project"),
    "decision": (Decision, "project"),
    "spot-check": (SpotCheck, "project"),
    "questions": (VerificationQuestion, "project"),
    "worker": (Worker, "project"),
    "models": (ModelVersion, "project"),
    "jobs": (Job, "project"),
    "snapshots": (Snapshot, "project"),
    "publications": (Publication, "batch__project"),
    "participations": (Participation, "publication__batch__project"),
    "payments": (Payment, "participation__publication__batch__project"),
    "problems": (Problem, "batch__project"),
}
"""The table that the word before the first id of an address names, and the way from its rows to a project."""

_FIRST_ID = re.compile(r"([\w-]+)/(?:<int:|\(\?P<)(\w+)>")


@dataclass(frozen=True, slots=True)
class Reach:
    """The ids of projects. None: all of them."""

    projects: frozenset[int] | None

    def rows(self, path: str = "project") -> Q:
        """Return the condition for rows of these projects; `path` leads from a row to its project."""
        return Q() if self.projects is None else Q(**{f"{path}__in": self.projects})

    def __contains__(self, project: int) -> bool:
        return self.projects is None or project in self.projects


EVERYWHERE = Reach(None)


def roles_in_projects(request: HttpRequest) -> Mapping[int, str]:
    """Return the user's role in each project of which they are a member. One query a request."""
    found: Mapping[int, str] | None = getattr(request, "_roles_in_projects", None)
    if found is None:
        found = roles_of(request.user.pk, now=timezone.now()) if request.user.pk else {}
        request._roles_in_projects = found  # type: ignore[attr-defined]
    return found


def held_everywhere(request: HttpRequest) -> frozenset[str]:
    """Return the permissions that the user has in the whole installation."""
    return frozenset(one for one in (VIEW, DECIDE, MANAGE) if request.user.has_perm(one))


def held_in(request: HttpRequest, project: int) -> frozenset[str]:
    """Return the permissions that the user has in the project by their membership alone."""
    return frozenset(_MEMBERS.get(roles_in_projects(request).get(project, ""), ()))


def held_somewhere(request: HttpRequest) -> frozenset[str]:
    """Return the permissions that the user has in some project by a membership."""
    return frozenset(one for role in roles_in_projects(request).values() for one in _MEMBERS[role])


def reach_of(request: HttpRequest, permission: str = VIEW) -> Reach:
    """Return the projects in which the user has the permission."""
    if request.user.has_perm(permission):
        return EVERYWHERE
    roles = roles_in_projects(request)
    return Reach(frozenset(pk for pk, role in roles.items() if permission in _MEMBERS[role]))


def is_advisor(request: HttpRequest) -> bool:
    """Return whether the user came by an advisor's link."""
    return Role.ADVISOR in roles_in_projects(request).values()


@cache
def first_id(route: str) -> tuple[str, str] | None:
    """Return the word before the first id of the route, and the id's name; None for a route without ids."""
    found = _FIRST_ID.search(route)
    return (found[1], found[2]) if found else None


def project_of(word: str, pk: int) -> int | None:
    """Return the project of the row that `word` and its id name in an address. One query, or none."""
    if word == "projects":
        return pk
    model, path = PROJECT_OF[word]
    found: int | None = model._default_manager.filter(pk=pk).values_list(path, flat=True).first()
    return found


def check_words(patterns: Iterable[URLPattern | URLResolver]) -> None:
    """Raise ImproperlyConfigured for an address about a row whose project nobody could find."""
    for route in _routes(patterns):
        named = first_id(route)
        if named is not None and named[0] not in PROJECT_OF:
            raise ImproperlyConfigured(
                f"{route}: say in console/common/reach.py of which project '{named[0]}' is"
            )


def _routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for one in patterns:
        here = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _routes(one.url_patterns, here)
        else:
            yield here
