"""The entries of a page: its items, and the verification questions placed among them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

ITEM, QUESTION = "item", "question"

Candidate = tuple[int, int]
"""The id of an item or of a verification question, and the id of its image."""


def merge_entries(items: Sequence[int], checks: Sequence[Sequence[int]]) -> list[tuple[str, int]]:
    """Return the page in the order it is shown: (ITEM, id) and (QUESTION, id).

    `items` are ids in their order, `checks` pairs of a place (from 0) and a question's id.
    """
    questions = {int(where): int(question) for where, question in checks}
    rest = iter(items)
    return [
        (QUESTION, questions[place]) if place in questions else (ITEM, next(rest))
        for place in range(len(items) + len(checks))
    ]


def place_questions(items: int, questions: Sequence[int], rng: Random) -> list[list[int]]:
    """Draw random places on a page for these question ids: [[place from 0, question], …], by place."""
    places = sorted(rng.sample(range(items + len(questions)), len(questions)))
    return [[where, question] for where, question in zip(places, questions, strict=True)]
