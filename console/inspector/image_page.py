"""An image with everything known about it on one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from annotation.domain.mentions import Mention, representative
from annotation.domain.records import ChainRecord
from annotation.exporting.images import Draft
from annotation.models import Caption, Chain, Decision
from console.common.chain_page import GONE, Line
from console.common.labels import letter, say_caption_flags, say_state
from console.common.pictures import Picture, Piece, cut
from console.inspector.sources import Choice
from workflows.cases.unrelated_captions import open_unrelated_of
from workflows.pipeline.models import WrittenCaption
from workflows.review.selectors import WITHDRAW, active_work, captions_of, undoable_now

Span = tuple[int, int, int]  # caption's index, first token, token after the last
COLOURS = 8
"""Colours in inspector.css. With more chains, colours repeat with another line style."""
LINES = 3


def look(number: int) -> str:
    """Return the classes of a chain's marks and boxes by its number, from 1."""
    place = number - 1
    return f"c{place % COLOURS} l{place // COLOURS % LINES}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A chain on the page. `pk` is that of the crowd's chain, for its history and for deciding about it."""

    number: int
    letter: str
    text: str
    types: str
    mentions: int
    boxes: tuple[tuple[int, int, int, int], ...]
    mark: str  # scene or nobndbox
    state: str
    waits: bool
    pk: int | None

    @property
    def look(self) -> str:
        """Return the classes of the chain's marks and boxes."""
        return look(self.number)


@dataclass(frozen=True, slots=True)
class Showing:
    """Captions with their mentions marked, and the chains by letter."""

    captions: list[Line]
    chains: list[Shown]


def showing(draft: Draft | None, choice: Choice | None) -> Showing:
    """Return the captions and chains of an image. One query, for the crowd's chains."""
    if draft is None:
        return Showing([], [])
    mentions = _mentions(draft)
    rows = _rows(choice)
    chains = [_shown(chain, draft, mentions, rows) for chain in draft.record.chains]
    return Showing(_captions(draft, mentions, chains), chains)


def _mentions(draft: Draft) -> dict[Span, Mention]:
    found = {}
    for caption, index, _, tokens in draft.captions:
        words = tokens.split(" ")
        for pk, start, end, types, *_ in draft.mentions.get(caption, ()):
            text = " ".join(words[start:end])
            found[index, start, end] = Mention(pk, index, start, end, text, tuple(types.split("/")))
    return found


def _rows(choice: Choice | None) -> dict[frozenset[int], Chain]:
    """Return the chains in use by their members, which no two chains share."""
    if choice is None or choice.work is None:
        return {}
    chains = Chain.objects.filter(work=choice.work).exclude(state__in=GONE)
    return {frozenset(chain.members): chain for chain in chains}


def _shown(
    chain: ChainRecord,
    draft: Draft,
    mentions: Mapping[Span, Mention],
    rows: Mapping[frozenset[int], Chain],
) -> Shown:
    members = [mentions[span] for span in chain.mentions]
    row = rows.get(frozenset(member.id for member in members))
    return Shown(
        number=chain.id,
        letter=letter(chain.id - 1),
        text=representative(members).text,
        types="/".join(chain.types),
        mentions=len(members),
        boxes=tuple(draft.record.boxes[index].box.edges for index in chain.boxes),
        mark="scene" if chain.scene else "nobndbox" if chain.nobndbox else "",
        state=say_state(row.state) if row else "",
        waits=not chain.finished,
        pk=row.pk if row else None,
    )


def _captions(draft: Draft, mentions: Mapping[Span, Mention], chains: Sequence[Shown]) -> list[Line]:
    home = {
        span: shown
        for shown, chain in zip(chains, draft.record.chains, strict=True)
        for span in chain.mentions
    }
    lines = []
    for caption, index, text, tokens in draft.captions:
        marks = []
        for pk, start, end, _, annotatable, _ in draft.mentions.get(caption, ()):
            shown = home.get((index, start, end))
            kind = shown.look if shown else "free" if annotatable else "unasked"
            marks.append((start, end, Piece("", kind, pk, shown.letter if shown else "")))
        lines.append(Line(index + 1, cut(text, tokens, marks)))
    return lines


