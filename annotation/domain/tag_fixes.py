"""Corrections of part-of-speech tags where taggers trained on running text usually fail in captions.

In a caption the verb is often a word that could also be a noun: *a dog barks at a cat*, *two men play chess*.
Where such a word follows a noun, three questions decide: whether the words before it can be the subject of
their clause, whether subject and verb agree in number, and what follows. Tags are CLAWS5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from annotation.domain.subjects import NOUNS, Subject, subject_before
from annotation.domain.types import dictionary, is_listed, types_of, word_set

Readings = Callable[[str], dict[str, float]]
"""The possible tags of each word (in lower case) with their log probability. Unlikely tags are left out."""

PLACES = frozenset(("outdoors", "indoors"))
_OPENS_COMPLEMENT = frozenset(
    ("AT0", "DPS", "DT0", "CRD", "PRP", "AVP", "AV0", "TO0", "PNP", "PNX", "CJS", "VVG")
)
_ENDS_CLAUSE = frozenset(("CJS", "PNQ", "CJT"))
_OPENS_OBJECT = frozenset(("AT0", "DPS", "DT0", "PNP", "PNX"))
_ENDS = frozenset(("", "PUN", "CJC"))
_MISSED_ADJECTIVES = frozenset(("other", "same", "few", "own", "upside-down"))
_FINITE = ("VVZ", "VVB", "VVI", "VBZ", "VBB", "VBD", "VH", "VDZ", "VDB", "VM")
_OPENS_NOUN = ("PRP", "CJC", "VVG", "VVN")
# Verbs of posture, motion and voice tell what somebody does, even after clothes: "a man in a suit dancing".
_INTRANSITIVE = re.compile(
    r"(stand|sitt|walk|runn|danc|sing|swimm|talk|smil|laugh|jump|sleep|skat|pos|kneel|ly|lay|lean|wait|look|jogg"
    r"|stroll|crouch|squatt|perform|speak|work|cheer|march)ing"
)
# Before a noun, these say what it is for: a fishing net. Others say what somebody does: planting wheat.
_PURPOSES = re.compile(
    r"(fish|park|box|bowl|shopp|bath|climb|rac|div|fold|din|clean|cutt|cook|danc|drink|runn|bik|rid|ski|skat"
    r"|wrestl|hik|camp|roll|sew|knitt|walk|wash|steer|sleep|fry|bak|iron|wad|land|chang|wait|board|work|garden"
    r"|vend|load|dock|sweep|flow|batt|surf|skateboard|snowboard|train|meet|driv|pack|weld|mix|measur|rock"
    r"|jump|serv|march|swimm|float|cross|sail|row|cycl|fenc|build|heal|hunt|operat|sign|watch|view|read|writ|paint|play)ing"
)
# Things in -ing, which nobody does.
_THINGS = word_set(
    "awning bedding ceiling coating dwelling earring fencing flooring frosting gathering icing lettering "
    "lighting marking meeting morning netting opening outing packaging paneling piping rigging roofing "
    "scaffolding seating siding stuffing topping warning wiring"
)
_ENDING = re.compile(r"[aeiouy].*ing$")
_CACHED_WORDS = 20_000
_MARGIN = 3.0  # natural logarithm: how much likelier the noun may be where the sentence wants a verb
_DOING = word_set("do does doing enjoy enjoys enjoying practice practices practicing")
_SUBJECT_PRONOUNS = frozenset(("PNP", "PNI", "PNQ"))
_OTHERS = word_set("other another others")
_AROUND = word_set("overhead nearby underwater ahead downhill uphill upstairs downstairs")
_SAYING = frozenset(("VVZ", "VVB", "VVI", "VVG", "VVD", "VBZ", "VBB"))
_OPENS_ONE = frozenset(("AT0", "DT0", "AJ0", "AJS", "ORD"))
_PLAYING = word_set("play plays playing played")
_FAR = 5.0  # the same where only a verb would be grammatical
# Nouns that keep their plural before another noun.
_PLURAL_MODIFIERS = word_set("sports arts clothes glasses goods arms games women men")
_BEFORE_NOUN = ("NN", "NP", "UN", "ZZ", "AJ", "AV", "CR", "OR", "VV")


def corrected(words: Sequence[str], tags: Sequence[str], readings: Readings) -> list[str]:
    """Return the corrected tags of one caption. ``words`` are in lower case, one for each tag."""
    fixed = list(tags)
    clause = 0  # where it begins
    for place, tag in enumerate(tags):
        if tag in _ENDS_CLAUSE:
            clause = place
        context = _Context(words, fixed, place, clause, readings)
        fixed[place] = _fixed(context) or tag
    return fixed


def _fixed(at: _Context) -> str | None:
    return (
        _fixed_by_word(at)
        or _fixed_noun(at)
        or _fixed_participle(at)
        or _fixed_activity(at)
        or _fixed_finite(at)
    )


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
        return any(tag.startswith(_FINITE) for tag in self._clause)

    @cached_property
    def subject(self) -> Subject:
        """Return the noun phrase before the word."""
        return subject_before(self._words, self._tags, self._place, is_animate)

    @property
    def complement(self) -> bool:
        """Return whether what follows often stands after a verb."""
        return self.after in _OPENS_COMPLEMENT or (self.word in _PLAYING and self.after in ("VVB", "VVI"))

    @property
    def is_odd(self) -> bool:
        """Return whether the caption has the word an odd number of times. Quotation marks have a second."""
        return self._words.count(self.word) % 2 == 1

    @property
    def done(self) -> bool:
        """Return whether the phrase is what somebody is doing: *doing some window shopping*."""
        return not _DOING.isdisjoint(self._words[max(0, self._place - 3) : self._place - 1])

    @property
    def says_what_it_does(self) -> bool:
        """Return whether the next word is an -ing form without a noun: *a female writing on a pad*."""
        if self.after == "VVG" or _INTRANSITIVE.fullmatch(self.next):
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
    if at.word == "several":
        return "DT0"
    if (
        at.word == "that"
        and at.tag == "CJT"
        and at.before in _SAYING
        and at.after in _OPENS_OBJECT | {"NP0", "EX0"}
    ):
        return "CJS"  # shows that she is unhappy: no pronoun
    if at.word == "her" and at.after in ("CRD", "ORD"):
        return "DPS"
    if at.word == "other" and at.before in ("AT0", "DT0"):
        return "NN1" if at.after in ("POS", "AT0", "DPS", "DT0") else "AJ0"
    if at.tag == "NP0" and noun_follows and at.word in dictionary("colours"):
        return "AJ0"  # A Brown dog
    if at.previous == "button" and at.word in ("up", "down") and noun_follows:
        return "AJ0"  # a button up shirt
    if at.word == "while" and at.before not in ("AT0", "PRP"):
        return "CJS"
    if at.previous == "thumbs" and at.word in ("up", "down"):
        return "NN1"
    if at.word == "one" and at.tag in ("CRD", "PNI") and at.before in _OPENS_ONE and at.previous != "a":
        if at.previous not in _OTHERS and (noun_follows or at.after == "VVN"):
            return None
        return "NN1"  # the other one
    if at.word == "'s" and at.before == "CRD" and at.previous.endswith("0"):
        return "NN2"  # the 60 's
    if at.word in _AROUND and at.before in NOUNS and not noun_follows:
        return "AV0"  # a sign overhead
    if at.word == "'" and at.before == "NN2" and noun_follows and at.is_odd:
        return "POS"  # her daughters ' eyes
    if at.tag == "POS" and _is_contracted_verb(at):
        return "VBZ"
    if (
        at.before in NOUNS
        and at.tag in ("VVB", "VVI", "AV0", "AVP")
        and is_listed(f"{at.previous} {at.word}")
    ):
        return "NN1"  # a motor home
    if at.tag in ("VVB", "VVI") and (at.before in ("AT0", "DPS", "PRF") or at.previous in _PLAYING):
        return "NN1"  # a chew toy; they play catch
    if at.word == "her" and at.tag == "DPS" and (at.next in PLACES or at.after[:2] not in _BEFORE_NOUN):
        return "PNP"
    if at.word == "upside":
        return "AJ0" if at.before in _OPENS_ONE and at.next == "down" else "AV0"
    if at.previous == "upside" and noun_follows:
        return "AJ0"  # an upside down bike
    if at.tag == "NP0" and not at.previous and at.after in ("PUN", "CJC") and at.margin("AJ0") > 0:
        return "AJ0"  # Slim , blond woman
    if at.tag == "AJ0" and is_animate(at.word) and at.says_what_it_does:
        return "NN1"  # a female wearing glasses
    return None


def _is_contracted_verb(at: _Context) -> bool:
    """Return whether *'s* is a verb: *a farmer 's selling apples*, but *a farmer 's smiling face*."""
    if at.before == "NN2" or at.subject.plural:
        return False
    if at.after in ("AT0", "XX0", "DPS", "TO0") or (at.after == "PRP" and is_animate(at.previous)):
        return True
    if not at.next.endswith("ing") or is_listed(at.next) or at.beyond in _ENDS:
        return False
    return at.after == "VVG" or (
        at.after == "NN1" and at.margin("VVG", word=at.next) > at.margin("AJ0", word=at.next)
    )


