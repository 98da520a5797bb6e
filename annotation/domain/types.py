"""The types of mentions, from hand-made dictionaries (docs/protocol.md, "Mentions", rule 3).

Eight types are built in, and a project may add its own. A dictionary is a text file beside this module: one
noun or short phrase a line, lower case, singular, ``#`` begins a comment. A word may stand in several;
then a mention has several types, in the order of TYPES.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text, which are separated by spaces."""
    return frozenset(words.split())


TYPES = ("people", "bodyparts", "animals", "clothing", "instruments", "vehicles", "scene", "other")
NOTVISUAL = "notvisual"

GROUPS = word_set(
    "group couple crowd team pair band family crew class trio duo audience choir staff squad troupe herd "
    "flock pack bunch line row orchestra military army police personnel"
)
"""Nouns in the singular that name several persons, animals or things."""

_ARTICLES = word_set("a an the one")
_FOLDER = Path(__file__).with_name("dictionaries")
MAX_ENTRY_WORDS = 3
"""The most words of a dictionary entry."""
_IRREGULAR = {
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "mice": "mouse",
    "oxen": "ox",
    "buses": "bus",
}


@dataclass(frozen=True, slots=True)
class OwnType:
    """A type that a project adds: its name in data sets, what pages call it, and its nouns.

    The nouns are entries as a dictionary has them. They move from the built-in types: with *pizza* in the
    words of `food`, a pizza is `food` and nothing else.
    """

    key: str
    label: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class ProjectTypes:
    """The types of a project: the eight, and its own as `version` of its settings has them (0: none)."""

    version: int = 0
    own: tuple[OwnType, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all types in their order."""
        return (*TYPES, *sorted(one.key for one in self.own))

    @cached_property
    def entries(self) -> Mapping[str, tuple[str, ...]]:
        """Return the types of each noun that the project's own lists have, by name."""
        found: dict[str, tuple[str, ...]] = {}
        for one in sorted(self.own, key=lambda own: own.key):
            for word in one.words:
                found[word] = (*found.get(word, ()), one.key)
        return found


BUILT_IN = ProjectTypes()


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return the types once each, in the order of TYPES, and then a project's own ones by name [ours]."""
    found = set(names)
    return (*(name for name in TYPES if name in found), *sorted(found.difference(TYPES)))


@cache
def dictionary(name: str) -> frozenset[str]:
    """Return the entries of ``dictionaries/<name>.txt``. Raise FileNotFoundError if it is missing."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(entry for line in lines if (entry := line.split("#")[0].strip()))


@cache
def _lexicon() -> dict[str, tuple[str, ...]]:
    """Return the types of each dictionary entry, in the order of TYPES."""
    lexicon: dict[str, tuple[str, ...]] = {}
    for name in TYPES:
        for entry in dictionary(name):
            lexicon[entry] = (*lexicon.get(entry, ()), name)
    return lexicon


def types_of(tokens: Sequence[str], project: ProjectTypes = BUILT_IN) -> tuple[str, ...]:
    """Return the types of a chunk, at least one.

    The head noun decides, together with the word or two before it where the dictionaries know such a compound
    (*fire truck*, *hot dog*). A chunk that is only a colour is clothing. A body part with a possessor has the
    possessor's types too: *a man 's arm* is ("bodyparts", "people"). If the head is unknown, the noun before
    *of* decides, unless it counts (*a group of …*). If no word is known, it is ("other",). Nouns in the
    project's own lists have the types of these lists alone.
    """
    words = [token.lower() for token in tokens]
    if _is_colour(words, project.entries):
        return ("clothing",)
    types = _look_up(words, project.entries)
    if not types and "of" in words and words[words.index("of") - 1] not in GROUPS:
        types = _look_up(words[: words.index("of")], project.entries)  # people of Asian descent
    if "bodyparts" in types:
        types += tuple(name for name in _possessor_types(words, project.entries) if name not in types)
    return types or ("other",)


def only_counts(tokens: Sequence[str]) -> bool:
    """Return whether a chunk is a number without a noun: *two*, *the three*, *some of them*."""
    words = [token.lower() for token in tokens]
    if words[-2:-1] == ["of"] and words[-1] in dictionary("pronouns"):
        words = words[:-2]
    counted = [word for word in words if word not in ("a", "the")]
    return bool(counted) and all(word in dictionary("quantities") for word in counted)


def types_counted(before: Sequence[str], project: ProjectTypes = BUILT_IN) -> tuple[str, ...]:
    """Return the types of a chunk that only counts: those of the nearest persons or animals before it.

    Whether a noun names these is a matter of the built-in dictionaries, also if the project moved it.
    """
    for token in reversed(before):
        if not {"people", "animals"}.isdisjoint(_look_up([token.lower()])):
            return _look_up([token.lower()], project.entries)
    return ("other",)


def is_listed(phrase: str) -> bool:
    """Return whether a dictionary has this noun or compound, in the singular or the plural: *boy scouts*."""
    *before, last = phrase.lower().split()
    return any(" ".join([*before, singular]) in _lexicon() for singular in _singulars(last))


def singular(word: str) -> str:
    """Return the singular of a noun in lower case. A word that may be no plural is returned as it is."""
    # First those whose plural a dictionary may have, too: women, firemen.
    man = word[:-3] + "man" if word.endswith("men") else word
    if word in _IRREGULAR or man in _lexicon():
        return _IRREGULAR.get(word, man)
    found = list(_singulars(word))
    for one in found:
        if one in _lexicon():
            return one
    # No dictionary has it, so a usual ending decides: boxes, cherries, frisbees.
    if word.endswith(("us", "is")):
        return word
    if word.endswith("ies"):
        return found[1] if len(found) > 1 else word
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return found[-1]


_NO_ENTRIES: Mapping[str, tuple[str, ...]] = MappingProxyType({})


def _look_up(words: Sequence[str], own: Mapping[str, tuple[str, ...]] = _NO_ENTRIES) -> tuple[str, ...]:
    """Return the types of the longest entry that ends the words, in `own` first; () when there is none."""
    for length in range(min(MAX_ENTRY_WORDS, len(words)), 0, -1):
        before = words[-length:-1]
        for head in _singulars(words[-1]):
            entry = " ".join([*before, head])
            if types := own.get(entry) or _lexicon().get(entry, ()):
                return types
    # fire-truck, snow-boarder: what follows the hyphen is the head
    if words and "-" in words[-1].strip("-"):
        return _look_up([part for part in words[-1].split("-") if part], own)
    return ()


def _possessor_types(words: Sequence[str], own: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    for place in range(len(words) - 2, 0, -1):
        if words[place] in ("'s", "’s", "'", "’"):
            return tuple(name for name in _look_up(words[:place], own) if name != "other")
    return ()


def _is_colour(words: Sequence[str], own: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether the words are only colours: *blue*, *sky blue*, *all black*, *red and white*.

    *The blue sky* and *a white light* are not: their last word names what is coloured. Nor is *an orange*,
    since that is a thing, and so is a colour that is a noun of the project's `own` lists.
    """
    *before, last = words or [""]
    if before and set(before) <= _ARTICLES and (last in own or last in dictionary("coloured_things")):
        return False
    modifiers = dictionary("colour_modifiers")
    return _names_colour(last) and all(word in modifiers or _names_colour(word) for word in before)


def _names_colour(word: str) -> bool:
    colours = dictionary("colours")
    return word in colours or all(part in colours for part in word.split("-"))


def _singulars(word: str) -> Iterator[str]:
    """Yield the word itself, then the words that it may be the plural of, the likeliest first."""
    yield word
    if singular := _IRREGULAR.get(word):
        yield singular
    for plural, singular in (
        ("men", "man"),
        ("ies", "y"),
        ("ves", "f"),
        ("ves", "fe"),
        ("es", ""),
        ("s", ""),
    ):
        if word.endswith(plural) and len(word) > len(plural) + 1 and not word.endswith("ss"):
            yield word[: -len(plural)] + singular
