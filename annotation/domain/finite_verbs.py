"""Corrections of the tags of verbs that taggers take for nouns: *a dog barks at a cat*, *two men play chess*.

Where such a word follows a noun, three questions decide: whether the words before it can be the subject of
their clause, whether subject and verb agree in number, and what follows. Tags are CLAWS5.
"""

from __future__ import annotations

import math

from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import (
    ENDS,
    FINITE,
    MARGIN,
    OPENS_COMPLEMENT,
    OPENS_OBJECT,
    OTHERS,
    Context,
    is_animate,
)
from annotation.domain.types import dictionary, is_listed, types_of, word_set

_SUBJECT_PRONOUNS = frozenset(("PNP", "PNI", "PNQ"))
# What things without an article do, and no compound ends with: smoke curls from a pot.
MOVING = word_set(
    "billows blows burns caramelizes clings cools creeps curls cuts descends dips drains drifts drips "
    "enters evaporates extends fades filters flickers flies floats flows flutters glares gleams glides "
    "glints glistens glitters glows hangs hisses hovers leaks leans lies lingers looms melts merges "
    "obscures oozes peeks penetrates pours protrudes radiates rises runs seeps settles shimmers shines "
    "simmers sits sizzles slides sparkles spills spreads squirts stands streams stretches surges sways "
    "swirls trickles wafts whistles"
)
# What things do that stay where they are, or are on the fire: two loaves of bread rest on a rack.
_RESTING = word_set(
    "bake boil cook cool dry fry gleam glisten glow hang lean lie rest rise shimmer shine simmer sit sizzle "
    "sprawl spill stand steam twinkle"
)
# Verbs that the tagger knows as nouns alone.
_ALSO_VERBS = word_set("dices drizzles folds hoses juliennes pipes vacuums whisks zests")
_PARTICLES = word_set("in out on off up down away")
_MAY_PRECEDE_VERB = frozenset(("VVN", "VVD", "AVP"))
_WANTING = word_set(
    "about attempt attempting attempts begin begins go goes going help helps need needs prepare "
    "prepares preparing ready start starts stop stopping stops tries try trying wait waiting waits want "
    "wants"
)
_FAR = 5.0  # as MARGIN, where only a verb would be grammatical
# Nouns that keep their plural before another noun.
_PLURAL_MODIFIERS = word_set("sports arts clothes glasses goods arms games women men")


def fixed_finite(at: Context) -> str | None:
    """Return the verb's tag when a word was tagged as noun but is the verb of its clause."""
    if at.tag == "NN1" and at.previous == "to" and (at.after in OPENS_OBJECT or _is_wanted(at)):
        return "VVI"  # trying to tickle each other; they wait to board
    if at.tag in ("UNC", "NN1") and _rests(at):
        return "VVB"
    if at.tag not in ("NN0", "NN1", "NN2"):
        return None
    verb = "VVZ" if at.tag == "NN2" else "VVB"
    if _is_joined_to_a_thing(at):
        return None
    if _must_be_a_verb(at, verb):
        return verb
    if is_listed(at.pair):
        return None
    if at.before in _SUBJECT_PRONOUNS or at.previous in OTHERS:
        return verb if _follows_a_pronoun(at, verb) else None
    if at.before not in NOUNS and not at.bare_colour:
        return _joined_verb(at)
    if is_animate(at.previous) and at.before in NOUNS and (at.subject.leads or at.subject.perceived):
        return verb if _follows_its_subject(at, verb) else None
    return verb if _follows_a_subject_in_something(at, verb) else _joined_verb(at)


def _is_joined_to_a_thing(at: Context) -> bool:
    """Return whether a plural ends the name of a thing that belongs to another one.

    It may be joined to it (*a cake with frosting and rainbow sprinkles*), or be a part of a product (*Luggage
    with spinner wheels*).
    """
    if at.before != "NN1" or at.after in OPENS_OBJECT or at.verb_seen or at.word in MOVING:
        return False
    return (at.second == "CJC" or (at.second == "PRP" and at.bare)) and at.names_things


def _is_wanted(at: Context) -> bool:
    """Return whether *to* and a word say what somebody wants: *they wait to board .*"""
    return at.before_to in _WANTING and at.after in ENDS and at.margin("VVB") > -_FAR


