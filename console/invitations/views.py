"""Invitations of a project. Links are shown once: afterwards nobody can tell what they were."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project, Worker
from console.common.access import managing
from console.common.keyset import keyset_page
from console.common.pages import page, read_number, user_name
from console.common.work_order import work_order
from console.invitations.form import InvitationForm
from workflows.api.work_links import join_link, site_of
from workflows.core.client_addresses import client_address
from workflows.core.spreadsheet_cells import safe_cell
from workflows.crowd.invitations.domain import Over, over
from workflows.crowd.invitations.invite import MAX_AT_ONCE, InvitationError, Made, invite, revoke
from workflows.crowd.invitations.models import Invitation, Joining

ROWS = 50
NAMED = 3
_DIGITS = 15
"""Of the workers who came by one, so many are named."""

STATES: Mapping[Over | None, tuple[str, str]] = {
    None: ("open", "good"),
    Over.USED: ("used up", ""),
    Over.EXPIRED: ("expired", "warn"),
    Over.REVOKED: ("revoked", "bad"),
}
"""The words, and the pill's colour."""


@dataclass(frozen=True, slots=True)
class Row:
    """An invitation; `workers` are the first who came by it."""

    invitation: Invitation
    state: tuple[str, str]
    workers: list[Worker]

    @property
    def more(self) -> int:
        """Workers who are not named."""
        return self.invitation.used - len(self.workers)


def invitations_of(project: Project, *, before: int | None, now: datetime) -> tuple[list[Row], int]:
    """Return a page of them, the newest first, and where the next page begins (0: nowhere). Two queries."""
    found = keyset_page(Invitation.objects.filter(project=project), ROWS, before=before)
    workers: dict[int, list[Worker]] = {one.pk: [] for one in found.rows}
    first = Joining.objects.filter(invitation__in=list(workers), number__lte=NAMED)
    for joining in first.select_related("worker").order_by("invitation", "number"):
        workers[joining.invitation_id].append(joining.worker)
    made = [Row(one, STATES[_over(one, now)], workers[one.pk]) for one in found.rows]
    return made, found.next


def _over(one: Invitation, now: datetime) -> Over | None:
    return over(uses=one.uses, used=one.used, expires_at=one.expires_at, revoked_at=one.revoked_at, now=now)


@managing
def invitations(request: HttpRequest, pk: int) -> HttpResponse:
    """What there is, who came by it, and which to revoke."""
    project = get_object_or_404(Project, pk=pk)
    before = read_number(request.GET, "before")
    rows, more = invitations_of(project, before=before, now=timezone.now())
    context = {
        "project": project,
        "place": "workers",
        "rows": rows,
        "more": more,
        "order": work_order(project),
        "crumb": "Invitations",
    }
    return page(request, "invitations/list.html", context, title=f"Invitations to {project.name}")


@managing
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """The form; a POST makes invitations, and shows their links once or gives them as a table."""
    project = get_object_or_404(Project, pk=pk)
    form = InvitationForm(request.POST if request.method == "POST" else None)
    links: list[tuple[str, str]] = []
    if form.is_bound and form.is_valid():
        now = timezone.now()
        try:
            made = invite(
                project=project,
                by=user_name(request),
                now=now,
                address=client_address(request),
                **form.asked(now),
            )
            links = _links(request, made)
        except InvitationError as error:
            form.blame(error)
    if links and request.POST.get("as") == "csv":
        return _table(project, links)
    context = {
        "project": project,
        "place": "workers",
        "crumbs": [("Invitations", reverse("invitations:list", args=[project.pk]))],
        "crumb": "New",
        "form": form,
        "order": work_order(project),
        "links": links,
        "text": "\n".join(f"{safe_cell(label)}\t{link}" for label, link in links),
        "lines": min(len(links) + 1, 12),
    }
    status = 422 if form.is_bound and form.errors else 200
    return page(
        request, "invitations/new.html", context, title=f"New invitations to {project.name}", status=status
    )


@managing
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke those that were ticked."""
    project = get_object_or_404(Project, pk=pk)
    if request.method == "POST":
        ticked = [int(one) for one in request.POST.getlist("invitation") if _is_id(one)]
        ended = revoke(
            project=project,
            invitations=ticked[:MAX_AT_ONCE],
            by=user_name(request),
            now=timezone.now(),
            address=client_address(request),
        )
        if len(ended) == 1:
            messages.success(request, f"The invitation {ended[0]} is revoked.")
        elif ended:
            messages.success(request, f"{len(ended)} invitations are revoked.")
        else:
            messages.info(request, "Nothing was revoked: tick invitations that are open.")
    return redirect("invitations:list", project.pk)


def _is_id(said: str) -> bool:
    return said.isascii() and said.isdigit() and len(said) <= _DIGITS


def _links(request: HttpRequest, made: Sequence[Made]) -> list[tuple[str, str]]:
    return [(one.invitation.label, join_link(site_of(request), one.code)) for one in made]


def _table(project: Project, links: Sequence[tuple[str, str]]) -> HttpResponse:
    """For a spreadsheet, or a program that sends mail."""
    written = StringIO()
    rows = csv.writer(written)
    rows.writerow(["label", "link"])
    rows.writerows([safe_cell(label), link] for label, link in links)
    reply = HttpResponse(written.getvalue(), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="invitations-{project.name}.csv"'
    return reply
