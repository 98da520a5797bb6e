"""Compare what a model answered with what people did: agreement, common errors, and what the audit found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from annotation.domain.answers import CheckAnswer, abstention_of, parse_answer
from annotation.models import Judgment, ModelAnswer
from workflows.judges.domain.kinds import ABOUT_MISSING, about_missing
from workflows.judges.selectors import JUDGED

if TYPE_CHECKING:  # numpy takes a second to import, and the web service reads this module
    import numpy as np

    from evaluation.significance import Estimate
    from workflows.judges.domain.beside_people import Pair
    from workflows.judges.domain.gate import Record
    from workflows.judges.records import Told

MAX_JUDGMENTS = 20_000
"""The newest answers of people to known questions that errors are compared with."""


def beside_people(
    told: Sequence[Told], known: QuerySet[ModelAnswer], rng: np.random.Generator
) -> dict[str, Any]:
    """Return how far the model agrees with people, and whether both err about the same things.

    Agreement is that with the first person who judged each sealed thing: later ones are asked only if the
    first ones were not sure enough, so they would make it look worse.
    """
    from workflows.judges.domain.beside_people import Pair, correlation, kappa, share

    pairs: dict[str, list[Pair]] = {"boxes": [], "missing": []}
    for one in told:
        if one.people:
            for kind, model, person in _things(one.kinds, one.answer, one.people[0]):
                name = "missing" if kind in ABOUT_MISSING else "boxes"
                pairs[name].append(Pair(one.image, model, person))
    errors = list(_errors(known))
    found: dict[str, Any] = {
        name: {"kappa": _said(kappa(some, rng)), "things": len(some), "alike": _alike(some)}
        for name, some in pairs.items()
    }
    found["errors"] = {
        "correlation": _said(correlation(errors, rng)),
        "things": round(sum(one.weight for one in errors)),
        "model": share(errors, model=True),
        "people": share(errors, model=False),
    }
    return found


def audit_of(told: Sequence[Told], record: Record, opened_at: str) -> dict[str, Any]:
    """Return what sealed answers since a gate opened say: how many there are, and how often people object.

    Only what is of an open kind counts, and the word of most people.
    """
    answers = things = contradicted = 0
    for one in told:
        if not one.people or one.at <= opened_at:
            continue
        of_open = [
            (model, [said[place] for said in map(_yes, one.people)])
            for place, (kind, model) in enumerate(
                zip((*one.kinds, about_missing(one.kinds)), _yes(one.answer), strict=True)
            )
            if kind in record.open
        ]
        answers += bool(of_open)
        things += len(of_open)
        contradicted += sum(2 * votes.count(not model) > len(votes) for model, votes in of_open)
    return {"opened_at": opened_at, "answers": answers, "things": things, "contradicted": contradicted}


def _things(
    kinds: Sequence[str], model: CheckAnswer, person: CheckAnswer
) -> Iterator[tuple[str, bool, bool]]:
    yield from zip((*kinds, about_missing(kinds)), _yes(model), _yes(person), strict=True)


def _yes(answer: CheckAnswer) -> list[bool]:
    """Return whether each box is called good, and whether nothing is missing."""
    from workflows.judges.domain.accuracy import said

    return said(answer)


def _errors(known: QuerySet[ModelAnswer]) -> Iterator[Pair]:
    """Yield for each known thing and each person whether the model and the person erred about it."""
    from workflows.judges.domain.beside_people import Pair

    rows = known.order_by("-pk").values_list(
        "question_id", "question__image_id", "answer", "question__answer"
    )
    answered = {question: about for question, *about in rows[:MAX_JUDGMENTS]}
    judgments = Judgment.objects.filter(question__in=answered).order_by("-pk")
    people: Mapping[int, list[list[bool]]] = defaultdict(list)
    for question, answer in judgments.values_list("question_id", "answer")[:MAX_JUDGMENTS]:
        if not abstention_of(answer):
            people[question].append(_yes(_parsed(answer)))
    for question, votes in people.items():
        image, answer, right = answered[question]
        truth, model = _yes(_parsed(right)), _yes(_parsed(answer))
        for said in votes:
            for true, of_model, of_person in zip(truth, model, said, strict=True):
                yield Pair(image, of_model != true, of_person != true, 1 / len(votes))


def _parsed(answer: object) -> CheckAnswer:
    found = parse_answer(JUDGED, answer)
    assert isinstance(found, CheckAnswer)
    return found


def _alike(pairs: Sequence[Pair]) -> float | None:
    return sum(one.model == one.person for one in pairs) / len(pairs) if pairs else None


def _said(one: Estimate) -> list[float | None]:
    return [one.value, one.low, one.high]
