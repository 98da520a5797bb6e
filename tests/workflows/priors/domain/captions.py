"""Images whose captions mention a few things in different words: for tests of priors."""

from __future__ import annotations

import random

from annotation.domain.mentions import Mention

WORDS = {
    "people": (
        ("a man", "a guy", "the man"),
        ("a woman", "a lady", "the young woman"),
        ("two kids", "children"),
    ),
    "clothing": (("a red shirt", "a shirt"), ("a blue hat", "his hat"), ("jeans", "blue jeans")),
}
"""What things are called, by type."""


def worded_images(
    number: int, seed: int = 1, captions: int = 5
) -> list[tuple[list[Mention], dict[int, tuple[str, int]]]]:
    """Return images with two things of each type, and the thing of each mention."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        mentions: list[Mention] = []
        truth = {}
        things = [
            (kind, thing) for kind, choice in WORDS.items() for thing in rng.sample(range(len(choice)), 2)
        ]
        for caption in range(captions):
            said = [thing for thing in things if rng.random() < 0.6]
            start = 0
            for kind, thing in said:
                pk, text = len(mentions), rng.choice(WORDS[kind][thing])
                end = start + len(text.split())
                mentions.append(Mention(pk, caption, start, end, text, (kind,)))
                truth[pk] = (kind, thing)
                start = end
        found.append((mentions, truth))
    return found
