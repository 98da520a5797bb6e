from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from annotation import image_names
from annotation.models import Assignment, Caption, Image, Mention, Project
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.batches.lifecycle import move_batch
from workflows.pipeline.advance import advance_pending, open_queued

pytestmark = pytest.mark.django_db


def first_question(assignment: Assignment) -> dict[str, Any]:
    question: dict[str, Any] = shown_page(assignment, now=NOW)["items"][0]["question"]
    return question


def highlighted(question: dict[str, Any]) -> list[str]:
    return [
        part["text"] for caption in question["captions"] for part in caption["segments"] if part["mention"]
    ]


def test_a_link_shows_two_captions_with_one_mention_each() -> None:
    batch = make_running([["dog", "man"], ["man"]])
    Project.objects.filter(pk=batch.project_id).update(language="de")
    question = first_question(claim_page(make_worker(batch.project)))
    segments = [{"text": "a dog ", "mention": False}, {"text": "a man", "mention": True}]
    assert question["captions"] == [
        {"index": 0, "language": "de", "segments": segments},
        {"index": 1, "language": "de", "segments": [{"text": "a man", "mention": True}]},
    ]
    assert set(question) == {"image", "captions"}


def test_a_photograph_comes_with_its_renditions() -> None:
    batch = make_running([["dog"], ["dog"]])
    Image.objects.filter(project=batch.project).update(renditions=[640, 1280])
    image = first_question(claim_page(make_worker(batch.project)))["image"]
    assert image["renditions"] == [
        {"width": width, "url": f"{image['url']}/{width}"} for width in (640, 1280)
    ]


def test_verification_shows_every_mention_of_the_chain() -> None:
    batch = make_running([["man"], ["man"], ["woman"]])
    for _ in range(2):
        answer_page(make_worker(batch.project), stage="link")
        advance_pending(now=NOW)
    question = first_question(claim_page(make_worker(batch.project), stage="verification"))
    assert highlighted(question) == ["a man", "a man", "a woman"]
    assert [caption["index"] for caption in question["captions"]] == [0, 1, 2]


def test_other_stages_show_the_longest_mention_of_the_chain() -> None:
    batch = make_running([["man"], ["woman"]])
    for _ in range(2):
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    assert highlighted(first_question(claim_page(make_worker(batch.project), stage="drawing"))) == ["a woman"]


def test_a_caption_is_cut_in_pieces_that_spell_it_untouched() -> None:
    project = make_project()
    image = make_image(project, [], name="x.jpg")
    text = "A man's  \"dog\" \U0001f415 doesn't bark."
    tokens = "A man 's \" dog \" \U0001f415 does n't bark ."
    caption = Caption.objects.create(image=image, index=0, text=text, tokens=tokens)
    Mention.objects.create(
        image=image, caption=caption, start=0, end=3, text="A man 's", head="'s", types="people"
    )
    make_batch(project)
    segments = first_question(claim_page(make_worker(project)))["captions"][0]["segments"]
    assert "".join(part["text"] for part in segments) == text
    assert [part["text"] for part in segments if part["mention"]] == ["A man's"]


def test_the_image_comes_with_its_size_and_with_names_for_this_worker() -> None:
    batch = make_running([["man"]])
    Image.objects.update(file="p/1.jpg")
    worker = make_worker(batch.project)
    image = first_question(claim_page(worker))["image"]
    own = image_names.link_to("p/1.jpg", worker_id=worker.pk, now=NOW)
    assert (image["url"], image["width"], image["height"]) == (f"/media/{own}", 640, 480)
    assert image["id"] == image_names.alias_of(Image.objects.get().pk, worker_id=worker.pk)


def test_two_workers_see_nothing_that_is_the_same_of_an_image_but_what_it_shows() -> None:
    batch = make_running([["man"], ["man"]])
    pages = []
    for _ in range(2):
        pages.append(claim_page(make_worker(batch.project)))
        submit_page(pages[-1])
        advance_pending(now=NOW)
    one, other = map(first_question, pages)
    assert one["captions"] == other["captions"]
    assert not {one["image"]["id"], one["image"]["url"]} & {other["image"]["id"], other["image"]["url"]}


