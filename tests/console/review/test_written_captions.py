"""Captions that the rules flag: a researcher accepts, edits or refuses them on the page of the image."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Case, Decision, Item
from tests.campaigns import WRITING, make_captions
from tests.console.conftest import client_of, join_as
from tests.factories import NOW, answer_page, make_project, make_worker
from workflows.core.models import AuditEntry
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import WrittenCaption

State = WrittenCaption.State


def write(batch: Batch, *texts: str) -> None:
    for text in texts:
        worker = make_worker(batch.project)
        answer_page(worker, stage=WRITING, answering=lambda *_, text=text: {"caption": text})
        advance_pending(now=NOW)


def flagged() -> WrittenCaption:
    return WrittenCaption.objects.filter(state=State.FLAGGED).earliest("judgment_id")


def test_the_queue_says_why_a_caption_waits_and_leads_to_it(reviewer: Client) -> None:
    write(make_captions(captions={"wanted": 2}), "A man called Peter rides a hores .")
    queue = reviewer.get(reverse("review:queue")).content.decode()
    assert "“A man called Peter rides a hores .” has a misspelt word, and has a name" in queue
    case = Case.objects.get()
    link = f"{reverse('review:work', args=[case.work_id])}?case={case.pk}"
    assert f'href="{link}"' in queue
    text = " ".join(reviewer.get(link).content.decode().split())
    assert "Captions of workers" in text and "waits for you" in text
    assert "it has a misspelt word, and has a name" in text
    assert "Phrases and chains" not in text, "there are none in this batch"
    assert text.count("button main") == 1
    assert "Close without a change" not in text, "the caption would wait for ever"


def test_an_edited_caption_is_accepted_and_its_case_ends(reviewer: Client) -> None:
    write(make_captions(captions={"wanted": 2}), "A man rides a hores .", "A woman wlaks a dog .")
    first, second = Case.objects.order_by("pk")
    row = flagged()
    url = f"{reverse('review:written', args=[row.judgment_id])}?case={first.pk}"
    reply = reviewer.post(url, {"text": "A man rides a horse .", "accept": "yes"}, follow=True)
    assert "The caption is accepted." in reply.content.decode()
    row.refresh_from_db()
    assert (row.state, row.text) == (State.ACCEPTED, "A man rides a horse .")
    first.refresh_from_db()
    assert first.closed_at is not None
    assert Decision.objects.get().content["text"] == "A man rides a horse ."
    entry = AuditEntry.objects.get(action="caption.rule")
    assert entry.detail["text"] == "A man rides a horse ."
    reviewer.post(
        f"{reverse('review:written', args=[flagged().judgment_id])}?case={second.pk}",
        {"text": "A woman wlaks a dog .", "accept": "yes"},
    )
    assert "text" not in Decision.objects.latest("pk").content, "it was accepted as it is"
    assert not Case.objects.filter(closed_at=None).exists()


def test_after_the_last_caption_of_an_image_comes_the_next_case(reviewer: Client) -> None:
    batch = make_captions(images=2, captions={"wanted": 1})
    write(batch, "A man rides a hores .")
    first, second = Case.objects.order_by("pk")
    url = f"{reverse('review:written', args=[first.judgment_id])}?case={first.pk}"
    reply = reviewer.post(url, {"text": "x", "accept": "no"})
    assert reply["Location"] == f"{reverse('review:work', args=[second.work_id])}?case={second.pk}"


def test_for_a_refused_caption_somebody_else_is_asked(reviewer: Client) -> None:
    write(make_captions(captions={"wanted": 1}), "A man rides a hores .")
    row = flagged()
    reply = reviewer.post(
        reverse("review:written", args=[row.judgment_id]), {"text": row.text, "accept": "no"}, follow=True
    )
    assert "The caption is refused: another worker is asked for one." in reply.content.decode()
    assert Item.objects.get(stage=WRITING).needed == 2
    assert re.search(r"<summary>Change this</summary>", reply.content.decode())


def test_a_text_that_is_no_caption_is_refused_and_nothing_changes(reviewer: Client) -> None:
    write(make_captions(captions={"wanted": 1}), "A man rides a hores .")
    row = flagged()
    for text in ("", "...", "x" * 501):
        reply = reviewer.post(
            reverse("review:written", args=[row.judgment_id]), {"text": text, "accept": "yes"}, follow=True
        )
        row.refresh_from_db()
        page = reply.content.decode()
        assert row.state == State.FLAGGED and ("Nothing was changed" in page or "has no letter" in page), text
    assert not Decision.objects.exists()


def test_who_may_only_look_sees_no_buttons(viewer: Client) -> None:
    write(make_captions(captions={"wanted": 1}), "A man rides a hores .")
    text = viewer.get(reverse("review:work", args=[Case.objects.get().work_id])).content.decode()
    assert "it has a misspelt word" in text and 'name="accept"' not in text


@pytest.mark.django_db
def test_a_member_decides_about_captions_of_their_project_alone() -> None:
    """The address has the id of the judgment. Here the other written caption has the same id."""
    mine, theirs = make_project("mine"), make_project("theirs")
    for project in (mine, theirs):
        write(make_captions(captions={"wanted": 1}, project=project), "A man rides a hores .")
    own, other = WrittenCaption.objects.order_by("judgment_id")
    for judgment, pk in ((own, 10**6), (other, own.judgment_id), (own, other.judgment_id)):
        WrittenCaption.objects.filter(judgment=judgment.judgment_id).update(id=pk)
    rita = client_of("rita")
    join_as("rita", mine, "reviewer")
    body = {"text": "A man rides a horse .", "accept": "yes"}
    assert rita.post(reverse("review:written", args=[other.judgment_id]), body).status_code == 404
    assert rita.post(reverse("review:written", args=[own.judgment_id]), body).status_code == 302
    states = WrittenCaption.objects.order_by("judgment_id").values_list("state", flat=True)
    assert list(states) == [State.ACCEPTED, State.FLAGGED]
