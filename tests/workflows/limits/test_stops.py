"""Suggestions are switched off where they do harm: once, with a case, and for pages claimed later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import (
    Assignment,
    Batch,
    Box,
    Case,
    Decision,
    ImageWork,
    Judgment,
    SuggestionStop,
    Worker,
)
from tests.entities_fast import ONE, THREE, drawn
from tests.factories import (
    FAST,
    NOW,
    answer_page,
    claim_maybe,
    claim_page,
    make_controlled,
    make_worker,
    submit_page,
)
from tests.judging_models import believe, make_judge
from tests.suggesting_models import has_suggestions, make_set, make_suggesting, pin
from tests.workflows.threads import at_once
from workflows.assignments.claim import claim
from workflows.assignments.page_view import shown_page
from workflows.judges.domain.accuracy import Bounded, Rates
from workflows.judges.domain.gate import Record
from workflows.limits.stops import ResumeError, look_at_suggestions, resume_suggestions
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.suggestions.batch_effects import bad_suggestions, effects_of
from workflows.suggestions.selectors import stops_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GOOD, BAD = [*ONE, 0.9], [*THREE, 0.8]
"""The known box of each question, and a box around something else."""
CONTROL = {"entrance": 6, "trusted_share": 0.3}
LENIENT = dict.fromkeys(PROTOCOL_STAGES[FAST], 0.0)
"""The minimum score of each stage: wrong answers turn nobody away."""
COPY_ALL = {"boxes": [{"box": ONE, "suggestion": 0}, {"box": THREE, "suggestion": 1}]}
COPY_GOOD = {"boxes": [{"box": ONE, "suggestion": 0}]}


def controlled(*, images: int = 8, **suggestions: Any) -> Batch:
    """Return a batch whose every item and question shows a good suggestion and a bad one."""
    batch = make_controlled(
        "boxes", "trusted", images=images, control=CONTROL, minimum_score=LENIENT, questions=60
    )
    made = make_set(batch.project, lambda mention: [GOOD, BAD])
    return pin(batch, set=made.number, **suggestions)


def asked(batch: Batch, worker: Worker, given: Mapping[str, Any], *, least: int = 5) -> None:
    """Let a worker give this answer to pages until as many questions with suggestions were among them."""
    while Judgment.objects.filter(worker=worker, question__isnull=False, suggested__gt=0).count() < least:
        answer_page(
            worker,
            stage="boxes",
            answering=lambda _, question: dict(given) if "suggestions" in question else drawn(ONE),
        )


def aided_page(worker: Worker) -> Assignment:
    """Return the worker's next page that shows suggestions: not every second one of an entrance."""
    while (page := claim_page(worker, stage="boxes")).unaided:
        submit_page(page, answering=lambda *_: drawn(ONE))
    return page


def shown(page: Assignment) -> list[Any]:
    page = Assignment.objects.select_related("batch").get(pk=page.pk)
    return [one["question"].get("suggestions", "none") for one in shown_page(page, now=NOW)["items"]]


def resume(stop: SuggestionStop, note: str = "the photographs are hard") -> Decision | None:
    return resume_suggestions(stop_id=stop.pk, by="ada", note=note, now=NOW)


def test_who_accepts_every_bad_suggestion_is_shown_none_any_more() -> None:
    batch = controlled()
    careless, careful = make_worker(batch.project), make_worker(batch.project)
    asked(batch, careless, COPY_ALL)
    asked(batch, careful, COPY_GOOD)
    assert look_at_suggestions(now=NOW) == 1
    stop = SuggestionStop.objects.get()
    assert (stop.worker, stop.batch, stop.reason) == (careless, None, "worker")
    number = stop.figures["shown"]
    assert number >= 5 and stop.figures["accepted"] == number
    assert stop.case.worker == careless
    assert f"the worker accepted {number} of {number} bad suggestions" in stop.case.detail["note"]
    assert "resume_suggestions" in stop.case.detail["note"]
    page = claim_page(careless, stage="boxes")
    assert page.unaided and set(shown(page)) == {"none"}
    assert "none" not in shown(aided_page(careful))
    assert look_at_suggestions(now=NOW) == 0, "once"
    assert (SuggestionStop.objects.count(), Case.objects.filter(reason="suggestions").count()) == (1, 1)


