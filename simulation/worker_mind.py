"""A simulated worker's answers to pages and questions, however they get to the server."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from simulation.characters import Character
from simulation.client import Page
from simulation.questions import read_question
from simulation.truth import Truth

SAVED = 0.6
"""The share of the time that is saved if all boxes are a model's: to draw one takes 7 s, to take it 2."""


def _share_taken(answer: Mapping[str, Any]) -> float:
    boxes = answer.get("boxes") or [answer]
    return sum("suggestion" in box for box in boxes) / len(boxes)


class Mind:
    """Gives the answers of one worker. The same seed and the same pages give the same answers."""

    def __init__(self, truth: Truth, character: Character, rng: random.Random) -> None:
        self._truth, self._character, self._rng = truth, character, rng
        self._given: Counter[str] = Counter()  # answers so far, by stage

    def answers(self, page: Page) -> list[dict[str, Any]]:
        """Return the replies of a submission: one with an answer for every item of the page."""
        replies = []
        for item, question in page.items:
            given = self.answer(page.stage, question)
            seconds = self._character.seconds(page.stage, self._given[page.stage], self._rng)
            seconds = max(0.1, round(seconds * (1 - SAVED * _share_taken(given)), 1))
            shown = {"suggestions_shown": True} if question.get("suggestions") else {}
            replies.append({"item": item, "answer": given, "seconds": seconds, **shown})
            self._given[page.stage] += 1
        return replies

    def answer(self, stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer object to a question, as the API shows it. This alone does not count it."""
        asked, given = read_question(question, self._truth.image_of), self._given[stage]
        return self._character.answer(stage, asked, self._truth, given, self._rng)
