"""A worker at Prolific's emulated site in a browser: takes a place, does its page, and goes back.

What the worker answers comes from their mind, which reads the questions that our API sent to the browser.
Everything that is done is done on the pages, with mouse and keyboard.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Response

from annotation.domain.answers import Stage
from scripts.gestures import is_as_said
from scripts.hand import Hand
from scripts.seen_pages import BACK, LIST, LostError, Seen, until
from simulation.client import Page as WorkPage
from simulation.client import read_page
from simulation.worker_mind import Mind
from simulation.workers import Manners, Tally

MAX_STEPS = 80
"""The most steps of one visit. Two tries at a test and a page take fewer."""
NEXT = {
    "A short test first": "Start",
    "Now the test": "Begin the test",
    "You passed": "Start working",
    "Not passed this time": "Try again",
}
"""The button that goes on, by what the page says."""
PAID = "Back to the platform"
"""The button of a failed test that is paid."""
CLOSED = ("This task is closed for you", "You can try again later")
RETURN = ("Please return this task on the platform", "There is no page for you in it now")
_ASKED = re.compile(r"/api/v1/(assignments(/[0-9a-f-]{36})?|qualifications/[a-z]+(/tries)?)$")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that was given, and the scale of its picture in screen pixels for each image pixel."""

    answer: Mapping[str, Any]
    scale: float


@dataclass(frozen=True, slots=True)
class Sent:
    """A page that was sent: our id of it, and the answer to each item by its place, counted from 1."""

    page: str
    worker: str
    said: Mapping[int, Said]


