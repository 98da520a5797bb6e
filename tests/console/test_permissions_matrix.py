"""Everybody gets at every address and action under /admin/ what tests/console/matrix.py says, and no more."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.http import HttpRequest
from django.template.backends.django import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from annotation.models import (
    Batch,
    Caption,
    Decision,
    ImageWork,
    Judgment,
    Project,
    Worker,
)
from console.common.access import ADVISOR_PAGES
from console.common.reach import first_id
from console.site import ConsoleSite
from tests.console.conftest import client_of, join_as
from tests.console.matrix import ACTIONS, KINDS, LEVELS, LISTS, PAGES, ROLES, Page
from tests.console.review.review_rows import make_flagged, make_question
from tests.factories import NOW, make_worker
from tests.judging_models import make_judge
from tests.suggesting_models import make_set
from workflows.crowd.models import Payment, Problem, Publication
from workflows.jobs.models import Job, Snapshot
from workflows.members.domain import Role
from workflows.members.links import make_link
from workflows.members.memberships import remove_member
from workflows.pipeline.models import WrittenCaption
from workflows.review.annotate import image_version
from workflows.review.caption_effects import marked_text, suggest
from workflows.review.captions import change_caption
from workflows.review.domain.captions import read_marked
from workflows.review.models import SpotCheck
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db

UNNAMED = "admin:"
"""The administration's short cuts to a row, and its page for unknown addresses: only redirects and 404s."""
ELSEWHERE = ("admin:app_list", "admin:autocomplete", "admin:view_on_site")
"""Addresses that refuse everybody whose request has no query."""
LEADING = ("admin:annotation_case_changelist", "admin:annotation_verificationquestion_changelist")
"""Lists that lead to pages which check who is asking."""


@dataclass(frozen=True, slots=True)
class Found:
    """An address of the resolver."""

    name: str
    route: str
    pattern: URLPattern

    @property
    def listed(self) -> tuple[str, str] | None:
        """For an address of the administration's lists, the model's label and what is done to its rows."""
        for label in KINDS:
            start = f"admin:{label.replace('.', '_')}_"
            if self.name.startswith(start):
                return label, self.name.removeprefix(start)
        return None

    @property
    def of_project(self) -> bool:
        """Whether the address is about a project, or a row of one, and not in the administration's lists."""
        return not self.name.startswith("admin:") and first_id(self.route) is not None

    @property
    def page(self) -> Page | None:
        """What the table says about the address."""
        if self.listed:
            label, what = self.listed
            return LISTS[KINDS[label]].get(what)
        return PAGES.get(self.name)


def _addresses(resolver: URLResolver, route: str = "", names: tuple[str, ...] = ()) -> Iterator[Found]:
    for one in resolver.url_patterns:
        here = route + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _addresses(one, here, (*names, *([one.namespace] if one.namespace else [])))
        elif here.startswith("admin/"):
            yield Found(":".join((*names, one.name or "")), here, one)


FOUND = [one for one in _addresses(get_resolver()) if one.name not in (UNNAMED, *ELSEWHERE)]


