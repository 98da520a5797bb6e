"""The figures about suggestions, read from the answers of a batch."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.answers import BoxesAnswer
from annotation.domain.geometry import Box
from annotation.models import Assignment, Chain, Image, Item, Judgment
from tests.entities_fast import answer, drawn, make_fast, said
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
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
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending
from workflows.suggestions.batch_effects import effects_of, taken

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
FIRST, SECOND = SUGGESTED[0][:4], SUGGESTED[1][:4]
MOVED = [205, 25, 300, 220]


def test_accepted_and_adjusted_boxes_are_counted_by_score_and_judged_by_the_check() -> None:
    batch = make_suggesting()
    answer(batch, {"boxes": [{"box": FIRST, "suggestion": 0}, {"box": MOVED, "suggestion": 1}]})
    while Chain.objects.get().state == "check":
        answer(batch, said("good", "loose", missing=True))
    found = effects_of(batch)
    assert (found.with_them.answers, found.without.answers) == (1, 0)
    assert (found.with_them.boxes.value, found.with_them.good.value) == (2, 0.5)
    assert found.with_them.overlooked.value == 1
    assert [(one.shown, one.accepted, one.adjusted) for one in found.bins if one.shown] == [
        (1, 0, 1),
        (1, 1, 0),
    ]
    # Of the two boxes, the one that was accepted unmoved was right.
    assert [(one.checked, one.right) for one in found.bins if one.shown] == [(0, 0), (1, 1)]


def test_photographs_without_suggestions_are_the_other_group() -> None:
    batch = make_suggesting(images=8, suggestions={"without": 0.5})
    with_them = sum(has_suggestions(batch, image) for image in Image.objects.all())
    while claim_maybe(worker := make_worker(batch.project), stage="boxes"):
        answer_page(worker, stage="boxes", answering=lambda *_: drawn([10, 20, 110, 220]))
        advance_pending(now=NOW)
    found = effects_of(batch)
    assert (found.with_them.answers, found.without.answers) == (with_them, 8 - with_them)
    assert sum(one.accepted for one in found.bins) == with_them, "who draws it exactly has copied it"


def test_workers_whom_suggestions_are_off_for_are_in_no_group() -> None:
    """Chance did not choose them: who accepts too much would be among those without suggestions alone."""
    batch = make_suggesting(suggestions={"without": 1})
    page = claim_page(make_worker(batch.project), stage="boxes")
    Assignment.objects.filter(pk=page.pk).update(unaided=True)
    submit_page(page, answering=lambda *_: drawn([400, 0, 500, 90]))
    assert effects_of(batch).without.answers == 0


@pytest.mark.parametrize("shown", [True, False])
def test_answers_whose_page_could_not_show_them_are_in_no_group(shown: bool) -> None:
    batch = make_suggesting()
    page = claim_page(make_worker(batch.project), stage="boxes")
    given = [Reply(item=1, answer=drawn([400, 0, 500, 90]), suggestions_shown=shown)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)
    found = effects_of(batch)
    assert (found.with_them.answers, found.without.answers) == (int(shown), 0)
    assert sum(one.shown for one in found.bins) == 2 * shown


def test_one_box_a_question_has_the_same_figures() -> None:
    batch = make_drawing()
    page = claim_page(make_worker(batch.project), stage="drawing")
    submit_page(page, answering=lambda *_: {"box": MOVED, "suggestion": 1})
    advance_pending(now=NOW)
    while Item.objects.filter(batch=batch, state="open", stage="quality").exists():
        answer_page(make_worker(batch.project), stage="quality")
        advance_pending(now=NOW)
    found = effects_of(batch)
    assert (found.with_them.answers, found.with_them.boxes.value, found.with_them.good.value) == (1, 1, 1)
    assert [(one.shown, one.accepted, one.adjusted) for one in found.bins if one.shown] == [
        (1, 0, 1),
        (1, 0, 0),
    ]


@pytest.mark.parametrize("stage", ["boxes", "drawing"])
def test_bad_suggestions_of_questions_count_if_they_were_shown(stage: str) -> None:
    batch = make_controlled(stage, "verification", images=8, questions=20)
    pin(batch, set=make_set(batch.project, lambda mention: [[400, 0, 500, 90, 0.5]]).number)
    page = claim_page(make_worker(batch.project), stage=stage)
    box = {"box": [400, 0, 500, 90], "suggestion": 0}
    submit_page(page, answering=lambda *_: {"boxes": [box]} if stage == "boxes" else box)
    page = claim_page(make_worker(batch.project), stage=stage)
    own = {"boxes": [{"box": FIRST}]} if stage == "boxes" else {"box": FIRST}
    given = [Reply(item=place + 1, answer=own) for place in range(len(page.items) + len(page.checks))]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)
    asked = Judgment.objects.filter(question__isnull=False, suggested=1).count()
    found = effects_of(batch)
    assert found.bad_shown == found.bad_accepted == asked > 0
    assert page.checks and len(found.by_worker) == 1


def test_what_a_worker_took() -> None:
    first, second, moved = Box(10, 20, 110, 220), Box(200, 20, 300, 220), Box(*MOVED)
    assert taken(BoxesAnswer((first, moved), suggestions=(0, 1)), SUGGESTED) == (
        frozenset({0}),
        frozenset({1}),
    )
    assert taken(BoxesAnswer((second,)), SUGGESTED) == (frozenset({1}), frozenset())
    assert taken(BoxesAnswer((moved,)), SUGGESTED) == (frozenset(), frozenset())


def test_the_command_prints_the_figures() -> None:
    batch = make_suggesting()
    answer(batch, {"boxes": [{"box": FIRST, "suggestion": 0}]})
    out = StringIO()
    call_command("suggestion_report", batch.project.name, batch.name, stdout=out)
    said_so = out.getvalue()
    assert "with suggestions" in said_so and "from 0.8: 1, 100.0%, 0.0%" in said_so
    assert "of 0 bad suggestions on known images" in said_so
    other = make_fast()
    with pytest.raises(CommandError, match="shows no suggestions"):
        call_command("suggestion_report", other.project.name, other.name)
    with pytest.raises(CommandError, match="no batch nowhere"):
        call_command("suggestion_report", other.project.name, "nowhere")
