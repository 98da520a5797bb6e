"""Compare the stored rows of an image with what follows from its judgments, and plan what to write.

Nothing is deleted. Rows that do not follow any more are withdrawn, and the same rows are used if they follow
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from annotation.domain.chain_states import REVIEW, UNTOLD, WITHDRAWN
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_strategies import Pair, Strategy
from workflows.pipeline.domain.moves import Progress, Protocol
from workflows.pipeline.domain.verdicts import decide_link
from workflows.pipeline.replay.domain.chain_fold import ExpectedBox, ExpectedChain, ExpectedItem, Visit
from workflows.pipeline.replay.domain.contexts import Answered, Context
from workflows.pipeline.replay.domain.image_fold import (
    ChainKey,
    ExpectedImage,
    Root,
    fold_chains,
    fold_links,
    state_of,
)
from workflows.pipeline.replay.domain.stored_rows import (
    DONE,
    OPEN,
    StoredBox,
    StoredChain,
    StoredImage,
    StoredItem,
)


@dataclass(frozen=True, slots=True)
class ItemChange:
    """An item as it must be written; `before` is the row there is."""

    before: StoredItem | None
    stage: str
    state: str
    needed: int
    judged: int
    settling: bool = False
    visit: int = 0
    author: int | None = None
    pair: Pair | None = None
    chain: ChainKey | None = None
    context: Context | None = None

    @property
    def asks_again(self) -> bool:
        """Whether a question is asked that was answered before or was never asked."""
        before = self.before
        return self.state == OPEN and (before is None or before.state != OPEN or before.judged > self.judged)

    @property
    def waits_anew(self) -> bool:
        """Whether the item begins to wait for a judgment, and so goes to the end of its queue."""
        before = self.before
        return self.asks_again or (self.state == OPEN and before is not None and before.needed < self.needed)


@dataclass(frozen=True, slots=True)
class Logged:
    """A change of state for the log."""

    rule: str
    source: str
    target: str
    item: int | None = None


@dataclass(frozen=True, slots=True)
class ChainChange:
    """A chain as it must be written; `before` is the row there is."""

    before: StoredChain | None
    key: ChainKey
    progress: Progress
    log: tuple[Logged, ...]


@dataclass(frozen=True, slots=True)
class BoxChange:
    """A box as it must be written; `before` is the row there is."""

    before: StoredBox | None
    chain: ChainKey
    box: ExpectedBox


@dataclass(slots=True)
class Plan:
    """Everything that has to be written for one image. It is empty if the stored rows are right."""

    image: Logged | None = None
    items: list[ItemChange] = field(default_factory=list)
    chains: list[ChainChange] = field(default_factory=list)
    boxes: list[BoxChange] = field(default_factory=list)
    contradictions: tuple[Pair, ...] = ()  # those of all chains; only new chains get a case
    rests_for: tuple[str, ...] = ()  # reasons of cases; each has an open case as long as the image rests

    def lines(self) -> Iterator[str]:
        """Yield a line a difference, with what is stored and what follows."""
        if self.image is not None:
            yield f"state is {self.image.source}, what counts says {self.image.target}"
        for chain in self.chains:
            stored = chain.before.progress if chain.before else "missing"
            yield f"chain {chain.key} is {stored}, what counts says {chain.progress}"
        for item in self.items:
            about = f"link {item.pair}" if item.pair else f"chain {item.chain}: {item.stage} item"
            what = replace(item, before=None)
            yield f"{about} is {item.before or 'missing'}, what counts says {what}"
        for box in self.boxes:
            was = box.before.state if box.before else "missing"
            yield f"chain {box.chain}: box {box.box.box} is {was}, what counts says {box.box.state}"


def expected_image(
    stored: StoredImage,
    mentions: Sequence[Mention],
    *,
    protocol: Protocol,
    strategy: Strategy,
    settings: BatchSettings,
) -> ExpectedImage:
    """Return what follows from the image's decisions and from its judgments that count.

    Raises ValueError or LookupError if answers or decisions cannot be replayed.
    """
    roots = stored.decided.roots()
    links: dict[Pair, ExpectedItem] = {}
    contradictions: tuple[Pair, ...] = ()
    if roots is None:
        answers = {item.pair: [one.answer for one in item.given] for item in stored.items if item.pair}
        links, end = fold_links(mentions, answers, strategy, str(settings.seed))
        if end is None:
            items = stored.untold
            untold = {item.pair for item in stored.items if item.id in items}
            untold_link = any(not link.done and pair in untold for pair, link in links.items())
            state = RESTING if stored.rests or untold_link else "linking"
            return ExpectedImage(state, links, untold_link=untold_link)
        contradictions = end.contradictions
        roots = [Root((0, tuple(m.id for m in chain))) for chain in end.chains]
    else:
        # The researcher has settled the links: those asked so far stay, and no more are asked.
        links = {item.pair: link for item in stored.items if item.pair and (link := _settled(item))}
    rows = stored.rows()

    def answered(key: ChainKey) -> Answered:
        return Answered(stored.asked(rows[key].id if key in rows else None))

    folded = fold_chains(
        roots,
        mentions,
        answered,
        protocol=protocol,
        settings=settings,
        rulings=stored.decided.rulings(),
        untold=stored.untold,
    )
    state = state_of(folded)
    state = RESTING if stored.rests and state != "done" else state
    return ExpectedImage(state, links, folded, contradictions=contradictions)


def _settled(item: StoredItem) -> ExpectedItem | None:
    verdict = decide_link([one.answer for one in item.given], settling=item.settling)
    judged = len(item.given)
    return ExpectedItem(item.stage, judged, judged, True, item.settling) if verdict else None


def plan_changes(stored: StoredImage, expected: ExpectedImage) -> Plan:
    """Return what has to be written so that the stored rows become as expected."""
    found = Plan(contradictions=expected.contradictions)
    if stored.state != expected.state:
        rule = _MOVES.get((stored.state, expected.state), "replayed")
        if expected.state == RESTING and not stored.rests:
            rule = UNTOLD
        found.image = Logged(rule, stored.state, expected.state)
    if expected.state == RESTING:
        reasons = ((PHOTOGRAPH, stored.rests), (UNSURE, expected.untold_link))
        found.rests_for = tuple(reason for reason, holds in reasons if holds)
    rows = stored.rows()
    by_id = {item.id: item for item in stored.items}
    follows: set[int] = set()
    for link in _links(stored, expected):
        follows.update([link.before.id] if link.before else [])
        found.items.append(link)
    for key, chain in expected.chains.items():
        row = rows.get(key)
        found.chains += _chain(row, key, chain, by_id)
        for number, visit in enumerate(chain.visits):
            before = by_id[visit.item] if visit.item is not None else None
            follows.update([before.id] if before else [])
            found.items.append(_visit(before, key, number, visit, _asked(before, stored, expected)))
    for row in stored.chains:
        if (row.key not in expected.chains or rows[row.key] is not row) and row.progress.state != WITHDRAWN:
            log = Logged("withdrawn", row.progress.state, WITHDRAWN)
            gone = replace(row.progress, state=WITHDRAWN)
            found.chains.append(ChainChange(row, row.key, gone, (log,)))
    keys = {row.id: row.key for row in stored.chains}
    for item in stored.items:
        if item.id not in follows:
            found.items.append(_withdrawn(item, keys))
    found.items = [item for item in found.items if _differs(item)]
    found.boxes = list(_boxes(stored, expected, keys))
    return found


RESTING = "resting"
"""A state of images, the same as in `ImageWork.State`: nothing is asked until a researcher decides."""
PHOTOGRAPH, UNSURE = "photograph", "unsure"
"""Why an image rests, the same as in `Case.Reason`."""

_MOVES = {
    ("linking", "boxing"): "links-settled",
    ("boxing", "done"): "chains-done",
    ("queued", "linking"): "opened",
    ("linking", "resting"): "photograph-unusable",
    ("boxing", "resting"): "photograph-unusable",
    ("resting", "linking"): "photograph-usable",
    ("resting", "boxing"): "photograph-usable",
}


def _asked(before: StoredItem | None, stored: StoredImage, expected: ExpectedImage) -> str:
    """Return the state of an item that still needs a judgment.

    If the batch has released the image, nothing new is asked, but items that were open stay open: late pages
    count there. If the image rests, nothing is asked.
    """
    if expected.state == RESTING:
        return WITHDRAWN
    return OPEN if stored.active or (before is not None and before.state == OPEN) else WITHDRAWN


def _counts(before: StoredItem | None, state: str, *, held: bool = False) -> tuple[int, int]:
    """Return (needed, judged). A worker who holds the item may still answer it, whatever its state.

    While a model may answer it first, it is `held`, and no worker is asked.
    """
    judged, leased = (len(before.given), before.leased) if before else (0, 0)
    if state == OPEN and not held:
        return max(judged + 1, judged + leased), judged
    least = judged + leased
    # A page that was given back leaves a higher number. It asks nobody, so it can stay.
    return (before.needed if before and before.judged == judged and before.needed > least else least), judged


def _links(stored: StoredImage, expected: ExpectedImage) -> Iterator[ItemChange]:
    rows = {item.pair: item for item in stored.items if item.pair}
    for pair, link in expected.links.items():
        before = rows.get(pair)
        state = DONE if link.done else _asked(before, stored, expected)
        yield ItemChange(before, link.stage, state, *_counts(before, state), link.settling, pair=pair)


def _visit(before: StoredItem | None, key: ChainKey, number: int, visit: Visit, asked: str) -> ItemChange:
    state = DONE if visit.done else asked
    return ItemChange(
        before,
        visit.context.stage,
        state,
        *_counts(before, state, held=visit.held),
        visit=number,
        author=visit.author,
        chain=key,
        context=visit.context,
    )


def _withdrawn(item: StoredItem, keys: dict[int, ChainKey]) -> ItemChange:
    return ItemChange(
        item,
        item.stage,
        WITHDRAWN,
        *_counts(item, WITHDRAWN),
        settling=item.settling,
        visit=item.visit,
        author=item.author,
        pair=item.pair,
        chain=keys.get(item.chain) if item.chain is not None else None,
        context=item.context,
    )


def _differs(item: ItemChange) -> bool:
    before = item.before
    if before is None:
        return item.state != WITHDRAWN
    return any(
        getattr(before, name) != getattr(item, name)
        for name in ("state", "needed", "judged", "settling", "visit", "author")
    )


def _chain(
    row: StoredChain | None, key: ChainKey, chain: ExpectedChain, items: dict[int, StoredItem]
) -> Iterator[ChainChange]:
    after = chain.progress
    if row is None:
        yield ChainChange(None, key, after, (Logged(chain.rules[0], "", after.state),))
    elif row.progress.state == WITHDRAWN:
        yield ChainChange(row, key, after, (Logged("revived", WITHDRAWN, after.state),))
    elif row.progress != after:
        yield ChainChange(row, key, after, _way(row.progress, chain, items))


def _way(before: Progress, chain: ExpectedChain, items: dict[int, StoredItem]) -> tuple[Logged, ...]:
    """Return the log of the moves from `before` on, or one line `replayed` if it did not just go on."""
    steps: list[Logged] = []
    for visit in reversed(chain.visits):
        if not visit.done:
            continue
        if visit.item is None or items[visit.item].state != OPEN:
            break
        steps.insert(0, Logged(visit.rule, visit.context.stage, visit.target, visit.item))
    if chain.progress.reason == UNTOLD and before.reason != UNTOLD:
        steps.append(Logged(UNTOLD, steps[-1].target if steps else before.state, REVIEW))
    if steps and (steps[0].source, steps[-1].target) == (before.state, chain.progress.state):
        return tuple(steps)
    return (Logged("replayed", before.state, chain.progress.state),)


def _boxes(stored: StoredImage, expected: ExpectedImage, keys: dict[int, ChainKey]) -> Iterator[BoxChange]:
    rows = {(keys[box.chain], box.source): box for box in stored.boxes}
    follows = set()
    for key, chain in expected.chains.items():
        for box in chain.boxes:
            follows.add((key, box.source))
            before = rows.get((key, box.source))
            if before is None or (before.state, before.box) != (box.state, box.box):
                yield BoxChange(before, key, box)
    for place, before in rows.items():
        if place not in follows and before.state != WITHDRAWN:
            yield BoxChange(before, place[0], ExpectedBox(before.box, WITHDRAWN, before.source))
