"""A researcher edits and withdraws captions in the browser, and is told first what that does."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Caption, Chain, Decision, Image, Mention
from tests.factories import NOW, answer_page, claim_maybe, make_image, make_project, make_running, make_worker
from workflows.core.models import AuditEntry
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


@pytest.fixture
def image(db: None) -> Image:
    """An image of a finished batch, with the chains “a man + a man” and “a dog”."""
    batch = make_running([["man", "dog"], ["man"]])
    while claim_maybe(worker := make_worker(batch.project)):
        answer_page(worker)
        advance_pending(now=NOW)
    return Image.objects.get()


def page_of(client: Client, image: Image) -> str:
    return told(client.get(reverse("inspector:image", args=[image.pk])))


def told(reply: Any) -> str:
    assert reply.status_code == 200
    return unescape(reply.content.decode())


def address(image: Image, name: str = "edit", index: int = 0) -> str:
    caption = Caption.objects.in_use().get(image=image, index=index)
    return reverse(f"captions:{name}", args=[caption.pk])


def fields(content: str) -> dict[str, list[str]]:
    """Return what a browser would send of the form with the caption's text."""
    form = content[content.index('name="text"') - 400 :]
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form):
        found.setdefault(name, []).append(value)
    for name, value in re.findall(r'<input type="checkbox" name="([^"]+)"(?: value="(\w+)")? checked', form):
        found.setdefault(name, []).append(value or "on")
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', form, re.DOTALL):
        found[name] = re.findall(r'value="([^"]*)" selected', options) or [""]
    return found


def acts() -> list[str]:
    return list(AuditEntry.objects.exclude(action="login").order_by("pk").values_list("action", flat=True))


def test_a_caption_is_edited_in_two_steps_and_the_change_undone(reviewer: Client, image: Image) -> None:
    assert "Edit<span" in page_of(reviewer, image)
    where = address(image)
    assert "[a man] [a dog]" in told(reviewer.get(where))
    content = told(reviewer.post(where, {"text": "[a young man] feeds [a dog]", "action": "look"}))
    assert "“a man” is no mention any more" in content
    assert "goes on with 1 of its 2 mentions and 1 new. It keeps its 1 box." in content
    assert Decision.objects.count() == 0, "nothing is done before it is told"
    sent = fields(content)
    joined = Chain.objects.get(first__text="a man")
    assert sent["place-0-3"] == [f"c{joined.pk}"]
    alone = told(reviewer.post(where, {**sent, "place-0-3": "", "action": "save"}))
    assert "it does something else" in alone and "Workers are asked about 1 new phrase." in alone
    assert Decision.objects.count() == 0, "what was not told is not done"
    reply = reviewer.post(where, {**sent, "note": "he is young", "action": "save"}, follow=True)
    content = told(reply)
    assert "The caption was changed." in content
    content = told(reviewer.get(reverse("review:history", args=[image.pk])))
    assert "Caption 1 was “a man a dog” and is “a young man feeds a dog”" in content
    assert "he is young" in content
    decision = Decision.objects.get()
    undo = reverse("review:undo", args=[decision.pk])
    assert undo in content
    content = told(reviewer.get(undo))
    assert "The caption says again what it said before." in content
    (shown,) = re.findall(r'name="told" value="(\w+)"', content)
    content = told(reviewer.post(undo, {"told": shown}, follow=True))
    assert "The decision was undone." in content
    assert Caption.objects.in_use().get(index=0).text == "a man a dog"
    assert acts() == ["caption.edit", "caption.undo"]


def test_a_caption_is_withdrawn_and_brought_back(reviewer: Client, image: Image) -> None:
    where = address(image, "withdraw", 1)
    content = told(reviewer.get(where))
    assert "goes on with 1 of its 2 mentions" in content
    assert 'Why it is withdrawn</label> <small class="must">required</small>' in content
    (version,) = re.findall(r'name="version" value="([^"]+)"', content)
    assert "Say why" in told(reviewer.post(where, {"version": version, "note": " "}))
    content = told(reviewer.post(where, {"version": version, "note": "about another image"}, follow=True))
    assert "The caption was withdrawn." in content
    assert "Withdrawn captions" in content
    assert Mention.objects.filter(superseded=False).count() == 2
    # Something else changed since, so bringing it back is an edit, with the phrases that it had.
    first = address(image)
    sent = fields(told(reviewer.post(first, {"text": "[a man] pets [a dog]", "action": "look"})))
    reviewer.post(first, {**sent, "action": "save"})
    gone = Caption.objects.get(image=image, index=1)
    back = reverse("captions:edit", args=[gone.pk])
    assert back in page_of(reviewer, image)
    assert "[a man]" in told(reviewer.get(back))
    sent = fields(told(reviewer.post(back, {"text": "[a man]", "action": "look"})))
    content = told(reviewer.post(back, {**sent, "action": "save"}, follow=True))
    assert "The caption was brought back." in content
    assert Mention.objects.filter(superseded=False).count() == 3
    assert acts() == ["caption.withdraw", "caption.edit", "caption.bring-back"]


def test_what_cannot_be_read_is_said_and_kept(reviewer: Client, image: Image) -> None:
    content = told(reviewer.post(address(image), {"text": "[a man", "action": "look"}))
    assert "The text has a bracket [ without its ]: close the phrase." in content
    assert "[a man" in content


def test_a_phrase_without_types_is_refused_and_nothing_is_lost(reviewer: Client, image: Image) -> None:
    where = address(image)
    sent = fields(told(reviewer.post(where, {"text": "[a boy] and [a dog]", "action": "look"})))
    del sent["types-0-2"]
    content = told(reviewer.post(where, {**sent, "note": "why", "action": "save"}))
    assert "“a boy” are missing: choose at least one" in content
    assert 'value="why"' in content
    assert Decision.objects.count() == 0


def test_somebody_elses_change_is_shown_before_it_is_overwritten(reviewer: Client, image: Image) -> None:
    where = address(image)
    text = {"text": "[a boy] and [a dog]", "action": "look"}
    sent = fields(told(reviewer.post(where, text)))
    other = address(image, index=1)
    theirs = fields(told(reviewer.post(other, {"text": "[a girl]", "action": "look"})))
    reviewer.post(other, {**theirs, "action": "save"})
    content = told(reviewer.post(where, {**sent, "action": "save"}))
    assert "should join is gone: somebody changed the image meanwhile. Choose again." in content
    assert Decision.objects.count() == 1


def test_types_are_changed_without_the_words(reviewer: Client) -> None:
    image = make_image(make_project(), [["man"]])
    where = address(image)
    content = told(reviewer.post(where, {"text": "[a man]", "action": "look"}))
    sent = fields(content)
    sent["types-0-2"] = ["other", "people"]
    assert "1 phrase stays." in content
    content = told(reviewer.post(where, {**sent, "action": "save"}))
    assert "“a man” is no mention any more." in content
    reviewer.post(where, {**fields(content), "action": "save"})
    assert [row.types for row in Mention.objects.filter(superseded=False)] == ["people/other"]
    assert Caption.objects.count() == 1


@pytest.mark.parametrize("name", ["edit", "withdraw"])
def test_the_pages_take_few_queries(reviewer: Client, image: Image, name: str) -> None:
    where = address(image, name)
    with CaptureQueriesContext(connection) as counted:
        reviewer.post(where, {"text": "[a young man] feeds [a dog]", "action": "look"})
    assert len(counted) <= 30


def test_a_viewer_has_no_buttons(viewer: Client, image: Image) -> None:
    assert "captions:" not in page_of(viewer, image)
    assert address(image) not in page_of(viewer, image)