def _must_be_a_verb(at: Context, verb: str) -> bool:
    """Return whether a word after a noun cannot belong to its phrase, and the clause still wants a verb.

    No noun stands between another and an article: *a row of trees lines the road*. And no plural ends a
    phrase that begins with *a*: *a boat docks at a pier*, *a girl in a tutu practices ballet*.
    """
    opens = at.after == "AT0" or (at.after == "PRP" and at.opener == "DPS" and not is_listed(at.word))
    if at.previous in _PARTICLES and opens and verb == "VVZ" and not at.verb_seen:
        # A car with its lights on passes a truck, but: a nun on skis on a rail
        return at.margin(verb) > -MARGIN and at.agrees(verb)
    if at.next in _PARTICLES and at.beyond == "PRP" and verb == "VVZ" and not is_animate(at.word):
        known = at.before in NOUNS | {"AJ0"} and (at.margin(verb) > -math.inf or _has_verb_stem(at))
        return (
            known and not at.verb_seen and at.subject.leads and not at.subject.plural
        )  # Light streams in through
    if at.before == "PUQ" and verb == "VVZ":
        return at.complement and at.margin(verb) > -_FAR  # A sign that says "Open" hangs in a window.
    if at.verb_seen or is_animate(at.word):
        return False
    if at.word in MOVING and at.complement and at.previous in dictionary("nonvisual"):
        return verb == "VVZ" and at.agrees(verb)  # the car on the right drifts into the lane
    if at.several_of and at.tag == "NN1" and at.after == "AT0" and at.before in NOUNS and at.subject.leads:
        return not at.doing  # curls of maple litter the floor
    if at.before == "AJ0" and verb == "VVZ" and at.subject.one and at.subject.leads and not at.doing:
        known = at.margin(verb) > -_FAR or _has_verb_stem(at)  # a red convertible cuts in
        return known and at.after in OPENS_COMPLEMENT and not is_listed(at.word)
    if not (at.before in NOUNS or at.before in _MAY_PRECEDE_VERB):
        return False
    if not at.agrees(verb):
        return False
    if verb == "VVZ" and at.after == "AT0" and at.subject.one and at.subject.leads and not at.doing:
        return True  # a carpenter sands a plank
    if at.margin(verb) == -math.inf and not _has_verb_stem(at):
        return False
    if verb == "VVB" and at.before == "NN2" and at.subject.leads and not at.doing and not at.verb_follows:
        if at.previous in _PLURAL_MODIFIERS or is_listed(at.pair):
            return False
        if at.after in NOUNS:
            return at.margin(verb) > -_FAR / 2 and not is_listed(at.word)  # two hands shape dough
        return at.after in ENDS | {"PRP", "AVP", "AV0", "AT0", "DPS"} and at.margin(verb) > -_FAR
    if at.after in ("AT0", "DPS") and not at.doing:
        return at.before in NOUNS or verb == "VVZ"
    if verb != "VVZ" or at.before not in NOUNS or at.doing:
        return False
    if at.subject.leads and _ends_its_clause(at, verb):
        return True
    if not at.subject.one:
        return False
    if at.after in NOUNS or at.after[:2] == "AJ":
        known = at.margin(verb) > -_FAR or at.word in _ALSO_VERBS  # a hand drizzles maple syrup
        return at.word not in _PLURAL_MODIFIERS and known and not is_listed(at.word)
    return at.after in OPENS_COMPLEMENT


def _rests(at: Context) -> bool:
    """Return whether a word says what several of something do: *two loaves of bread rest on a rack*."""
    if at.word not in _RESTING or not (at.before in NOUNS and at.several_of) or at.doing or at.verb_seen:
        return False
    return at.subject.leads and not at.verb_follows and at.after in ENDS | {"PRP", "AVP", "AV0"}