def setup(
    image: Picture, found: Showing, choice: Choice | None, *, linked: bool, **more: Any
) -> dict[str, Any]:
    """Return the setup of the page's script; see frontend/src/console/inspector/setup.ts.

    `linked` is whether the user may open the pages of chains.
    """
    return {
        "image": image.info,
        "label": image.name,
        "source": choice.key if choice else "",
        "merged": reverse("inspector:merged", args=[image.id]),
        "history": reverse("inspector:history", args=[image.id]),
        "chains": [
            {
                "letter": chain.letter,
                "look": chain.look,
                "text": chain.text,
                "boxes": chain.boxes,
                "pk": chain.pk,
                "page": reverse("review:chain", args=[chain.pk]) if chain.pk and linked else "",
            }
            for chain in found.chains
        ],
        **more,
    }


@dataclass(frozen=True, slots=True)
class Told:
    """A caption in use, with the id of its row."""

    line: Line
    pk: int
    said_unrelated: bool = False
    """Whether workers say that it is about another photograph, and no researcher has decided yet."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A caption that was withdrawn. If `undo` names the decision, undoing it brings the caption back."""

    caption: Caption
    undo: int | None

    @property
    def place(self) -> int:
        """Its place from 1."""
        return self.caption.index + 1


@dataclass(frozen=True, slots=True)
class NotKept:
    """A caption that a worker wrote and that is not in the corpus, with the reason in words."""

    row: WrittenCaption
    why: str


@dataclass(frozen=True, slots=True)
class Captions:
    """Everything about an image's captions that its page shows."""

    told: list[Told]
    withdrawn: list[Withdrawn]
    not_kept: list[NotKept]


def captions_on_page(image_id: int, lines: Sequence[Line]) -> Captions:
    """Return the captions; `lines` are those in use with their phrases. At most nine queries."""
    rows = captions_of(image_id)
    pks = {row.index + 1: row.pk for row in rows if not row.superseded}
    said = {one.caption.index + 1 for one in open_unrelated_of(image_id) if one.caption}
    told = [Told(line, pks[line.index], line.index in said) for line in lines]
    withdrawn = [row for row in rows if row.superseded]
    return Captions(
        told, [Withdrawn(row, undo) for row, undo in _undoes(image_id, withdrawn)], _not_kept(image_id)
    )


def _not_kept(image_id: int) -> list[NotKept]:
    """Return the captions that workers wrote and that were refused or set aside. At most two queries."""
    states = WrittenCaption.State.REFUSED, WrittenCaption.State.WITHDRAWN
    rows = WrittenCaption.objects.filter(work__image=image_id, state__in=states)
    found = list(rows.select_related("judgment__worker").order_by("judgment_id"))
    if not found:
        return []
    decided = Decision.objects.filter(work__image=image_id, kind=Decision.Kind.WRITTEN).order_by("pk")
    rulings = {one.content["judgment"]: one for one in decided}
    return [NotKept(row, _why_not_kept(row, rulings.get(row.judgment_id))) for row in found]


def _why_not_kept(row: WrittenCaption, ruling: Decision | None) -> str:
    if row.state == WrittenCaption.State.WITHDRAWN:
        return "the answers of its worker were set aside"
    if ruling is None:
        return "a second worker says that it does not describe the image"
    said = f"refused by {ruling.by}"
    flags = say_caption_flags(row.flags)
    return "; ".join(part for part in (said, ruling.note, f"it {flags}" if flags else "") if part)


def _undoes(image_id: int, withdrawn: Sequence[Caption]) -> list[tuple[Caption, int | None]]:
    """Return each caption with the withdrawal (id) that brings it back if it is undone. No query for none."""
    if not withdrawn:
        return []
    undoable = undoable_now(image_id, active_work(image_id))
    decisions = Decision.objects.filter(pk__in=undoable, kind=Decision.Kind.CAPTION, content__action=WITHDRAW)
    undoes = {content["caption"]: pk for pk, content in decisions.values_list("pk", "content")}
    return [(row, undoes.get(row.index)) for row in withdrawn]
