"""Corrections of part-of-speech tags where taggers trained on running text usually fail in captions.

In a caption the verb is often a word that could also be a noun: *a dog barks at a cat*, *a man skis past*.
Such a word is the verb if it follows a person or an animal and the clause has no verb yet. Tags are CLAWS5.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from annotation.domain.types import dictionary, is_listed, types_of

Readings = Callable[[str], dict[str, float]]
"""The possible tags of each word (in lower case) with their log probability. Unlikely tags are left out."""

PLACES = frozenset(("outdoors", "indoors"))
NOUNS = frozenset(("NN0", "NN1", "NN2", "NP0", "UNC", "ZZ0"))
_OPENS_COMPLEMENT = frozenset(
    ("AT0", "DPS", "DT0", "CRD", "PRP", "AVP", "AV0", "TO0", "PNP", "PNX", "CJS", "VVG")
)
_ENDS_CLAUSE = frozenset(("CJS", "PNQ", "CJT"))
_OPENS_OBJECT = frozenset(("AT0", "DPS", "DT0", "PNP", "PNX"))
_MISSED_ADJECTIVES = frozenset(("other", "same", "few", "own", "upside-down"))
_FINITE = ("VVZ", "VVB", "VVI", "VBZ", "VBB", "VBD", "VH", "VDZ", "VDB", "VM")
_OPENS_NOUN = ("PRP", "CJC", "VVG", "VVN")
# Verbs of posture, motion and voice tell what somebody does, even after clothes: "a man in a suit dancing".
_INTRANSITIVE = re.compile(
    r"(stand|sitt|walk|runn|danc|sing|swimm|talk|smil|laugh|jump|sleep|skat|pos|kneel|ly|lay|lean|wait|look|jogg"
    r"|stroll|crouch|squatt|perform|speak|work|cheer|march)ing"
)
_CACHED_WORDS = 20_000
_MARGIN = 3.0  # natural logarithm: how much likelier the noun may be where the sentence wants a verb
_BEFORE_NOUN = ("NN", "NP", "UN", "ZZ", "AJ", "AV", "CR", "OR", "VV")


def corrected(words: Sequence[str], tags: Sequence[str], readings: Readings) -> list[str]:
    """Return the corrected tags of one caption. ``words`` are in lower case, one for each tag."""
    fixed = list(tags)
    clause = 0  # where it begins
    for place, tag in enumerate(tags):
        if tag in _ENDS_CLAUSE:
            clause = place
        context = _Context(words, fixed, place, clause, readings)
        fixed[place] = _fixed_by_word(context) or _fixed_participle(context) or _fixed_finite(context) or tag
    return fixed


@lru_cache(_CACHED_WORDS)
def is_animate(word: str) -> bool:
    """Return whether the word names a person or an animal, as far as the dictionaries know."""
    return not {"people", "animals"}.isdisjoint(types_of([word]))


class _Context:
    """A word among its neighbours. Tags to its left are corrected already, tags to its right are not."""

    def __init__(
        self, words: Sequence[str], tags: Sequence[str], place: int, clause: int, readings: Readings
    ) -> None:
        self.word, self.tag = words[place], tags[place]
        self.previous = words[place - 1] if place else ""
        self.before = tags[place - 1] if place else ""
        self.next = words[place + 1] if place + 1 < len(words) else ""
        self.after = tags[place + 1] if place + 1 < len(tags) else ""
        # Only where no article comes first is a colour a noun: "in black", but "in a black".
        self.bare_colour = self.previous in dictionary("colours") and (
            place < 2 or tags[place - 2] in _OPENS_NOUN or words[place - 2] == "all"
        )
        self._clause = tags[clause:place]
        self._readings = readings

    @property
    def verb_seen(self) -> bool:
        """Return whether the clause has its finite verb already."""
        return any(tag.startswith(_FINITE) for tag in self._clause)

    def agrees(self, verb: str) -> bool:
        """Return whether the first noun can be the verb's subject: *a dog barks*, *two dogs bark*."""
        subject = next((place for place, tag in enumerate(self._clause) if tag in NOUNS), None)
        if subject is None:
            return False
        while self._clause[subject + 1 : subject + 2] and self._clause[subject + 1] in NOUNS:
            subject += 1
        if self._clause[subject + 1 : subject + 2] == ["PRF"]:
            return True  # a group of nuns dances, or dance
        plural = self._clause[subject] in ("NN2", "NN0") or "CJC" in self._clause
        return plural if verb == "VVB" else self._clause[subject] != "NN2"

    def margin(self, verb: str, *, word: str = "") -> float:
        """Return how much likelier the verb is than the tag, as a logarithm; -inf if it has no such tag."""
        known = self._readings(word or self.word)
        infinitive = known.get("VVI", -math.inf) if verb == "VVB" else -math.inf
        return max(known.get(verb, -math.inf), infinitive) - known.get(self.tag, -99.0)


