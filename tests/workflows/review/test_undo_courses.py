"""Whatever is decided and undone, the image is as if only what stands had been decided.

The same decisions are taken about two equal images: about one with all that is undone, about the other
without.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from annotation.domain.chain_states import SPLIT, WITHDRAWN
from annotation.domain.geometry import Box as Rectangle
from annotation.models import Batch, Box, Case, Chain, Decision, GoldChain, Image, ImageWork, Item, Mention
from annotation.selectors import mentions_by_image
from tests.factories import (
    NOW,
    answer_page,
    claim_maybe,
    make_batch,
    make_image,
    make_project,
    make_worker,
    willing,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.pipeline.replay.courses import STAGES, Course
from tests.workflows.review.annotating import said, store
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.review.decide import decide_chain, version_of
from workflows.review.domain.rulings import legal_states
from workflows.review.selectors import active_work, undoable_now
from workflows.review.undo import undo_decision

pytestmark = pytest.mark.django_db

Spans = tuple[tuple[int, int, int], ...]
"""Mentions as (caption's index, first token, end): the same in both images."""
Act = Callable[["Twin"], Decision]
"""A decision about either image. It names nothing by its id."""

WORDS = [["man", "dog"], ["man", "ball"], ["woman", "man"]]


def _by_words(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Say that the same words mean the same, and yes to everything else."""
    if stage != "link":
        return willing(stage, question)
    a, b = ([part["text"] for part in one["segments"] if part["mention"]] for one in question["captions"])
    return {"same": a == b}


class Twin:
    """One of two equal images, in a batch or in none."""

    def __init__(self, answers: int, *, by_hand: bool) -> None:
        self.project = make_project()
        self.image = make_image(self.project, WORDS)
        self.now = NOW
        self.annotations = 0
        if by_hand:
            return
        make_batch(self.project, strategy="every_pair", items_a_page=dict.fromkeys(STAGES, 1))
        for _ in range(answers):
            if claim_maybe(worker := make_worker(self.project)):
                answer_page(worker, answering=_by_words)
                advance_pending(now=self.now)

    def later(self) -> Any:
        self.now += timedelta(minutes=1)
        return self.now

    def spans(self) -> dict[int, tuple[int, int, int]]:
        columns = ("pk", "caption__index", "start", "end")
        return {pk: tuple(span) for pk, *span in self.image.mentions.values_list(*columns)}

    def chains(self) -> dict[Spans, Chain]:
        """Return the chains in use, in the order of their mentions."""
        spans = self.spans()
        rows = Chain.objects.filter(work__image=self.image, work__active=True)
        used = rows.exclude(state__in=(SPLIT, WITHDRAWN))
        found = {tuple(spans[pk] for pk in chain.members): chain for chain in used}
        return dict(sorted(found.items()))

    def state(self) -> list[object]:
        """Return everything that follows from the decisions, without ids."""
        spans, chains = self.spans(), self.chains()
        mentions = Mention.objects.filter(image=self.image, superseded=False)
        known = GoldChain.objects.filter(image=self.image, superseded=False)
        works = ImageWork.objects.filter(image=self.image, active=True)
        columns = ("stage", "state", "judged", "needed", "visit")
        links = Item.objects.filter(work__in=works, stage="link").exclude(state="withdrawn")
        cases = Case.objects.filter(project=self.project, closed_at=None)
        return [
            sorted(spans[pk] for pk in mentions.values_list("pk", flat=True)),
            sorted(([spans[pk] for pk in one.members], one.boxes, one.scene) for one in known),
            list(works.values_list("state", "batch__name")),
            sorted(
                (spans[a], spans[b], *rest)
                for a, b, *rest in links.values_list("mention_a", "mention_b", *columns)
            ),
            [
                (
                    members,
                    *(chain.state, chain.flag, chain.visits, chain.boxes_accepted, chain.boxes_rejected),
                    sorted(
                        (one.rectangle.edges, one.state)
                        for one in Box.objects.filter(chain=chain).exclude(state="withdrawn")
                    ),
                    list(
                        Item.objects.filter(chain=chain)
                        .exclude(state="withdrawn")
                        .order_by("visit")
                        .values_list(*columns)
                    ),
                )
                for members, chain in chains.items()
            ],
            sorted(
                (reason, tuple(spans[pk] for pk in members or ()))
                for reason, members in cases.values_list("reason", "chain__members")
            ),
            list(Batch.objects.filter(project=self.project, by_hand=False).values_list("state", flat=True)),
        ]

    def check(self) -> None:
        check_promises(self.project)
        check_rules(self.project)


def _decide(members: Spans, state: str, boxes: list[Rectangle], twin: Twin) -> Decision:
    chain = twin.chains()[members]
    return decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="",
        now=twin.later(),
        state=state,
        boxes=boxes,
        flag="scene" if state == "nonvisual" else "",
        version=version_of(chain.work),
    )


def _annotate(cut: int | None, join: bool, purpose: str, left: int, twin: Twin) -> Decision:
    """Cut one caption into one phrase, perhaps join two chains, and draw a box for each chain without one."""
    twin.annotations += 1
    data = said(twin.image, purpose, key=f"k{twin.annotations}")
    if cut is not None:
        phrase = data["captions"][cut]["phrases"][0]
        data["captions"][cut]["phrases"] = [{**phrase, "start": 0, "end": 2 + left % 2}]
    phrases = [one for caption in data["captions"] for one in caption["phrases"] if one["chain"]]
    if join:
        for one in phrases:
            one["chain"] = phrases[0]["chain"] if one["chain"] == phrases[-1]["chain"] else one["chain"]
    used = {one["chain"] for one in phrases}
    data["chains"] = [one for one in data["chains"] if one["name"] in used]
    for place, chain in enumerate(data["chains"]):
        if not chain["boxes"] and not chain["flag"]:
            chain["boxes"] = [[left + place, 3, left + place + 50, 99]]
    return store(twin.image, data)


def _act(twin: Twin, rng: random.Random) -> Act:
    """Return a random decision that can be taken about the image as it is."""
    chains = twin.chains()
    if not chains or rng.random() < 0.3:
        held = ImageWork.objects.filter(image=twin.image, active=True, batch__by_hand=False).exists()
        purpose = rng.choice(["final", "gold", *(["correction"] if held else [])])
        cut = rng.choice([None, 0, 1, 2])
        return partial(_annotate, cut, rng.random() < 0.5, purpose, rng.randrange(400))
    members = rng.choice(list(chains))
    accepted = Box.objects.filter(chain=chains[members], state="accepted").order_by("pk")
    boxes = [box.rectangle for box in accepted if rng.random() < 0.6]
    if rng.random() < 0.6:
        left = rng.randrange(400)
        boxes.append(Rectangle(left, 7, left + 31, 99))
    by_id = {one.id: one for one in mentions_by_image([twin.image.pk])[twin.image.pk]}
    own = [by_id[pk] for pk in chains[members].members]
    state = rng.choice(legal_states(len(boxes), own, PROTOCOLS["flickr30k-entities"]))
    return partial(_decide, members, state, boxes)


def _undo(twin: Twin, pk: int) -> None:
    undo_decision(decision_id=pk, by="bob", note="", now=twin.later())


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("seed", and_nightly(range(3), range(3, 15), "other random decisions"))
def test_the_state_is_the_one_without_the_undone_decisions(seed: int, by_hand: bool) -> None:
    rng = random.Random(f"{seed}/{by_hand}")
    answers = rng.randrange(8, 40)
    one = Twin(answers, by_hand=by_hand)
    acts: dict[int, Act] = {}
    undone = 0
    for _ in range(10):
        undoable = [pk for pk in undoable_now(one.image.pk, active_work(one.image.pk)) if pk in acts]
        if undoable and rng.random() < 0.45:
            undone += 1
            pk = rng.choice(undoable)
            _undo(one, pk)
            del acts[pk]
        else:
            act = _act(one, rng)
            acts[act(one).pk] = act
        one.check()
    assert undone, "a course without an undone decision shows nothing"
    other = Twin(answers, by_hand=by_hand)
    for _, act in sorted(acts.items()):
        act(other)
    assert one.state() == other.state()
    other.check()


@pytest.mark.parametrize("seed", and_nightly(range(2), range(2, 10), "other random decisions"))
def test_everything_can_be_undone_backwards_to_the_very_rows_of_the_beginning(seed: int) -> None:
    rng = random.Random(seed)
    twin = Twin(rng.randrange(8, 40), by_hand=False)
    before = twin.state()
    made = [_act(twin, rng)(twin).pk for _ in range(6)]
    while made:
        undoable = undoable_now(twin.image.pk, active_work(twin.image.pk))
        assert made[-1] in undoable, "the last one can be undone"
        _undo(twin, made.pop())
        twin.check()
    assert twin.state() == before
    while claim_maybe(worker := make_worker(twin.project)):
        answer_page(worker)
        advance_pending(now=twin.later())
    assert Batch.objects.get(project=twin.project).state == "finished"
    twin.check()


@pytest.mark.slow("random work, decided about and undone")
@pytest.mark.parametrize("seed", and_nightly([0], [1, 2], "other random work"))
def test_work_goes_on_to_its_end_whatever_is_undone_meanwhile(seed: int) -> None:
    """Workers answer questions of decisions that are undone, and hold pages with them."""
    course = Course("greedy_plus", 500 + seed)
    undone = 0
    for moment in range(6):
        course.work(course.rng.randrange(20, 60))
        course.regroup(cuts=moment == 3) if moment % 3 == 2 else course.decide()
        course.check_promises()
        course.work(course.rng.randrange(20))
        if moment == 4:
            course.set_aside()
        course.read()
        image = Image.objects.get(project=course.project)
        for pk in undoable_now(image.pk, active_work(image.pk)):
            if course.rng.random() < 0.7:
                undone += 1
                undo_decision(decision_id=pk, by="bob", note="", now=course.now)
                course.check_promises()
                break
        course.read()
        course.check()
    assert undone
    course.finish()
    course.check()