def test_a_worker_is_shown_none_in_other_batches_of_the_project_either() -> None:
    batch = controlled()
    worker = make_worker(batch.project)
    asked(batch, worker, COPY_ALL)
    look_at_suggestions(now=NOW)
    assert [stop.worker for stop in stops_of(batch)] == [worker]
    other = Batch.objects.create(
        project=batch.project, name="other", state="running", settings=batch.settings, created_at=NOW
    )
    assert stops_of(other) == []
    with CaptureQueriesContext(connection) as caught:
        from workflows.suggestions.selectors import is_off

        assert is_off(batch_id=other.pk, worker_id=worker.pk)
    assert len(caught) == 1


def test_a_page_that_was_claimed_before_keeps_what_it_shows() -> None:
    batch = controlled(images=30)
    worker = make_worker(batch.project)
    asked(batch, worker, COPY_ALL)
    before = aided_page(worker)
    look_at_suggestions(now=NOW)
    assert SuggestionStop.objects.count() == 1
    boxes = [list(GOOD), list(BAD)]
    assert shown(before) == [boxes] * len(shown(before))
    submit_page(before, answering=lambda *_: COPY_ALL)
    told = Judgment.objects.filter(assignment=before).values_list("suggested", "copied")
    assert set(told) == {(2, 0b11)}
    after = claim_page(worker, stage="boxes")
    submit_page(after, answering=lambda *_: drawn(ONE, THREE))
    told = Judgment.objects.filter(assignment=after).values_list("suggested", "copied")
    assert set(told) == {(None, 0)}, "none was shown, so nothing can be a copy"
    advance_pending(now=NOW)
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []


def test_items_and_questions_are_alike_once_suggestions_are_off() -> None:
    batch = controlled(images=30)
    worker = make_worker(batch.project)
    asked(batch, worker, COPY_ALL)
    look_at_suggestions(now=NOW)
    while not (page := claim_page(worker, stage="boxes")).checks or not page.items:
        submit_page(page, answering=lambda *_: drawn(ONE))
    page = Assignment.objects.select_related("batch").get(pk=page.pk)
    assert len({frozenset(one["question"]) for one in shown_page(page, now=NOW)["items"]}) == 1


def statements_of_a_claim(batch: Batch) -> int:
    worker = make_worker(batch.project)
    with CaptureQueriesContext(connection) as caught:
        assert claim(worker_id=worker.pk, stage="boxes", now=NOW) is not None
    return len(caught)


def test_a_claim_takes_one_statement_more_with_a_set_and_none_without() -> None:
    """At an entrance it takes one more, which counts its pages."""

    def without() -> Batch:
        return make_controlled("boxes", "trusted", images=8, control=CONTROL)

    statements_of_a_claim(without())  # what is read once in a process
    bare = statements_of_a_claim(without())
    assert statements_of_a_claim(pin(without(), set=None)) == bare
    assert statements_of_a_claim(controlled()) == bare + 2


# Batches ----------------------------------------------------------------------------------------------------


