"""Made-up captions for tests of the ranking systems."""

from __future__ import annotations

import numpy as np

from baselines.ranking.words import NOUN, OTHER, VERB, Caption, Document, Word

NOUNS = ("dog", "cat", "man", "ball", "beach", "park")
VERBS = ("run", "jump", "sit")
COLOURS = ("red", "blue")


def caption(text: str) -> Caption:
    """Return a caption of these words. Those that are not in the lists above are nouns."""
    kinds = {**dict.fromkeys(VERBS, VERB), **dict.fromkeys(COLOURS, OTHER)}
    return tuple(Word(word, kinds.get(word, NOUN)) for word in text.split())


def document(*texts: str) -> Document:
    return tuple(caption(text) for text in texts)


def random_documents(number: int, seed: int, *, captions: int = 2, words: int = 6) -> list[Document]:
    """Return documents with captions of 0 to `words` words, some of them repeated."""
    rng = np.random.default_rng(seed)
    vocabulary = [*NOUNS, *VERBS, *COLOURS]
    return [
        document(
            *(
                " ".join(rng.choice(vocabulary, size=rng.integers(0, words + 1)).tolist())
                for _ in range(captions)
            )
        )
        for _ in range(number)
    ]
