"""A word of a caption among its neighbours, as the corrections of tags see it. Tags are CLAWS5."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from annotation.domain.subjects import NOUNS, Subject, subject_before
from annotation.domain.types import dictionary, types_of, word_set

Readings = Callable[[str], dict[str, float]]
"""The possible tags of each word (in lower case) with their log probability. Unlikely tags are left out."""
OPENS_COMPLEMENT = frozenset(
    ("AT0", "DPS", "DT0", "CRD", "PRP", "AVP", "AV0", "TO0", "PNP", "PNX", "CJS", "VVG")
)
OPENS_OBJECT = frozenset(("AT0", "DPS", "DT0", "PNP", "PNX"))
ENDS = frozenset(("", "PUN", "CJC"))
FINITE = ("VVZ", "VVB", "VVI", "VBZ", "VBB", "VBD", "VH", "VDZ", "VDB", "VM")
_OPENS_NOUN = ("PRP", "CJC", "VVG", "VVN")
# Verbs of posture, motion and voice tell what somebody does, even after clothes: "a man in a suit dancing".
INTRANSITIVE = re.compile(
    r"(stand|sitt|walk|runn|danc|sing|swimm|talk|smil|laugh|jump|sleep|skat|pos|kneel|ly|lay|lean|wait|look|jogg"
    r"|stroll|crouch|squatt|perform|speak|work|cheer|march)ing"
)
_CACHED_WORDS = 20_000
# A word whose likeliest reading is less likely than this is guessed.
_GUESSED = -20.0
MARGIN = 3.0  # natural logarithm: how much likelier the noun may be where the sentence wants a verb
_DOING = word_set("do does doing enjoy enjoys enjoying practice practices practicing")
OTHERS = word_set("other another others")
_LIKE_ADVERBS = word_set("flat open shut closed hard fast still upright sideways loose")
PLAYING = word_set("play plays playing played")


@lru_cache(_CACHED_WORDS)
def is_animate(word: str) -> bool:
    """Return whether the word names a person or an animal, as far as the dictionaries know."""
    return not {"people", "animals"}.isdisjoint(types_of([word]))


class Context:
    """A word among its neighbours. Tags to its left are corrected already, tags to its right are not."""

    def __init__(
        self, words: Sequence[str], tags: Sequence[str], place: int, clause: int, readings: Readings
    ) -> None:
        self.word, self.tag = words[place], tags[place]
        self.previous = words[place - 1] if place else ""
        self.before = tags[place - 1] if place else ""
        self.next = words[place + 1] if place + 1 < len(words) else ""
        self.after = tags[place + 1] if place + 1 < len(tags) else ""
        if self.next in _LIKE_ADVERBS and (tags[place + 2 : place + 3] or ["PUN"])[0] in ENDS | {"PRP"}:
            self.after = "AV0"  # folds flat, brakes hard
        self.second = tags[place - 2] if place > 1 else ""
        self.beyond = tags[place + 2] if place + 2 < len(tags) else ""
        # Only where no article comes first is a colour a noun: "in black", but "in a black".
        self.bare_colour = self.previous in dictionary("colours") and (
            place < 2 or tags[place - 2] in _OPENS_NOUN or words[place - 2] == "all"
        )
        # "with pink streaks": here the colour describes the word
        self.with_colour = self.bare_colour and words[place - 2] in ("with", "of")
        self._words, self._tags, self._place = words, tags, place
        self._clause = tags[clause:place]
        self._readings = readings

    @property
    def verb_seen(self) -> bool:
        """Return whether the clause has its finite verb already."""
        return any(tag.startswith(FINITE) for tag in self._clause)

    @cached_property
    def subject(self) -> Subject:
        """Return the noun phrase before the word."""
        return subject_before(self._words, self._tags, self._place, is_animate)

    @property
    def complement(self) -> bool:
        """Return whether what follows often stands after a verb."""
        return self.after in OPENS_COMPLEMENT or (self.word in PLAYING and self.after in ("VVB", "VVI"))

    @property
    def is_odd(self) -> bool:
        """Return whether the caption has the word an odd number of times. Quotation marks have a second."""
        return self._words.count(self.word) % 2 == 1

    @property
    def pair(self) -> str:
        """Return the word with the one before it."""
        return f"{self.previous} {self.word}"

    @property
    def bare(self) -> bool:
        """Return whether the clause has no article or verb yet, as texts about products: *Paint set*."""
        return not any(tag in ("AT0", "DPS", "DT0", "VVG") or tag.startswith(FINITE) for tag in self._clause)

    @property
    def in_sentence(self) -> bool:
        """Return whether a finite verb or a conjunction such as *while* stands somewhere before the word."""
        before = self._tags[: self._place]
        return "CJS" in before or any(tag.startswith(FINITE) for tag in before)

    @property
    def in_phrase(self) -> bool:
        """Return whether a preposition stands before the word in its clause: *with* in *pan with two …*"""
        return "PRP" in self._clause

    @property
    def several_of(self) -> bool:
        """Return whether the clause begins with a plural and *of*: *two loaves of bread*."""
        first = next((place for place, tag in enumerate(self._clause) if tag in NOUNS), len(self._clause))
        return self._clause[first : first + 2] == ["NN2", "PRF"]

    @property
    def names_things(self) -> bool:
        """Return whether the clause names no person or animal before the word, except owners."""
        start = self._place - len(self._clause)
        owners = {place for place in range(start, self._place) if self._tags[place + 1] == "POS"}
        return not any(
            is_animate(self._words[place]) for place in range(start, self._place) if place not in owners
        )

    @property
    def opener(self) -> str:
        """Return the tag of the determiner that opens the noun phrase before the word; "" if it has none."""
        for tag in reversed(self._clause):
            if tag not in NOUNS and tag[:2] not in ("AJ", "AV", "OR", "CR", "VV", "PO", "PR"):
                return tag if tag in ("AT0", "DPS", "DT0") else ""
        return "CRD" if self._clause[:1] == ["CRD"] else ""

    @property
    def verb_follows(self) -> bool:
        """Return whether the clause has a finite verb after the word."""
        for tag in self._tags[self._place + 1 :]:
            if tag in ("CJS", "PNQ", "CJT", "CJC", "PUN"):
                return False
            if tag.startswith(FINITE):
                return True
        return False

    @property
    def before_to(self) -> str:
        """Return the word before the one before: *wait* in *they wait to board*."""
        return self._words[self._place - 2] if self._place > 1 else ""

    @property
    def doing(self) -> bool:
        """Return whether an -ing form of the clause says what happens: *a man giving a dog a bath*."""
        return "VVG" in self._clause

    @property
    def is_guessed(self) -> bool:
        """Return whether the tagger has never seen the word, and goes by its ending."""
        return max(self._readings(self.word).values(), default=0.0) < _GUESSED

    @property
    def may_be_a_name(self) -> bool:
        """Return whether an unknown word may be a name: without digit or hyphen, and not ending with -ly."""
        letters = any(map(str.isalpha, self.word)) and not any(map(str.isdecimal, self.word))
        return letters and "-" not in self.word and not self.word.endswith("ly")

    @property
    def done(self) -> bool:
        """Return whether the phrase is what somebody is doing: *doing some window shopping*."""
        return not _DOING.isdisjoint(self._words[max(0, self._place - 3) : self._place - 1])

    @property
    def says_what_it_does(self) -> bool:
        """Return whether the next word is an -ing form without a noun: *a female writing on a pad*."""
        if self.after == "VVG" or INTRANSITIVE.fullmatch(self.next):
            return True
        if self.before == "PRP":
            return False  # with Asian writing
        named = self.next.endswith("ing") and self.margin("VVG", word=self.next) > -math.inf
        return named and self.beyond not in NOUNS

    def agrees(self, verb: str) -> bool:
        """Return whether the first noun can be the verb's subject: *a dog barks*, *two dogs bark*."""
        subject = next((place for place, tag in enumerate(self._clause) if tag in NOUNS), None)
        if subject is None:
            return False
        if "POS" in self._clause[subject:]:  # men 's watches: the last noun counts
            subject += self._clause[subject:].index("POS")
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
