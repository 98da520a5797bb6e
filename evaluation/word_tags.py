"""Verbs and lemmas of captions, by HanTa's tags of the English model that comes with it.

This needs HanTa: `pip install "groundcrew-evaluation[tags]"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from evaluation.errors import InputError


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
_WORDS_KEPT = 50_000
_CLOSE = 3.0
"""A verb reading this much less likely than the noun (natural logarithm) may still be meant [ours]."""
_CUTOFF = 12
_NOUNS_IN_ING = _set(
    "building clothing railing wedding evening morning ceiling painting king ring string thing something "
    "nothing anything everything wing spring lightning flooring lettering awning covering opening parking "
    "sibling viking piping seating siding scaffolding paneling drawing crossing landing swing stocking "
    "earring duckling rigging boxing bowling icing dressing pudding bedding fencing lighting meeting "
    "gathering setting outing greeting"
)
"""Nouns in -ing that stand after another noun: *a brick building*."""
_HELPING = _set("be have do will can may must shall should would could might")
STATIC = frozenset({"sit", "stand", "wear", "look"})
"""The common verbs that say little (Hodosh, Young and Hockenmaier 2013, section 2.3)."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A token with its lemma and its tag of the British National Corpus (C5), such as VVZ or NN1."""

    token: str
    lemma: str
    tag: str


class Tagger:
    """Tags captions. It is loaded in a third of a second, and tags some 300 captions a second."""

    def __init__(self) -> None:
        """Load the model. Raise InputError if HanTa is not installed."""
        try:
            from HanTa.HanoverTagger import HanoverTagger
        except ImportError as error:
            raise InputError("tags of words need HanTa: pip install HanTa") from error
        self._tagger: Any = HanoverTagger("morphmodel_en.pgz")
        # Nearly all of the time goes into analysing words, and captions repeat theirs.
        self._tagger.analyze_forward = lru_cache(_WORDS_KEPT)(self._tagger.analyze_forward)
        self._readings = lru_cache(_WORDS_KEPT)(self._analysed)

    def tag(self, text: str) -> list[Tagged]:
        """Return the tokens of a caption with their tags."""
        tokens = marked_tokens(text)
        return [Tagged(*found) for found in self._tagger.tag_sent(tokens, taglevel=1)] if tokens else []

    def verbs(self, text: str) -> list[str]:
        """Return the lemmas of the verbs of a caption, which may be helping verbs; of missed ones, the words.

        If the tags have no verb, one that was taken for a noun is looked for.
        """
        tagged = self.tag(text)
        found = [one.lemma for one in tagged if one.tag.startswith("V")]
        return found or missed_verbs(tagged, {one.token: self._readings(one.token) for one in tagged})

    def _analysed(self, word: str) -> dict[str, float]:
        return dict(self._tagger.tag_word(word.lower(), cutoff=_CUTOFF, casesensitive=False))


@cache
def tagger() -> Tagger:
    """Return the tagger, which is loaded once. Raise InputError if HanTa is not installed."""
    return Tagger()


def marked_tokens(text: str) -> list[str]:
    """Return the words of a text and its punctuation marks. Hyphens and apostrophes within words stay.

    >>> marked_tokens("A man's T-shirt, torn.")
    ['A', "man's", 'T-shirt', ',', 'torn', '.']
    """
    return _TOKEN.findall(text)


def missed_verbs(tagged: Sequence[Tagged], readings: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return verbs of a caption that were tagged as nouns [ours].

    Captions lack *is*, so that a tagger takes *a dog swimming* and *two men talk* for compounds. What follows
    a noun counts as a verb if it ends in -ing and is no known noun, or if it may be a verb in the form that
    the noun asks for. `readings` has the log likelihood of each tag of each token.
    """
    found = []
    joined = False  # whether "and" came since the last preposition: "a man and a woman talk"
    for at, (before, word) in enumerate(pairwise(tagged)):
        joined = before.tag == "CJC" or (joined and before.tag != "PRP")
        after_noun = before.tag.startswith(("NN", "NP", "PNI"))
        after_colour = at > 0 and before.tag == "AJ0" and tagged[at - 1].tag == "PRP"  # "a man in black"
        if not word.tag.startswith(("NN", "NP")) or not (after_noun or after_colour):
            continue
        lower = word.token.lower()
        likely = readings[word.token]
        noun = max((value for tag, value in likely.items() if tag.startswith("NN")), default=-99.0)
        if lower.endswith("ing"):
            is_verb = lower not in _NOUNS_IN_ING
        elif word.tag == "NN2":
            is_verb = before.tag != "NN2" and likely.get("VVZ", -99.0) >= noun - _CLOSE
        else:
            plural = before.tag == "NN2" or (joined and after_noun)
            is_verb = plural and max(likely.get(tag, -99.0) for tag in ("VVB", "VVI")) >= noun - _CLOSE
        if is_verb:
            found.append(lower)
    return found


def only_static(verbs: Iterable[str]) -> bool:
    """Return whether a caption's verbs are only sit, stand, wear and look, beside helping verbs.

    >>> only_static(["be", "sit"]), only_static(["be"]), only_static(["sit", "eat"])
    (True, False, False)
    """
    main = {verb for verb in verbs if verb not in _HELPING}
    return bool(main) and main <= STATIC