def _fixed_by_word(at: _Context) -> str | None:
    noun_follows = at.after in NOUNS or at.after[:2] == "AJ"
    if at.word in ("doing", "wearing", "holding", "carrying"):
        return "VVG"
    if at.word == "about" and at.after == "CRD":
        return "AV0"
    if at.word in _MISSED_ADJECTIVES and at.tag in ("AV0", "NN1") and noun_follows:
        return "AJ0"
    if at.tag == "NP0" and noun_follows and at.word in dictionary("colours"):
        return "AJ0"  # A Brown dog
    if at.previous == "button" and at.word in ("up", "down") and noun_follows:
        return "AJ0"  # a button up shirt
    if at.tag in ("VVB", "VVI") and at.before in ("AT0", "DPS"):
        return "NN1"  # a chew toy
    if at.word == "her" and at.tag == "DPS" and (at.next in PLACES or at.after[:2] not in _BEFORE_NOUN):
        return "PNP"
    if at.word == "upside" and at.next == "down":
        return "AV0"
    if at.tag == "AJ0" and is_animate(at.word) and (at.after == "VVG" or _INTRANSITIVE.fullmatch(at.next)):
        return "NN1"  # a female wearing glasses
    return None


def _fixed_participle(at: _Context) -> str | None:
    """Return VVG when an -ing form was tagged as noun or adjective but says what somebody does."""
    if not at.word.endswith("ing") or at.tag not in ("NN1", "AJ0"):
        return None
    if at.before[:2] == "VB":
        return "VVG"  # is cooking
    follows_noun = at.before in NOUNS or (at.bare_colour)
    if at.after in NOUNS:
        reads = at.before in NOUNS and is_animate(at.previous) and not is_listed(f"{at.word} {at.next}")
        return "VVG" if reads else None  # a man reading books
    if (follows_noun or at.before in ("CJC", "DT0", "CRD", "PNI")) and _INTRANSITIVE.fullmatch(at.word):
        return "VVG"  # a nun in red sitting on a wall
    if at.before in NOUNS:
        if at.tag == "AJ0" or is_animate(at.previous):
            return "VVG"  # two men barbecuing
        if at.after in ("AT0", "DPS") and at.margin("VVG") > -math.inf:
            return "VVG"
    return None


def _fixed_finite(at: _Context) -> str | None:
    """Return the verb's tag when a word was tagged as noun but is the verb of its clause."""
    if at.tag == "NN1" and at.previous == "to" and at.after in _OPENS_OBJECT:
        return "VVI"  # trying to tickle each other
    if at.tag not in ("NN1", "NN2") or is_listed(f"{at.previous} {at.word}"):
        return None
    verb = "VVB" if at.tag == "NN1" else "VVZ"
    if not at.agrees(verb) and not (is_animate(at.previous) and at.margin(verb) > 0):
        return None
    complement = at.after in _OPENS_COMPLEMENT and (at.after != "VVG" or at.tag == "NN2")
    unlisted_plural = at.tag == "NN2" and not is_listed(at.word)
    if at.verb_seen:
        joined = at.before == "CJC" and complement and unlisted_plural and at.after not in ("CRD", "VVG")
        return verb if joined and at.margin(verb) > -_MARGIN else None  # sits on a wall and whistles
    if at.before in NOUNS and is_animate(at.previous) and (at.margin(verb) > -1 or not is_animate(at.word)):
        if at.margin(verb) > -math.inf:
            return verb if complement or at.after in ("", "PUN") else None  # a dog barks at a cat
        # A plural hardly follows a person or animal; a verb that the tagger does not know does.
        return verb if complement and unlisted_plural and _has_verb_stem(at) else None
    if (at.before in NOUNS or at.bare_colour) and complement:
        return (
            verb if at.margin(verb) > (-_MARGIN if unlisted_plural else 0) else None
        )  # in yellow walks down
    return None


def _has_verb_stem(at: _Context) -> bool:
    stems = (at.word[:-1], at.word[:-2]) if at.word.endswith("es") else (at.word[:-1],)
    return any(at.margin(tag, word=stem) > -math.inf for stem in stems if stem for tag in ("VVI", "VVB"))
