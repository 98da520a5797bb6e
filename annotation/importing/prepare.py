"""Prepares captions to be stored: their tokens, mentions and types.

This module does without Django, so that processes that use it start quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.chunkers import Chunker, get_chunker
from annotation.domain.mentions import describe
from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord
from annotation.domain.tokens import align, tokenise
from annotation.domain.types import BUILT_IN, NOTVISUAL, ProjectTypes
from annotation.languages import foreign_language, primary

MAX_WORD = 100  # characters: the longest head noun a mention can have
MAX_TOKENS = 5_000
"""The most tokens of a caption, so that none holds up an import. Descriptions by models have some 300."""
Span = tuple[int, int, int]  # caption index, first token, token after the last


@dataclass(frozen=True, slots=True)
class PreparedMention:
    """A mention, ready to be stored."""

    start: int
    end: int
    text: str
    head: str
    types: str
    annotatable: bool


@dataclass(frozen=True, slots=True)
class PreparedCaption:
    """A caption, ready to be stored, with its mentions in order."""

    index: int
    text: str
    tokens: str
    mentions: tuple[PreparedMention, ...]
    line: int | None
    unrelated: bool = False  # about another photograph: stored as withdrawn, without mentions
    types_version: int = 0  # of the project's own types, by which its mentions were typed


@dataclass(frozen=True, slots=True)
class Refused:
    """A caption that cannot be stored, with the reason."""

    index: int
    reason: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Foreign(Refused):
    """A caption without mentions that the chunker would cut wrongly."""

    text: str
    guessed: str
    """The language that it surely is in; "" if the chunker does not cut the project's language."""


Prepared = PreparedCaption | Refused


def prepare_all(
    records: Sequence[ImageRecord], chunker: str, language: str = "", types: ProjectTypes = BUILT_IN
) -> list[list[Prepared]]:
    """Return the prepared captions of each image.

    `chunker` is a chunker's name. It is loaded once a process, and only when needed. `language` is the tag of
    the project's captions, if those in another one should be left out. `types` are those of the project.
    """
    prepared = []
    for record in records:
        spans = chained(record)
        captions = [_prepare(caption, spans, chunker, language, types) for caption in record.captions]
        prepared.append(captions + [_unrelated(caption) for caption in record.unrelated])
    return prepared


def needs_chunking(records: Sequence[ImageRecord]) -> bool:
    """Return whether any caption came without mentions."""
    return any(caption.mentions is None for record in records for caption in record.captions)


def is_usable(captions: Sequence[Prepared]) -> bool:
    """Return whether an image with these captions should be created: not if all of them were refused."""
    return not captions or any(isinstance(caption, PreparedCaption) for caption in captions)


def chained(record: ImageRecord) -> frozenset[Span]:
    """Return the mentions that the source's chains list."""
    return frozenset(span for chain in record.chains for span in chain.mentions)


def _prepare(
    caption: CaptionRecord, chained: frozenset[Span], chunker: str, language: str, types: ProjectTypes
) -> Prepared:
    if (
        caption.mentions is None
        and language
        and (foreign := _foreign(caption, get_chunker(chunker), language))
    ):
        return foreign
    try:
        tokens = _tokens(caption)
        if caption.mentions is None:
            mentions = _chunked(tokens, get_chunker(chunker), types)
        else:
            mentions = _given(caption.index, caption.mentions, tokens, chained, types)
    except ValueError as error:
        return Refused(caption.index, str(error), caption.line)
    return PreparedCaption(
        caption.index,
        caption.text,
        " ".join(tokens),
        mentions,
        caption.line,
        types_version=types.version,
    )


def _unrelated(caption: CaptionRecord) -> Prepared:
    try:
        tokens = _tokens(caption)
    except ValueError as error:
        return Refused(caption.index, str(error), caption.line)
    return PreparedCaption(caption.index, caption.text, " ".join(tokens), (), caption.line, unrelated=True)


def _foreign(caption: CaptionRecord, chunker: Chunker, language: str) -> Foreign | None:
    spoken = primary(language)
    if chunker.language and chunker.language != spoken:
        reason = f"it is in {spoken}, and the chunker cuts {chunker.language}"
        return Foreign(caption.index, reason, caption.line, caption.text, "")
    if guessed := foreign_language(caption.text, spoken):
        return Foreign(caption.index, f"it is in {guessed}", caption.line, caption.text, guessed)
    return None


def _tokens(caption: CaptionRecord) -> Sequence[str]:
    if caption.tokens:
        align(caption.text, caption.tokens)
        if odd := next((token for token in caption.tokens if token.split() != [token]), None):
            raise ValueError(f"the token {odd[:80]!r} contains white space")
        tokens: Sequence[str] = caption.tokens
    else:
        tokens = [token.text for token in tokenise(caption.text)]
    if len(tokens) > MAX_TOKENS:
        raise ValueError(f"it has {len(tokens):,} words and marks, more than {MAX_TOKENS:,}: shorten it")
    for token in tokens:
        if len(token) > MAX_WORD or len(token.lower()) > MAX_WORD:
            raise ValueError(f"the word {token[:40]!r}… has more than {MAX_WORD} characters")
    return tokens


def _chunked(tokens: Sequence[str], chunker: Chunker, types: ProjectTypes) -> tuple[PreparedMention, ...]:
    found = []
    for start, end in chunker.chunks(tokens):
        said = describe(tokens, start, end, types)
        found.append(
            PreparedMention(start, end, said.text, said.head, "/".join(said.types), said.annotatable)
        )
    return tuple(found)


def _given(
    index: int,
    mentions: Sequence[MentionRecord],
    tokens: Sequence[str],
    chained: frozenset[Span],
    project: ProjectTypes,
) -> tuple[PreparedMention, ...]:
    """Return the mentions that the corpus gives (docs/protocol.md, "Mentions", rule 4).

    A mention that the source calls notvisual is never asked about; one with types or in a chain always is. A
    bare span is treated like a chunk that we found. Mentions without types, and notvisual ones, get types
    from the dictionaries, since the column holds only types.
    """
    reached = 0
    found = []
    for mention in mentions:
        said = describe(tokens, mention.start, mention.end, project)
        if mention.start < reached:
            raise ValueError(f"the mention {said.text[:80]!r} overlaps the one before it")
        reached = mention.end
        types = tuple(name for name in mention.types if name != NOTVISUAL)
        if mention.chain == 0 or NOTVISUAL in mention.types:
            annotatable = False
        elif mention.chain or types or (index, mention.start, mention.end) in chained:
            annotatable = True
        else:
            annotatable = said.annotatable
        found.append(
            PreparedMention(
                mention.start, mention.end, said.text, said.head, "/".join(types or said.types), annotatable
            )
        )
    return tuple(found)