def test_workers_who_accept_too_much_together_stop_their_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is known well enough to be switched off alone."""
    monkeypatch.setattr("workflows.limits.domain.MIN_SHOWN", 1000)
    monkeypatch.setattr("workflows.limits.domain.MIN_SHOWN_TO_CROWD", 10)
    batch = controlled()
    for _ in range(2):
        asked(batch, make_worker(batch.project), COPY_ALL)
    assert look_at_suggestions(now=NOW) == 1
    stop = SuggestionStop.objects.get()
    assert (stop.batch, stop.worker, stop.reason, stop.figures["workers"]) == (batch, None, "crowd", 2)
    page = claim_page(make_worker(batch.project), stage="boxes")
    assert page.unaided and set(shown(page)) == {"none"}
    assert look_at_suggestions(now=NOW) == 0


def test_whoever_is_off_already_does_not_stop_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows.limits.domain.MIN_SHOWN_TO_CROWD", 5)
    batch = controlled()
    for given in (COPY_ALL, COPY_ALL, COPY_GOOD):
        asked(batch, make_worker(batch.project), given)
    assert look_at_suggestions(now=NOW) == 2
    assert set(SuggestionStop.objects.values_list("reason", flat=True)) == {"worker"}
    assert look_at_suggestions(now=NOW) == 0


def rated(high: float) -> Rates:
    sure = Bounded(0.95, 0.9, 0.97)
    return Rates(sure, sure, sure, Bounded(high - 0.05, high - 0.1, high), sealed=200, known=0, images=60)


@pytest.mark.parametrize(("high", "off"), [(0.75, True), (0.9, False)])
def test_a_judge_that_finds_accepted_suggestions_worse_than_drawn_boxes_stops_them(
    high: float, off: bool
) -> None:
    batch = make_suggesting(models=["judge/1"], judge={"model": "judge/1"})
    believe(make_judge(batch.project), Record({"owl": rated(high)}))
    assert look_at_suggestions(now=NOW) == off
    assert [stop.reason for stop in stops_of(batch)] == ["judge"] * off
    if off:
        (stop,) = stops_of(batch)
        assert stop.figures["family"] == "owl" and "owl" in stop.case.detail["note"]
        resume(stop)
        assert look_at_suggestions(now=NOW) == 0, "the researcher has decided against the record"


def test_checks_that_refuse_more_suggestions_than_drawn_boxes_stop_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("workflows.limits.domain.MIN_JUDGED", 2)
    monkeypatch.setattr("workflows.limits.domain.MIN_IMAGES", 2)
    batch = make_suggesting(images=24, suggestions={"without": 0.5})
    copied, bare = 0, 0
    while claim_maybe(worker := make_worker(batch.project), stage="boxes"):
        answer_page(worker, stage="boxes", answering=lambda *_: drawn(ONE))
        advance_pending(now=NOW)
    for judgment in Judgment.objects.filter(item__stage="boxes").select_related("item__work__image"):
        with_them = has_suggestions(batch, judgment.item.work.image)  # type: ignore[union-attr]
        copied, bare = copied + with_them, bare + (not with_them)
        assert bool(judgment.copied) == with_them
    if min(copied, bare) < 2:
        pytest.fail("the seed gives one group alone")
    Box.objects.filter(judgment__copied=1).update(state="rejected")
    Box.objects.filter(judgment__copied=0).update(state="accepted")
    assert look_at_suggestions(now=NOW) == 1
    (stop,) = stops_of(batch)
    assert (stop.reason, stop.figures["taken"], stop.figures["drawn"]) == ("checks", copied, bare)
    assert (stop.figures["taken_good"], stop.figures["drawn_good"]) == (0, 1)


# Decisions --------------------------------------------------------------------------------------------------


def test_a_researcher_lets_them_be_shown_again_and_what_was_is_not_held_against_the_worker() -> None:
    batch = controlled(images=30)
    worker = make_worker(batch.project)
    asked(batch, worker, COPY_ALL)
    look_at_suggestions(now=NOW)
    (stop,) = stops_of(batch)
    for note in ("", " \n"):
        with pytest.raises(ResumeError, match="note: must say why"):
            resume(stop, note)
    decision = resume(stop)
    assert decision is not None and (decision.kind, decision.worker) == ("resume", worker)
    assert resume(stop) is None, "decided once"
    stop.refresh_from_db()
    assert stop.resumed == decision
    stop.case.refresh_from_db()
    assert (stop.case.decision, stop.case.closed_at) == (decision, NOW)
    assert look_at_suggestions(now=NOW) == 0
    page = aided_page(worker)
    assert "none" not in shown(page)
    submit_page(page, answering=lambda *_: COPY_ALL)
    asked(batch, worker, COPY_ALL, least=12)
    assert look_at_suggestions(now=NOW) == 1, "by what came later"
    assert [one.resumed for one in stops_of(batch)] == [None, decision]


def test_the_commands_say_who_is_off_and_show_suggestions_again() -> None:
    batch = controlled()
    worker = make_worker(batch.project, "careless")
    names = (batch.project.name, batch.name)

    def report() -> str:
        out = StringIO()
        call_command("suggestion_report", *names, stdout=out)
        return out.getvalue()

    assert "suggestions are off for nobody" in report()
    asked(batch, worker, COPY_ALL)
    look_at_suggestions(now=NOW)
    assert "for worker careless: the worker accepted" in report()
    with pytest.raises(CommandError, match="not switched off for worker nobody"):
        call_command("resume_suggestions", batch.project.name, worker="nobody", note="why not")
    with pytest.raises(CommandError, match="--note: must say why"):
        call_command("resume_suggestions", batch.project.name, worker="careless", note=" ")
    call_command("resume_suggestions", batch.project.name, worker="careless", note="a hard batch", by="ada")
    assert "by ada: a hard batch" in report()
    with pytest.raises(CommandError, match="not switched off for batch"):
        call_command("resume_suggestions", batch.project.name, batch=batch.name, note="why not")


def test_the_figures_leave_out_pages_without_suggestions_for_a_reason() -> None:
    batch = controlled(images=30)
    worker = make_worker(batch.project)
    asked(batch, worker, COPY_ALL)
    look_at_suggestions(now=NOW)
    before, bad = effects_of(batch), bad_suggestions(batch)
    page = claim_page(worker, stage="boxes")
    submit_page(page, answering=lambda *_: drawn(ONE, THREE))
    assert bad_suggestions(batch) == bad, "a box that was not shown cannot be accepted"
    assert effects_of(batch).without.answers == before.without.answers == 0


def test_an_answer_that_calls_the_photograph_unusable_accepts_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("workflows.assignments.abstentions.is_broken", lambda file: False)
    batch = controlled()
    asked(batch, make_worker(batch.project), {"unusable": True})
    assert Judgment.objects.filter(question__isnull=False, answer={"unusable": True}).exists()
    assert sum(one.shown for one in bad_suggestions(batch)) == 0
    assert effects_of(batch).bad_accepted == 0


# Constraints ------------------------------------------------------------------------------------------------


def test_what_is_off_cannot_be_switched_off_again() -> None:
    batch = controlled()
    worker = make_worker(batch.project)
    case = Case.objects.create(project=batch.project, reason="suggestions", opened_at=NOW)
    for of in ({"worker": worker, "reason": "worker"}, {"batch": batch, "reason": "crowd"}):
        made: dict[str, Any] = {"figures": {}, "case": case, "created_at": NOW, **of}
        SuggestionStop.objects.create(**made)
        with pytest.raises(IntegrityError), transaction.atomic():
            SuggestionStop.objects.create(**made)
        both = {**made, "worker": worker, "batch": batch}
        with pytest.raises(IntegrityError), transaction.atomic():
            SuggestionStop.objects.create(**both)


@pytest.mark.django_db(transaction=True)
def test_of_processes_that_look_at_once_one_switches_off_and_opens_a_case() -> None:
    batch = controlled()
    for _ in range(2):
        asked(batch, make_worker(batch.project), COPY_ALL)
    calls: Sequence[Any] = [partial(look_at_suggestions, now=NOW)] * 4
    assert sum(at_once(calls)) == 2
    assert SuggestionStop.objects.count() == Case.objects.filter(reason="suggestions").count() == 2
    (first, _) = stops_of(batch)
    assert sum(made is not None for made in at_once([partial(resume, first)] * 4)) == 1
