"""A simulated worker, who claims pages, answers from the truth with errors, submits, and sometimes leaves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import PIL.Image

from simulation.characters import Character
from simulation.client import Client, NotAdmitted, NoWork, Page
from simulation.truth import Truth
from simulation.worker_mind import Mind

Answering = Callable[[str, Mapping[str, Any]], dict[str, Any]]
"""A function from a stage and a question, as the API shows it, to the answer object."""


def take_tests(client: Client, answering: Answering) -> int:
    """Take the test of every stage that requires one, once. Return the number of answers. Raise ApiError."""
    standings = client.standings()
    return sum(
        take_test(client, stage, answering) for stage, standing in standings.items() if standing == "test"
    )


def take_test(client: Client, stage: str, answering: Answering) -> int:
    """Take the test of a stage once. Return the number of answers. Raise ApiError."""
    tries = f"qualifications/{stage}/tries"
    begun = client.ask(tries, {})
    answers = 0
    if begun is not None and begun["part"] == "training":
        where = f"{tries}/{begun['number']}/training"
        for entry in begun["items"]:
            if entry["item"] not in begun["answered"]:
                client.ask(where, {"item": entry["item"], "answer": answering(stage, entry["question"])})
                answers += 1
        begun = client.ask(tries, {})
    if begun is None or begun["part"] != "testing":
        return answers
    given = [
        {"item": entry["item"], "answer": answering(stage, entry["question"])} for entry in begun["items"]
    ]
    client.ask(f"{tries}/{begun['number']}/submission", {"answers": given})
    return answers + len(given)


_NOT_ADMITTED_PAUSE = 5.0  # seconds
_LOOKS = 8
"""After so many idle turns, the worker looks for qualification tests again."""


@dataclass
class Tally:
    """Counts of what workers did."""

    answers: Counter[str] = field(default_factory=Counter)  # by stage
    pages: int = 0
    acknowledged: int = 0  # answers that came too late to be needed
    given_back: int = 0  # pages
    abandoned: int = 0  # pages
    lost: int = 0  # pages the server did not know any more
    tested: int = 0  # answers in qualification tests
    idle: int = 0  # workers who left because there was nothing for them any more

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        self.answers += other.answers
        for name in ("pages", "acknowledged", "given_back", "abandoned", "lost", "tested", "idle"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def judgments(self) -> int:
        """Return how many answers were submitted."""
        return self.answers.total()


@dataclass(frozen=True, slots=True)
class Manners:
    """How workers behave besides answering. Shares are of pages, from 0 to 1."""

    give_back: float = 0.0  # returns the page and takes another
    dropout: float = 0.0  # walks away from the page for good; it comes free when its lease ends
    haste: float = 1.0  # waits this share of the time the server asks for when there is no work
    patience: int | None = None  # leaves for good after being told so often in a row that there is none
    looks: bool = False  # fetches the photographs, and calls those unusable that cannot be seen

    def __post_init__(self) -> None:
        for name, share in (("give-back", self.give_back), ("dropout", self.dropout)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {share}")
        if not 0 < self.haste <= 100:
            raise ValueError(f"haste is a number over 0, up to 100, not {self.haste}")
        if self.patience is not None and self.patience < 1:
            raise ValueError(f"patience is a number of at least 1, not {self.patience}")


class SimulatedWorker:
    """Answers pages through `client`. The same seed and the same pages give the same answers."""

    def __init__(
        self,
        client: Client,
        truth: Truth,
        character: Character,
        rng: random.Random,
        manners: Manners = Manners(),
    ) -> None:
        self._client, self._rng, self._manners = client, rng, manners
        self._mind = Mind(truth, character, rng)
        self._seen: dict[str, bool] = {}

    def work(
        self, wait: Callable[[float], bool], report: Callable[[Tally], object] = lambda tally: None
    ) -> bool:
        """Work until told to stop. Return False when the worker walked away before that.

        Take qualification tests at the beginning, and whenever there is no work. `wait(seconds)` pauses and
        returns whether to stop. `report` is called after every turn with its tally, which is empty if there
        was neither a page nor a test. It returns False if such a turn costs no patience. Raise ApiError.
        """
        idle, looks = 0, 0
        while not wait(0.0):
            found = self._client.claim()
            if not isinstance(found, Page):
                tested = 0 if looks % _LOOKS else self._qualify()
                in_vain = report(Tally(tested=tested)) is not False
                idle, looks = (0, 0) if tested else (idle + in_vain, looks + 1)
                if self._manners.patience is not None and idle > self._manners.patience:
                    report(Tally(idle=1))
                    return False
                pause = found.retry_after if isinstance(found, NoWork) else _NOT_ADMITTED_PAUSE
                if not tested and wait(pause * self._manners.haste):
                    return True
                continue
            idle, looks = 0, 0
            chance = self._rng.random()
            if chance < self._manners.dropout:
                report(Tally(abandoned=1))
                return False
            if chance < self._manners.dropout + self._manners.give_back:
                self._client.give_back(found)
                report(Tally(given_back=1))
                continue
            report(self._do(found))
        return True

    def take(self, stage: str) -> Tally:
        """Do one page of a stage if there is one for this worker, else a test if there is one.

        Return what was done. Raise ApiError.
        """
        found = self._client.claim(stage)
        return self._do(found) if isinstance(found, Page) else Tally(tested=self._qualify())

    def take_one(self, client: Client, stage: str) -> tuple[Tally, str]:
        """Do one page through the connection of a single page, after the stage's test if there is one.

        Return what was done and, if there is no page because of it, the worker's standing in the stage. Raise
        ApiError.
        """
        found, tested = client.claim(stage), 0
        if isinstance(found, NotAdmitted) and found.standing == "test":
            tested = take_test(client, stage, self._mind.answer)
            found = client.claim(stage)
        if not isinstance(found, Page):
            return Tally(tested=tested), found.standing if isinstance(found, NotAdmitted) else ""
        tally = self._do(found, client)
        tally.tested += tested
        return tally, ""

    def _qualify(self) -> int:
        return take_tests(self._client, self._mind.answer)

    def _do(self, page: Page, client: Client | None = None) -> Tally:
        replies = self._mind.answers(page)
        if self._manners.looks:
            for reply, (_, question) in zip(replies, page.items, strict=True):
                if not self._sees(question["image"]):
                    reply["answer"] = {"unusable": True}
        receipt = (client or self._client).submit(page, replies)
        if receipt is None:
            return Tally(lost=1)
        return Tally(Counter({page.stage: len(replies)}), pages=1, acknowledged=receipt.acknowledged)

    def _sees(self, image: Mapping[str, Any]) -> bool:
        """Return whether the photograph comes and can be shown. Each is fetched once."""
        if image["id"] not in self._seen:
            content = self._client.photograph(image["url"]) if image["url"] else None
            try:
                with PIL.Image.open(BytesIO(content or b"")) as picture:
                    picture.load()
                self._seen[image["id"]] = True
            except (OSError, SyntaxError):
                self._seen[image["id"]] = False
        return self._seen[image["id"]]
