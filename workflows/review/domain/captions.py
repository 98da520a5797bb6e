"""What a researcher wants a caption to be, and what of it stays: phrases in brackets, and phrases carried on.

A caption is written with its phrases in square brackets: `[A man] walks [the dog] .` A bracket that belongs
to the caption itself has a backslash before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from annotation.domain.mentions import describe
from annotation.domain.tokens import Token, align, tokenise
from annotation.domain.types import BUILT_IN, ProjectTypes
from workflows.pipeline.replay.domain.decisions import DecisionError

MAX_TEXT_LENGTH = 2000
"""Characters of a caption that is edited."""
MAX_WORD_LENGTH = 100
_MARKS = "[]\\"

Span = tuple[int, int]
"""Tokens of a caption, half open."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A caption with its phrases, as somebody wrote it."""

    text: str
    tokens: tuple[str, ...]
    phrases: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as it shall be. `place` names the chain that it joins; without one, it gets its own."""

    start: int
    end: int
    types: tuple[str, ...] = ()
    visual: bool = True
    place: str = ""

    @property
    def span(self) -> Span:
        """Return its tokens."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Wording:
    """A caption as it shall be: what it says, and its phrases in order."""

    text: str
    tokens: tuple[str, ...]
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A mention that the caption has, with its types joined by a slash."""

    id: int
    start: int
    end: int
    types: str
    visual: bool


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the mentions: some are kept, maybe at another place, and the others are gone."""

    kept: Mapping[int, Phrase]  # mention id -> the phrase that it is from now on
    gone: tuple[int, ...]  # mention ids
    new: tuple[Phrase, ...]

    @property
    def changes_mentions(self) -> bool:
        """Whether the image has other mentions than before."""
        return bool(self.gone or self.new)


def mark(text: str, tokens: Sequence[str], spans: Iterable[Span]) -> str:
    """Return the caption with these phrases in brackets, as `read_marked` reads it."""
    places = align(text, tokens)
    chosen = list(spans)
    opening = {places[start][0] for start, _ in chosen}
    closing = {places[end - 1][1] for _, end in chosen}
    parts = []
    for place, character in enumerate(text):
        parts += ["]"] if place in closing else []
        parts += ["["] if place in opening else []
        parts += ["\\", character] if character in _MARKS else [character]
    return "".join(parts) + ("]" if len(text) in closing else "")


def read_marked(marked: str, text_before: str = "", tokens_before: Sequence[str] = ()) -> Marked:
    """Read a caption with its phrases in brackets. Raises DecisionError.

    White space at its ends is left out, and line breaks are spaces. A bracket within a word takes the whole
    word. A caption that still says `text_before` keeps its tokens, which may come from a corpus.
    """
    if len(marked) > 2 * MAX_TEXT_LENGTH:
        raise DecisionError("text", f"may have at most {MAX_TEXT_LENGTH} characters")
    if "\0" in marked:
        raise DecisionError("text", "must not contain a zero character")
    text, ranges = _without_brackets(marked)
    if not text:
        raise DecisionError("text", "is empty: withdraw the caption instead")
    if len(text) > MAX_TEXT_LENGTH:
        raise DecisionError("text", f"may have at most {MAX_TEXT_LENGTH} characters, not {len(text)}")
    tokens = tokenise(text)
    if text == text_before:
        places = align(text, tokens_before)
        tokens = [Token(word, *place) for word, place in zip(tokens_before, places, strict=True)]
    if long := next((token for token in tokens if len(token.text) > MAX_WORD_LENGTH), None):
        raise DecisionError(
            "text", f"has the word {long.text[:40]!r}… of more than {MAX_WORD_LENGTH} characters"
        )
    phrases = []
    for left, right in ranges:
        own = [n for n, token in enumerate(tokens) if token.start < right and left < token.end]
        if not own:
            raise DecisionError("text", "has a phrase without a word: take its brackets away")
        phrases.append((own[0], own[-1] + 1))
    for one, other in pairwise(phrases):
        if other[0] < one[1]:
            word = tokens[other[0]].text
            raise DecisionError("text", f"has the word {word!r} in two phrases: it belongs to one")
    return Marked(text, tuple(token.text for token in tokens), tuple(phrases))


def _without_brackets(marked: str) -> tuple[str, list[Span]]:
    """Return the text and the characters that were in brackets."""
    found: list[Span] = []
    text: list[str] = []
    opened: int | None = None
    characters = iter(marked.replace("\r\n", " ").replace("\n", " ").replace("\r", " "))
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            text.append(following if following in _MARKS and following else character + following)
        elif character == "[":
            if opened is not None:
                raise DecisionError("text", "has a phrase within a phrase: close the first bracket before")
            opened = len("".join(text))
        elif character == "]":
            if opened is None:
                raise DecisionError("text", "has a bracket ] that closes no phrase: take it away")
            found.append((opened, len("".join(text))))
            opened = None
        else:
            text.append(character)
    if opened is not None:
        raise DecisionError("text", "has a bracket [ without its ]: close the phrase")
    plain = "".join(text)
    lead = len(plain) - len(plain.lstrip())
    return plain.strip(), [(left - lead, right - lead) for left, right in found]


