"""Nouns and adjectives in texts about products, which name things and their parts without articles.

*Velvet pillow covers with zip*: here *covers* is a noun, although *Snow covers the roofs* begins alike.
Tags are CLAWS5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from annotation.domain.finite_verbs import MOVING
from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import ENDS, MARGIN, Context, is_animate
from annotation.domain.types import dictionary, is_listed, word_set

_NAMED = NOUNS | {"UNC"}
_VERBS = frozenset(("VVB", "VVI", "VVZ"))
# What stands after the name of a product: pillow covers with zip, boots for men, wraps made of muslin.
_AFTER_NAME = word_set("with for made")
# Verbs that name the use of a part: a pour spout, a carry bag.
_USES = word_set(
    "carry chew clip dry erase flip fold peel pour press pull push rinse snap spin stay swing throw twist "
    "wrap zip"
)
# -ing forms that say what a thing does, not what it is for: trucks hauling logs, a table holding books.
_OF_THINGS = re.compile(
    r"(approach|block|carry|cast|contain|cover|cross|depict|display|enter|fac|featur|fill|fly|follow|hav|hitt|hold"
    r"|illuminat|includ|leav|lin|mak|overlook|pass|play|pull|push|reach|read|resembl|say|serv|show|surround|support"
    r"|tow|turn|us|visit|wear|haul|form|tak|giv|bring|do|be|emit|look|separat|spell|spray|produc)ing"
)
_FIRST = re.compile(r"(adjust|fold|float|hang|recl|revolv|rock|roll|rotat|slid|stack|swivel|swing)ing")
_EFFECTS = word_set(
    "absorbing blocking canceling cancelling catching drying eliminating lasting reducing relieving "
    "retaining saving watering wicking"
)
_OWNERS = word_set("baby infant toddler child kid kids men women dog cat pet bird")
_DOING = word_set("heads leaves races waits works")
_SPEEDS = word_set("fast quick slow")
_AFFECTED = word_set(
    "energy eye heat light long moisture mouth noise odor odour pain quick shock space sweat time water"
)
# Colours that are things as well: in a list of fruit, they are no colours.
_ALSO_THINGS = word_set("cream lime olive orange peach plum rose violet")
_ADDS = frozenset((",", "-", "–", "—"))
_MAX_COLOUR_WORDS = 3
"""The most words that name a colour: *sea salt white*."""
_EQUALLY = 0.35
"""The natural logarithm of how much likelier the verb may be: *covers*, but not *waits*."""


def fixed_in_title(at: Context) -> str | None:
    """Return the tag of a word that is a noun or an adjective where no sentence has begun."""
    if at.word in _SPEEDS and at.tag == "AV0" and at.next.endswith("ing") and at.beyond in NOUNS:
        return "AJ0"  # fast charging block
    if not at.bare or at.in_sentence:
        return None
    if at.tag in _VERBS | {"NN1", "NN2"}:
        noun = "NN2" if at.tag in ("VVZ", "NN2") else "NN1"
        if _ends_a_name(at, noun) or (noun == "NN1" and _ends_a_singular(at)):
            return noun
    if at.tag in ("VVB", "VVI") and (at.after in NOUNS | {"AJ0"} or at.next in _USES) and _names_a_part(at):
        return "NN1"
    named = at.before in _NAMED - {"NN2"}  # with pour spouts, but: with sails passes
    if at.tag == "VVZ" and named and at.after in ENDS and at.in_phrase and at.names_things:
        return None if at.word in MOVING else "NN2"  # with pour spouts
    plain = at.word != "open" and at.word not in dictionary("colours")
    if at.tag == "AJ0" and at.before == "NN1" and at.next in ("with", "for") and at.subject.leads and plain:
        return "NN1" if at.names_things and at.margin("NN1") > -MARGIN else None  # crib mobile with clouds
    ends = at.after in ENDS and (at.in_phrase or is_listed(at.word))
    if at.tag == "AJ0" and ends and at.names_things and plain:
        unknown = at.before == "AJ0" and at.is_guessed  # with built-in mic
        named = (
            at.before in ("NP0", "NN1")
            and at.next == ","
            and not at.word.endswith(("able", "ible", "ready", "free"))
        )  # for Honda Civic
        known = named or (at.before in NOUNS and at.margin("NN1") > -math.inf)  # with chunky lug sole
        return "NN1" if unknown or known else None
    if at.tag in ("VVN", "VVD") and at.before in NOUNS and at.after in ENDS and at.is_guessed:
        return None if at.word.endswith(("d", "n", "t")) else "NN1"  # wheat penne
    return None


def _ends_a_singular(at: Context) -> bool:
    """Return whether a word ends a noun phrase, since no clause has it after a singular: *infant insert*."""
    if at.before != "NN1" or at.subject.plural is not False or at.subject.perceived:
        return False
    if at.previous not in _OWNERS and not at.names_things:
        return False
    if at.tag == "NN1":
        return at.after in ENDS
    return at.after in ENDS | {"PRP"} and (at.in_phrase or at.margin("NN1") > -math.inf)


def _ends_a_name(at: Context, noun: str) -> bool:
    """Return whether a word after a noun is the last of a product's name."""
    listed = is_listed(at.word)
    if at.before not in (NOUNS | {"AJ0"} if listed else NOUNS) or at.word in MOVING or not at.subject.leads:
        return False
    if not at.names_things and not (is_animate(at.previous) and noun == "NN2"):
        return False
    if is_animate(at.previous) and not (at.next == "made" or (listed and at.after in ENDS)):
        return False  # boxer briefs, baby wraps made of muslin
    if at.word in _DOING or (noun == "NN1" and at.before == "NN2"):
        return False  # a plow works for hours, survivors race for a cure
    if at.before == "NP0" and at.second not in NOUNS | {"AJ0"} and not listed:
        return False  # John walks with a dog.
    if noun == "NN1" and not at.names_things:
        return False
    if at.tag in ("VVB", "VVI"):  # a stand, but: Beautiful flowers bloom
        likely = at.before != "NN2" and at.margin(noun) > -MARGIN
    else:
        likely = at.tag in NOUNS or at.margin(noun) > -_EQUALLY or listed
    return likely and (at.next in _AFTER_NAME or (listed and (at.after in ENDS | {"VVN"} or at.next == "in")))


