"""Chunkers find the noun-phrase chunks in the tokens of a caption (docs/protocol.md, Mentions).

Chunks are short and non-recursive, as in Flickr30k: *[a juggler] in [an orange waistcoat]*. Two noun phrases
joined by *of* or a possessive are one chunk: *[a group of pilots]*, *[a sailor 's arm]*. Pronouns and
non-visual terms are chunks too; which chunks are mentions is decided in annotation/domain/mentions.py.

The name of a chunker is one that was registered here, that of an entry point of the group
`groundcrew.chunkers`, or `spacy:MODEL`.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from annotation.domain import grammar
from annotation.domain.sentences import sentences
from annotation.domain.subjects import NOUNS
from annotation.domain.types import dictionary
from annotation.tagger import Tagger

# Flickr30k's 155,070 captions have some 20,000 different words; an entry takes about half a kilobyte.
_CACHED_WORDS = 50_000
# A reading that is less likely than the best by less than this is a rival of it.
_RIVAL = 4
# A reading that is less likely than this is guessed from the word's ending.
_GUESSED = -20
_VERBS = frozenset(("VVB", "VVI", "VVZ"))
# How people call CLAWS5's tags, or all tags that begin so.
_KINDS = {
    **dict.fromkeys(("VVB", "VVI", "VVZ"), "verb"),
    **dict.fromkeys(("VB", "VD", "VH", "VM"), "auxiliary"),
    **dict.fromkeys(("VVN", "VVD"), "participle"),
    **dict.fromkeys(("PRP", "PRF"), "preposition"),
    **dict.fromkeys(("CR", "OR"), "number"),
    **dict.fromkeys(("DT", "DP"), "determiner"),
    **{"AT": "article", "AJ": "adjective", "AV": "adverb", "CJ": "conjunction", "PN": "pronoun"},
    **{"POS": "possessive", "VVG": "-ing form", "TO": "to"},
}
# What the tagger should see in place of a token; Flickr30k's captions have HTML left over.
_PLAIN = {"&amp;": "&"}
# … and in place of a character: it does not know curly apostrophes and quotation marks.
_STRAIGHT = str.maketrans("’‘“”", "''\"\"")


class Chunker(Protocol):
    """Finds the noun-phrase chunks of one caption."""

    @property
    def language(self) -> str:
        """The ISO 639 code of the language that it cuts, such as *en*; "" if it cuts any."""
        ...

    def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """Return the chunks as half-open token spans, in order and not overlapping."""
        ...


class HantaChunker:
    """HanTa's part-of-speech tags (the English model that comes with it) and a regular chunk grammar."""

    language = "en"

    def __init__(self) -> None:
        self._tagger = Tagger()
        self._readings = lru_cache(_CACHED_WORDS)(self._tagger.readings)

    def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """Return the chunks, as Chunker says. Raise ValueError when a token is empty."""
        if not all(tokens):
            raise ValueError(f"token {list(tokens).index('') + 1} of {len(tokens)} is empty")
        plain = [_PLAIN.get(token, token).translate(_STRAIGHT) for token in tokens]
        found: list[tuple[int, int]] = []
        for first, last in sentences(plain):
            words = plain[first:last]
            spans = grammar.chunks(words, self._tagger.tags, self._readings)
            found += [(first + start, first + end) for start, end in spans]
        return found

    def is_adjective(self, word: str) -> bool:
        """Return whether a word of a chunk is most likely an adjective; colours always count.

        A word that may also be an adverb counts as an adjective here: *a little dog*.
        """
        if word in dictionary("colours"):
            return True
        readings = {tag: likely for tag, likely in self._readings(word).items() if tag != "AV0"}
        return bool(readings) and max(readings, key=lambda tag: readings[tag]).startswith("AJ")

    def is_noun(self, word: str) -> bool:
        """Return whether a word of a chunk is most likely a noun. Colours never are."""
        if word in dictionary("colours"):
            return False
        readings = self._readings(word)
        return bool(readings) and max(readings, key=lambda tag: readings[tag]) in NOUNS

    def kind_of(self, word: str) -> str:
        """Return which kind of word this is by itself, for people: *noun*, *noun or verb*, *-ing form* …"""
        if not any(map(str.isalnum, word)):
            return "mark"
        if word.lower() in dictionary("colours"):
            return "colour"
        readings = self._readings(word.lower())
        best = max(readings, key=lambda tag: readings[tag], default="")
        likely = {tag for tag, likelihood in readings.items() if likelihood > readings[best] - _RIVAL}
        if word.lower().endswith("ing") and ("VVG" in likely or readings[best] < _GUESSED):
            return "-ing form"
        names = {"noun" if tag in NOUNS else "verb" if tag in _VERBS else "" for tag in likely}
        if (best in NOUNS or best in _VERBS) and {"noun", "verb"} <= names:
            return "noun or verb"
        return "noun" if best in NOUNS else _KINDS.get(best, _KINDS.get(best[:2], "other word"))


class NounChunks:
    """A chunker from a pipeline such as spaCy's: its results have `noun_chunks` with `start` and `end`."""

    def __init__(self, language: str, parse: Callable[[Sequence[str]], Any]) -> None:
        """`parse` gets the tokens of a caption. What it returns must have the same tokens."""
        self.language = language
        self._parse = parse

    def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        """Return the chunks, as Chunker says."""
        return [(chunk.start, chunk.end) for chunk in self._parse(tokens).noun_chunks] if tokens else []


def _spacy(model: str) -> Chunker:
    """Return a chunker from an installed spaCy model. Raise LookupError if there is none of that name."""
    try:
        import spacy
        from spacy.tokens import Doc

        pipeline = spacy.load(model)
    except (ImportError, OSError) as error:
        raise LookupError(f"install spaCy and its model {model!r}: {error}") from error
    return NounChunks(pipeline.lang, lambda tokens: pipeline(Doc(pipeline.vocab, words=list(tokens))))


_GROUP, _SPACY = "groundcrew.chunkers", "spacy:"
_CHUNKERS: dict[str, Callable[[], Chunker]] = {}


def register(name: str, make: Callable[[], Chunker]) -> None:
    """Make a chunker known under a name. Raise ValueError when the name is taken."""
    if name in _CHUNKERS:
        raise ValueError(f"a chunker is already registered as {name!r}")
    _CHUNKERS[name] = make


register("hanta", HantaChunker)


def get_chunker(name: str = "hanta") -> Chunker:
    """Return the chunker of that name. It is made once a process, as loading a model takes a moment.

    Raise LookupError for a name that is unknown or cannot be loaded. Its message lists the known ones.
    """
    return _made(name)


@cache
def _made(name: str) -> Chunker:
    if name in _CHUNKERS:
        return _CHUNKERS[name]()
    if name.startswith(_SPACY):
        return _spacy(name.removeprefix(_SPACY))
    plugged = {entry.name: entry for entry in entry_points(group=_GROUP)}
    if name in plugged:
        try:
            made: Chunker = plugged[name].load()()
        except (ImportError, AttributeError) as error:
            raise LookupError(f"the chunker {name!r} cannot be loaded: {error}") from error
        return made
    known = ", ".join(sorted({*_CHUNKERS, *plugged}))
    raise LookupError(f"no chunker {name!r}; there are: {known}, and {_SPACY}MODEL")
