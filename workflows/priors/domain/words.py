"""What the words of a mention say about the thing: its head noun, number, gender, age and colours.

The lists are English. A word that is in none of them says nothing, so that captions of another language are
compared by their words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from annotation.domain.types import dictionary, singular


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EMPTY = _set(
    "a an the this that these those some any each every of in on at with and or to from by for his her its "
    "their my your our 's ’s ' ’ , . - one"
)
"""Words that two mentions may share by chance."""
_ONE = _set("a an one another this that each every")
_MANY = _set(
    "two three four five six seven eight nine ten eleven twelve several many some few both these those all "
    "multiple various numerous"
)
_GROUPS = _set(
    "people group crowd couple pair team bunch family band crew audience class line row trio duo herd flock "
    "pack"
)
"""Nouns that name several things although they have no plural ending."""
_WITHOUT_NUMBER = _set(
    "jeans pants shorts trousers glasses sunglasses goggles scissors clothes tights leggings overalls slacks"
)
"""Nouns whose plural ending says nothing about their number."""
_FEMALE = _set(
    "woman girl lady female mother wife daughter sister bride actress waitress grandmother grandma mom mommy "
    "mum aunt queen princess she her businesswoman policewoman girlfriend ballerina granddaughter"
)
_MALE = _set(
    "man boy guy male gentleman father husband son brother groom actor waiter grandfather grandpa dad daddy "
    "uncle king prince he his him businessman policeman fireman boyfriend cowboy fisherman dude "
    "grandson"
)
_CHILD = _set("child boy girl kid baby toddler infant teen teenager youth newborn son daughter")
_ADULT = _set(
    "man woman guy lady gentleman adult mother father husband wife bride groom grandmother grandfather mom "
    "dad businessman businesswoman policeman elderly old older worker"
)
_OTHER = _set("another other others second")

FEMALE, MALE, CHILD, ADULT = "female", "male", "child", "adult"


@dataclass(frozen=True, slots=True)
class MentionWords:
    """What the words of one mention say. None: they do not say it."""

    head: str  # the head noun in the singular
    words: frozenset[str]  # in the singular, without determiners and prepositions
    plural: bool | None
    gender: str | None
    age: str | None
    colours: frozenset[str]
    other: bool  # "another man", "the other dog"


@lru_cache(maxsize=20_000)
def words_of(text: str) -> MentionWords:
    """Return what a mention's text says."""
    tokens = text.lower().split()
    last = tokens[-1] if tokens else ""
    head = singular(last)
    colours = dictionary("colours")
    return MentionWords(
        head=head,
        words=frozenset(singular(token) for token in tokens if token not in _EMPTY),
        plural=_plural(tokens, last, head),
        gender=_which(tokens, head, {FEMALE: _FEMALE, MALE: _MALE}),
        age=_which(tokens, head, {CHILD: _CHILD, ADULT: _ADULT}),
        colours=frozenset(token for token in tokens if token in colours),
        other=not _OTHER.isdisjoint(tokens),
    )


def _plural(tokens: list[str], last: str, head: str) -> bool | None:
    if last in _WITHOUT_NUMBER:
        return None
    if head in _GROUPS or not _MANY.isdisjoint(tokens) or any(t.isdecimal() and t != "1" for t in tokens):
        return True
    if head != last:
        return True
    return False if not _ONE.isdisjoint(tokens) or head in _FEMALE | _MALE | _CHILD | _ADULT else None


def _which(tokens: list[str], head: str, lists: Mapping[str, frozenset[str]]) -> str | None:
    """Return the name of the only list that the head is in or, if it is in none, any other word."""
    for words in ({head}, {singular(token) for token in tokens[:-1]}):
        found = [name for name, members in lists.items() if not members.isdisjoint(words)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "same_words": "all words are the same, except for determiners and prepositions",
        "same_head": "the head nouns are the same, in the singular",
        "overlap": "the share of the words that both have, from 0 to 1",
        "number_agrees": "both are singular, or both are plural",
        "number_differs": "one is singular, the other plural",
        "gender_agrees": "the words name the same gender",
        "gender_differs": "the words name different genders",
        "age_agrees": "both name a child, or both an adult",
        "age_differs": "one names a child, the other an adult",
        "colour_agrees": "a colour is in both",
        "colour_differs": "both have colours, but none in common",
        "another": "one of them says “another”, “other” or “second”",
    }
)
"""What two mentions are compared by, each from 0 to 1."""


def compare(a: MentionWords, b: MentionWords) -> dict[str, float]:
    """Return the features of a pair that are not 0. The order of the two does not matter."""
    found: dict[str, float] = {}
    if a.words == b.words:
        found["same_words"] = 1.0
    if a.head == b.head:
        found["same_head"] = 1.0
    if common := len(a.words & b.words):
        found["overlap"] = common / len(a.words | b.words)
    for name, one, other in (
        ("number", a.plural, b.plural),
        ("gender", a.gender, b.gender),
        ("age", a.age, b.age),
    ):
        if one is not None and other is not None:
            found[f"{name}_agrees" if one == other else f"{name}_differs"] = 1.0
    if a.colours and b.colours:
        found["colour_agrees" if a.colours & b.colours else "colour_differs"] = 1.0
    if a.other != b.other:
        found["another"] = 1.0
    return found


SIMILARITY: Mapping[str, float] = MappingProxyType(
    {
        "same_words": 1.0,
        "same_head": 3.0,
        "overlap": 2.0,
        "number_agrees": 0.5,
        "number_differs": -1.5,
        "gender_agrees": 1.0,
        "gender_differs": -3.0,
        "age_agrees": 0.25,
        "age_differs": -1.0,
        "colour_agrees": 0.5,
        "colour_differs": -1.5,
        "another": -0.5,
    }
)
"""The fixed weights of `likely_first` [ours]. They decide the order of questions, and nothing else."""


def similarity(a: str, b: str) -> float:
    """Return how alike the texts of two mentions are."""
    features = compare(words_of(a), words_of(b))
    return round(sum(SIMILARITY[name] * value for name, value in features.items()), 6)