def test_a_worker_knows_an_image_again_on_a_later_page() -> None:
    batch = make_running([["man"], ["woman"]])
    worker, other = make_worker(batch.project), make_worker(batch.project)
    first = first_question(answered := claim_page(worker, stage="link"))["image"]
    submit_page(answered)
    advance_pending(now=NOW)
    answer_page(other)
    advance_pending(now=NOW)
    assert first_question(claim_page(worker, stage="drawing"))["image"] == first


def test_an_image_without_its_picture_has_no_address() -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]], picture=False)
    batch = make_batch(project, launch=False)
    move_batch(batch=batch, action="launch", without_pictures=True)
    open_queued(batch_id=batch.pk, now=NOW)
    image = first_question(claim_page(make_worker(project)))["image"]
    assert (image["url"], image["width"], image["height"]) == (None, 640, 480)


def test_boxes_are_shown_where_they_matter() -> None:
    """Drawing, quality and coverage show the accepted boxes. Quality also shows the new box."""
    batch = make_at_stage("quality")
    question = first_question(claim_page(make_worker(batch.project)))
    assert (question["boxes"], question["box"]) == ([], [10, 20, 110, 220])
    batch = make_at_stage("coverage")
    question = first_question(claim_page(make_worker(batch.project)))
    assert question["boxes"] == [[10, 20, 110, 220]] and "box" not in question


def test_a_rejected_box_is_not_shown() -> None:
    batch = make_at_stage("quality")
    answer_page(make_worker(batch.project), answering=lambda *_: {"good": False})
    advance_pending(now=NOW)
    assert first_question(claim_page(make_worker(batch.project)))["boxes"] == []


def test_an_old_page_does_not_tell_what_became_of_its_answers() -> None:
    """Otherwise verification questions, from which nothing follows, could be told from the items later."""
    batch = make_at_stage("drawing")
    pages = []
    answers: list[tuple[str, dict[str, Any]]] = [
        ("drawing", {"box": [10, 20, 110, 220]}),
        ("quality", {"good": True}),
        ("coverage", {"complete": False}),
        ("drawing", {"box": [40, 20, 110, 220]}),
        ("quality", {"good": True}),
        ("coverage", {"complete": True}),
        ("coverage", {"complete": True}),
    ]
    for stage, answer in answers:
        assignment = claim_page(make_worker(batch.project), stage=stage)
        pages.append((assignment, shown_page(assignment, now=NOW)))
        submit(
            worker_id=assignment.worker_id,
            assignment_id=assignment.pk,
            replies=[Reply(item=1, answer=answer)],
            now=NOW,
        )
        advance_pending(now=NOW)
    assert [shown["items"][0]["question"]["boxes"] for _, shown in pages] == [
        [],
        [],
        [[10, 20, 110, 220]],
        [[10, 20, 110, 220]],
        [[10, 20, 110, 220]],
        [[10, 20, 110, 220], [40, 20, 110, 220]],
        [[10, 20, 110, 220], [40, 20, 110, 220]],
    ]
    for assignment, shown in pages:
        assert shown_page(assignment, now=NOW)["items"] == shown["items"]


def test_a_page_says_what_it_pays_how_long_it_lasts_and_how_to_draw() -> None:
    batch = make_at_stage(
        "drawing", reward={"drawing": 30}, currency="EUR", drawing="extreme", minimum_side=8
    )
    assignment = claim_page(make_worker(batch.project))
    shown = shown_page(assignment, now=NOW + timedelta(seconds=100.5))
    assert (shown["state"], shown["expires_in"]) == ("live", 799.5)
    assert shown["reward"] == {"amount": 30, "currency": "EUR"}
    assert shown["drawing"] == {"method": "extreme", "minimum_side": 8}
    assert shown_page(assignment, now=NOW + timedelta(seconds=1000))["expires_in"] == -100


def test_a_page_without_pay_says_so() -> None:
    batch = make_running([["man"]], reward={"quality": 5})
    assert shown_page(claim_page(make_worker(batch.project)), now=NOW)["reward"] is None
