"""Choose questions that cover what is missing, and no others: each has to be looked at by somebody."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from workflows.questions.domain.known_images import Question

Missing = Mapping[tuple[str, str], int]
"""How many questions are missing, by stage and role."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The new questions that an image admits, by stage. Its role is "" if it has no questions yet."""

    image: int
    role: str
    questions: Mapping[str, Sequence[Question]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Questions of an image that are to be made, all in one role."""

    image: int
    role: str
    questions: Sequence[Question]


def cover(
    missing: Missing, offers: Iterable[Offer], kinds: Mapping[tuple[str, str], Counter[str]]
) -> tuple[list[Chosen], dict[tuple[str, str], int]]:
    """Return questions that cover what is missing, as far as the images admit, and what is missing then.

    Images that have a role come first, since an image serves one role alone. Of a stage's questions, those
    come first whose kind is the rarest among those that there are (`kinds`, by stage and role): questions
    that all want one answer test nobody.
    """
    left = {key: number for key, number in missing.items() if number > 0}
    there: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for key, counts in kinds.items():
        there[key].update(counts)
    chosen = []
    for offer in sorted(offers, key=lambda one: not one.role):
        role = offer.role or _role(offer, left)
        found = []
        for stage, questions in offer.questions.items():
            rest = list(questions)
            while rest and left.get((stage, role), 0):
                best = min(rest, key=lambda one: there[stage, role][one.kind])
                rest.remove(best)
                found.append(best)
                there[stage, role][best.kind] += 1
                left[stage, role] -= 1
        if found:
            chosen.append(Chosen(offer.image, role, found))
    return chosen, {key: number for key, number in left.items() if number}


def _role(offer: Offer, left: Missing) -> str:
    """Return the role in which the image covers most of what is missing."""
    covers: Counter[str] = Counter()
    for (stage, role), number in left.items():
        covers[role] += min(number, len(offer.questions.get(stage, ())))
    return max(covers, key=lambda role: covers[role], default="")


def without(offers: Iterable[Offer], chosen: Sequence[Chosen], others: Sequence[Chosen]) -> list[Offer]:
    """Return what the offers still admit after these questions were chosen.

    Images of which `others` were chosen are left out.
    """
    taken: dict[int, list[Question]] = defaultdict(list)
    roles = {one.image: one.role for one in chosen}
    for one in chosen:
        taken[one.image] += one.questions
    gone = {one.image for one in others}
    return [
        Offer(
            offer.image,
            roles.get(offer.image, offer.role),
            {
                stage: [one for one in questions if one not in taken[offer.image]]
                for stage, questions in offer.questions.items()
            },
        )
        for offer in offers
        if offer.image not in gone
    ]
