"""Work out the state of one chain from its answers and from what researchers decided about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from annotation.domain.answers import ANSWERS
from annotation.domain.chain_states import REVIEW, UNTOLD
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.moves import Progress, Protocol
from workflows.pipeline.domain.verdicts import Evidence, ModelWeights, Verdict
from workflows.pipeline.replay.domain.contexts import Asked, Context, Given, Source

Ask = Callable[[Context], Asked]
"""Returns the item that was asked in a context."""


@dataclass(frozen=True, slots=True)
class ExpectedItem:
    """An item as it must be: `needed` judgments were asked for so far, `judged` were given."""

    stage: str
    needed: int
    judged: int
    done: bool
    settling: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedBox:
    """A box as it must be."""

    box: Box
    state: str
    source: Source = field(default=Source(None, None), compare=False)


@dataclass(frozen=True, slots=True)
class Visit:
    """One item of a chain in a replay: why it is asked, which stored item it is, and what it led to."""

    context: Context
    item: int | None = None  # None: it was never asked before
    author: int | None = None  # the worker who is never asked it
    done: bool = False
    rule: str = ""
    target: str = ""  # the state the chain came to
    held: bool = False  # a model answers first


@dataclass(frozen=True, slots=True)
class ExpectedChain:
    """A chain as it must be, with its items by visit and its boxes in the order they were drawn."""

    progress: Progress
    items: tuple[ExpectedItem, ...]
    boxes: tuple[ExpectedBox, ...]
    rules: tuple[str, ...]  # the rules that fired, in order: the chain's transitions
    visits: tuple[Visit, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A researcher's decision about a chain: from here on it has these boxes and goes on from `state`.

    Judgments of earlier questions do not move the chain any more.
    """

    id: int
    state: str
    flag: str = ""
    boxes: tuple[tuple[Box, Source], ...] = ()
    rule: str = "decided"


def fold_chain(
    mentions: Sequence[Mention],
    ask: Ask,
    protocol: Protocol,
    settings: BatchSettings,
    *,
    verified: bool,
    begun: Ruling | None = None,
    rulings: Sequence[Ruling] = (),
    untold: Collection[int] = (),
) -> ExpectedChain:
    """Replay one chain. It begins as the protocol opens it or as `begun` says; `rulings` follow in order.

    If workers could not tell the answer to its open item, which is one of `untold`, it goes to review.
    """
    fold = _ChainFold(mentions, ask, protocol, settings, untold)
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
    """The state of one chain while its answers are replayed."""

    def __init__(
        self,
        mentions: Sequence[Mention],
        ask: Ask,
        protocol: Protocol,
        settings: BatchSettings,
        untold: Collection[int],
    ) -> None:
        self.mentions, self.ask, self.protocol, self.settings = mentions, ask, protocol, settings
        self.untold = untold
        self.progress = Progress("")
        self.items: list[ExpectedItem] = []
        self.visits: list[Visit] = []
        self.boxes: list[ExpectedBox] = []
        self.rules: list[str] = []
        self._decision: int | None = None
        self._begin()

    def _begin(self) -> None:
        self._counted: tuple[Given, ...] = ()  # earlier judgments that count at the next item, too
        self._votes: tuple[Given, ...] = ()  # of a stage whose judgments add up
        self._new: Source | None = None
        self._author: int | None = None
        self._open: tuple[Visit, int] | None = None  # the undecided visit, with its judgments so far

    def rule(self, ruling: Ruling) -> None:
        """Apply a researcher's decision."""
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
        """Take moves as long as the answers decide them."""
        while self.progress.state in self.protocol.decide:
            stage = self.progress.state
            context = Context(
                stage,
                tuple(box.source for box in self.boxes if box.state == "accepted"),
                self._new,
                self._counted[-1].id if self._counted else None,
                self._decision,
            )
            asked = self.ask(context)
            given = [one for one in asked.given if isinstance(one.answer, ANSWERS[stage])]
            held = self.protocol.waits_for_model(stage, self.settings) and asked.model is None and not given
            visit = Visit(context, asked.id, self._author, held=held)
            verdict, decided = self._decide(stage, given, asked.evidence)
            if verdict is None and asked.id in self.untold:
                self.progress = replace(self.progress, state=REVIEW, reason=UNTOLD)
                self.rules.append(UNTOLD)
                return
            if verdict is None:
                self._open = visit, len(given)
                return
            self._step(visit, verdict, decided, len(given))

    def _step(self, visit: Visit, verdict: Verdict, decided: Sequence[Given], judged: int) -> None:
        protocol, stage = self.protocol, visit.context.stage
        last = decided[-1] if decided else None
        if protocol.adds_up(stage, self.settings):
            self._votes = (*self._counted, *decided)
        progress = replace(self.progress, visits=self.progress.visits + 1)
        self.progress, rule = protocol.step(progress, verdict, self.mentions, self.settings)
        self.items.append(make_item(stage, judged, done=True))
        self.visits.append(replace(visit, done=True, rule=rule, target=self.progress.state))
        self.rules.append(rule)
        if rule in protocol.box_states:
            new = count()
            self.boxes = [
                replace(box, state=protocol.state_of_box(rule, verdict, next(new)))
                if box.state == "proposed"
                else box
                for box in self.boxes
            ]
        drawn = [Source(last.id if last else None, None, place) for place in range(len(verdict.boxes))]
        self.boxes += [
            ExpectedBox(box, "proposed", source) for box, source in zip(verdict.boxes, drawn, strict=True)
        ]
        counts = rule in protocol.counts_next
        self._counted = (*self._votes, last) if counts and last else ()
        # Of several, the first stands for all: they are of one judgment.
        self._new = drawn[0] if drawn else None
        asks_others = counts or self.progress.state in protocol.not_by_author
        self._author = last.worker if last and asks_others else None

    def _decide(
        self, stage: str, given: Sequence[Given], model: Sequence[ModelWeights]
    ) -> tuple[Verdict | None, Sequence[Given]]:
        """Return the verdict and the judgments that decided it; later ones change nothing."""
        before: list[Evidence] = [*(one.answer for one in self._counted), *model]
        for place in range(len(given) + 1):
            answers = [*before, *(one.answer for one in given[:place])]
            verdict = self.protocol.verdict(stage, answers, self.mentions, self.settings)
            if verdict is not None:
                return verdict, given[:place]
        return None, ()

    def ask_next(self) -> None:
        """Add the undecided visit as an open item.

        This is done at the end only: a question that was open before a decision is not asked any more.
        """
        if self._open is not None:
            visit, judged = self._open
            self.progress = replace(self.progress, visits=self.progress.visits + 1)
            self.items.append(make_item(visit.context.stage, judged, done=False, held=visit.held))
            self.visits.append(visit)


def make_item(
    stage: str, judged: int, done: bool, settling: bool = False, *, held: bool = False
) -> ExpectedItem:
    """Return the item with as many judgments as it needs. While it is `held` for a model, it needs none."""
    return ExpectedItem(stage, judged if done or held else judged + 1, judged, done, settling)