def _ends_its_clause(at: Context, verb: str) -> bool:
    """Return whether a word after a singular that begins a clause without another verb says what it does.

    *The road leads to the left*; *a bus stops and its lights flash*; *mist drifts across the hills*.
    """
    if at.subject.plural or at.verb_follows or at.after not in ENDS | {"PRP", "AVP", "AV0", "TO0"}:
        return False
    if at.subject.one or (at.before == "NN2" and at.previous not in _PLURAL_MODIFIERS):
        return True  # a team of rowers races
    if at.word in MOVING:
        return at.margin(verb) > -math.inf or _has_verb_stem(at)
    determined = at.opener in ("AT0", "DPS", "DT0") and not is_listed(at.pair)
    return determined and at.margin(verb) > (-1 if is_listed(at.word) else -_FAR)


def _follows_a_pronoun(at: Context, verb: str) -> bool:
    """Return whether a word after *they*, *someone* or *the other* says what they do."""
    if at.previous == "other" and at.second not in ("AT0", "DT0", "DPS"):
        return False  # and other toys
    if at.before not in _SUBJECT_PRONOUNS:  # another attempts a jump, but the other dogs
        can_follow = at.complement or at.after in ENDS
        return can_follow and not is_animate(at.word) and at.margin(verb) > (-MARGIN if verb == "VVZ" else 0)
    if at.previous in ("he", "she", "it") or at.before == "PNI":
        return verb == "VVZ" and (at.margin(verb) > -math.inf or _has_verb_stem(at))
    return at.previous in ("they", "we", "who") and at.margin(verb) > -_FAR


def _follows_its_subject(at: Context, verb: str) -> bool:
    """Return whether a word after a person or animal, where its clause begins, says what they do."""
    subject, margin = at.subject, at.margin(verb)
    complement = at.complement
    ends = at.after in ENDS
    if at.after in NOUNS and "people" in types_of([at.next]):
        return False  # a woman rock climber
    if at.after.startswith(FINITE) and not subject.perceived:
        return margin > 0  # the family vacation continues
    if verb == "VVZ":
        if subject.plural or subject.incomplete:
            return margin > -1
        if is_animate(at.word):  # a priest ministers to a crowd, but the police officers
            return margin > 0 or (_has_verb_stem(at) and (at.after == "AT0" or (subject.one and complement)))
        if margin == -math.inf and "clothing" in types_of([at.word]):
            return False  # biker pants
        if margin == -math.inf and not _has_verb_stem(at):
            # a boy high-fives a mannequin; a baker pipes pink frosting
            # a chef pipes icing onto a cake
            opens = complement or at.after in ("AJ0", "VVN", "VVD")
            opens = opens or (at.after == "NN1" and at.beyond == "PRP")
            return (subject.one and opens and not is_listed(at.word)) or at.after == "AT0"
        if subject.one or (at.after == "AT0" and subject.leads):
            return True  # a child practices golf; the chef torches the sugar
        return complement or (ends and margin > -MARGIN) or margin > 0
    if margin == -math.inf:
        return False
    if subject.plural:
        if at.after in NOUNS:  # two sons purchase food, but kids bike shops
            return margin > (-1.6 if is_listed(at.next) else -MARGIN)
        return complement or margin > -_FAR
    if subject.perceived or subject.plural is None:
        complement = complement or at.after == "VVZ"  # helping a boy sweep leaves
        return (complement or ends or margin > 0) and margin > -_FAR
    return margin > 0


def _follows_a_subject_in_something(at: Context, verb: str) -> bool:
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
    return margin > (-MARGIN if at.tag == "NN2" and not is_listed(at.word) else 0)


def _joined_verb(at: Context) -> str | None:
    """Return the tag of a second verb of a subject: *sits on a wall and whistles*."""
    if at.tag != "NN2" or at.before != "CJC" or not at.verb_seen:
        return None
    if is_listed(at.word) and at.after not in ("AV0", "AVP", "AT0"):
        return None  # brakes hard, blocks a lane, but: and brakes on a bike
    complement = at.after in OPENS_COMPLEMENT - {"CRD", "VVG"}
    return "VVZ" if complement and at.agrees("VVZ") and at.margin("VVZ") > -MARGIN else None


def _has_verb_stem(at: Context) -> bool:
    if not at.word.endswith("s"):
        return False
    if at.word in _ALSO_VERBS:
        return True
    stems = (at.word[:-1], at.word[:-2]) if at.word.endswith("es") else (at.word[:-1],)
    return any(at.margin(tag, word=stem) > -math.inf for stem in stems if stem for tag in ("VVI", "VVB"))
