"""What is searched for, as read from the address of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from urllib.parse import urlencode

from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW
from annotation.domain.protocols import ENTITIES_STAGES
from annotation.models import ImageWork
from console.common.labels import say_state
from console.common.pages import read_number
from evaluation.dataset import is_type

MAX_LETTERS = 80
"""Of a phrase or words. The index of phrases holds the first hundred (annotation.models.corpus.Folded)."""
FREE = "free"
WITHDRAWN = "withdrawn-image"
BARE = "without-photograph"
_CHAIN = "chain-"

STATES: Mapping[str, str] = MappingProxyType(
    {
        FREE: "in no grounding batch",
        **{state: f"image: {say_state(state)}" for state in ImageWork.State.values},
        **{f"{_CHAIN}{state}": f"a chain: {say_state(state)}" for state in (*ENTITIES_STAGES[1:], REVIEW)},
        **{f"{_CHAIN}{state}": f"a chain: {say_state(state)}" for state in (DONE, NONVISUAL)},
        BARE: "image: without a photograph",
        WITHDRAWN: "image: withdrawn",
    }
)
DISAGREEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "links": "answers about links contradicted each other",
        "boxes": "a box was rejected",
        "review": "waits in the queue for it",
    }
)
"""Where the crowd disagreed; docs/inspector.md says what each is."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The conditions of a search, all of which an image must meet. Empty ones are ignored.

    `boxes` is no condition: with it, the list shows the images with their boxes.
    """

    phrase: str = ""
    words: str = ""
    type: str = ""
    state: str = ""
    worker: str = ""
    disagreement: str = ""
    batch: int | None = None
    name: str = ""
    boxes: str = ""

    @classmethod
    def read(cls, data: Mapping[str, str]) -> Wanted:
        """Read the conditions from an address. Values that the form does not offer are ignored."""
        return cls(
            phrase=" ".join(_text(data, "phrase").split())[:MAX_LETTERS],
            words=" ".join(_text(data, "words").split())[:MAX_LETTERS],
            type=_type(data),
            state=_one_of(data, "state", STATES),
            worker=_text(data, "worker")[:128],
            disagreement=_one_of(data, "disagreement", DISAGREEMENTS),
            batch=read_number(data, "batch"),
            name=_text(data, "name")[:200],
            boxes="yes" if data.get("boxes") else "",
        )

    @property
    def chain_state(self) -> str:
        """Return the state that one of the image's chains must be in."""
        return self.state.removeprefix(_CHAIN) if self.state.startswith(_CHAIN) else ""

    @property
    def work_state(self) -> str:
        """Return the state that the image itself must be in."""
        return "" if self.state in (FREE, BARE, WITHDRAWN) or self.chain_state else self.state

    @property
    def about_work(self) -> bool:
        """Whether only images that are or were in a batch can be found."""
        return bool(self.batch or self.disagreement or self.work_state or self.chain_state)

    def query(self, **more: object) -> str:
        """Return the conditions as a query string with its question mark, or '' if there are none."""
        words = {name: value for name, value in {**asdict(self), **more}.items() if value}
        return f"?{urlencode(words)}" if words else ""


def _type(data: Mapping[str, str]) -> str:
    """Return the type; a project may have types of its own."""
    name = _text(data, "type")
    return name if is_type(name) else ""


def _text(data: Mapping[str, str], name: str) -> str:
    return data.get(name, "").replace("\0", "").strip()


def _one_of(data: Mapping[str, str], name: str, choices: Mapping[str, str] | tuple[str, ...]) -> str:
    value = data.get(name, "")
    return value if value in choices else ""
