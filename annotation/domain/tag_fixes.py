"""Corrections of part-of-speech tags where taggers trained on running text usually fail in captions.

Tags are CLAWS5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from annotation.domain.finite_verbs import fixed_finite
from annotation.domain.ing_forms import fixed_activity, fixed_participle
from annotation.domain.product_titles import fixed_in_title
from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import (
    ENDS,
    MARGIN,
    OPENS_OBJECT,
    OTHERS,
    PLAYING,
    Context,
    Readings,
    is_animate,
)
from annotation.domain.types import dictionary, is_listed, word_set

PLACES = frozenset(("outdoors", "indoors"))
_ENDS_CLAUSE = frozenset(("CJS", "PNQ", "CJT"))
_MISSED_ADJECTIVES = frozenset(("other", "same", "few", "own", "upside-down"))
_AROUND = word_set("overhead nearby underwater ahead downhill uphill upstairs downstairs")
_SAYING = frozenset(("VVZ", "VVB", "VVI", "VVG", "VVD", "VBZ", "VBB"))
_OPENS_ONE = frozenset(("AT0", "DT0", "AJ0", "AJS", "ORD"))
_AROUND_RAMPS = word_set("on off in out")
_LOOKS_ADJECTIVE = re.compile(r"-|(ed|ing|y|ish|al|ous|ful|less|ic|ive|ble)$")
_SIDES = word_set("back front top bottom")
_LIKELY_NOUN = 3.0  # natural logarithm: how much likelier the verb may be where a sentence begins
_OPENS_UNKNOWN = frozenset(("AT0", "DPS", "PRF", "PRP"))
_BEFORE_NOUN = ("NN", "NP", "UN", "ZZ", "AJ", "AV", "CR", "OR", "VV")


def corrected(words: Sequence[str], tags: Sequence[str], readings: Readings) -> list[str]:
    """Return the corrected tags of one caption. ``words`` are in lower case, one for each tag."""
    fixed = list(tags)
    clause = 0  # where it begins
    for place, tag in enumerate(tags):
        if (
            tag in _ENDS_CLAUSE
            or words[place] in ("as", ";")
            or (tag == "CJC" and place and words[place - 1] == ",")
        ):
            clause = place
        context = Context(words, fixed, place, clause, readings)
        fixed[place] = _fixed(context) or tag
        if fixed[place] in ("VVZ", "VVB") and tag in NOUNS and context.before == "AJ0":
            fixed[place - 1] = _noun_before_verb(context, words[place - 1], readings)
    return fixed


def _noun_before_verb(at: Context, word: str, readings: Readings) -> str:
    """Return the tag of a word that was tagged as adjective before a verb: *natural light streams in*."""
    return "AJ0" if at.bare_colour or "NN1" not in readings(word) else "NN1"


def _fixed(at: Context) -> str | None:
    return (
        fixed_in_title(at)
        or _fixed_by_word(at)
        or _fixed_noun(at)
        or fixed_participle(at)
        or fixed_activity(at)
        or fixed_finite(at)
    )


def _fixed_by_word(at: Context) -> str | None:
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
        and at.after in OPENS_OBJECT | {"NP0", "EX0"}
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
        if at.previous not in OTHERS and (noun_follows or at.after == "VVN"):
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
        and at.tag in ("VVB", "VVI", "VVD", "AV0", "AVP")
        and is_listed(f"{at.previous} {at.word}")
    ):
        return "NN1"  # a motor home
    if at.tag in ("VVB", "VVI") and (at.before in ("AT0", "DPS", "PRF") or at.previous in PLAYING):
        return "NN1"  # a chew toy; they play catch
    if at.word == "her" and at.tag == "DPS" and (at.next in PLACES or at.after[:2] not in _BEFORE_NOUN):
        return "PNP"
    if at.word == "upside":
        return "AJ0" if at.before in _OPENS_ONE and at.next == "down" else "AV0"
    if at.previous == "upside" and noun_follows:
        return "AJ0"  # an upside down bike
    if at.tag == "NP0" and not at.previous and at.after in ("PUN", "CJC") and at.margin("AJ0") > 0:
        return "AJ0"  # Slim , blond woman
    if at.word in _AROUND_RAMPS and at.before == "AT0" and at.after in NOUNS:
        return "AJ0"  # the on ramp
    if (
        not at.previous
        and at.tag in ("VVB", "VVI")
        and at.after == "NN1"
        and at.margin("NN1") > -_LIKELY_NOUN
    ):
        return "NN1"  # Stand mixer with a bowl
    if at.tag == "PRP" and not at.previous and at.word == "round" and noun_follows:
        return "AJ0"  # Round rug with fringes
    predicate = at.before[:2] == "VB" or (at.before in ("AJ0", "AV0") and at.second[:2] == "VB")
    if predicate and at.tag == "NN1" and at.after in ENDS and at.word in dictionary("colours"):
        return "AJ0"  # is bright orange
    if at.word == "set" and at.before in NOUNS and at.bare and not is_animate(at.previous):
        return "NN1"  # Acrylic paint set with brushes
    if at.tag in ("VVB", "VVI") and at.before in NOUNS and at.after == "PRF":
        return "NN1"  # a 3D render of a car
    hyphened = "-" in at.word and at.tag.startswith("VV") and at.tag not in ("VVG", "VVZ")
    if hyphened and noun_follows and at.before in NOUNS | {"AJ0", "AT0"} and not is_animate(at.previous):
        return "AJ0"  # a cross-cut shredder
    alone = at.tag in ("VVB", "VVI") and at.before == "NN1" and at.after in ENDS | {"PRP"}
    if (
        alone
        and at.subject.plural is False
        and not at.agrees("VVB")
        and not at.subject.perceived
        and (at.margin("NN1") > -MARGIN or (at.subject.one and not at.subject.leads))
    ):
        return "NN1"  # a lobster clasp; over an apple crumble
    bare = at.after == "NN1" and not at.verb_seen and not at.doing
    known = at.before == "PRP" or at.margin("NN1") > -math.inf
    if at.tag in ("VVB", "VVI") and at.before in ("CJC", "PRP") and bare and known:
        return "NN1"  # with cup holder and carry bag
    if (
        at.word in _SIDES
        and at.before in NOUNS
        and at.second == "PRP"
        and at.after in ENDS
        and at.tag[:2] != "NN"
    ):
        return None if is_animate(at.previous) else "NN1"  # with mesh back
    if at.tag == "AJS" and at.word.endswith("ist"):
        return "NN1"  # a radiologist
    if at.is_guessed and not _LOOKS_ADJECTIVE.search(at.word) and at.previous != "to":
        if at.tag == "AJ0" and at.before == "PUN" and at.after == "CJC":
            return "NN1"  # beef , cilantro and onions
        after = ENDS | {"PRP", "VVN", "VVD"}
        if at.tag in ("AJ0", "VVN") and at.before in _OPENS_UNKNOWN and at.after in after:
            return "NN1"  # a bowl of ramen
    if at.is_guessed and at.tag in ("AV0", "CRD") and at.may_be_a_name and at.previous != "to":
        return None if at.before.startswith("VV") else "NN1"  # air fryer
    if at.is_guessed and at.tag in ("VVB", "VVI") and not at.previous and at.after in ("AJ0", "NP0"):
        return "NP0"  # a brand begins the text
    if at.word == "most" and at.after == "PRF":
        return "DT0"
    if at.word == "front" and at.previous == "in" and at.beyond == "AV0":
        return "NN1"  # The car in front brakes suddenly
    if (
        at.word == "upper"
        and at.tag == "AJ0"
        and at.after in ENDS | {"PRP"}
        and at.before in NOUNS | {"AJ0", "PRP"}
    ):
        return "NN1"  # with knit upper
    if at.word == "can" and at.before == "NN1" and at.after in ENDS | {"PRP"} and not is_animate(at.previous):
        return "NN1"  # a trash can
    if at.tag == "AJ0" and is_animate(at.word) and at.says_what_it_does:
        return "NN1"  # a female wearing glasses
    return None


def _is_contracted_verb(at: Context) -> bool:
    """Return whether *'s* is a verb: *a farmer 's selling apples*, but *a farmer 's smiling face*."""
    if at.before == "NN2" or at.subject.plural:
        return False
    if at.after in ("AT0", "XX0", "DPS", "TO0") or (at.after == "PRP" and is_animate(at.previous)):
        return True
    if not at.next.endswith("ing") or is_listed(at.next) or at.beyond in ENDS:
        return False
    return at.after == "VVG" or (
        at.after == "NN1" and at.margin("VVG", word=at.next) > at.margin("AJ0", word=at.next)
    )


def _fixed_noun(at: Context) -> str | None:
    """Return the noun's tag when a word was tagged as verb but ends a noun phrase."""
    if at.tag == "VVZ" and at.before in ("VVB", "VVI", "VVG") and at.margin("NN2") > -MARGIN:
        return "NN2"  # sweep leaves
    if (
        at.tag == "VVZ"
        and at.before == "AJ0"
        and at.second in ("VVB", "VVI", "VVG")
        and at.margin("NN2") > -MARGIN
    ):
        return "NN2"  # exchange quizzical looks
    joined = at.tag == "VVZ" and at.before == "CJC" and not at.verb_seen and not at.doing
    if joined and not is_animate(at.before_to) and at.second in NOUNS and at.margin("NN2") > -MARGIN:
        return "NN2"  # with frosting and sprinkles
    if at.tag == "VVZ" and at.before in NOUNS | {"AJ0"} and at.margin("NN2") > -math.inf:
        if at.subject.incomplete:
            return "NN2"  # many plastic cups
        if at.with_colour:
            return "NN2"  # with pink streaks
    return None
