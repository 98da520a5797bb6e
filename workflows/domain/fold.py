"""State as a fold over what counts: what an image must look like, given its answers and decisions alone.

`advance` takes the same steps one at a time; `verify_state` takes them all again and compares. An image that
a researcher decided about, or whose judgments were set aside, is folded anew at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from annotation.domain.answers import ANSWERS, Answer, LinkAnswer, Stage
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from workflows.domain import agreement
from workflows.domain.agreement import Verdict
from workflows.domain.contexts import Context, Given, Source
from workflows.domain.coreference import ImageLinks, Link, Pair, Strategy
from workflows.domain.pipeline import (
    FINISHED,
    REVIEW,
    SPLIT,
    Progress,
    Protocol,
    split,
)
from workflows.domain.policy import BatchSettings

ChainKey = tuple[int, tuple[int, ...]]
"""Generation and mention ids. Even generations are from links (0) or the n-th regrouping (2n), odd ones were
split from the one before."""

Ask = Callable[[Context], tuple[int | None, Sequence[Given]]]
"""What was asked in this context and answered: the item's id, where there is one, and its judgments."""


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
    """A box as it must stand."""

    box: Box
    state: str
    source: Source = field(default=Source(None, None), compare=False)


@dataclass(frozen=True, slots=True)
class Visit:
    """One item of a chain in a replay: why it is asked, which stored item it is, and what it led to."""

    context: Context
    item: int | None = None  # None: was never asked before
    author: int | None = None  # worker who is never asked it
    done: bool = False
    rule: str = ""
    target: str = ""  # the state the chain came to


