"""Puts the captions to judge for an image into groups that are shown together."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def grouped(captions: Sequence[int], most: int, rng: Random) -> list[list[int]]:
    """Return the captions in an order that is drawn, in as few groups of at most `most` as hold them.

    The groups have the same size, or differ by one [ours]: a group of one caption would be another question
    than one of ten. An image's own captions are in no place of their own.

    >>> [len(group) for group in grouped(range(12), 10, Random(1))]
    [6, 6]
    """
    order = list(captions)
    rng.shuffle(order)
    number = -(-len(order) // most)
    return [order[place::number] for place in range(number)]
