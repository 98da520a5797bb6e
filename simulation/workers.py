"""A simulated worker: claims pages, answers from the truth with errors, submits, and sometimes leaves."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from simulation.answering import answer
from simulation.client import Client, NoWork, Page
from simulation.profiles import ErrorProfile
from simulation.questions import read_question
from simulation.truth import Truth


@dataclass
class Tally:
    """What happened; adds up over workers."""

    answers: Counter[str] = field(default_factory=Counter)  # by stage
    pages: int = 0
    acknowledged: int = 0  # answers that came too late to be needed
    given_back: int = 0  # pages
    abandoned: int = 0  # pages
    lost: int = 0  # pages the server did not know any more

    def add(self, other: "Tally") -> None:
        """Add another tally to this one."""
        self.answers += other.answers
        for name in ("pages", "acknowledged", "given_back", "abandoned", "lost"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def judgments(self) -> int:
        """Answers that were submitted."""
        return self.answers.total()


@dataclass(frozen=True, slots=True)
class Manners:
    """How workers behave beside answering; shares of pages, 0 .. 1."""

    give_back: float = 0.0  # returns the page and takes another
    dropout: float = 0.0  # walks away from the page for good; it comes free when its lease ends
    haste: float = 1.0  # waits this share of the time the server asks for when there is no work

    def __post_init__(self) -> None:
        for name, share in (("give-back", self.give_back), ("dropout", self.dropout)):
            if not 0 <= share <= 1:
                raise ValueError(f"{name} is a share from 0 to 1, not {share}")
        if not 0 < self.haste <= 100:
            raise ValueError(f"haste is a number over 0, up to 100, not {self.haste}")


class SimulatedWorker:
    """Answers pages through `client`. The same seed and the same pages give the same answers."""

    def __init__(
        self,
        client: Client,
        truth: Truth,
        profile: ErrorProfile,
        rng: random.Random,
        manners: Manners = Manners(),
    ) -> None:
        self._client, self._truth, self._profile, self._rng = client, truth, profile, rng
        self._manners = manners

    def work(
        self, wait: Callable[[float], bool], tell: Callable[[Tally], object] = lambda tally: None
    ) -> bool:
        """Work until told to stop; returns False when the worker walked away before.

        `wait(seconds)` pauses and says whether to stop; `tell` hears of every turn: a page, or none (an empty
        tally). Raises ApiError.
        """
        while not wait(0.0):
            found = self._client.claim()
            if isinstance(found, NoWork):
                tell(Tally())
                if wait(found.retry_after * self._manners.haste):
                    return True
                continue
            chance = self._rng.random()
            if chance < self._manners.dropout:
                tell(Tally(abandoned=1))
                return False
            if chance < self._manners.dropout + self._manners.give_back:
                self._client.give_back(found)
                tell(Tally(given_back=1))
                continue
            tell(self._do(found))
        return True

    def take(self, stage: str) -> Tally:
        """One page of a stage, if there is one for this worker. Raises ApiError."""
        found = self._client.claim(stage)
        return Tally() if isinstance(found, NoWork) else self._do(found)

    def answers(self, page: Page) -> list[dict[str, Any]]:
        """The body of a submission: every item of the page with its answer."""
        replies = []
        for item, question in page.items:
            given = answer(page.stage, read_question(question), self._truth, self._profile, self._rng)
            replies.append({"item": item, "answer": given, "seconds": round(self._rng.uniform(2, 20), 1)})
        return replies

    def _do(self, page: Page) -> Tally:
        replies = self.answers(page)
        receipt = self._client.submit(page, replies)
        if receipt is None:
            return Tally(lost=1)
        return Tally(Counter({page.stage: len(replies)}), pages=1, acknowledged=receipt.acknowledged)