@dataclass(frozen=True, slots=True)
class ExpectedChain:
    """A chain as it must stand, with its items by visit and its boxes in the order they were drawn."""

    progress: Progress
    items: tuple[ExpectedItem, ...]
    boxes: tuple[ExpectedBox, ...]
    rules: tuple[str, ...]  # that fired, in order: the chain's transitions
    visits: tuple[Visit, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ExpectedImage:
    """All of an image that follows from its answers."""

    state: str
    links: Mapping[Pair, ExpectedItem] = field(default_factory=dict)
    chains: Mapping[ChainKey, ExpectedChain] = field(default_factory=dict)
    rules: tuple[str, ...] = ()  # the image's own transitions


@dataclass(frozen=True, slots=True)
class Ruling:
    """A researcher's decision as a chain sees it: from here on it has these boxes and goes on from `state`.

    What was asked before does not move the chain any more.
    """

    id: int
    state: str
    flag: str = ""
    boxes: tuple[tuple[Box, Source], ...] = ()
    rule: str = "decided"


@dataclass(frozen=True, slots=True)
class Root:
    """A chain that a researcher's grouping of the image names. Without a ruling it carries on as it was."""

    key: ChainKey
    ruling: Ruling | None = None


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
    """Replay an image of which everything counts. `chain_answers` holds a chain's answers by visit."""
    links, chains = fold_links(mentions, link_answers, strategy, seed)
    rules = ("opened",) if links else ()
    if chains is None:
        return ExpectedImage("linking", links, rules=rules)
    if not chains:
        return ExpectedImage("done", links, rules=(*rules, "no-mentions"))
    roots = [Root((0, tuple(m.id for m in chain))) for chain in chains]
    numbers = count()
    result = fold_chains(
        roots,
        mentions,
        lambda key: _in_order(chain_answers.get(key, ()), numbers),
        protocol=protocol,
        settings=settings,
    )
    state = state_of(result)
    rules = (*rules, "links-settled", *(("chains-done",) if state == "done" else ()))
    return ExpectedImage(state, links, result, rules)


def _in_order(answers: Sequence[Sequence[Answer]], numbers: Iterator[int]) -> Ask:
    """Items in the order in which they were asked, whatever their context."""
    visits = iter(answers)

    def ask(_: Context) -> tuple[int | None, Sequence[Given]]:
        return None, [Given(next(numbers), 0, answer) for answer in next(visits, ())]

    return ask


def state_of(chains: Mapping[ChainKey, ExpectedChain]) -> str:
    """The state of an image that has these chains."""
    return "done" if all(chain.progress.state in FINISHED for chain in chains.values()) else "boxing"


def fold_links(
    mentions: Sequence[Mention], answers: Mapping[Pair, Sequence[Answer]], strategy: Strategy, seed: str
) -> tuple[dict[Pair, ExpectedItem], tuple[tuple[Mention, ...], ...] | None]:
    """The links that are asked, and the chains they end in; None while one waits for a judgment."""
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
            items[pair] = _item(Stage.LINK, len(given), done, settling)
            if items[pair].done:
                known[pair] = read_link(given, settling=settling)
        if not all(item.done for item in items.values()):
            return items, None


def fold_chains(
    roots: Sequence[Root],
    mentions: Sequence[Mention],
    answered: Callable[[ChainKey], Ask],
    *,
    protocol: Protocol,
    settings: BatchSettings,
    rulings: Mapping[ChainKey, Sequence[Ruling]] | None = None,
) -> dict[ChainKey, ExpectedChain]:
    """These chains and all that they are split into."""
    by_id = {mention.id: mention for mention in mentions}
    result: dict[ChainKey, ExpectedChain] = {}
    waiting = list(roots)
    for root in waiting:
        generation, members = root.key
        chain = [by_id[member] for member in members]
        result[root.key] = fold_chain(
            chain,
            answered(root.key),
            protocol,
            settings,
            verified=generation % 2 > 0,
            begun=root.ruling,
            rulings=(rulings or {}).get(root.key, ()),
        )
        if result[root.key].progress.state == SPLIT:
            waiting += [Root((generation + 1, tuple(m.id for m in part))) for part in split(chain)]
    return result


def fold_chain(
    mentions: Sequence[Mention],
    ask: Ask,
    protocol: Protocol,
    settings: BatchSettings,
    *,
    verified: bool,
    begun: Ruling | None = None,
    rulings: Sequence[Ruling] = (),
) -> ExpectedChain:
    """Replay one chain. It begins as the protocol opens it, or as `begun` says; then `rulings`, in order."""
    fold = _ChainFold(mentions, ask, protocol, settings)
    if begun is None:
        fold.progress = Progress(protocol.opening(mentions, settings, verified=verified))
        fold.rules.append("split-off" if verified else "linked")
    else:
        fold.rule(begun)
    for ruling in rulings:
        fold.run()
        fold.rule(ruling)
    fold.run()
    fold.ask_next()
    return ExpectedChain(
        fold.progress, tuple(fold.items), tuple(fold.boxes), tuple(fold.rules), tuple(fold.visits)
    )


class _ChainFold:
    """A chain on its way through its answers."""

    def __init__(
        self, mentions: Sequence[Mention], ask: Ask, protocol: Protocol, settings: BatchSettings
    ) -> None:
        self.mentions, self.ask, self.protocol, self.settings = mentions, ask, protocol, settings
        self.progress = Progress("")
        self.items: list[ExpectedItem] = []
        self.visits: list[Visit] = []
        self.boxes: list[ExpectedBox] = []
        self.rules: list[str] = []
        self._decision: int | None = None
        self._begin()

    def _begin(self) -> None:
        self._counted: Given | None = None
        self._new: Source | None = None
        self._author: int | None = None
        self._open: tuple[Visit, int] | None = None  # asked and not decided, with its judgments so far

    def rule(self, ruling: Ruling) -> None:
        """Go on as a researcher decided."""
        kept = {source for _, source in ruling.boxes}
        self.boxes = [box for box in self.boxes if box.state == "rejected" and box.source not in kept]
        self.boxes += [ExpectedBox(box, "accepted", source) for box, source in ruling.boxes]
        self.progress = Progress(
            ruling.state,
            visits=self.progress.visits,
            boxes_accepted=len(ruling.boxes),
            flag=ruling.flag,
            reason=ruling.rule if ruling.state == REVIEW else "",
        )
        self.rules.append(ruling.rule)
        self._decision = ruling.id
        self._begin()

    def run(self) -> None:
        """As far as the answers carry it."""
        while self.progress.state in self.protocol.decide:
            stage = self.progress.state
            counted = () if self._counted is None else (self._counted,)
            context = Context(
                stage,
                tuple(box.source for box in self.boxes if box.state == "accepted"),
                self._new,
                self._counted.id if self._counted else None,
                self._decision,
            )
            item, answers = self.ask(context)
            given = [one for one in answers if isinstance(one.answer, ANSWERS[stage])]
            visit = Visit(context, item, self._author)
            verdict, last = _decide(self.protocol, stage, counted, given)
            if verdict is None:
                self._open = visit, len(given)
                return
            self._step(visit, verdict, last, len(given))

    def _step(self, visit: Visit, verdict: Verdict, last: Given | None, judged: int) -> None:
        protocol, stage = self.protocol, visit.context.stage
        progress = replace(self.progress, visits=self.progress.visits + 1)
        self.progress, rule = protocol.step(progress, verdict, self.mentions, self.settings)
        self.items.append(_item(stage, judged, done=True))
        self.visits.append(replace(visit, done=True, rule=rule, target=self.progress.state))
        self.rules.append(rule)
        if rule in protocol.box_states:
            state = protocol.box_states[rule]
            self.boxes = [replace(b, state=state) if b.state == "proposed" else b for b in self.boxes]
        drawn = [Source(last.id if last else None, None, place) for place in range(len(verdict.boxes))]
        self.boxes += [
            ExpectedBox(box, "proposed", source) for box, source in zip(verdict.boxes, drawn, strict=True)
        ]
        counts = rule in protocol.counts_next
        self._counted = last if counts else None
        self._new = drawn[0] if len(drawn) == 1 else None
        asks_others = counts or self.progress.state in protocol.not_by_author
        self._author = last.worker if last and asks_others else None

    def ask_next(self) -> None:
        """Have what is not decided asked. Not so before a decision: that question is not asked any more."""
        if self._open is not None:
            visit, judged = self._open
            self.progress = replace(self.progress, visits=self.progress.visits + 1)
            self.items.append(_item(visit.context.stage, judged, done=False))
            self.visits.append(visit)


def _decide(
    protocol: Protocol, stage: str, counted: Sequence[Given], given: Sequence[Given]
) -> tuple[Verdict | None, Given | None]:
    """The verdict, and the judgment that decided; later ones change nothing."""
    before = [one.answer for one in counted]
    for place in range(len(given) + 1):
        verdict = protocol.decide[stage]([*before, *(one.answer for one in given[:place])])
        if verdict is not None:
            return verdict, given[place - 1] if place else None
    return None, None


def _item(stage: str, judged: int, done: bool, settling: bool = False) -> ExpectedItem:
    return ExpectedItem(stage, judged if done else judged + 1, judged, done, settling)
