"""The page of an image with its chunks and chains, and the form that edits them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from annotation.domain.answers import Stage
from annotation.domain.geometry import Box as Rectangle
from annotation.models import Box, Caption, Case, Chain, Decision, ImageWork, Mention
from console.common.labels import letter, say_state
from console.review.chain_page import Line, Sibling, captions_of, letters_of, mentions_of, siblings_of
from console.review.history import Entry, decided
from console.review.pictures import Picture, Shape, picture
from console.review.regroup_history import texts_of
from workflows.pipeline.replay.domain.decisions import Chunk, Cut, NewGroup
from workflows.review.domain.kept_boxes import join_boxes

SPARE_CHUNKS = 2
"""Empty rows for new chunks of a caption."""
SPARE_LETTERS = 6
NOT_ASKED = "-"
"""Stands for the letter of a chunk that is not a mention."""
MOST_DECISIONS = 50


@dataclass(slots=True)
class ChunkRow:
    """One row of the form: words `start` to `end` of a caption, counted from 1, and the letter of its chain.

    As text, as somebody typed it; a row without numbers is no chunk.
    """

    name: str
    start: str
    end: str
    chain: str
    text: str = ""
    errors: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CaptionRows:
    """A caption's part of the form."""

    index: int
    tokens: list[str]
    rows: list[ChunkRow]
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WorkPage:
    """Everything the page shows."""

    work: ImageWork
    state: str
    picture: Picture
    captions: list[Line]
    siblings: list[Sibling]
    form: list[CaptionRows]
    letters: list[tuple[str, str]]
    decisions: list[Entry]  # the newest first
    open_cases: list[Case]
    chains: Mapping[str, Chain]
    boxes: Mapping[int, list[Rectangle]]  # accepted ones, by chain
    mentions: list[tuple[int, Mention]]  # with the index of their caption

    @property
    def errors(self) -> bool:
        """Whether the form has any."""
        return any(c.errors or any(row.errors for row in c.rows) for c in self.form)


def work_page(pk: int, data: Mapping[str, Any] | None = None) -> WorkPage | None:
    """Return the page of this image work, or None if there is none; `data` is what was typed.

    A fixed number of queries.
    """
    work = ImageWork.objects.select_related("image", "batch__project").filter(pk=pk).first()
    if work is None:
        return None
    mentions = mentions_of(work)
    chains = list(Chain.objects.filter(work=work).select_related("representative").order_by("pk"))
    letters = letters_of(chains, mentions)
    captions = list(Caption.objects.filter(image=work.image_id).order_by("index"))
    home = {pk: letters[chain.pk] for chain in chains if chain.pk in letters for pk in chain.members}
    cases = Case.objects.filter(work=work, chain=None, closed_at=None).select_related("judgment")
    decisions = Decision.objects.filter(work=work).select_related("chain__representative").order_by("-pk")
    boxes = list(Box.objects.filter(chain__in=letters, state=Box.State.ACCEPTED).order_by("pk"))
    accepted = defaultdict(list)
    for box in boxes:
        accepted[box.chain_id].append(box.rectangle)
    return WorkPage(
        work=work,
        state=say_state(work.state),
        picture=picture(
            work.image,
            [Shape(b.state, letters[b.chain_id], b.left, b.top, b.right, b.bottom) for b in boxes],
        ),
        captions=captions_of(work, mentions, chains, letters),
        siblings=siblings_of(chains, letters),
        form=_form(captions, mentions, home, data),
        letters=_letters(siblings_of(chains, letters)),
        decisions=decided(decisions[:MOST_DECISIONS], texts_of(work.image_id)),
        open_cases=list(cases.order_by("pk")),
        chains={letters[chain.pk]: chain for chain in chains if chain.pk in letters},
        boxes=accepted,
        mentions=[(mention.caption.index, mention) for mention in mentions],
    )


def _letters(siblings: Sequence[Sibling]) -> list[tuple[str, str]]:
    known = [(one.letter, f"{one.letter}: {one.text}") for one in siblings]
    new = [letter(len(known) + place) for place in range(SPARE_LETTERS)]
    return [*known, *((name, f"{name}: a new chain") for name in new), (NOT_ASKED, "not asked about")]


