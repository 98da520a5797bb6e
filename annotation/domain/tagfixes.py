"""Part-of-speech tags of captions, put right where taggers trained on running text usually fail.

In a caption the verb is often a word that could be a noun as well: *a dog barks at a cat*, *a man skis past*.
After a person or an animal, and where the clause has no verb yet, it is the verb. Tags are CLAWS5.
"""

from collections.abc import Callable, Sequence

from annotation.domain.types import dictionary, is_listed, types_of

Readings = Callable[[str], dict[str, float]]
"""Word in lower case -> its possible tags with their log probability, the unlikely ones left out."""

NOUNS = frozenset(("NN0", "NN1", "NN2", "NP0", "UNC", "ZZ0"))
_OPENS_COMPLEMENT = frozenset(
    ("AT0", "DPS", "DT0", "CRD", "PRP", "AVP", "AV0", "TO0", "PNP", "PNX", "CJS", "VVG")
)
_ENDS_CLAUSE = frozenset(("CJS", "PNQ", "CJT"))
_OPENS_OBJECT = frozenset(("AT0", "DPS", "DT0", "PNP", "PNX"))
_MISSED_ADJECTIVES = frozenset(("other", "same", "few", "own", "upside-down"))
_BEFORE_NOUN = ("AJ", "AV", "CR", "OR", "VV")


def corrected(words: Sequence[str], tags: Sequence[str], readings: Readings) -> list[str]:
    """The tags of one caption, corrected; ``words`` in lower case, as many as there are tags."""
    fixed = list(tags)
    verb_seen = False  # in this clause
    for place, tag in enumerate(tags):
        before = fixed[place - 1] if place else ""
        fixed[place] = (
            _fixed_by_word(words, tags, place, before)
            or _fixed_verb(words, tags, place, before, verb_seen, readings)
            or tag
        )
        verb_seen = (verb_seen or fixed[place][0] == "V") and tag not in _ENDS_CLAUSE
    return fixed


def is_animate(word: str) -> bool:
    """Whether the word names a person or an animal, as far as the dictionaries know."""
    return not {"people", "animals"}.isdisjoint(types_of([word]))


def _fixed_by_word(words: Sequence[str], tags: Sequence[str], place: int, before: str) -> str | None:
    word, tag = words[place], tags[place]
    after = tags[place + 1] if place + 1 < len(tags) else ""
    noun_follows = after in NOUNS or after[:2] == "AJ"
    if word == "doing":
        return "VDG"
    if word in _MISSED_ADJECTIVES and tag in ("AV0", "NN1") and noun_follows:
        return "AJ0"
    if tag == "NP0" and noun_follows and word in dictionary("colours"):
        return "AJ0"  # A Brown dog
    if tag in ("VVB", "VVI") and before in ("AT0", "DPS"):
        return "NN1"  # a chew toy
    if word == "her" and tag == "DPS" and not (after in NOUNS or after[:2] in _BEFORE_NOUN):
        return "PNP"
    if word == "upside" and words[place + 1 : place + 2] == ["down"]:
        return "AV0"
    if tag == "AJ0" and after == "VVG" and is_animate(word):
        return "NN1"  # a female wearing glasses
    return None


def _fixed_verb(
    words: Sequence[str], tags: Sequence[str], place: int, before: str, verb_seen: bool, readings: Readings
) -> str | None:
    """The verb's tag where a word was tagged as noun or adjective and is the verb instead."""
    word, tag = words[place], tags[place]
    after = tags[place + 1] if place + 1 < len(tags) else ""
    if word.endswith("ing") and tag in ("NN1", "AJ0"):
        if before[:2] == "VB":
            return "VVG"  # is cooking
        if before in NOUNS and _describes_subject(words, tag, place, after, readings):
            return "VVG"  # a girl swimming in a pool
    elif tag == "NN1" and words[place - 1 : place] == ["to"] and after in _OPENS_OBJECT:
        return "VVI"  # trying to bluff each other
    elif before in NOUNS and not verb_seen and tag in ("NN1", "NN2"):
        verb = "VVB" if tag == "NN1" else "VVZ"
        if _is_finite(words, place, tag, verb, after, readings):
            return verb
    return None


def _describes_subject(words: Sequence[str], tag: str, place: int, after: str, readings: Readings) -> bool:
    animate = is_animate(words[place - 1])
    if tag == "AJ0":
        return animate or after not in NOUNS
    return (animate or after in ("AT0", "DPS")) and "VVG" in readings(words[place])


def _is_finite(words: Sequence[str], place: int, tag: str, verb: str, after: str, readings: Readings) -> bool:
    """Whether the clause's verb is this word, straight after the noun that could be its subject."""
    word, subject = words[place], words[place - 1]
    if (after not in _OPENS_COMPLEMENT and after not in ("", "PUN")) or is_listed(f"{subject} {word}"):
        return False
    known = readings(word)
    if is_animate(subject):
        if verb in known:
            return True
        # A plural noun hardly follows a person or animal; a verb that the tagger does not know does.
        return (
            tag == "NN2"
            and after not in ("", "PUN")
            and not is_listed(word)
            and _is_verb_stem(word, readings)
        )
    return after in _OPENS_COMPLEMENT and known.get(verb, float("-inf")) > known.get(tag, float("-inf"))


def _is_verb_stem(word: str, readings: Readings) -> bool:
    stems = (word[:-1], word[:-2]) if word.endswith("es") else (word[:-1],)
    return any(tag in readings(stem) for stem in stems if stem for tag in ("VVI", "VVB"))