def _fixed_noun(at: _Context) -> str | None:
    """Return the noun's tag when a word was tagged as verb but ends a noun phrase."""
    if at.tag == "VVZ" and at.before in ("VVB", "VVI", "VVG") and at.margin("NN2") > -_MARGIN:
        return "NN2"  # sweep leaves
    if (
        at.tag == "VVZ"
        and at.before == "AJ0"
        and at.second in ("VVB", "VVI", "VVG")
        and at.margin("NN2") > -_MARGIN
    ):
        return "NN2"  # exchange quizzical looks
    if at.tag == "VVZ" and at.before in NOUNS | {"AJ0"} and at.margin("NN2") > -math.inf:
        if at.subject.incomplete:
            return "NN2"  # many plastic cups
        if at.with_colour:
            return "NN2"  # with pink streaks
    return None


def _fixed_participle(at: _Context) -> str | None:
    """Return VVG when an -ing form was tagged as noun or adjective but says what somebody does."""
    if not at.word.endswith("ing") or at.tag not in ("NN1", "AJ0"):
        return None
    if at.before[:2] == "VB":
        return "VVG"  # is cooking
    if is_listed(f"{at.previous} {at.word}") or at.word in _THINGS or not _ENDING.search(at.word):
        return None  # a brick building, a sidewalk opening, a string
    if at.with_colour:
        return None  # with white writing
    if at.before == "AV0" and at.tag == "NN1":
        return "VVG"  # outside painting; rock climbing, see above
    follows_noun = at.before in NOUNS or at.bare_colour
    if not follows_noun:
        if (at.before == "PUN" or at.previous == "for") and at.after in _ENDS and at.margin("VVG") > -_MARGIN:
            return "VVG"  # at a bar , dancing
        opened = at.before in ("CJC", "DT0", "CRD", "PNI") and at.after not in NOUNS
        if at.previous in _OTHERS and at.after not in NOUNS:
            return "VVG"  # the other standing
        return "VVG" if opened and _INTRANSITIVE.fullmatch(at.word) else None
    follows_animate = at.before in NOUNS and is_animate(at.previous)
    if (at.after == "PRF" and not follows_animate) or at.done:
        return None  # the styling of hair; doing window shopping
    if at.after in NOUNS:
        if is_listed(f"{at.word} {at.next}") or is_listed(at.word):
            return None
        if at.bare_colour and "clothing" in types_of([at.next]):
            return None  # blue flowing robes
        if not follows_animate and at.after == "NN1" and is_animate(at.next):
            return None  # a street sweeping crew
        # a man reading books; people in a field planting wheat, but people in a swimming pool
        return "VVG" if follows_animate or not _PURPOSES.fullmatch(at.word) else None
    if _INTRANSITIVE.fullmatch(at.word) or follows_animate or at.tag == "AJ0":
        return "VVG"  # a nun in red sitting on a wall; two men barbecuing
    if not is_listed(at.word) or (at.after in ("AT0", "DPS") and at.margin("VVG") > -math.inf):
        return "VVG"  # a girl in a dress skateboarding
    return None


