"""A made-up project of the paper's size in the middle of its annotation, for `benchmarks.console`.

`benchmarks.made_up_corpus` is its base. This adds items of the stages link, verification, requirement and
coverage, so that there are over two million judgments. It also adds pages, workers, what happened to each
chain, and all that a researcher and quality control leave behind.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from benchmarks.made_up_corpus import COLUMNS, Corpus, Row, Tables

DAYS = 60
JUDGMENTS_PER_IMAGE = 65
"""The approximate number. The times of judgments are spread by it."""
A_PAGE = 10
SECONDS_PER_PAGE = 90
"""The seconds from claim to submission."""
UNFINISHED = 20
"""One image in so many still has open items."""
ANSWERS = {
    "link": '{"same": true}',
    "verification": '{"same": true}',
    "requirement": '{"requirement": "box"}',
    "drawing": '{"box": [10, 20, 110, 220]}',
    "quality": '{"good": true}',
    "coverage": '{"complete": true}',
}
OTHER_ANSWERS = {"link": '{"same": false}', "requirement": '{"requirement": "scene"}'}

COLUMNS |= {
    "assignment": "id worker_id batch_id stage state items reward currency created_at expires_at"
    " submitted_at",
    "transition": "id work_id chain_id rule source target created_at",
}


@dataclass
class WorkedTables(Tables):
    """Rows of one chunk, with pages and changes of state."""

    assignment: list[Row] = field(default_factory=list)
    transition: list[Row] = field(default_factory=list)


@dataclass
class _Page:
    key: uuid.UUID
    worker: int
    items: list[int] = field(default_factory=list)


class WorkedCorpus(Corpus):
    """Draws the rows.

    `first` has the ids of the project, of the batch and of the first of `workers` workers.
    """

    tables = WorkedTables

    def __init__(
        self, images: int, first: dict[str, Any], *, workers: int, now: datetime, sqlite: bool
    ) -> None:
        super().__init__(images, {**first, "assignment": None})
        self.workers, self._sqlite = workers, sqlite
        self._start = now.replace(tzinfo=None) - timedelta(days=DAYS)
        self._pace = timedelta(days=DAYS) / (images * JUDGMENTS_PER_IMAGE)
        self._open: dict[tuple[str, int], _Page] = {}
        self._pages = 0
        self._draw = random.Random(2)
        self._unfinished = False

    def chunks(self) -> Iterator[Tables]:
        """Yield all rows. Every page is whole within its chunk."""
        for tables in super().chunks():
            for (stage, _), page in self._open.items():
                self._close(tables, stage, page)
            self._open.clear()
            yield tables

    def _add(self, tables: Any, number: int) -> None:
        self._unfinished = number % UNFINISHED == 0
        self._before: list[int] = []
        super()._add(tables, number)
        if self._unfinished:
            tables.imagework[-1] = (*tables.imagework[-1][:3], "boxing", True)

    def _add_chain(self, tables: Any, work: int, kind: str, mentions: list[int], drawn: Any) -> None:
        super()._add_chain(tables, work, kind, mentions, drawn)
        chain, flag = tables.chain[-1][0], tables.chain[-1][-2]
        for place, mention in enumerate(mentions):
            if place:
                self._ask(tables, work, "link", ["link"], pair=(mentions[place - 1], mention))
            if self._before:
                self._ask(tables, work, "link", [""], pair=(self._draw.choice(self._before), mention))
        self._before.append(mentions[0])
        if len(mentions) > 1:
            self._ask(tables, work, "verification", ["verification"], chain=chain, visit=500)
        if flag or kind not in ("people", "clothing", "bodyparts"):
            answers = ["", ""] if flag else ["requirement"]
            self._ask(tables, work, "requirement", answers, chain=chain, visit=501)
        if not flag and self._unfinished:
            tables.chain[-1] = (*tables.chain[-1][:7], "drawing", *tables.chain[-1][8:])
            self._ask(tables, work, "drawing", [], chain=chain, visit=502)
        elif not flag:
            self._ask(tables, work, "coverage", ["coverage", "coverage"], chain=chain, visit=503)

    def _judged(self, tables: Any, work: int, stage: str, chain: int, visit: int, box: int | None) -> int:
        return self._ask(tables, work, stage, [stage], chain=chain, visit=visit, box=box)

    def _ask(
        self,
        tables: Any,
        work: int,
        stage: str,
        answers: list[str],
        *,
        pair: tuple[int, int] | tuple[None, None] = (None, None),
        chain: int | None = None,
        visit: int = 0,
        box: int | None = None,
    ) -> int:
        """Add an item with these answers, and return the id of its last judgment.

        An answer is the name of a stage, for that stage's answer in ANSWERS. Without answers, the item is
        open.
        """
        item, judgment, at = self._next("item"), 0, self._time()
        count = len(answers)
        tables.item.append(
            (item, self.first["batch"], work, stage, "done" if answers else "open", count or 1, count, 0,
             False, at, *pair, False, chain, visit, box, None, None)
        )  # fmt: skip
        for ordinal, answer in enumerate(answers):
            judgment, page = self._next("judgment"), self._page(tables, stage, ordinal)
            page.items.append(item)
            said = ANSWERS[answer] if answer else OTHER_ANSWERS[stage]
            seconds = round(self._draw.lognormvariate(1.8, 0.7), 2)
            tables.judgment.append(
                (judgment, item, page.worker, self._key(page), said, seconds, "", False, self._time())
            )
        if chain is not None and answers:
            tables.transition.append((self._next("transition"), work, chain, "answered", stage, stage, at))
        return judgment

    def _page(self, tables: Any, stage: str, ordinal: int) -> _Page:
        """Return the page that is being filled.

        Pages of different ordinals have different workers, so that nobody is asked twice about an item.
        """
        page = self._open.get((stage, ordinal))
        if page is not None and len(page.items) >= A_PAGE:
            self._close(tables, stage, page)
            page = None
        if page is None:
            self._pages += 1
            place = (3 * self._pages + ordinal) % self.workers
            key = uuid.UUID(int=self._draw.getrandbits(128), version=4)
            page = self._open[stage, ordinal] = _Page(key, self.first["worker"] + place)
        return page

    def _close(self, tables: Any, stage: str, page: _Page) -> None:
        at = self._time()
        claimed = self._time(-SECONDS_PER_PAGE)
        tables.assignment.append(
            (self._key(page), page.worker, self.first["batch"], stage, "submitted", str(page.items), 12,
             "USD", claimed, at, at)
        )  # fmt: skip

    def _key(self, page: _Page) -> str:
        return page.key.hex if self._sqlite else str(page.key)

    def _time(self, seconds: float = 0.0) -> str:
        at = self._start + self._ids["judgment"] * self._pace + timedelta(seconds=seconds)
        return at.isoformat(" ", "microseconds")
