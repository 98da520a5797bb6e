"""The members of a project, and the page by which people join."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from annotation.models import Project
from console.common.access import managing
from console.common.forms import add_error
from console.common.pages import page, read_number, user_name
from console.common.reach import ROLES, roles_in_projects
from console.members.forms import AccountForm, LinkForm
from workflows.api.work_links import site_of
from workflows.core.client_addresses import client_address
from workflows.members.domain import JOINED, Ended, Role
from workflows.members.links import (
    MadeLink,
    MemberError,
    find_link,
    join,
    make_link,
    open_as_advisor,
    withdraw_link,
)
from workflows.members.memberships import change_role, remove_member
from workflows.members.models import MemberLink
from workflows.members.selectors import links_of, members_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
"""Sessions that a link begins are checked by it."""
MAX_CODE = 64
STATES = {
    None: ("open", "good"),
    Ended.USED: ("used", ""),
    Ended.EXPIRED: ("expired", "warn"),
    Ended.WITHDRAWN: ("withdrawn", "bad"),
}
"""The words of a link's state, and the pill's colour."""
SAYS_ENDED = "This link has ended. Ask for another one."


@managing
def members(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the members and links. A POST makes or withdraws a link, changes a role, or ends one."""
    project = get_object_or_404(Project, pk=pk)
    action = request.POST.get("action", "")
    form = LinkForm(request.POST if action == "invite" else None)
    made = _invite(request, project, form) if action == "invite" else None
    if request.method == "POST" and action != "invite":
        _change(request, project, action)
        return redirect("members:list", project.pk)
    now = timezone.now()
    context = {
        "project": project,
        "place": "settings",
        "members": members_of(project),
        "links": [(one, STATES[one.ended(now)]) for one in links_of(project)],
        "everywhere": _everywhere(),
        "roles": JOINED,
        "crumbs": [("Settings", reverse("projects:settings", args=[project.pk]))],
        "crumb": "Members",
        "form": LinkForm() if made else form,
        "made": made,
        "address": f"{site_of(request)}{reverse('members:join')}#{made.code}" if made else "",
    }
    status = 422 if form.is_bound and form.errors else 200
    return page(request, "members/members.html", context, title=f"Members of {project.name}", status=status)


def _invite(request: HttpRequest, project: Project, form: LinkForm) -> MadeLink | None:
    if not form.is_valid():
        return None
    try:
        return make_link(project=project, **form.cleaned_data, **_by(request))
    except MemberError as error:
        add_error(form, error.field, error.message)
        return None


def _change(request: HttpRequest, project: Project, action: str) -> None:
    """Withdraw a link, or change or end a role."""
    number, by = read_number(request.POST, "id") or 0, _by(request)
    if action == "withdraw":
        link = withdraw_link(project=project, link=number, **by)
        said = f"The link for {link.label} is withdrawn." if link else ""
    elif action == "remove":
        member = remove_member(project=project, member=number, **by)
        said = (
            f"{member.user} is no member any more. Photographs that are open in their browser stay there "
            "until they leave the page."
            if member
            else ""
        )
    elif action == "role" and (role := request.POST.get("role", "")) in JOINED:
        changed = change_role(project=project, member=number, role=Role(role), **by)
        said = f"{changed.user} is a {changed.role} now." if changed else ""
    else:
        messages.error(request, "There is no such action.")
        return
    if said:
        messages.success(request, said)
    else:
        messages.info(request, "Nothing to do: it was already so.")


def _by(request: HttpRequest) -> dict[str, Any]:
    return {"by": user_name(request), "now": timezone.now(), "address": client_address(request)}


def _everywhere() -> list[User]:
    """Return the accounts that reach every project."""
    users = User.objects.filter(is_active=True, is_staff=True)
    return list(
        users.filter(Q(is_superuser=True) | Q(groups__name__in=ROLES)).distinct().order_by("username")[:100]
    )


@never_cache
@csp_update(settings.CONSOLE_POLICY)
def join_project(request: HttpRequest) -> HttpResponse:
    """Open a link to a project. Its code is in the fragment, which no server logs; a script posts it.

    With the code, the page says what the link opens. Then people make an account, join with the one that
    they are logged in with, or look as an advisor.
    """
    code = request.POST.get("code", "")[:MAX_CODE]
    if not code:
        return _page(request, {"wait": True})
    link, known = find_link(code), _known(request)
    if link is None or link.ended(timezone.now()) is not None:
        if link is not None and known is not None and link.project_id in roles_in_projects(request):
            return redirect("dashboards:project", link.project_id)
        return _page(request, {"error": SAYS_ENDED}, status=404)
    if link.role == Role.ADVISOR:
        return _look(request, code, link, known)
    begun = "join" in request.POST
    form = AccountForm(request.POST if begun and known is None else None)
    error, status = "", 200
    if begun and (known is not None or form.is_valid()):
        try:
            user = known or form.save(commit=False)
            join(code=code, user=user, now=timezone.now(), address=client_address(request))
        except MemberError as refused:
            error, status = refused.message, 409
        except IntegrityError:  # another one took the name meanwhile
            form.add_error("username", "A user with that name exists already. Choose another name.")
        else:
            if known is None:
                login(request, user, backend=BACKEND)
            messages.success(request, f"You are a {link.role} of {link.project.name} now.")
            return redirect("dashboards:project", link.project_id)
    if form.errors:
        status = 422
    context = {"code": code, "link": link, "form": form, "known": known, "error": error}
    return _page(request, context, status=status)


def _known(request: HttpRequest) -> User | None:
    """Return the account of the person. An advisor's, also of a link that has ended, is nobody's.

    It has no password.
    """
    user = request.user
    return user if isinstance(user, User) and user.has_usable_password() else None


def _look(request: HttpRequest, code: str, link: MemberLink, known: User | None) -> HttpResponse:
    """Begin an advisor's session by a press, so that whatever only fetches addresses begins none."""
    if "look" in request.POST:
        try:
            user = open_as_advisor(code=code, now=timezone.now(), address=client_address(request))
        except MemberError as refused:
            return _page(request, {"error": refused.message}, status=404)
        login(request, user, backend=BACKEND)
        return redirect("dashboards:project", link.project_id)
    return _page(request, {"code": code, "link": link, "advisor_link": True, "known": known})


def _page(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    context = {"is_nav_sidebar_enabled": False, "here": request.path, **context}
    return page(request, "members/join.html", context, title="Join a project", status=status)