def _fixed_activity(at: _Context) -> str | None:
    """Return the adverb's tag when a noun only says which activity is meant: *they are rock climbing*."""
    if at.tag != "NN1" or at.beyond in NOUNS or not at.next.endswith("ing") or is_animate(at.word):
        return None
    if at.next in _THINGS or is_listed(at.next) or at.margin("VVG", word=at.next) == -math.inf:
        return None
    follows_subject = at.before in NOUNS and is_animate(at.previous) and at.subject.leads
    follows_subject = follows_subject and set(types_of([at.word])) <= {"scene", "other"}  # a tourist train
    return "AV0" if follows_subject or at.before[:2] == "VB" or at.before == "CJS" else None


def _fixed_finite(at: _Context) -> str | None:
    """Return the verb's tag when a word was tagged as noun but is the verb of its clause."""
    if at.tag == "NN1" and at.previous == "to" and at.after in _OPENS_OBJECT:
        return "VVI"  # trying to tickle each other
    if at.tag not in ("NN0", "NN1", "NN2") or is_listed(f"{at.previous} {at.word}"):
        return None
    verb = "VVZ" if at.tag == "NN2" else "VVB"
    if at.before in _SUBJECT_PRONOUNS or at.previous in _OTHERS:
        return verb if _follows_a_pronoun(at, verb) else None
    if at.before not in NOUNS and not at.bare_colour:
        return _joined_verb(at)
    if is_animate(at.previous) and at.before in NOUNS and (at.subject.leads or at.subject.perceived):
        return verb if _follows_its_subject(at, verb) else None
    return verb if _follows_a_subject_in_something(at, verb) else _joined_verb(at)


