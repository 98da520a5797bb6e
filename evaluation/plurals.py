"""Which phrases name several things [ours]: the papers do not say. The words are English."""

from __future__ import annotations

from collections.abc import Sequence


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NUMBERS = {
    **{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"eleven": 11, "twelve": 12},
}
"""Not "one": it is a pronoun more often than a number."""
_MANY = _set("several many few both multiple various numerous these those dozen dozens hundreds couple pairs")
_GROUPS = _set(
    "people group crowd couple pair team bunch family band crew audience class trio duo herd flock pack "
    "police choir orchestra staff army squad feet teeth geese mice"
)
"""Nouns that name several things: collective ones, and irregular plurals."""
_PLURAL_ENDINGS = ("men", "people", "children")
_SINGULAR = _set(
    "abdomen specimen gymnastics acrobatics athletics outdoors indoors "
    "gas lens canvas christmas atlas pancreas chess news series species texas las "
    "jeans pants shorts trousers glasses eyeglasses sunglasses goggles binoculars scissors clothes tights "
    "leggings overalls slacks pajamas khakis headphones panties briefs tongs pliers sweatpants trunks"
)
"""Words that look like plurals. Jeans and the like name one thing."""
_PLURALS_IN_IS = _set("skis waterskis taxis bikinis saris kiwis jacuzzis zucchinis")


def is_plural(tokens: Sequence[str]) -> bool:
    """Return whether a phrase names several things [ours].

    It does if it has a number word above one, such as "two" or "several", or if its head noun (the last word)
    is in the plural or names a group. Nouns that have no singular, such as "jeans", are not plural.

    >>> [is_plural(phrase.split()) for phrase in ("two dogs", "a crowd", "a man", "blue jeans")]
    [True, True, False, False]
    """
    words = [token.lower() for token in tokens]
    if not words:
        return False
    named = number_named(words)
    if named is not None:
        return named > 1
    return not _MANY.isdisjoint(words) or words[-1] in _GROUPS or _is_plural_noun(words[-1])


def number_named(tokens: Sequence[str]) -> int | None:
    """Return the first number that a phrase names, as a word or in digits, or None.

    >>> number_named("three women".split()), number_named("the women".split())
    (3, None)
    """
    for token in tokens:
        word = token.lower()
        if word in _NUMBERS:
            return _NUMBERS[word]
        if word.isascii() and word.isdecimal() and len(word) < 4:
            return int(word)
    return None


def _is_plural_noun(word: str) -> bool:
    if word in _SINGULAR or len(word) < 3:
        return False
    if word.endswith(_PLURAL_ENDINGS) or word in _PLURALS_IN_IS:
        return True
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))
