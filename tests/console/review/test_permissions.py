"""Who sees the researchers' pages, and who may decide."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Case, Chain, Decision, Worker
from tests.console.review.review_rows import make_finished, make_flagged, make_question

pytestmark = pytest.mark.django_db


def _pages() -> list[str]:
    """Return every page that only shows something."""
    chain, _ = make_flagged()
    worker = Worker.objects.order_by("pk")[0]
    return [
        reverse("review:queue"),
        f"{reverse('review:queue')}?batch={chain.work.batch_id}",  # offers a sample of this batch
        reverse("review:chain", args=[chain.pk]),
        reverse("review:work", args=[chain.work_id]),
        reverse("workers:list"),
        reverse("workers:worker", args=[worker.pk]),
        reverse("questions:list"),
        reverse("questions:question", args=[make_question(chain).pk]),
    ]


def _asking() -> list[str]:
    """Return every page that asks before something is done."""
    worker = Worker.objects.order_by("pk")[0]
    return [
        reverse("workers:set-aside", args=[worker.pk]) + "?stage=link",
        reverse("questions:write"),
    ]


def test_who_may_look_sees_every_page_and_no_form_that_decides(viewer: Client) -> None:
    for url in _pages():
        reply = viewer.get(url)
        assert reply.status_code == 200, url
        content = reply.content.decode().split('id="content"')[1]
        assert 'method="post"' not in content, url
    for url in _asking():
        assert viewer.get(url).status_code == 403, url


def test_who_may_decide_sees_every_page(reviewer: Client) -> None:
    for url in (*_pages(), *_asking()):
        assert reviewer.get(url).status_code == 200, url


def test_staff_with_other_rights_sees_nothing(outsider: Client) -> None:
    for url in (*_pages(), *_asking()):
        assert outsider.get(url).status_code in (403, 404), url


def test_strangers_are_sent_to_log_in(client: Client) -> None:
    for url in (*_pages(), *_asking()):
        reply = client.get(url)
        assert reply.status_code == 302, url
        assert "/admin/login/" in reply["Location"], url


def test_who_may_only_look_changes_nothing(viewer: Client) -> None:
    pages = _pages()
    chain, case = Chain.objects.get(), Case.objects.get()
    worker = Worker.objects.order_by("pk")[0]
    actions = [
        *pages,
        reverse("review:close", args=[case.pk]),
        reverse("review:flag", args=[chain.pk]),
        reverse("questions:make", args=[chain.pk]),
        reverse("workers:set-aside", args=[worker.pk]) + "?stage=link",
        reverse("workers:let-count", args=[worker.pk, 1]),
    ]
    for url in actions:
        assert viewer.post(url, {"action": "block", "note": "x"}).status_code == 403, url
    assert not Decision.objects.exists()
    assert Case.objects.filter(closed_at=None).count() == 1


def test_nothing_is_decided_from_another_site(reviewer: Client) -> None:
    chain = make_finished()
    checked = Client(enforce_csrf_checks=True)
    checked.cookies = reviewer.cookies
    assert checked.post(reverse("review:flag", args=[chain.pk]), {"note": "x"}).status_code == 403
    assert not Case.objects.exists()