@dataclass
class Participant:
    """A worker. `page` is theirs alone, and `site` is the platform's address."""

    page: Page
    site: str
    name: str
    number: int
    mind: Mind
    rng: random.Random
    manners: Manners
    sent: list[Sent]
    findings: list[str]
    idle: int = 0
    """How many turns in a row had no work."""
    _hopeless: set[str] = field(default_factory=set)  # studies that are not for this worker
    _heard: list[Response] = field(default_factory=list)
    _held: WorkPage | Mapping[str, Any] | None = None  # the page or the test that the worker holds
    _meant: dict[str, dict[int, Mapping[str, Any]]] = field(default_factory=dict)  # by page and item
    _said: dict[int, Said] = field(default_factory=dict)  # of that page
    _at_list: bool = False

    def __post_init__(self) -> None:
        self.page.on("response", self._hear)

    def turn(self) -> Tally:
        """Do one place, if there is one. Raises LostError and Playwright's Error."""
        studies, begun = self._list()
        if begun:  # begun before something went wrong
            self.page.locator(f'a[href="{begun[0]}"]').click()
            return self._counted(self._visit(""))
        studies = [study for study in studies if study not in self._hopeless]
        if not studies:
            return self._counted(Tally())
        study = self.rng.choice(studies)
        self._forget()
        self._at_list = False
        self.page.locator(f'a[href="{study}"]').click()
        if urlsplit(self.page.url).netloc == urlsplit(self.site).netloc:  # somebody else was faster
            return self._counted(Tally())
        if self.rng.random() < self.manners.give_back:
            self._give_back()
            return self._counted(Tally(given_back=1))
        return self._counted(self._visit(study))

    def leave_off(self) -> None:
        """After something went wrong, let the next turn begin at the list, with what was begun."""
        self._at_list = False

    def _counted(self, done: Tally) -> Tally:
        self.idle = 0 if done.pages or done.tested else self.idle + 1
        return done

    def _list(self) -> tuple[list[str], list[str]]:
        """Return the links to the studies that there are, and to the places that were begun."""
        if not self._at_list:
            self.page.goto(f"{self.site}/participants/{self.name}")
        elif self.idle:
            self.page.reload()
        self._at_list = True
        studies, begun = self.page.evaluate(LIST)
        return studies, begun

    def _visit(self, study: str) -> Tally:
        hand = Hand(self.page, self.number)
        done, before = Tally(), ""
        for _ in range(MAX_STEPS):
            found = until(self.page, before)
            seen = found.words
            if seen.startswith(("Question ", "Practice question ")):
                self._answer(hand, found)
                done.tested += not isinstance(self._held, WorkPage)
            elif seen == BACK:
                if isinstance(self._held, WorkPage):
                    self._send(done)
                self._at_list = False
                return done
            elif seen in NEXT and self._is_over(seen):
                if not self._go_back_paid():
                    self._give_back()
                    return done
            elif seen in (*RETURN, *CLOSED):
                if seen in CLOSED:
                    self._hopeless.add(study)
                self._give_back()
                return done
            elif seen == "instructions":
                hand.close_instructions()
            elif seen in ("✓ Right", "✗ Not quite"):
                self.page.get_by_role("button", name=re.compile("^(Next|On to the test)")).click()
            elif seen == "Your answers":
                self.page.get_by_role("button", name=re.compile("^(Send this page|Hand in the test)")).click()
            else:
                self.page.get_by_role("button", name=NEXT[seen]).click()
            before = seen
        raise LostError(f"no end after {MAX_STEPS} steps; last the page said {before!r}")

    def _is_over(self, seen: str) -> bool:
        """Return whether no try at the test is left. There is no button that goes on then."""
        return not self.page.get_by_role("button", name=NEXT[seen]).count()

    def _go_back_paid(self) -> bool:
        """Press the button that leads back to the platform, which pays for the test, if there is one."""
        button = self.page.get_by_role("button", name=PAID)
        if not button.count():
            return False
        self._held = None
        button.click()
        return True

    def _answer(self, hand: Hand, found: Seen) -> None:
        seen = found.words
        number = int(re.findall(r"\d+", seen)[0])
        self._listen()
        if self._held is None or (seen.startswith("Practice") and isinstance(self._held, WorkPage)):
            raise LostError(f"{seen} is shown, and our API sent none")
        if isinstance(self._held, WorkPage):
            stage, (item, question) = Stage(self._held.stage), self._held.items[number - 1]
            meant = self._meant[self._held.id][item]
        else:
            stage, entry = Stage(self._held["stage"]), self._held["items"][number - 1]
            item, question = entry["item"], entry["question"]
            meant = self.mind.answer(stage, question)
        image = question["image"]
        if urlsplit(found.picture).path != urlsplit(image["url"]).path:
            raise LostError(f"{seen} is about {image['url']}, and {found.picture} is shown")
        hand.size = image["width"], image["height"]
        took = hand.give(stage, meant)
        while hand.again:
            self.findings.append(f"{self.name}, {stage}, {seen}, drawn again: {hand.again.pop(0)}")
        if not is_as_said(meant, took, hand.scale):
            self.findings.append(f"{self.name}, {stage}, {seen}: {meant} was meant, the page took {took}")
        self._said[item] = Said(meant, hand.scale)

    def _send(self, done: Tally) -> None:
        if not isinstance(self._held, WorkPage):
            raise LostError("a page was sent that our API never gave")
        self.sent.append(Sent(self._held.id, self.name, dict(self._said)))
        done.pages += 1
        done.answers += Counter({self._held.stage: len(self._held.items)})
        self._meant.pop(self._held.id)
        self._forget()

    def _give_back(self) -> None:
        self.page.goto(f"{self.site}/participants/{self.name}")
        self.page.get_by_role("button", name=re.compile("^Return ")).click()
        self._at_list = False
        self._forget()

    def _forget(self) -> None:
        self._heard.clear()
        self._held = None
        self._said.clear()

    def _hear(self, response: Response) -> None:
        if _ASKED.search(urlsplit(response.url).path) and response.status in (200, 201):
            self._heard.append(response)

    def _listen(self) -> None:
        """Read what our API sent since the last time."""
        while self._heard:
            told = self._heard.pop(0).json()
            if "tries_left" in told:
                told = told["try"]
            if told is None:
                continue
            if "part" in told:
                self._held = told
                continue
            self._held = held = read_page(told)
            if held.id not in self._meant:
                self._meant[held.id] = {one["item"]: one["answer"] for one in self.mind.answers(held)}