def _form(
    captions: Sequence[Caption],
    mentions: Sequence[Mention],
    home: Mapping[int, str],
    data: Mapping[str, Any] | None,
) -> list[CaptionRows]:
    by_caption = defaultdict(list)
    for mention in mentions:
        chain = home.get(mention.pk, NOT_ASKED)
        row = ChunkRow(f"m{mention.pk}", str(mention.start + 1), str(mention.end), chain, mention.text)
        by_caption[mention.caption_id].append(row)
    rows = []
    for caption in captions:
        own = by_caption[caption.pk]
        own += [ChunkRow(f"n{caption.index}-{place}", "", "", "") for place in range(SPARE_CHUNKS)]
        rows.append(CaptionRows(caption.index + 1, caption.tokens.split(" "), own))
    if data is not None:
        for caption_rows in rows:
            for row in caption_rows.rows:
                row.start = str(data.get(f"{row.name}-start", row.start)).strip()[:5]
                row.end = str(data.get(f"{row.name}-end", row.end)).strip()[:5]
                row.chain = str(data.get(f"{row.name}-chain", row.chain))[:4]
    return rows


@dataclass(frozen=True, slots=True)
class Chosen:
    """A chunk of the form that was checked: caption from 0, its tokens half open, and its chain's letter."""

    caption: int
    start: int
    end: int
    chain: str


def check(page: WorkPage) -> list[Chosen]:
    """Return the chunks of the form in reading order. Errors are written to their row, which is left out."""
    known = {name for name, _ in page.letters}
    chosen = []
    for caption in page.form:
        own: list[Chosen] = []
        for row in caption.rows:
            if row.start or row.end:
                _check_row(row, len(caption.tokens), known)
                if not row.errors:
                    own.append(Chosen(caption.index - 1, int(row.start) - 1, int(row.end), row.chain))
        own.sort(key=lambda chunk: (chunk.start, chunk.end))
        for before, after in pairwise(own):
            if after.start < before.end:
                caption.errors.append(
                    f"Words {before.start + 1}–{before.end} and {after.start + 1}–{after.end} overlap: "
                    "a word belongs to one chunk."
                )
        chosen += own
    return chosen


def _check_row(row: ChunkRow, tokens: int, known: set[str]) -> None:
    if not (row.start.isascii() and row.start.isdigit() and row.end.isascii() and row.end.isdigit()):
        row.errors.append(
            "Give the first and the last word by their numbers, or empty both to drop the chunk."
        )
    elif not 1 <= int(row.start) <= int(row.end) <= tokens:
        row.errors.append(f"The caption has the words 1 to {tokens}; the first may not come after the last.")
    if row.chain not in known:
        row.errors.append("Choose the chain it belongs to.")


def cuts_of(chosen: Sequence[Chosen], captions: int) -> list[Cut]:
    """Return how each of the image's captions is cut."""
    by_caption = defaultdict(list)
    for chunk in chosen:
        by_caption[chunk.caption].append(Chunk(chunk.start, chunk.end, chunk.chain != NOT_ASKED))
    return [Cut(caption, tuple(by_caption[caption])) for caption in range(captions)]


def types_of(chains: Iterable[Chain]) -> set[str]:
    """Return the types of these chains together."""
    return {name for chain in chains for name in chain.types.split("/")}


def groups_of(chosen: Sequence[Chosen], page: WorkPage, *, keep_boxes: bool) -> list[NewGroup]:
    """Return the chains by letter. A chain with unchanged mentions continues, whatever `keep_boxes` says.

    With `keep_boxes` a chain whose mentions change keeps the boxes of its letter, and those of chains that
    went into it as a whole; then it is asked whether all boxes are there. Equal boxes of joined chains become
    one. Without, it begins anew.
    """
    spans = {mention.pk: (index, mention.start, mention.end) for index, mention in page.mentions}
    letters = defaultdict(list)
    for chunk in chosen:
        if chunk.chain != NOT_ASKED:
            letters[chunk.chain].append((chunk.caption, chunk.start, chunk.end))
    before = {name: {spans[pk] for pk in chain.members if pk in spans} for name, chain in page.chains.items()}
    groups = []
    for name, mentions in letters.items():
        boxes: list[Rectangle] = []
        if keep_boxes and before.get(name) != set(mentions):
            joined = [
                chain
                for other, chain in sorted(page.chains.items(), key=lambda one: one[0] != name)
                if other == name or (other not in letters and before[other] <= set(mentions))
            ]
            boxes = join_boxes([page.boxes.get(chain.pk, ()) for chain in joined], types_of(joined))
        state = str(Stage.COVERAGE) if boxes else ""
        groups.append(NewGroup(tuple(mentions), state=state, boxes=tuple(boxes)))
    return groups