def _follows_a_pronoun(at: _Context, verb: str) -> bool:
    """Return whether a word after *they*, *someone* or *the other* says what they do."""
    if at.before not in _SUBJECT_PRONOUNS:  # another attempts a jump, but the other dogs
        can_follow = at.complement or at.after in _ENDS
        return can_follow and not is_animate(at.word) and at.margin(verb) > (-_MARGIN if verb == "VVZ" else 0)
    if at.previous in ("he", "she", "it") or at.before == "PNI":
        return verb == "VVZ" and (at.margin(verb) > -math.inf or _has_verb_stem(at))
    return at.previous in ("they", "we", "who") and at.margin(verb) > -_FAR


def _follows_its_subject(at: _Context, verb: str) -> bool:
    """Return whether a word after a person or animal, where its clause begins, says what they do."""
    subject, margin = at.subject, at.margin(verb)
    complement = at.complement
    ends = at.after in _ENDS
    if at.after in NOUNS and "people" in types_of([at.next]):
        return False  # a woman rock climber
    if at.after.startswith(_FINITE) and not subject.perceived:
        return margin > 0  # the family vacation continues
    if verb == "VVZ":
        if subject.plural or subject.incomplete:
            return margin > -1
        if is_animate(at.word):  # a priest ministers to a crowd, but the police officers
            return margin > 0 or (_has_verb_stem(at) and (at.after == "AT0" or (subject.one and complement)))
        if margin == -math.inf and "clothing" in types_of([at.word]):
            return False  # biker pants
        if margin == -math.inf and not _has_verb_stem(at):
            return subject.one and complement and not is_listed(at.word)  # a boy high-fives a mannequin
        if subject.one:
            return True  # a child practices golf
        return complement or (ends and margin > -_MARGIN) or margin > 0
    if margin == -math.inf:
        return False
    if subject.plural:
        if at.after in NOUNS:  # two sons purchase food, but kids bike shops
            return margin > (-1.6 if is_listed(at.next) else -_MARGIN)
        return complement or margin > -_FAR
    if subject.perceived or subject.plural is None:
        complement = complement or at.after == "VVZ"  # helping a boy sweep leaves
        return (complement or ends or margin > 0) and margin > -_FAR
    return margin > 0


def _follows_a_subject_in_something(at: _Context, verb: str) -> bool:
    """Return whether a word after a noun is the verb of an earlier subject: *a man in yellow walks down*."""
    complement = at.complement and (at.after != "VVG" or at.tag == "NN2")
    # as people in the background watch; a man in a hat smirks
    waits = at.after in ("", "PUN") and (
        at.previous in dictionary("nonvisual") or (verb == "VVZ" and at.subject.one)
    )
    if at.verb_seen or not (complement or waits) or at.with_colour or not at.agrees(verb):
        return False
    margin = at.margin(verb)
    if complement and is_animate(at.previous) and not is_animate(at.word):
        return margin > -math.inf
    if at.before == "NN2" and at.previous not in _PLURAL_MODIFIERS:
        return margin > -_FAR  # people in uniforms bike down a road
    if at.tag == "NN2" and at.subject.one:
        return margin > -_FAR or _has_verb_stem(at)  # a man in a poncho interviews a woman
    return margin > (-_MARGIN if at.tag == "NN2" and not is_listed(at.word) else 0)


def _joined_verb(at: _Context) -> str | None:
    """Return the tag of a second verb of a subject: *sits on a wall and whistles*."""
    if at.tag != "NN2" or at.before != "CJC" or not at.verb_seen or is_listed(at.word):
        return None
    complement = at.after in _OPENS_COMPLEMENT - {"CRD", "VVG"}
    return "VVZ" if complement and at.agrees("VVZ") and at.margin("VVZ") > -_MARGIN else None


def _has_verb_stem(at: _Context) -> bool:
    if not at.word.endswith("s"):
        return False
    stems = (at.word[:-1], at.word[:-2]) if at.word.endswith("es") else (at.word[:-1],)
    return any(at.margin(tag, word=stem) > -math.inf for stem in stems if stem for tag in ("VVI", "VVB"))
