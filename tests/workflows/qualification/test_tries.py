"""PROTOCOL.md, "Quality control": a passed qualification test before work."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from random import Random
from unittest.mock import patch

import pytest
from django.db import connection

from annotation.models import Abstention, Decision, Exposure, QualificationTry, VerificationQuestion
from tests.factories import NOW, make_image, make_worker
from tests.workflows.qualification.tested_workers import GIVEN, RIGHT, WRONG, in_the_test, make_tested, take
from tests.workflows.threads import at_once
from workflows.assignments.submit import SubmissionError
from workflows.qualification.tries import NoSuchTryError, TryError, answer_training, begin_try, hand_in_test
from workflows.workers.enrolment import WorkerBlockedError

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def start(worker_id: int, stage: str = "link", seed: int = 1) -> tuple[QualificationTry, bool]:
    return begin_try(worker_id=worker_id, stage=stage, now=NOW, rng=Random(seed))


@pytest.mark.parametrize("stage", sorted(RIGHT))
def test_right_answers_pass_and_wrong_ones_fail_at_every_stage(stage: str) -> None:
    project = make_tested(stage).project
    good, bad = make_worker(project), make_worker(project)
    assert (take(good, stage).state, take(bad, stage, right=0).state) == ("passed", "failed")


@pytest.mark.parametrize(("right", "state"), [(4, "passed"), (3, "failed")])
def test_the_pass_mark_decides(right: int, state: str) -> None:
    held = take(make_worker(make_tested().project), right=right)  # of 4, at 80 per cent
    assert (held.state, held.right, held.asked, held.ended_at) == (state, right, 4, NOW)


def test_beginning_again_goes_on_with_the_same_try() -> None:
    worker = make_worker(make_tested().project)
    held, new = start(worker.pk)
    again, newer = start(worker.pk, seed=2)
    assert (new, newer, again.pk) == (True, False, held.pk)
    assert (again.training, again.test) == (held.training, held.test)


def test_a_second_try_asks_other_questions() -> None:
    worker = make_worker(make_tested(wait_seconds=0).project)
    first, second = take(worker, right=0), take(worker, right=0)
    assert len({*first.test, *second.test}) == 8
    assert sorted(first.training) == sorted(second.training), "explained ones may come again"
    shown = Exposure.objects.filter(worker=worker)
    assert shown.count() == VerificationQuestion.objects.count() == 10
    assert set(VerificationQuestion.objects.values_list("exposures", flat=True)) == {1}


def test_a_try_cannot_begin_once_the_worker_saw_too_much() -> None:
    worker = make_worker(make_tested(test=7, wait_seconds=0).project)
    take(worker, right=0)
    with pytest.raises(TryError, match=r"takes 4 questions and 3 are left for this worker\. Write to the"):
        start(worker.pk)
    assert QualificationTry.objects.count() == 1


def test_retired_questions_and_those_of_other_stages_are_not_asked() -> None:
    worker = make_worker(make_tested(test=4).project)
    VerificationQuestion.objects.filter(role="test").first().delete()  # type: ignore[union-attr]
    with pytest.raises(TryError, match="3 are left"):
        start(worker.pk)
    make_tested("quality")
    with pytest.raises(TryError, match="3 are left"):
        start(worker.pk)
    VerificationQuestion.objects.filter(role="test", stage="link").update(state="retired")
    with pytest.raises(TryError, match="0 are left"):
        start(worker.pk)


def test_after_a_failed_try_the_worker_waits() -> None:
    worker = make_worker(make_tested().project)
    take(worker, right=0)
    with pytest.raises(TryError, match="wait until"):
        begin_try(worker_id=worker.pk, stage="link", now=NOW + DAY / 2, rng=Random(1))
    assert begin_try(worker_id=worker.pk, stage="link", now=NOW + DAY, rng=Random(1))[0].number == 2


def test_no_try_is_left_after_the_last_until_a_researcher_restores_the_worker() -> None:
    project = make_tested(tries=1, wait_seconds=0).project
    worker = make_worker(project)
    take(worker, right=0)
    with pytest.raises(TryError, match="no tries left"):
        start(worker.pk)
    later = NOW + DAY
    Decision.objects.create(
        project=project, kind="restore", by="ada", worker=worker, stage="link", created_at=later
    )
    assert take(worker, now=later + DAY).state == "passed"


def test_who_passed_takes_no_further_test_in_any_batch_of_the_project() -> None:
    worker = make_worker(make_tested().project)
    take(worker)
    with pytest.raises(TryError, match="have passed"):
        start(worker.pk)


def test_no_test_is_taken_where_everybodys_judgments_count() -> None:
    worker = make_worker(make_tested("link").project)
    with pytest.raises(TryError, match="No test is needed"):
        start(worker.pk, "quality")


def test_the_platforms_figures_come_before_the_test() -> None:
    worker = make_worker(make_tested().project)
    worker.completed, worker.approval = 499, 1.0
    worker.save()
    with pytest.raises(TryError, match="more approved tasks"):
        start(worker.pk)


def test_a_blocked_worker_begins_no_try() -> None:
    worker = make_worker(make_tested().project)
    worker.blocked = True
    worker.save()
    with pytest.raises(WorkerBlockedError):
        start(worker.pk)


def test_the_first_answer_to_a_training_item_is_kept() -> None:
    worker = make_worker(make_tested().project)
    start(worker.pk)
    wrong, right = (
        answer_training(worker_id=worker.pk, stage="link", number=1, item=1, answer=answer)
        for answer in (WRONG["link"], GIVEN["link"])
    )
    assert wrong == right
    assert (wrong.right, wrong.answer, wrong.explanation) == (
        False,
        RIGHT["link"],
        "Because of what can be seen.",
    )


def test_the_test_begins_once_all_of_the_training_is_answered() -> None:
    worker = make_worker(make_tested().project)
    held, _ = start(worker.pk)
    answers = [(n, GIVEN["link"]) for n in range(1, 5)]
    for item in (1, 2):
        with pytest.raises(TryError, match="training items first"):
            hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)
        answer_training(worker_id=worker.pk, stage="link", number=1, item=item, answer=WRONG["link"])
    held.refresh_from_db()
    assert held.state == "testing"
    assert hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)[0].right == 4


def test_a_stage_without_training_begins_with_the_test() -> None:
    held, _ = start(make_worker(make_tested(training_items=0).project).pk)
    assert (held.state, held.training) == ("testing", [])


def test_what_was_handed_in_is_not_scored_again() -> None:
    worker = make_worker(make_tested().project)
    held = take(worker, right=0)
    answers = [(n, GIVEN["link"]) for n in range(1, 5)]
    again, just_now = hand_in_test(
        worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW + DAY
    )
    assert (again.state, again.right, again.ended_at, just_now) == ("failed", held.right, NOW, False)


def test_answers_to_test_questions_are_counted() -> None:
    take(make_worker(make_tested(test=4).project), right=3)
    counts = VerificationQuestion.objects.filter(role="test").values_list("asked", "right", "good_asked")
    assert sorted(counts) == [(1, 0, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0)]


def test_a_test_counts_though_its_batch_was_paused_meanwhile() -> None:
    batch = make_tested()
    worker = make_worker(batch.project)
    in_the_test(worker)
    batch.state = "paused"
    batch.save()
    assert take(worker).state == "passed"


def test_problems_name_the_answer_and_nothing_is_kept() -> None:
    worker = make_worker(make_tested().project)
    in_the_test(worker)
    yes = GIVEN["link"]
    for answers, errors in (
        ([(1, yes), (2, yes)], [("/answers", "items without an answer: 3, 4")]),
        ([(1, yes), (1, yes)], [("/answers/1/item", "item 1 is answered twice")]),
        ([(5, yes)], [("/answers/0/item", "this test has the items 1 to 4")]),
        ([(1, {"same": 1})], [("/answers/0/answer/same", "must be true or false")]),
    ):
        with pytest.raises(SubmissionError) as caught:
            hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)
        assert caught.value.errors == errors
    assert QualificationTry.objects.get().state == "testing"


def test_training_items_that_are_none_and_answers_that_are_none_are_named() -> None:
    worker = make_worker(make_tested().project)
    start(worker.pk)
    with pytest.raises(SubmissionError, match="/item: this training has the items 1 to 2"):
        answer_training(worker_id=worker.pk, stage="link", number=1, item=3, answer=GIVEN["link"])
    with pytest.raises(SubmissionError, match="/answer/same: must be true or false"):
        answer_training(worker_id=worker.pk, stage="link", number=1, item=1, answer={"same": "yes"})
    assert QualificationTry.objects.get().answers == {}


def test_a_drawn_box_is_cut_at_the_image_and_must_not_be_too_small() -> None:
    worker = make_worker(make_tested("drawing").project)
    start(worker.pk, "drawing")
    small = {"box": [5, 5, 6, 60]}
    with pytest.raises(SubmissionError, match="/answer/box: is smaller than 3 pixels"):
        answer_training(worker_id=worker.pk, stage="drawing", number=1, item=1, answer=small)
    outside = {"box": [700, 20, 900, 220]}
    with pytest.raises(SubmissionError, match="/answer/box: lies outside"):
        answer_training(worker_id=worker.pk, stage="drawing", number=1, item=1, answer=outside)


def test_unusable_is_a_wrong_answer_about_a_photograph_that_is_fine_and_none_about_a_broken_one() -> None:
    batch = make_tested()
    others = [make_image(batch.project, [["man"], ["man"]]) for _ in range(8)]
    tested = VerificationQuestion.objects.filter(role="test").order_by("pk")
    for question, image in zip(tested, others, strict=True):  # each about a photograph of its own
        VerificationQuestion.objects.filter(pk=question.pk).update(image=image)
    worker = make_worker(batch.project)
    unusable = {"unusable": True}
    with patch("workflows.qualification.tries.is_broken", return_value=False):
        start(worker.pk)
        said = answer_training(worker_id=worker.pk, stage="link", number=1, item=1, answer=unusable)
        assert (said.right, said.answer) == (False, RIGHT["link"])
        answer_training(worker_id=worker.pk, stage="link", number=1, item=2, answer=GIVEN["link"])
    held = QualificationTry.objects.get()
    broken = VerificationQuestion.objects.get(pk=held.test[0])
    answers = [(1, unusable), *((n, GIVEN["link"]) for n in (2, 3)), (4, unusable)]
    hand_in = partial(hand_in_test, worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)
    with patch("workflows.qualification.tries.is_broken", side_effect={str(broken.image.file)}.__contains__):
        held, _ = hand_in()
    assert (held.state, held.right, held.asked) == ("failed", 2, 3), "the last one was there to be seen"
    assert hand_in()[0].right == 2
    broken.refresh_from_db()
    assert (broken.state, broken.retired) == ("retired", "photograph broken")
    assert not Abstention.objects.exists()


def test_a_test_of_nothing_but_broken_photographs_is_not_passed() -> None:
    worker = make_worker(make_tested().project)
    in_the_test(worker)
    answers = [(n, {"unusable": True}) for n in range(1, 5)]
    with patch("workflows.qualification.tries.is_broken", return_value=True):
        held, _ = hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)
    assert (held.state, held.asked, held.owed) == ("failed", 0, False)


def test_photographs_are_looked_at_before_anything_is_locked() -> None:
    """A storage far away may take seconds, for which nothing else of the worker should wait."""
    worker = make_worker(make_tested().project)
    start(worker.pk)
    unusable = {"unusable": True}
    around = len(connection.savepoint_ids)
    looked = []

    def look(file: str) -> bool:
        looked.append(len(connection.savepoint_ids) - around)
        return False

    answer = partial(answer_training, worker_id=worker.pk, stage="link", number=1, answer=unusable)
    hand_in = partial(hand_in_test, worker_id=worker.pk, stage="link", number=1, now=NOW)
    answers = [(n, unusable) for n in range(1, 5)]
    with patch("workflows.qualification.tries.is_broken", side_effect=look):
        answer(item=1)
        assert looked == [0]
        answer(item=1)
        with pytest.raises(TryError, match="training items first"):
            hand_in(answers=answers)
        with pytest.raises(SubmissionError, match="/item"):
            answer(item=3)
        assert looked == [0], "nothing hangs on these"
        answer(item=2)
        hand_in(answers=answers)
        hand_in(answers=answers)
    assert looked == [0, 0, 0], "all questions of the test are about one photograph"


def test_a_test_does_not_take_that_one_cannot_tell() -> None:
    """Its answers are known, whatever the batch offers on its pages."""
    batch = make_tested()
    batch.settings |= {"unsure_share": 0.5}
    batch.save()
    worker = make_worker(batch.project)
    in_the_test(worker)
    answers = [(n, {"unsure": True}) for n in range(1, 5)]
    with pytest.raises(SubmissionError, match="/answers/0/answer"):
        hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)


def test_another_workers_try_is_none_of_ones_own() -> None:
    project = make_tested().project
    start(make_worker(project).pk)
    other = make_worker(project).pk
    with pytest.raises(NoSuchTryError):
        answer_training(worker_id=other, stage="link", number=1, item=1, answer=GIVEN["link"])
    with pytest.raises(NoSuchTryError):
        hand_in_test(worker_id=other, stage="link", number=1, answers=[(1, GIVEN["link"])], now=NOW)


@pytest.mark.django_db(transaction=True)
def test_many_tabs_begin_one_try() -> None:
    worker = make_worker(make_tested().project)
    begun = at_once([partial(start, worker.pk, seed=seed) for seed in range(8)])
    assert len({held.pk for held, _ in begun}) == 1
    assert sum(new for _, new in begun) == 1
    assert Exposure.objects.count() == 6


@pytest.mark.django_db(transaction=True)
def test_many_workers_begin_at_once_without_a_deadlock() -> None:
    project = make_tested().project
    begun = at_once([partial(start, make_worker(project).pk, seed=seed) for seed in range(8)])
    assert all(new for _, new in begun)
    assert sum(VerificationQuestion.objects.values_list("exposures", flat=True)) == 8 * 6


@pytest.mark.django_db(transaction=True)
def test_a_test_handed_in_from_many_threads_is_scored_once() -> None:
    worker = make_worker(make_tested().project)
    in_the_test(worker)

    def send(answer: dict[str, bool]) -> tuple[QualificationTry, bool]:
        answers = [(n, answer) for n in range(1, 5)]
        return hand_in_test(worker_id=worker.pk, stage="link", number=1, answers=answers, now=NOW)

    ended = at_once([partial(send, {"same": n % 2 == 0}) for n in range(8)])
    assert sum(just_now for _, just_now in ended) == 1
    assert len({(held.state, held.right) for held, _ in ended}) == 1
