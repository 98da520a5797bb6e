"""A simulated model that judges boxes: it answers from the truth, and errs as often as it is told."""

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from simulation.answers import judge_boxes
from simulation.client import Client
from simulation.questions import read_question
from simulation.truth import KnownChain, Truth

QUESTIONS = 50
"""Fetched at a time."""


class SimulatedJudge:
    """Fetches questions with a model's token, and answers each thing rightly with probability `accuracy`."""

    def __init__(self, client: Client, truth: Truth, accuracy: float, rng: random.Random) -> None:
        if not 0 <= accuracy <= 1:
            raise ValueError(f"an accuracy is a share from 0 to 1, not {accuracy}")
        self._client, self._truth, self._accuracy, self._rng = client, truth, accuracy, rng
        self.answers = 0

    def work(self, wait: Callable[[float], bool]) -> None:
        """Answer until told to stop."""
        while not wait(0 if self.turn() else 0.5):
            pass

    def turn(self) -> int:
        """Answer what waits now, and return how many answers these were. Raises ApiError."""
        asked = self._client.fetch(f"models/questions?limit={QUESTIONS}")["questions"]
        if asked:
            answers = [{"key": one["key"], "answer": self._answer(one["question"])} for one in asked]
            self._client.ask("models/answers", {"answers": answers})
        self.answers += len(asked)
        return len(asked)

    def _answer(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        question = read_question(shown, self._truth.image_of)
        chain = self._truth.chain(question.image, question.mentions[0]) or KnownChain(0)
        said, without = judge_boxes(question, chain)
        for place, one in enumerate(said):
            if self._errs():
                said[place] = "wrong" if one == "good" else "good"
        return {"boxes": said, "missing": bool(without) != self._errs()}

    def _errs(self) -> bool:
        return self._rng.random() >= self._accuracy


@contextmanager
def judging(judge: SimulatedJudge) -> Iterator[None]:
    """Let the judge work in a thread meanwhile. Raises its error at the end."""
    stop = threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            judge.work(stop.wait)
        except BaseException as error:  # noqa: BLE001  (raised where the work is waited for)
            errors.append(error)

    thread = threading.Thread(target=run, name="judge")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    if errors:
        raise errors[0]
