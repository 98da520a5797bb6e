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


def place_together(
    items: Sequence[Candidate], questions: Sequence[Candidate], rng: Random
) -> tuple[list[int], list[list[int]]]:
    """Draw an order in which everything about an image comes in a row.

    Return the items' ids in this order, and the places of the questions as `place_questions` does.
    """
    entries = [(ITEM, *item) for item in items] + [(QUESTION, *question) for question in questions]
    turns = {image: rng.random() for image in dict.fromkeys(image for *_, image in entries)}
    drawn = sorted(rng.sample(entries, len(entries)), key=lambda entry: turns[entry[2]])
    checks = [[place, pk] for place, (kind, pk, _) in enumerate(drawn) if kind == QUESTION]
    return [pk for kind, pk, _ in drawn if kind == ITEM], checks
