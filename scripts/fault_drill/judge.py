"""The judge: compares what workers have receipts for with what is stored. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a worker sent for a page, and how many answers the server said it had taken."""

    page: str
    answers: tuple[str, ...]  # JSON, in the order of the page
    accepted: int
    acknowledged: int

    @classmethod
    def of(cls, page: str, given: Iterable[Mapping[str, Any]], accepted: int, acknowledged: int) -> Receipt:
        ordered = sorted(given, key=lambda one: int(one["item"]))
        return cls(page, tuple(as_text(one["answer"]) for one in ordered), accepted, acknowledged)


@dataclass(frozen=True, slots=True)
class Stored:
    """A submitted page as the database has it. `answers` are by place on the page, from 0."""

    answers: Mapping[int, list[str]]  # several at one place: it was stored more than once
    paid: int | None = None  # the entries of its reward in the ledger; None: a platform pays it


@dataclass(frozen=True, slots=True)
class ModelReceipt:
    """What a model answered to a question, and what the server said became of it."""

    key: str
    answer: str  # JSON
    outcome: str  # stored, same, late or other


@dataclass(frozen=True, slots=True)
class Import:
    """A corpus whose upload was acknowledged: the images that it has, and those that are there now."""

    name: str
    sent: int
    images: int
    unfinished: int = 0  # jobs that are not done


@dataclass
class Verdict:
    """What was found, in words. Nothing is as it has to be."""

    found: list[str] = field(default_factory=list)

    def of_pages(self, receipts: Iterable[Receipt], stored: Mapping[str, Stored]) -> None:
        """Each page with a receipt is stored once, as it was sent, and is paid once. There are no others."""
        known: dict[str, Receipt] = {}
        for receipt in receipts:
            if known.setdefault(receipt.page, receipt) != receipt:
                self.found.append(f"page {receipt.page}: its receipts differ")
        for page, receipt in known.items():
            self.found += [f"page {page}: {wrong}" for wrong in _compare(receipt, stored.get(page))]
        self.found += [
            f"page {page}: stored, but nobody has its receipt" for page in stored.keys() - known.keys()
        ]

    def of_models(self, receipts: Iterable[ModelReceipt], stored: Mapping[str, str | None]) -> None:
        """Each answer of a model is stored if it was said to be, and is not if it was said to be late.

        `stored` has the answers by the keys of their questions, and None where none came in time.
        """
        for one in receipts:
            there = stored.get(one.key)
            if one.outcome in ("stored", "same"):
                if there is None:
                    self.found.append(f"question {one.key}: LOST: a model's answer is not stored")
                elif there != one.answer:
                    self.found.append(
                        f"question {one.key}: a model's answer is stored as {there}, not {one.answer}"
                    )
            elif one.outcome == "late" and there is not None:
                self.found.append(f"question {one.key}: {there} is stored, though answers were late")
            elif one.outcome == "other" and there in (None, one.answer):
                self.found.append(f"question {one.key}: the model had said nothing else")

    def of_imports(self, imports: Iterable[Import]) -> None:
        """Each acknowledged upload is imported once and completely."""
        for one in imports:
            if one.unfinished:
                self.found.append(f"import {one.name}: {one.unfinished} jobs are not done")
            elif one.images != one.sent:
                self.found.append(f"import {one.name}: it has {one.images} images, not {one.sent}")

    def of_replies(self, statuses: Mapping[int, int]) -> None:
        """No request fails in a way that nobody foresaw."""
        if statuses.get(500):
            self.found.append(f"{statuses[500]} requests got the status 500")


def _compare(receipt: Receipt, stored: Stored | None) -> Iterator[str]:
    if stored is None:
        yield f"LOST: {len(receipt.answers)} answers were acknowledged and are not stored"
        return
    if (told := receipt.accepted + receipt.acknowledged) != len(receipt.answers):
        yield f"its receipt is for {told} of {len(receipt.answers)} answers"
    for place, answer in enumerate(receipt.answers):
        there = stored.answers.get(place, [])
        if not there:
            yield f"LOST: the answer at place {place + 1} was acknowledged and is not stored"
        elif len(there) > 1:
            yield f"DOUBLED: the answer at place {place + 1} is stored {len(there)} times"
        elif there != [answer]:
            yield f"the answer at place {place + 1} is stored as {there[0]}, and {answer} was sent"
    if stored.paid is not None and stored.paid != 1:
        yield f"its reward is in the ledger {stored.paid} times"


def as_text(answer: object) -> str:
    """Return JSON that is equal for equal answers."""
    return orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()


def count_by_text(lines: Iterable[str]) -> Counter[str]:
    """Count lines of logs that differ only in numbers."""
    return Counter("".join("#" if sign.isdigit() else sign for sign in line) for line in lines)