def test_the_table_names_every_address_and_nothing_else() -> None:
    missing = sorted(f"{one.name} ({one.route})" for one in FOUND if one.page is None)
    assert not missing, "say in tests/console/matrix.py who may see these"
    assert not set(PAGES) - {one.name for one in FOUND}
    assert set(KINDS) == {model._meta.label_lower for model in admin.site._registry}


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """Make rows for the addresses, by the word before their id, and a client for each role. Made once."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield _scene()
        transaction.set_rollback(True)


def _scene() -> dict[str, Any]:
    """Make the rows. Ids differ between tables as far as they can, so that no table is taken for another."""
    chain, case = make_flagged()
    batch, worker = chain.work.batch, Worker.objects.earliest("pk")
    question = make_question(chain)
    decision = Decision.objects.create(
        pk=7100,
        project=batch.project,
        kind="set-aside",
        by="ada",
        worker=worker,
        stage="link",
        created_at=NOW,
    )
    caption, edited = _edited(chain.work)
    written = WrittenCaption.objects.create(
        pk=7200, work=chain.work, judgment=Judgment.objects.earliest("pk"), state="flagged", text="A dog ."
    )
    job = Job.objects.create(
        pk=7300, project=batch.project, kind="export", state="done", by="ada", created_at=NOW, options={}
    )
    image = chain.work.image
    image.file = default_storage.save("p/matrix.jpg", ContentFile(b"JPEG"))
    image.save()
    snapshot = Snapshot.objects.create(
        pk=7400,
        project=batch.project,
        version=1,
        job=job,
        format="json",
        file=default_storage.save("snapshots/matrix.zip", ContentFile(b"PK")),
        size=2,
        sha256="0" * 64,
        manifest={},
        by="ada",
        created_at=NOW,
    )
    check = SpotCheck.objects.create(
        pk=7500,
        project=batch.project,
        seed=1,
        units=[["chain", chain.pk, chain.pk, image.pk]],
        totals={"mention": 2, "chain": 1, "box": 1, "image": 1},
        by="ada",
        created_at=NOW,
    )
    AccessAttempt.objects.create(username="eve", failures_since_start=1)
    make_set(batch.project)
    root = Client()
    root.force_login(User.objects.create_superuser("root"))
    staff = {role: client_of(role, role) for role in ("manager", "reviewer", "viewer")}
    return {
        "rows": {
            "projects": batch.project_id,
            "batches": batch.pk,
            "images": chain.work.image_id,
            "another": make_worker(batch.project).pk,
            "jobs": job.pk,
            "snapshots": snapshot.pk,
            "spot-check": check.pk,
            "case": case.pk,
            "chain": chain.pk,
            "image": chain.work_id,
            "worker": worker.pk,
            "questions": question.pk,
            "let-count": decision.pk,
            "captions": caption.pk,
            "written-captions": written.judgment_id,
            "decision": edited.pk,
            "models": make_judge(batch.project).pk,
            **_crowd(batch, worker),
        },
        "members": _members(batch.project),
        "clients": {"superuser": root, **staff, "outsider": client_of("outsider"), "nobody": Client()},
    }


def _members(project: Project) -> dict[str, Client]:
    """Return a client for each role in the project, and for people who have none."""
    other = Project.objects.create(name="elsewhere")
    roles = {role: (role, project) for role in ("viewer", "reviewer", "manager")}
    clients = {}
    for name, (role, where) in {**roles, "elsewhere": ("manager", other)}.items():
        clients[name] = client_of(f"member-{name}")
        join_as(f"member-{name}", where, role)
    clients["left"] = client_of("left")
    left = join_as("left", project, "manager")
    remove_member(project=project, member=left.pk, by="ada", now=NOW)
    made = make_link(project=project, role=Role.ADVISOR, label="Ada", days=1, by="ada", now=timezone.now())
    assert made.link.user is not None
    clients["advisor"] = Client()
    clients["advisor"].force_login(made.link.user)
    return clients


def _edited(work: ImageWork) -> tuple[Caption, Decision]:
    """Edit a caption outside of its phrases. Return its version in use, and the decision."""
    before = Caption.objects.filter(image=work.image_id).order_by("index")[0]
    wording = suggest(before, read_marked(f"soon {marked_text(before)}"), work)
    version = image_version(work.image_id)
    edited = change_caption(
        caption_id=before.pk, wording=wording, by="ada", note="", now=NOW, version=version
    )
    return Caption.objects.in_use().get(image=work.image_id, index=before.index), edited


def _crowd(batch: Batch, worker: Worker) -> dict[str, int]:
    """Make something of everything that a platform brings."""
    publication = Publication.objects.create(
        pk=7600,
        batch=batch, stage="link", provider="mturk", environment="sandbox", token="t", reward=1, fee=1,
        currency="USD", created_at=NOW, expires_at=NOW,
    )  # fmt: skip
    participation = Participation.objects.create(
        pk=7700, publication=publication, external_id="ASG", worker=worker, state="submitted", opened_at=NOW
    )
    payment = Payment.objects.create(
        pk=7800,
        participation=participation,
        kind="bonus",
        token="b",
        amount=1,
        currency="USD",
        created_at=NOW,
    )
    problem = Problem.objects.create(pk=7900, batch=batch, kind="other", key="k", detail="", created_at=NOW)
    return {
        "publications": publication.pk,
        "participations": participation.pk,
        "payments": payment.pk,
        "problems": problem.pk,
    }


def _urls(one: Found, rows: dict[str, int]) -> list[str]:
    """Return its addresses, with ids of existing rows."""
    page = one.page
    assert page is not None
    ids: dict[str, Any] = {}
    for word, name in re.findall(r"([\w-]+)/(?:<int:|\(\?P<)(\w+)>", one.route):
        if name not in page.words:
            ids[name] = rows[word]
    if (one.listed and "_id>" in one.route) or "<id>" in one.route:
        model = apps.get_model(one.listed[0]) if one.listed else User
        row = model._default_manager.order_by("pk").first()
        assert row is not None, model
        ids["id" if "<id>" in one.route else "object_id"] = row.pk
    query = page.query.format(**rows)
    choices = itertools.product(*page.words.values())
    return [
        reverse(one.name, kwargs={**ids, **dict(zip(page.words, chosen, strict=True))}) + query
        for chosen in choices
    ]


def _ask(client: Client, method: str, url: str) -> str:
    """Return what the request gets: login, 403, or another status. Its changes are rolled back."""
    session = client.cookies.get(settings.SESSION_COOKIE_NAME)
    with transaction.atomic():
        reply = client.generic(method, url, content_type="application/x-www-form-urlencoded")
        reply.getvalue()  # read a file to its end, where it is closed
        transaction.set_rollback(True)
    if session is not None:  # logging out would remove it
        client.cookies[settings.SESSION_COOKIE_NAME] = session.value
    to_login = reply.status_code == 302 and reply["Location"].startswith(reverse("admin:login") + "?")
    return "login" if to_login else str(reply.status_code)


def _expected(one: Found, method: str, role: str) -> set[str]:
    page = one.page
    assert page is not None
    may = LEVELS[page.level][method == "POST"]
    if role not in may:
        hidden = role == "outsider" and one.of_project
        return {"login" if role == "nobody" else "404" if hidden else "403"}
    if method == "GET":
        return {str(status) for status in page.get}
    return {"405"} if page.only_read else {"200", "302", "400", "409", "422"}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pages rendered without their looks, which are for other tests."""
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")
    monkeypatch.setattr(ConsoleSite, "each_context", lambda *_: {})