def check_phrases(wording: Wording, places: Collection[str], types: Collection[str]) -> None:
    """Raise DecisionError if a phrase has none of these types or joins a chain that is not there."""
    for phrase in wording.phrases:
        words = " ".join(wording.tokens[phrase.start : phrase.end])
        if strange := [name for name in phrase.types if name not in types]:
            raise DecisionError(
                "types", f"of {words!r}: {strange[0][:40]!r} is not a type, use {', '.join(types)}"
            )
        if phrase.place and phrase.place not in places:
            raise DecisionError(
                "chain",
                f"the chain that {words!r} should join is gone: somebody changed the image meanwhile. "
                "Choose again",
            )


def fate_of(before: Sequence[str], mentions: Sequence[Known], wording: Wording) -> Fate:
    """Return which mentions stay what they are, now that the caption's tokens `before` are the wording's.

    A mention stays if its words do, in the same order, and they are marked as a phrase with the same types. A
    phrase without types takes those of the mention. Whether letters are capital does not matter.
    """
    moved = _carried(before, wording.tokens, mentions)
    by_span = {phrase.span: phrase for phrase in wording.phrases}
    kept: dict[int, Phrase] = {}
    for mention in mentions:
        phrase = by_span.get(moved[mention.id]) if mention.id in moved else None
        if phrase is None or phrase.visual != mention.visual:
            continue
        if not phrase.types or set(phrase.types) == set(mention.types.split("/")):
            kept[mention.id] = phrase
    stay = {phrase.span for phrase in kept.values()}
    return Fate(
        kept,
        tuple(mention.id for mention in mentions if mention.id not in kept),
        tuple(phrase for phrase in wording.phrases if phrase.span not in stay),
    )


def heirs_of(before: Sequence[str], mentions: Sequence[Known], wording: Wording) -> dict[Span, int]:
    """Return the mention that each phrase is in the place of, if there is one, by the phrase's tokens."""
    found: dict[Span, int] = {}
    reached = {
        mention.id: _region(before, wording.tokens, (mention.start, mention.end)) for mention in mentions
    }
    for phrase in wording.phrases:
        shares = {
            pk: min(phrase.end, right) - max(phrase.start, left) for pk, (left, right) in reached.items()
        }
        best = max(shares, key=lambda pk: (shares[pk], -pk), default=None)
        if best is not None and shares[best] > 0:
            found[phrase.span] = best
    return found


def proposed(
    before: Sequence[str],
    mentions: Sequence[Known],
    marked: Marked,
    places: Mapping[int, str],
    types: ProjectTypes = BUILT_IN,
) -> Wording:
    """Return the wording that a marked caption suggests, before a researcher looks at its phrases.

    A phrase has the types of the mention whose words it has, or those of the dictionaries and of the
    project. A new phrase joins the chain of the mention that it is in the place of (`places`: mention id ->
    chain).
    """
    bare = Wording(marked.text, marked.tokens, tuple(Phrase(*span) for span in marked.phrases))
    moved = {span: pk for pk, span in _carried(before, marked.tokens, mentions).items()}
    by_id = {mention.id: mention for mention in mentions}
    heirs = heirs_of(before, mentions, bare)
    phrases = []
    for start, end in marked.phrases:
        same = by_id.get(moved.get((start, end), 0))
        said = describe(marked.tokens, start, end, types)
        own = tuple(same.types.split("/")) if same else said.types
        place = places.get(heirs.get((start, end), 0), "")
        visual = same.visual if same else said.annotatable
        phrases.append(Phrase(start, end, own, visual, place if visual else ""))
    return Wording(marked.text, marked.tokens, tuple(phrases))


def _matcher(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    folded = [[token.casefold() for token in tokens] for tokens in (before, after)]
    return SequenceMatcher(None, folded[0], folded[1], autojunk=False)


def _carried(before: Sequence[str], after: Sequence[str], mentions: Sequence[Known]) -> dict[int, Span]:
    """Return where the words of each mention are now, for mentions whose words are all there in a row."""
    found = {}
    for block in _matcher(before, after).get_matching_blocks():
        shift = block.b - block.a
        for mention in mentions:
            if block.a <= mention.start and mention.end <= block.a + block.size:
                found[mention.id] = mention.start + shift, mention.end + shift
    return found


def _region(before: Sequence[str], after: Sequence[str], span: Span) -> Span:
    """Return the tokens that are in the place of these now; an empty span if there are none."""
    left, right = None, 0
    for kind, a, b, c, d in _matcher(before, after).get_opcodes():
        if kind in ("delete", "insert") or b <= span[0] or span[1] <= a:
            continue
        first, last = (c + max(0, span[0] - a), d - max(0, b - span[1])) if kind == "equal" else (c, d)
        left, right = first if left is None else left, last
    return (left, right) if left is not None else (0, 0)
