"""Corrections of the tags of -ing forms: they say what somebody does, or describe a noun. Tags are CLAWS5."""

from __future__ import annotations

import math
import re

from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import ENDS, INTRANSITIVE, MARGIN, OTHERS, Context, is_animate
from annotation.domain.types import is_listed, types_of, word_set

# Before a noun, these say what it is for: a fishing net. Others say what somebody does: planting wheat.
_PURPOSES = re.compile(
    r"(fish|park|box|bowl|shopp|bath|climb|rac|div|fold|din|clean|cutt|cook|danc|drink|runn|bik|rid|ski|skat"
    r"|wrestl|hik|camp|roll|sew|knitt|walk|wash|steer|sleep|fry|bak|iron|wad|land|chang|wait|board|work|garden"
    r"|vend|load|dock|sweep|flow|batt|surf|skateboard|snowboard|train|meet|driv|pack|weld|mix|measur|rock"
    r"|jump|serv|march|swimm|float|cross|sail|row|cycl|fenc|build|heal|hunt|operat|sign|watch|view|read|writ|paint|play"
    r"|stream|dat|messag|brows|gam|edit|bank|deliver|navigat|track)ing"
)
# Materials in -ing, which the tagger takes for verbs after a noun.
_MATERIALS = word_set(
    "bedding cushioning lettering lining netting padding piping printing quilting ribbing stitching webbing"
)
# These may also say what somebody does: cork backing, but a truck backing into a garage.
_ALSO_MATERIALS = word_set("backing detailing edging trimming")
# Things in -ing, which nobody does.
_THINGS = _MATERIALS | word_set(
    "awning ceiling coating dwelling earring fencing flooring frosting gathering glazing icing "
    "lighting marking meeting morning opening outing packaging "
    "paneling rigging roofing scaffolding seating siding stuffing "
    "topping warning wiring"
)
_BEFORE_ACTIVITIES = word_set("without before after while")
_MADE = word_set("carving drawing engraving etching painting")
_ENDING = re.compile(r"[aeiouy].*(?<!str)(?<!offspr)ing$")


def fixed_participle(at: Context) -> str | None:
    """Return VVG when an -ing form was tagged as noun or adjective but says what somebody does.

    Or a noun's tag for a material that was taken for a verb.
    """
    if (
        at.tag == "VVG"
        and (
            at.word in _MATERIALS
            or (at.word in _ALSO_MATERIALS and _is_a_part(at))
            or (at.pair == "wall hanging" and at.before_to != "the")
        )
        and at.before in NOUNS | {"AJ0"}
        and at.after in ENDS | {"PRP"}
    ):
        return "NN1"  # mesh lining
    described = at.before in NOUNS | {"UNC"} and at.after in ENDS
    if at.word in _ALSO_MATERIALS and described and _is_a_part(at):
        return "NN1"  # cork backing
    if at.word in _MADE and described and at.subject.one and at.names_things and not at.subject.leads:
        return "NN1"  # next to a manga drawing
    if not at.word.endswith("ing") or at.tag not in ("NN1", "AJ0"):
        return None
    if at.before[:2] == "VB":
        return "VVG"  # is cooking
    if at.before == "AT0" and at.tag == "NN1" and at.after == "ORD":
        return "AJ0"  # the smoking second floor
    if is_listed(f"{at.previous} {at.word}") or at.word in _THINGS or not _ENDING.search(at.word):
        return None  # a brick building, a sidewalk opening, a string
    if at.with_colour:
        return None  # with white writing
    if at.before == "AV0" and at.tag == "NN1":
        return "VVG"  # outside painting; rock climbing, see above
    follows_noun = at.before in NOUNS or at.bare_colour
    if not follows_noun:
        if (at.before == "PUN" or at.previous == "for") and at.after in ENDS and at.margin("VVG") > -MARGIN:
            return "VVG"  # at a bar , dancing
        if at.previous in _BEFORE_ACTIVITIES and at.after in ENDS and not is_listed(at.word):
            return "VVG"  # turns without signaling
        opened = at.before in ("CJC", "DT0", "CRD", "PNI") and at.after not in NOUNS
        if at.previous in OTHERS and at.after not in NOUNS:
            return "VVG"  # the other standing
        return "VVG" if opened and INTRANSITIVE.fullmatch(at.word) else None
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
    if INTRANSITIVE.fullmatch(at.word) or follows_animate or at.tag == "AJ0":
        return "VVG"  # a nun in red sitting on a wall; two men barbecuing
    if not is_listed(at.word) or (at.after in ("AT0", "DPS") and at.margin("VVG") > -math.inf):
        return "VVG"  # a girl in a dress skateboarding
    return None


def _is_a_part(at: Context) -> bool:
    """Return whether the word ends the name of a part: *coasters with cork backing*."""
    vehicle = "vehicles" in types_of([at.previous])
    return at.bare and at.in_phrase and at.names_things and not vehicle


def fixed_activity(at: Context) -> str | None:
    """Return the adverb's tag when a noun only says which activity is meant: *they are rock climbing*."""
    if at.tag != "NN1" or at.beyond in NOUNS or not at.next.endswith("ing") or is_animate(at.word):
        return None
    if at.next in _THINGS or is_listed(at.next) or at.margin("VVG", word=at.next) == -math.inf:
        return None
    follows_subject = at.before in NOUNS and is_animate(at.previous) and at.subject.leads
    follows_subject = follows_subject and set(types_of([at.word])) <= {"scene", "other"}  # a tourist train
    return "AV0" if follows_subject or at.before[:2] == "VB" or at.before == "CJS" else None