def _names_a_part(at: Context) -> bool:
    """Return whether a verb before a noun is the first word of a part: *two pour spouts and carry bag*."""
    if at.before == "NN1" and at.word in _USES and at.names_things:
        return at.subject.plural is False  # rubber chew toy
    added = at.before == "CRD" and at.before_to == ","  # calendar, six dry erase markers
    if at.before not in ("CJC", "PRP", "AJ0", "CRD") or not (at.in_phrase or added):
        return False
    if at.before == "CJC" and at.names_things and at.beyond in ENDS | {"PRP"}:
        return True  # padded bench and sustain pedal
    return at.word in _USES or (at.names_things and at.margin("NN1") > -math.inf)


def is_purpose(symbols: str, words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether an -ing form says what the noun after it is for or does: *silicone baking mats*.

    `symbols` are those of the grammar, for the words before it.
    """
    if words[place] in _EFFECTS and place and words[place - 1] in _AFFECTED:
        return True  # noise cancelling headphones
    if place and words[place - 1] in _SPEEDS:
        return True  # fast charging block
    if not symbols:
        return bool(_FIRST.fullmatch(words[place])) and "with" in words  # hanging bird feeder with a hook
    if set(symbols) & set("DdeVxqG.") or _OF_THINGS.fullmatch(words[place]):
        return False
    if any(is_animate(word) for word in words[:place]):
        return False
    end = place + 1
    while end < len(tags) and tags[end] in NOUNS:
        end += 1
    if end == place + 1:
        return False
    if symbols[-1] in "T&,":
        return True  # with cooling gel cover and hanging loop
    following = words[end] if end < len(words) else ""
    return symbols[-1] == "N" and ("T" in symbols or following in ("for", "made", ","))


def only_names_things(symbols: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the words so far only name things, so that a participle after a comma describes one."""
    return "D" not in symbols and not any(is_animate(word) for word in words[: len(symbols)])


def are_finishes(words: Sequence[str], place: int) -> bool:
    """Return whether a colour is said of the whole product, after a comma: *rug, ivory and blue*."""
    if not {"a", "an", "the"}.isdisjoint(words[1:]):  # The North Face
        return False
    start = place
    while start and words[start - 1] not in _ADDS:
        start -= 1
    end = place + 1
    while end < len(words) and words[end] not in (",", "."):
        end += 1
    part = words[start:end]
    if not start or len(part) > _MAX_COLOUR_WORDS or part[-1] not in dictionary("colours"):
        return False
    named = [word for word in part if word in dictionary("colours")]
    if _ALSO_THINGS.issuperset(named) or any(word.endswith("ed") and word != "red" for word in part):
        return False  # bowl with ice, apple and orange; fence painted white
    return not any(is_animate(word) for word in part)
