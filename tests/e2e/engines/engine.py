"""What a browser of another engine can be told: go to a page, move pointers, press keys, run a script.

Both drivers speak WebDriver. So what hands do is written once, as WebDriver's sources of actions.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pytest

from scripts.engines import ENGINES

Source = Mapping[str, Any]
"""One source of actions, such as a finger, as WebDriver names it."""
PointerKind = Literal["mouse", "touch", "pen"]
POINTERS: Mapping[str, Sequence[PointerKind]] = MappingProxyType(
    {"firefox": ("mouse", "touch"), "webkit": ("mouse", "pen")}
)
"""The pointers that each driver can move, so that the page hears of a pointer of this kind."""
WINDOW = 1280, 800
"""The size of the page, in CSS pixels."""
ANSWER_SECONDS = 20
"""How long a driver may take for one command. Loading a page is one, too."""
in_each_engine = pytest.mark.parametrize("engine", ENGINES, indirect=True)


class EngineError(AssertionError):
    """The driver refused a command, or the browser is not as it should be."""


class SilentError(EngineError):
    """The driver gave no answer in time."""


class Engine(ABC):
    """A browser with one page. What it stores lasts until `forget`."""

    silent = False
    """Whether the driver has given no answer. It will give no other one."""

    def __init__(self) -> None:
        self._allowed: list[re.Pattern[str]] = []

    @abstractmethod
    def open(self, url: str) -> None:
        """Go to an address, and wait until the page has loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page, or in the frame that was entered: a text or null."""

    @abstractmethod
    def act(self, source: Source) -> None:
        """Let a pointer or a keyboard act, and wait until that has happened."""

    @abstractmethod
    def put_files(self, selector: str, paths: Sequence[Path]) -> None:
        """Choose files in a field of the page."""

    @abstractmethod
    def enter_frame(self) -> None:
        """Let all that follows happen in the only frame of the page, until the next page is opened."""

    @abstractmethod
    def errors(self) -> list[str]:
        """Return what came to the browser's console as an error since the last call."""

    def forget(self) -> None:
        """Begin anew, as in a browser that has stored nothing and expects no errors."""
        self._allowed.clear()
        self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Open a new page, which shares no storage with those before, and close the one before."""

    def run(self, function: str, *arguments: Any) -> Any:
        """Return what a function of JavaScript returns for arguments that JSON can write."""
        said = ", ".join(json.dumps(one) for one in arguments)
        answer = self.evaluate(f"JSON.stringify(({function})({said}) ?? null)")
        return None if answer is None else json.loads(answer)

    def allow(self, *patterns: str) -> None:
        """Expect errors that match these regular expressions."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    def check(self) -> None:
        """Fail if the console has an error that no test expected."""
        unexpected = [text for text in self.errors() if not any(p.search(text) for p in self._allowed)]
        assert not unexpected, "The page is not well:\n" + "\n".join(unexpected)
