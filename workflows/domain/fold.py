"""State as a fold over judgments: what an image must look like, given its answers and nothing else.

`advance` takes the same steps one at a time; `verify_state` takes them all again and compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.domain.answers import ANSWERS, Answer, LinkAnswer, Stage
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from workflows.domain import agreement
from workflows.domain.coreference import ImageLinks, Link, Pair, Strategy
from workflows.domain.pipeline import (
    FINISHED,
    SPLIT,
    Progress,
    Protocol,
    split,
)
from workflows.domain.policy import BatchSettings

ChainKey = tuple[int, tuple[int, ...]]
"""Generation (0 from links, 1 from a split) and mention ids."""


@dataclass(frozen=True, slots=True)
class ExpectedItem:
    """An item as it must stand: `needed` judgments asked for so far, `judged` given."""

    stage: str
    needed: int
    judged: int
    done: bool
    settling: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedBox:
    """A drawn box as it must stand."""

    box: Box
    state: str


@dataclass(frozen=True, slots=True)
class ExpectedChain:
    """A chain as it must stand, with its items by visit and its boxes in the order they were drawn."""

    progress: Progress
    items: tuple[ExpectedItem, ...]
    boxes: tuple[ExpectedBox, ...]
    rules: tuple[str, ...]  # that fired, in order: the chain's transitions


@dataclass(frozen=True, slots=True)
class ExpectedImage:
    """All of an image that follows from its answers."""

    state: str
    links: Mapping[Pair, ExpectedItem] = field(default_factory=dict)
    chains: Mapping[ChainKey, ExpectedChain] = field(default_factory=dict)
    rules: tuple[str, ...] = ()  # the image's own transitions


def read_link(answers: Sequence[Answer], *, settling: bool) -> Link:
    """A link from its judgments: the first for itself, all of them once it has been settled.

    Raises ValueError where they do not decide it yet.
    """
    verdict = agreement.decide_link(answers, settling=settling)
    if verdict is None:
        raise ValueError("an open link cannot be read")
    same = verdict.name == "same"
    first = answers[0]
    assert isinstance(first, LinkAnswer)
    return Link(first=first.same, settled=same if settling else None)


def fold_image(
    mentions: Sequence[Mention],
    link_answers: Mapping[Pair, Sequence[Answer]],
    chain_answers: Mapping[ChainKey, Sequence[Sequence[Answer]]],
    *,
    protocol: Protocol,
    strategy: Strategy,
    settings: BatchSettings,
    seed: str,
) -> ExpectedImage:
    """Replay an image. `chain_answers` holds, for each chain, the answers of its items by visit."""
    links, chains = _fold_links(mentions, link_answers, strategy, seed)
    rules = ("opened",) if links else ()
    if chains is None:
        return ExpectedImage("linking", links, rules=rules)
    if not chains:
        return ExpectedImage("done", links, rules=(*rules, "no-mentions"))
    result: dict[ChainKey, ExpectedChain] = {}
    waiting = [(0, chain) for chain in chains]
    for generation, chain in waiting:
        key = (generation, tuple(m.id for m in chain))
        folded = fold_chain(chain, chain_answers.get(key, ()), protocol, settings, verified=generation > 0)
        result[key] = folded
        if folded.progress.state == SPLIT:
            waiting += [(generation + 1, subset) for subset in split(chain)]
    finished = all(chain.progress.state in FINISHED for chain in result.values())
    rules = (*rules, "links-settled", *(("chains-done",) if finished else ()))
    return ExpectedImage("done" if finished else "boxing", links, result, rules)


def _fold_links(
    mentions: Sequence[Mention], answers: Mapping[Pair, Sequence[Answer]], strategy: Strategy, seed: str
) -> tuple[dict[Pair, ExpectedItem], tuple[tuple[Mention, ...], ...] | None]:
    items: dict[Pair, ExpectedItem] = {}
    known: dict[Pair, Link] = {}
    while True:
        step = strategy(ImageLinks(mentions, known, seed))
        if not step.ask and not step.settle:
            return items, step.chains
        for pair in step.ask + step.settle:
            settling = pair in step.settle
            # A link that will be settled later had decided on its first judgment alone by now.
            given = answers.get(pair, ())
            given = given if settling else given[:1]
            done = agreement.decide_link(given, settling=settling) is not None
            items[pair] = _item(Stage.LINK, given, done, settling)
            if items[pair].done:
                known[pair] = read_link(given, settling=settling)
        if not all(item.done for item in items.values()):
            return items, None


def fold_chain(
    mentions: Sequence[Mention],
    answers: Sequence[Sequence[Answer]],
    protocol: Protocol,
    settings: BatchSettings,
    *,
    verified: bool,
) -> ExpectedChain:
    """Replay one chain from the answers of its items by visit."""
    progress = Progress(protocol.opening(mentions, settings, verified=verified))
    rules = ["linked" if not verified else "split-off"]
    items: list[ExpectedItem] = []
    boxes: list[ExpectedBox] = []
    counted: tuple[Answer, ...] = ()
    while progress.state in protocol.decide:
        given = tuple(answers[progress.visits]) if progress.visits < len(answers) else ()
        # Where earlier judgments were set aside, a visit may be to another stage than it was.
        given = tuple(answer for answer in given if isinstance(answer, ANSWERS[progress.state]))
        verdict = protocol.decide[progress.state]((*counted, *given))
        items.append(_item(progress.state, given, verdict is not None))
        progress = replace(progress, visits=progress.visits + 1)
        if verdict is None:
            break
        progress, rule = protocol.step(progress, verdict, mentions, settings)
        rules.append(rule)
        counted = given if rule in protocol.counts_next else ()
        if rule in protocol.box_states:
            judged = protocol.box_states[rule]
            boxes = [replace(box, state=judged) if box.state == "proposed" else box for box in boxes]
        boxes += [ExpectedBox(box, "proposed") for box in verdict.boxes]
    return ExpectedChain(progress, tuple(items), tuple(boxes), tuple(rules))


def _item(stage: str, given: Sequence[Answer], done: bool, settling: bool = False) -> ExpectedItem:
    needed = len(given) + (0 if done else 1)
    return ExpectedItem(stage, needed, len(given), done, settling)
