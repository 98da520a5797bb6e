"""The figures about suggestions, read from the answers of a batch."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.answers import BoxesAnswer
from annotation.domain.geometry import Box
from annotation.models import Chain, Image
from tests.entities_fast import answer, drawn, make_fast, said
from tests.factories import NOW, answer_page, claim_maybe, make_worker
from tests.suggesting_models import SUGGESTED, has_suggestions, make_suggesting
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
