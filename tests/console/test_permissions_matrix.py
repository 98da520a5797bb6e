"""Everybody gets at every address and action under /admin/ what tests/console/matrix.py says, and no more."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
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
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.models import (
    Batch,
    Caption,
    Decision,
    ImageWork,
    Judgment,
    Worker,
)
from console.site import ConsoleSite
from tests.console.conftest import client_of
from tests.console.matrix import ACTIONS, KINDS, LEVELS, LISTS, PAGES, ROLES, Page
from tests.console.review.review_rows import make_flagged, make_question
from tests.factories import NOW, make_worker
from tests.judging_models import make_judge
from tests.suggesting_models import make_set
from workflows.crowd.models import Payment, Problem, Publication
from workflows.jobs.models import Job, Snapshot
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
    chain, case = make_flagged()
    batch, worker = chain.work.batch, Worker.objects.earliest("pk")
    question = make_question(chain)
    decision = Decision.objects.create(
        project=batch.project, kind="set-aside", by="ada", worker=worker, stage="link", created_at=NOW
    )
    caption, edited = _edited(chain.work)
    written = WrittenCaption.objects.create(
        work=chain.work, judgment=Judgment.objects.earliest("pk"), state="flagged", text="A dog ."
    )
    job = Job.objects.create(
        project=batch.project, kind="export", state="done", by="ada", created_at=NOW, options={}
    )
    image = chain.work.image
    image.file = default_storage.save("p/matrix.jpg", ContentFile(b"JPEG"))
    image.save()
    snapshot = Snapshot.objects.create(
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
        "clients": {"superuser": root, **staff, "outsider": client_of("outsider"), "nobody": Client()},
    }


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
        batch=batch, stage="link", provider="mturk", environment="sandbox", token="t", reward=1, fee=1,
        currency="USD", created_at=NOW, expires_at=NOW,
    )  # fmt: skip
    participation = Participation.objects.create(
        publication=publication, external_id="ASG", worker=worker, state="submitted", opened_at=NOW
    )
    payment = Payment.objects.create(
        participation=participation, kind="bonus", token="b", amount=1, currency="USD", created_at=NOW
    )
    problem = Problem.objects.create(batch=batch, kind="other", key="k", detail="", created_at=NOW)
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


def _expected(page: Page, method: str, role: str) -> set[str]:
    may = LEVELS[page.level][method == "POST"]
    if role not in may:
        return {"login" if role == "nobody" else "403"}
    if method == "GET":
        return {str(status) for status in page.get}
    return {"405"} if page.only_read else {"200", "302", "400", "409", "422"}


@pytest.mark.parametrize("role", ROLES)
def test_everybody_gets_what_the_table_says(
    scene: dict[str, Any], role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Template, "render", lambda *_, **__: "")  # how pages look is for other tests
    monkeypatch.setattr(ConsoleSite, "each_context", lambda *_: {})
    client, wrong = scene["clients"][role], []
    for one in FOUND:
        if one.page is None:
            continue  # the test above fails for it
        for url, method in itertools.product(_urls(one, scene["rows"]), ("GET", "POST")):
            expected, got = _expected(one.page, method, role), _ask(client, method, url)
            if got not in expected:
                wrong.append(f"{method} {url} ({one.name}): {got}, not {' or '.join(sorted(expected))}")
    assert not wrong, "\n".join(wrong)


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