def _wrong(client: Client, rows: dict[str, int], expected: Callable[[Found, str], set[str]]) -> list[str]:
    """Return a line for each address and method that the client gets another status from than expected."""
    wrong = []
    for one in FOUND:
        if one.page is None:
            continue  # the test above fails for it
        for url, method in itertools.product(_urls(one, rows), ("GET", "POST")):
            allowed, got = expected(one, method), _ask(client, method, url)
            if got not in allowed:
                wrong.append(f"{method} {url} ({one.name}): {got}, not {' or '.join(sorted(allowed))}")
    return wrong


@pytest.mark.parametrize("role", ROLES)
def test_everybody_gets_what_the_table_says(scene: dict[str, Any], role: str, bare: None) -> None:
    client, rows = scene["clients"][role], scene["rows"]
    assert _wrong(client, rows, lambda one, method: _expected(one, method, role)) == []


@pytest.mark.parametrize("role", ["viewer", "reviewer", "manager"])
def test_members_get_in_their_project_what_the_table_says(
    scene: dict[str, Any], role: str, bare: None
) -> None:
    """A page of no project, such as the queue, opens for whoever is a member anywhere."""

    def expected(one: Found, method: str) -> set[str]:
        of_none = one.page is not None and one.page.level == "managing" and not one.of_project
        if of_none or one.listed:
            return {"403"} if one.name not in LEADING else {"302"}
        return _expected(one, method, role)

    assert _wrong(scene["members"][role], scene["rows"], expected) == []


def test_a_manager_elsewhere_finds_nothing(scene: dict[str, Any], bare: None) -> None:
    def expected(one: Found, method: str) -> set[str]:
        if one.of_project:
            return {"404"}
        if one.name == "workers:compare":
            return {"404"} if method == "GET" else {"405"}
        of_none = one.page is not None and one.page.level == "managing"
        if of_none or one.listed:
            return {"403"} if one.name not in LEADING else {"302"}
        return _expected(one, method, "manager")

    assert _wrong(scene["members"]["elsewhere"], scene["rows"], expected) == []


def test_who_has_left_finds_nothing(scene: dict[str, Any], bare: None) -> None:
    """Staff without a role get the same."""
    client, rows = scene["members"]["left"], scene["rows"]
    assert _wrong(client, rows, lambda one, method: _expected(one, method, "outsider")) == []


def test_an_advisor_gets_the_named_pages_to_look_at_and_no_other(scene: dict[str, Any], bare: None) -> None:
    def expected(one: Found, method: str) -> set[str]:
        if one.name in ADVISOR_PAGES:
            return _expected(one, method, "viewer")
        if one.name.startswith("admin:") or one.name == "members:join":
            return _expected(one, method, "outsider")
        return {"404"}

    assert _wrong(scene["members"]["advisor"], scene["rows"], expected) == []


def test_an_advisor_is_shown_only_links_that_open(scene: dict[str, Any]) -> None:
    opened = ADVISOR_PAGES | {"admin:logout", "admin:password_change"}
    pages = ADVISOR_PAGES - {"inspector:photograph", "inspector:rendition"}
    client, shut = scene["members"]["advisor"], []
    for url in [url for one in FOUND if one.name in pages for url in _urls(one, scene["rows"])]:
        addresses = re.findall(r'"(/admin/[^"?#]*)', client.get(url).content.decode())
        shut += [(url, to) for to in addresses if resolve(to).view_name not in opened]
    assert shut == []


def test_nothing_is_done_from_another_site(scene: dict[str, Any]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = scene["clients"]["superuser"].cookies
    urls = [url for one in FOUND if one.page for url in _urls(one, scene["rows"])]
    assert [url for url in urls if _ask(strict, "POST", url) != "403"] == []


@pytest.mark.parametrize("role", ROLES[:-1])
def test_everybody_is_offered_the_actions_that_the_table_says(scene: dict[str, Any], role: str) -> None:
    request = HttpRequest()
    request.user = User.objects.get(username="root" if role == "superuser" else role)
    for model, model_admin in admin.site._registry.items():
        label = model._meta.label_lower
        table = ACTIONS.get(label, {})
        offered = set(model_admin.get_actions(request))
        assert offered == {action for action, may in table.items() if role in may}, label
        for action in {action for action, may in table.items() if role not in may}:
            before = list(model._default_manager.order_by("pk").values())
            body = {"action": action, "_selected_action": [row["id"] for row in before]}
            with transaction.atomic():
                scene["clients"][role].post(reverse(f"admin:{label.replace('.', '_')}_changelist"), body)
                after = list(model._default_manager.order_by("pk").values())
                transaction.set_rollback(True)
            assert after == before, f"{role} could {action}"
