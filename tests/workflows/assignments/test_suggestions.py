"""Workers see a model's boxes while a chain has none, and their answers say which of them they took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Batch, Box, Image, ImageWork, Item, Judgment
from tests.entities_fast import ONE, THREE, TWO, drawn, make_fast, said
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_controlled,
    make_worker,
    submit_page,
)
from tests.suggesting_models import (
    SUGGESTED,
    has_suggestions,
    make_drawing,
    make_set,
    make_suggesting,
    pin,
)
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import SubmissionError, submit
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import differences

pytestmark = pytest.mark.django_db

FROM_FIRST = {"box": ONE, "suggestion": 0}
"""The first of SUGGESTED, as it is."""


def shown_to(batch: Batch, stage: str | None = None) -> tuple[Assignment, list[Any]]:
    """Return a page, and the suggestions of each of its items; "none" if there is no such field."""
    page = claim_page(make_worker(batch.project), stage=stage)
    items = shown_page(page, now=NOW)["items"]
    return page, [one["question"].get("suggestions", "none") for one in items]


def put(page: Assignment, *, shown: bool, **answer: Any) -> Judgment:
    """Answer a page as a client that showed its suggestions, or could not. Return its last judgment."""
    replies = [
        Reply(item=place + 1, answer=answer, suggestions_shown=shown)
        for place in range(len(page.items) + len(page.checks))
    ]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies, now=NOW)
    return Judgment.objects.filter(assignment=page).latest("pk")


def give(page: Assignment, *boxes: Mapping[str, Any]) -> Judgment:
    """Answer a page with these boxes, and return its last judgment."""
    submit_page(page, answering=lambda *_: {"boxes": [dict(box) for box in boxes]})
    return Judgment.objects.filter(assignment=page).latest("pk")


def check(batch: Batch, given: Mapping[str, Any]) -> None:
    """Let new workers say this of the new boxes until it is settled."""
    while Item.objects.filter(batch=batch, state="open", stage="check").exists():
        answer_page(make_worker(batch.project), stage="check", answering=lambda *_: dict(given))
        advance_pending(now=NOW)


def test_a_page_shows_the_boxes_for_the_mention_that_it_shows() -> None:
    batch = make_suggesting(
        [["man"], ["man"]], boxes=lambda mention: [[mention.pk, 0, mention.pk + 9, 9, 0.5]]
    )
    answer_page(make_worker(batch.project), stage="link")
    advance_pending(now=NOW)
    chain = Item.objects.get(stage="boxes").chain
    assert chain is not None and len(chain.members) == 2
    pk = chain.representative_id
    assert shown_to(batch)[1] == [[[pk, 0, pk + 9, 9, 0.5]]]


def test_a_page_without_suggestions_is_answered_without_them() -> None:
    """They may be off for its worker, or it may be a second page of an entrance: no box there is a copy."""
    page, _ = shown_to(make_suggesting())
    Assignment.objects.filter(pk=page.pk).update(unaided=True)
    page.refresh_from_db()
    (item,) = shown_page(page, now=NOW)["items"]
    assert "suggestions" not in item["question"]
    judgment = give(page, {"box": ONE})
    assert (judgment.suggested, judgment.copied) == (None, 0)


def test_batches_without_a_set_and_other_stages_show_none() -> None:
    assert shown_to(make_fast())[1] == ["none"]
    batch = make_suggesting()
    page, shown = shown_to(batch)
    assert shown == [SUGGESTED]
    give(page, FROM_FIRST)
    advance_pending(now=NOW)
    page, shown = shown_to(batch)
    assert (page.stage, shown) == ("check", ["none"])


def test_they_are_shown_until_a_box_of_the_chain_is_accepted() -> None:
    batch = make_suggesting()
    give(shown_to(batch)[0], FROM_FIRST)
    advance_pending(now=NOW)
    check(batch, said("wrong", missing=True))
    page, shown = shown_to(batch)
    assert (page.stage, shown) == ("boxes", [SUGGESTED])
    give(page, {"box": TWO})
    advance_pending(now=NOW)
    check(batch, said("good", missing=True))
    page, shown = shown_to(batch)
    assert Box.objects.filter(state="accepted").count() == 1
    assert (page.stage, shown) == ("boxes", [[]])
    assert give(page, {"box": THREE}).suggested is None


def test_a_set_that_is_not_complete_and_a_mention_without_an_entry_show_no_box() -> None:
    batch = make_suggesting(boxes=lambda mention: [])
    make_set(batch.project, completed=False)
    make_set(batch.project, lambda mention: None)
    page, shown = shown_to(batch)
    assert shown == [[]]
    for number in (2, 3):
        pin(batch, set=number)
        assert (
            shown_page(Assignment.objects.get(pk=page.pk), now=NOW)["items"][0]["question"]["suggestions"]
            == []
        )
    assert give(page, {"box": ONE}).suggested == 0


def test_boxes_that_the_batch_would_refuse_are_not_shown() -> None:
    batch = make_suggesting(boxes=lambda mention: [[0, 0, 9, 50, 0.9], [*ONE, 0.5]], minimum_side=10)
    page, shown = shown_to(batch)
    assert shown == [[[*ONE, 0.5]]]
    judgment = give(page, FROM_FIRST)
    assert (judgment.suggested, judgment.copied) == (1, 1)


@pytest.mark.parametrize("test_split", [False, True])
def test_images_of_the_test_split_get_them_only_if_the_batch_says_so(test_split: bool) -> None:
    batch = make_suggesting(images=2, suggestions={"test_split": test_split})
    held_out = Image.objects.earliest("pk")
    Image.objects.filter(pk=held_out.pk).update(split="test")
    page, shown = shown_to(batch)
    assert sorted(map(len, shown)) == ([2, 2] if test_split else [0, 2])
    give(page, {"box": ONE})
    counts = dict(Judgment.objects.values_list("item__work__image", "suggested"))
    assert counts[held_out.pk] == (2 if test_split else None)


def test_some_images_are_shown_without() -> None:
    batch = make_suggesting(images=10, suggestions={"without": 0.5}, seed=5)
    page, shown = shown_to(batch)
    items = Item.objects.in_bulk(page.items)
    for pk, boxes in zip(page.items, shown, strict=True):
        assert bool(boxes) == has_suggestions(batch, items[pk].work.image)
    assert {len(boxes) for boxes in shown} <= {0, 2}
    give(page, {"box": ONE})
    told = Judgment.objects.values_list("item__work__image", "suggested", "copied")
    for image, count, copied in told:
        gets = has_suggestions(batch, Image.objects.get(pk=image))
        assert (count, copied) == ((2, 1) if gets else (None, 0))


# What an answer says of them --------------------------------------------------------------------------------


def test_an_answer_says_which_suggestion_each_box_is_from() -> None:
    batch = make_suggesting()
    page, _ = shown_to(batch)
    judgment = give(
        page, {"box": THREE, "scale": 0.5}, FROM_FIRST, {"box": [200, 20, 300, 200], "suggestion": 1}
    )
    assert judgment.answer["boxes"] == [
        {"box": THREE, "scale": 0.5},
        FROM_FIRST,
        {"box": [200, 20, 300, 200], "suggestion": 1},
    ]
    assert (judgment.suggested, judgment.copied) == (2, 0b010)
    advance_pending(now=NOW)
    assert Box.objects.count() == 3
    assert not list(differences(list(ImageWork.objects.all())))


def test_a_copy_that_does_not_say_so_is_one() -> None:
    judgment = give(shown_to(make_suggesting())[0], {"box": TWO}, {"box": ONE, "suggestion": 1})
    assert (judgment.suggested, judgment.copied) == (2, 0b11)


def test_judgments_without_suggestions_say_nothing() -> None:
    judgment = give(shown_to(make_fast())[0], {"box": ONE})
    assert (judgment.suggested, judgment.copied) == (None, 0)


@pytest.mark.parametrize("place", [2, -1, 1.0, True, "0", None])
def test_only_suggestions_that_were_shown_can_be_named(place: object) -> None:
    page, _ = shown_to(make_suggesting())
    with pytest.raises(SubmissionError) as caught:
        give(page, {"box": ONE}, {"box": TWO, "suggestion": place})
    assert caught.value.errors == [
        ("/answers/0/answer/boxes[1].suggestion", "must be a whole number from 0 to 1")
    ]


def test_where_none_is_shown_none_can_be_named() -> None:
    for batch in (make_fast(), make_suggesting(suggestions={"without": 1})):
        with pytest.raises(SubmissionError, match="suggestion: must be left out: none was shown"):
            give(shown_to(batch)[0], FROM_FIRST)


def test_one_suggestion_is_one_box() -> None:
    page, _ = shown_to(make_suggesting())
    with pytest.raises(SubmissionError, match="is that of another box, too"):
        give(page, FROM_FIRST, {"box": TWO, "suggestion": 0})


@pytest.mark.parametrize("stage", ["boxes", "drawing"])
def test_a_question_is_scored_by_its_boxes_whatever_they_are_from(stage: str) -> None:
    batch = make_controlled(stage, "verification", images=8, questions=20)
    pin(batch, set=make_set(batch.project).number)
    page, shown = shown_to(batch, stage)
    assert page.checks and shown == [SUGGESTED] * len(shown)
    put(page, shown=True, **({"boxes": [FROM_FIRST]} if stage == "boxes" else FROM_FIRST))
    asked = Judgment.objects.filter(question__isnull=False)
    assert asked and all(one.correct and one.suggested == 2 and one.copied == 1 for one in asked)


# Whether they were shown ------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["boxes", "drawing"])
def test_a_page_that_could_not_show_them_says_so(stage: str) -> None:
    batch = make_suggesting() if stage == "boxes" else make_drawing()
    own = {"boxes": [{"box": THREE}]} if stage == "boxes" else {"box": THREE}
    judgment = put(shown_to(batch, stage)[0], shown=False, **own)
    assert (judgment.suggested, judgment.copied) == (None, 0)


@pytest.mark.parametrize("stage", ["boxes", "drawing"])
def test_a_box_that_is_from_one_says_that_they_were_shown(stage: str) -> None:
    """So nobody earns trust by copies that the client keeps quiet about."""
    for box in ({"box": ONE}, {"box": [11, 20, 110, 220], "suggestion": 0}):
        batch = make_suggesting() if stage == "boxes" else make_drawing()
        answer = {"boxes": [box]} if stage == "boxes" else box
        judgment = put(shown_to(batch, stage)[0], shown=False, **answer)
        assert (judgment.suggested, judgment.copied) == (2, int(box["box"] == ONE))


def test_where_there_was_nothing_to_show_none_were_seen() -> None:
    batch = make_suggesting(boxes=lambda mention: [])
    assert put(shown_to(batch)[0], shown=False, boxes=[{"box": ONE}]).suggested == 0


def test_what_was_said_of_them_is_no_other_answer() -> None:
    page, _ = shown_to(make_suggesting())
    assert put(page, shown=True, boxes=[{"box": THREE}]).suggested == 2
    assert put(page, shown=False, boxes=[{"box": THREE}]).suggested == 2


# One box a question -----------------------------------------------------------------------------------------


def test_a_question_about_one_box_shows_them_until_a_box_of_the_chain_is_accepted() -> None:
    batch = make_drawing()
    page, shown = shown_to(batch)
    assert (page.stage, shown) == ("drawing", [SUGGESTED])
    judgment = put(page, shown=True, **FROM_FIRST)
    assert judgment.answer == FROM_FIRST and (judgment.suggested, judgment.copied) == (2, 1)
    advance_pending(now=NOW)
    for good in (False, True):
        while Item.objects.filter(batch=batch, state="open", stage="quality").exists():
            answer_page(make_worker(batch.project), stage="quality", answering=lambda *_: {"good": good})  # noqa: B023
            advance_pending(now=NOW)
        if not good:
            page, shown = shown_to(batch)
            assert (page.stage, shown) == ("drawing", [SUGGESTED])
            put(page, shown=True, box=TWO, suggestion=1)
            advance_pending(now=NOW)
    while Item.objects.filter(batch=batch, state="open", stage="coverage").exists():
        answer_page(make_worker(batch.project), stage="coverage", answering=lambda *_: {"complete": False})
        advance_pending(now=NOW)
    page, shown = shown_to(batch)
    assert (page.stage, shown) == ("drawing", [[]])
    assert put(page, shown=False, box=None).suggested is None
    assert not list(differences(list(ImageWork.objects.all())))


def test_one_box_too_small_for_the_batch_is_not_shown_and_shifts_nothing() -> None:
    batch = make_drawing(boxes=lambda mention: [[0, 0, 9, 50, 0.9], [*ONE, 0.5]], minimum_side=10)
    page, shown = shown_to(batch)
    assert shown == [[[*ONE, 0.5]]]
    judgment = put(page, shown=True, box=[10, 20, 110, 221], suggestion=0)
    assert (judgment.suggested, judgment.copied) == (1, 0)


def test_no_further_box_is_from_no_suggestion() -> None:
    judgment = put(shown_to(make_drawing())[0], shown=True, box=None)
    assert (judgment.answer, judgment.suggested, judgment.copied) == ({"box": None}, 2, 0)


# Time and statements tell nothing ---------------------------------------------------------------------------


def statements(batch: Batch, stage: str = "boxes") -> tuple[int, int, Assignment]:
    """Return how many statements it takes to show a page, and to submit it."""
    page = claim_page(make_worker(batch.project), stage=stage)
    page = Assignment.objects.select_related("batch").get(pk=page.pk)
    with CaptureQueriesContext(
        connection,
    ) as shown:
        items = shown_page(page, now=NOW)["items"]
    given = {"box": ONE} if stage == "drawing" else drawn(ONE)
    answers = [Reply(item=one["item"], answer=given) for one in items]
    with CaptureQueriesContext(connection) as sent:
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW)
    return len(shown), len(sent), page


def controlled(stage: str, **suggestions: Any) -> Batch:
    batch = make_controlled(stage, "verification", images=8, questions=20)
    if suggestions:
        make_set(batch.project)
        pin(batch, **suggestions)
    return batch


@pytest.mark.parametrize("stage", ["boxes", "drawing"])
def test_a_set_takes_one_statement_to_show_a_page_and_three_to_submit_it(stage: str) -> None:
    statements(controlled(stage), stage)  # what is read once in a process
    shown, sent, page = statements(controlled(stage), stage)
    for settings in ({"set": 1}, {"set": 1, "without": 1}, {"set": 9}):
        more_shown, more_sent, other = statements(controlled(stage, **settings), stage)
        assert (more_shown - shown, more_sent - sent) == (1, 3), settings
        assert bool(page.checks) == bool(other.checks)
    without = {"set": None}
    assert statements(controlled(stage, **without), stage)[:2] == (shown, sent)


def test_other_stages_take_no_statement_more() -> None:
    def in_check(batch: Batch) -> tuple[int, int]:
        answer_page(make_worker(batch.project), stage="boxes", answering=lambda *_: drawn(ONE))
        advance_pending(now=NOW)
        page = claim_page(make_worker(batch.project), stage="check")
        page = Assignment.objects.select_related("batch").get(pk=page.pk)
        with CaptureQueriesContext(connection) as shown:
            shown_page(page, now=NOW)
        with CaptureQueriesContext(connection) as sent:
            submit_page(page, answering=lambda *_: said("good"))
        return len(shown), len(sent)

    in_check(make_fast())
    assert in_check(make_fast()) == in_check(make_suggesting())
