"""The state of an image under `entities-fast` is a fold over its judgments, too."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    JointStage,
    NoBoxes,
    Requirement,
    RequirementAnswer,
    Stage,
)
from annotation.domain.chain_states import FINISHED, REVIEW
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.moves import ENTITIES_FAST
from workflows.pipeline.replay.domain.chain_fold import ExpectedChain, Ruling, fold_chain
from workflows.pipeline.replay.domain.contexts import Answered, Asked, Context, Given, Source

SETTINGS = BatchSettings()
HAT = [mention(1, 0, "other", "a hat")]
MEN = [mention(1, 0, "people", "two men"), mention(2, 1, "people", "men")]
ONE, TWO, THREE = Box(0, 0, 9, 9), Box(20, 0, 29, 9), Box(40, 0, 49, 9)
GOOD, LOOSE, DOUBLE = BoxJudgment.GOOD, BoxJudgment.LOOSE, BoxJudgment.DOUBLE
Visits = list[list[tuple[int, int, Answer]]]
"""(judgment, worker, answer) of each item of a chain, in the order of the visits."""


def fold(mentions: list[Mention], visits: Visits, rulings: tuple[Ruling, ...] = ()) -> ExpectedChain:
    """Fold the chain, given its items in the order in which they were asked."""
    items = iter(enumerate(visits))

    def ask(context: Context) -> Asked:
        number, given = next(items, (None, []))
        return Asked(number, context, tuple(Given(*one) for one in given))

    return fold_chain(mentions, ask, ENTITIES_FAST, SETTINGS, verified=False, rulings=rulings)


def fold_again(mentions: list[Mention], before: ExpectedChain, visits: Visits) -> ExpectedChain:
    """Fold the chain, given its stored items in any order: each is found by its context."""
    stored = [
        Asked(number, visit.context, tuple(Given(*one) for one in given))
        for number, (visit, given) in enumerate(zip(before.visits, visits, strict=False))
    ]
    random.Random(len(stored)).shuffle(stored)
    return fold_chain(mentions, Answered(stored), ENTITIES_FAST, SETTINGS, verified=False)


def give(mentions: list[Mention], *answers: Answer) -> tuple[ExpectedChain, Visits]:
    """Answer whatever item of the chain is open, one answer after the other, each by another worker."""
    visits: Visits = []
    for number, answer in enumerate(answers):
        place = len(fold(mentions, visits).items) - 1
        visits += [[] for _ in range(place + 1 - len(visits))]
        visits[place].append((100 + number, number, answer))
    return fold(mentions, visits), visits


def check(*said: BoxJudgment, missing: bool = False) -> CheckAnswer:
    return CheckAnswer(said, missing)


def test_all_boxes_of_an_answer_are_judged_each_by_itself() -> None:
    both = check(GOOD, LOOSE)
    chain, _ = give(MEN, BoxesAnswer((ONE, TWO)), both, both, BoxesAnswer((THREE,)), check(GOOD))
    assert [(box.box, box.state) for box in chain.boxes] == [
        (ONE, "accepted"),
        (TWO, "rejected"),
        (THREE, "accepted"),
    ]
    assert chain.progress.state == "done"
    assert chain.rules == ("linked", "boxes-drawn", "box-missing", "boxes-drawn", "complete")
    assert [item.stage for item in chain.items] == ["boxes", "check", "boxes", "check"]
    assert [item.judged for item in chain.items] == [1, 2, 1, 1]


def test_a_check_is_about_the_boxes_of_one_judgment_and_not_asked_of_whoever_drew_them() -> None:
    chain, _ = give(MEN, BoxesAnswer((ONE, TWO)))
    (_, visit) = chain.visits
    assert visit.context == Context(JointStage.CHECK, new=Source(100, None, 0))
    assert visit.author == 0
    chain, _ = give(MEN, BoxesAnswer((ONE, TWO)), check(GOOD, DOUBLE), check(GOOD, DOUBLE))
    assert chain.progress.state == "done", "the second box was around the first man"


def test_none_needed_counts_at_requirement_and_its_author_is_not_asked_there() -> None:
    scene = RequirementAnswer(Requirement.SCENE)
    none = BoxesAnswer(none=NoBoxes.SCENE)
    chain, _ = give(HAT, none)
    assert chain.progress.state == Stage.REQUIREMENT
    assert (chain.visits[-1].context.counted, chain.visits[-1].author) == (100, 0)
    chain, _ = give(HAT, none, scene)
    assert (chain.progress.state, chain.progress.flag) == ("nonvisual", "scene"), "after two it is .054"
    chain, _ = give(MEN, none, scene)
    assert chain.progress.state == Stage.REQUIREMENT, "after two it is .63"


def test_a_researchers_boxes_are_there_when_the_rest_is_drawn() -> None:
    _, visits = give(MEN, BoxesAnswer((ONE,)))
    ruling = Ruling(7, "boxes", boxes=((TWO, Source(None, 7, 0)),))
    chain = fold(MEN, visits, (ruling,))
    assert chain.visits[-1].context == Context(JointStage.BOXES, (Source(None, 7, 0),), decision=7)
    assert [(box.box, box.state) for box in chain.boxes] == [(TWO, "accepted")]


def some_answer(stage: str, new: int, rng: random.Random) -> Answer:
    match stage:
        case Stage.REQUIREMENT:
            return RequirementAnswer(rng.choice([Requirement.BOX, *Requirement]))
        case JointStage.BOXES if rng.random() < 0.7:
            lefts = rng.sample(range(0, 1000, 20), rng.randint(1, 3))
            return BoxesAnswer(tuple(Box(left, 0, left + 9, 9) for left in lefts))
        case JointStage.BOXES:
            return BoxesAnswer(none=rng.choice(list(NoBoxes)))
    said = tuple(rng.choice([GOOD, GOOD, *BoxJudgment]) for _ in range(new))
    return CheckAnswer(said, rng.random() < 0.3)


@given(st.sampled_from([HAT, MEN]), st.integers(0, 2**32))
def test_every_judgment_takes_a_chain_from_one_sound_state_to_a_later_one(
    mentions: list[Mention], seed: int
) -> None:
    rng, visits = random.Random(seed), Visits()
    before = fold(mentions, visits)
    for number in range(200):
        if before.progress.state in {*FINISHED, REVIEW}:
            break
        visits += [[] for _ in range(len(before.items) - len(visits))]
        new = sum(box.state == "proposed" for box in before.boxes)
        answer = some_answer(before.progress.state, new, rng)
        visits[-1].append((number, rng.randrange(9), answer))
        after = fold(mentions, visits)
        assert sum(item.judged for item in after.items) == number + 1, "every judgment is read"
        done = [item for item in before.items if item.done]
        assert list(after.items[: len(done)]) == done
        decided = [box for box in before.boxes if box.state != "proposed"]
        assert list(after.boxes[: len(decided)]) == decided
        states = [box.state for box in after.boxes]
        assert states.count("accepted") == after.progress.boxes_accepted
        assert states.count("rejected") == after.progress.boxes_rejected
        assert ("proposed" in states) <= (after.progress.state == JointStage.CHECK)
        assert [item.stage for item in after.items if not item.done] == (
            [after.progress.state] if after.progress.state in ENTITIES_FAST.decide else []
        )
        assert fold_again(mentions, after, visits) == after, "stored items are found again by their context"
        before = after
    else:
        raise AssertionError("the chain does not end")
