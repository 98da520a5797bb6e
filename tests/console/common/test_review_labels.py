"""What the console tells people: whole sentences, exact names, and no text that changes its direction."""

from __future__ import annotations

import logging

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Image
from console.common.labels import say_error, say_move
from tests.console.expert.sending import send
from tests.console.review.review_rows import make_finished, remark
from tests.factories import NOW, make_worker
from tests.workflows.review.annotating import drawn
from workflows.cases.review_queue import open_remarks

TURNED = "fine \u202ereversed"
QUEUE = "/admin/review/"


@pytest.mark.parametrize(
    ("field", "message", "words"),
    [
        ("boxes[2]", "is smaller than 5 pixels a side", "Box 3 is smaller than 5 pixels a side."),
        ("boxes", "has the same box twice", "The list of boxes has the same box twice."),
        ("boxes", "are missing", "The boxes are missing."),
        ("reason", "must say why", "The reason must say why."),
        ("chain", "is withdrawn", "The chain is withdrawn."),
        ("chains[0].mentions", "a chain has one mention", "A chain has one mention."),
        ("", "is wrong", "The input is wrong."),
    ],
)
def test_what_is_refused_is_a_sentence(field: str, message: str, words: str) -> None:
    assert say_error(field, message) == words


@pytest.mark.parametrize(
    ("rule", "target", "words"),
    [
        ("withdrawn", "withdrawn", "withdrawn, because what it came from no longer counts"),
        ("batch-resumed", "running", "the batch resumed, because it has work again"),
        (
            "replayed",
            "boxing",
            "recomputed from the judgments and decisions that count now → chains in progress",
        ),
    ],
)
def test_the_log_is_in_plain_words(rule: str, target: str, words: str) -> None:
    assert say_move(rule, target) == words


@pytest.mark.django_db
def test_a_comment_that_turns_its_text_turns_nothing_else(reviewer: Client) -> None:
    chain = make_finished()
    open_remarks(judgments=[remark(chain, TURNED)], project_id=chain.work.batch.project_id, now=NOW)
    for url in (QUEUE, reverse("review:chain", args=[chain.pk])):
        text = reviewer.get(url).content.decode()
        assert text.count("\u202e") == text.count(f"<bdi>{TURNED}</bdi>") > 0, url


@pytest.mark.django_db
def test_a_worker_with_a_name_that_turns_its_text_turns_nothing_else(reviewer: Client) -> None:
    worker = make_worker(make_finished().work.batch.project, TURNED)
    text = reviewer.get(reverse("workers:worker", args=[worker.pk])).content.decode().split('id="content"')[1]
    assert f"<h1><bdi>{TURNED}</bdi></h1>" in text


@pytest.mark.django_db
def test_a_message_keeps_a_name_as_it_is(reviewer: Client) -> None:
    image = make_finished().work.image
    Image.objects.update(name="z-field.jpg")
    reply = send(reviewer, image, drawn(image))
    assert '<bdi>z-field.jpg is saved. <a href="' in reviewer.get(reply.json()["next"]).content.decode()


@pytest.mark.django_db
def test_whoever_may_not_is_told_so_without_a_traceback(
    outsider: Client, viewer: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        for client, url in ((outsider, QUEUE), (viewer, reverse("questions:write"))):
            reply = client.get(url)
            assert reply.status_code == 403
            assert "Your account is not allowed to do this" in reply.content.decode()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.django_db
def test_a_sample_without_a_batch_in_the_address_says_what_is_wrong(reviewer: Client) -> None:
    batch = make_finished().work.batch_id
    text = reviewer.post(QUEUE, {"batch": batch, "number": "0"}).content.decode()
    assert "greater than or equal to 1" in text
