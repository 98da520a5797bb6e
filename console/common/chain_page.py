"""A chain on one page: its image, its boxes, its captions, and all that happened to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.chain_states import REVIEW
from annotation.models import Box, Caption, Case, Chain, ImageWork, Mention
from console.common.history import Entry, history, lineage
from console.common.labels import letter, say_move, say_state
from console.common.pictures import Picture, Piece, cut, picture, shape_of
from workflows.pipeline.models import Transition
from workflows.review.selectors import active_work, undoable_now

GONE = ("split", "withdrawn")
"""States of chains that are not in use any more."""
MAX_CHANGES = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A caption with its mentions marked; `index` is its place from 1."""

    index: int
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Sibling:
    """A chain of the same image, in short."""

    id: int
    letter: str
    text: str
    state: str
    size: int
    boxes: int
    own: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A box of the chain, as the list below the picture says it."""

    label: str
    box: Box
    by: str
    worker: int | None


@dataclass(frozen=True, slots=True)
class ChainPage:
    """Everything the page shows."""

    chain: Chain
    work: ImageWork
    letter: str
    state: str
    picture: Picture
    captions: list[Line]
    siblings: list[Sibling]
    boxes: list[Drawn]
    history: list[Entry]
    open_cases: list[Case]

    @property
    def decidable(self) -> list[Box]:
        """Return the boxes that a decision begins with: those that the chain has now.

        If the chain waits for a researcher, these are also the new boxes that nobody has judged yet.
        """
        states = {Box.State.ACCEPTED, *([Box.State.PROPOSED] if self.chain.state == REVIEW else [])}
        return [drawn.box for drawn in self.boxes if drawn.box.state in states]


def chain_page(pk: int) -> ChainPage | None:
    """Return the page of this chain, or None if there is none. A fixed number of queries."""
    chain = Chain.objects.select_related("representative", "work__image", "work__batch__project")
    found = chain.filter(pk=pk).first()
    if found is None:
        return None
    work = found.work
    ever = mentions_of(work, superseded=True)
    mentions = [mention for mention in ever if not mention.superseded]
    chains = list(Chain.objects.filter(work=work).select_related("representative").order_by("pk"))
    letters = letters_of(chains, mentions)
    drawn = _drawn(found)
    undoable = undoable_now(work.image_id, active_work(work.image_id))
    entries = history(found, lineage(found, chains), {m.pk: m.text for m in ever}, undoable)
    cases = Case.objects.filter(chain=found, closed_at=None).select_related("judgment").order_by("pk")
    return ChainPage(
        chain=found,
        work=work,
        letter=letters.get(found.pk, ""),
        state=say_state(found.state),
        picture=picture(work.image, [shape_of(one.box, one.label) for one in drawn]),
        captions=captions_of(work, marked_mentions(ever, found.members), chains, letters, own=found.members),
        siblings=siblings_of(chains, letters, own=found),
        boxes=drawn,
        history=entries,
        open_cases=list(cases),
    )


def changed_since(work: ImageWork, version: int) -> list[str]:
    """Return what happened to an image since a version of it, in words, the latest first."""
    moves = Transition.objects.filter(work=work, pk__gt=version).select_related("chain__representative")
    return [
        (f"“{move.chain.representative.text}”: " if move.chain else "") + say_move(move.rule, move.target)
        for move in moves.order_by("-pk")[:MAX_CHANGES]
    ]


def mentions_of(work: ImageWork, *, superseded: bool = False) -> list[Mention]:
    """Return the image's mentions in reading order; with `superseded`, also those replaced by a new cut."""
    rows = Mention.objects.filter(image=work.image_id).select_related("caption")
    if not superseded:
        rows = rows.filter(superseded=False)
    return list(rows.order_by("caption__index", "start", "pk"))


def marked_mentions(ever: Sequence[Mention], members: Collection[int]) -> list[Mention]:
    """Return the mentions to mark: the members (ids), even superseded ones, and what lies beside them."""
    own = [mention for mention in ever if mention.pk in members]
    beside = [mention for mention in ever if not mention.superseded and mention.pk not in members]
    return own + [mention for mention in beside if not any(_overlap(mention, other) for other in own)]


def _overlap(one: Mention, other: Mention) -> bool:
    return one.caption_id == other.caption_id and one.start < other.end and other.start < one.end


def letters_of(chains: Iterable[Chain], mentions: Sequence[Mention]) -> dict[int, str]:
    """Return the chains in use with their letters, in the order of their first mentions."""
    place = {mention.pk: number for number, mention in enumerate(mentions)}
    used = [chain for chain in chains if chain.state not in GONE]
    used.sort(key=lambda chain: (place.get(chain.first_id, len(place)), chain.pk))
    return {chain.pk: letter(number) for number, chain in enumerate(used)}


def siblings_of(
    chains: Iterable[Chain], letters: Mapping[int, str], own: Chain | None = None
) -> list[Sibling]:
    """Return the chains in use, by letter."""
    found = [
        Sibling(
            chain.pk,
            letters[chain.pk],
            chain.representative.text,
            say_state(chain.state),
            len(chain.members),
            chain.boxes_accepted,
            own is not None and chain.pk == own.pk,
        )
        for chain in chains
        if chain.pk in letters
    ]
    return sorted(found, key=lambda sibling: (len(sibling.letter), sibling.letter))


def captions_of(
    work: ImageWork,
    mentions: Iterable[Mention],
    chains: Iterable[Chain],
    letters: Mapping[int, str],
    own: Collection[int] = (),
) -> list[Line]:
    """Return the captions with the mentions in `own` (ids) marked and all others faint. One query.

    A caption that was edited or withdrawn since is among them if it has a mention in `own`.
    """
    members = set(own)
    home = {pk: letters[chain.pk] for chain in chains if chain.pk in letters for pk in chain.members}
    marks = defaultdict(list)
    shown = set()
    for mention in mentions:
        kind = "own" if mention.pk in members else "other" if mention.annotatable else "unasked"
        name = home.get(mention.pk, "")
        marks[mention.caption_id].append((mention.start, mention.end, Piece("", kind, mention.pk, name)))
        shown |= {mention.caption_id} if kind == "own" else set()
    captions = Caption.objects.filter(image=work.image_id).order_by("index", "version")
    return [
        Line(caption.index + 1, cut(caption.text, caption.tokens, marks[caption.pk]))
        for caption in captions
        if not caption.superseded or caption.pk in shown
    ]


def _drawn(chain: Chain) -> list[Drawn]:
    """Those it has now first, then new ones, so that the editor's numbers are the same."""
    rows = Box.objects.filter(chain=chain).select_related("judgment__worker", "decision").order_by("pk")
    first = {Box.State.ACCEPTED: 0, Box.State.PROPOSED: 1}
    boxes = sorted(rows, key=lambda box: first.get(Box.State(box.state), 2))
    drawn = []
    for number, box in enumerate(boxes, start=1):
        worker = box.judgment.worker if box.judgment else None
        by = worker.external_id if worker else box.decision.by if box.decision else "?"
        drawn.append(Drawn(str(number), box, by, worker.pk if worker else None))
    return drawn
