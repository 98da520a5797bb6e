"""Conditions under which workers do the same as everywhere: screens, storage, captions, photographs.

test_conditions.py tries each of them, and docs/conditions-tried.md lists them.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import PIL.Image
from playwright.sync_api import Page, Route

from annotation.domain.answers import CampaignStage, JointStage, Stage
from tests.annotation.picture_files_made import png_chunk
from tests.e2e.devices import DESK, PHONE
from tests.e2e.scenes import Edges
from tests.e2e.seeing import PAPER, TARGET
from tests.e2e.targets import FITTED
from tests.e2e.test_lost_leases import FORBIDDEN, IN_MEMORY, NO_STORAGE

OTHER_STAGES = (Stage.LINK, Stage.QUALITY, JointStage.CHECK, CampaignStage.WRITING)
"""The stages whose looks are tried beside box drawing."""
BETWEEN = "values on both sides of it are tried"


@dataclass(frozen=True, kw_only=True)
class Condition:
    name: str
    result: str
    nightly: str = ""
    """Why only the nightly suite tries it. Empty: every suite with browser tests does."""


# Colours, sizes and screens.

# The Content Security Policy allows no style sheet of a test, except one that a script constructs.
ADD_STYLE = """(style) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets.push(sheet);
}"""


def _nothing(page: Page) -> None:
    """Change nothing."""


def _text_size(pixels: int) -> Callable[[Page], None]:
    """Return a function that sets the size of text in the browser's settings."""

    def set_size(page: Page) -> None:
        protocol = page.context.new_cdp_session(page)
        protocol.send("Page.setFontSizes", {"fontSizes": {"standard": pixels, "fixed": pixels}})

    return set_size


def _style(style: str) -> Callable[[Page], None]:
    """Return a function that adds a style sheet of the worker's own."""

    def add(page: Page) -> None:
        page.add_init_script(f"({ADD_STYLE})({style!r})")

    return add


@dataclass(frozen=True, kw_only=True)
class Look(Condition):
    """How pages look, and on which screen."""

    result: str = "the answers are in view"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of Playwright's `Browser.new_context`."""
    prepare: Callable[[Page], None] = _nothing
    """What is done before the page is opened."""
    other: str = Stage.LINK
    """The stage that every suite tries beside box drawing. The nightly suite tries the rest."""
    scrolls: bool = False
    """Whether the answers have to be scrolled to."""


def _screen(ratio: float, *, phone: bool = False, nightly: str = "", other: str = Stage.LINK) -> Look:
    device = PHONE if phone else DESK
    return Look(
        name=f"{ratio:g} pixels of the screen a CSS pixel{', on a phone' if phone else ''}",
        options={**device, "device_scale_factor": ratio},
        nightly=nightly,
        other=other,
    )


def _zoom(percent: int, *, nightly: str = "", other: str = Stage.LINK) -> Look:
    """Return the browser's zoom: a window has fewer CSS pixels, each with more pixels of the screen."""
    window = {side: round(length * 100 / percent) for side, length in DESK["viewport"].items()}
    options = {"viewport": window, "device_scale_factor": percent / 100}
    return Look(name=f"zoom of the browser {percent}%", options=options, nightly=nightly, other=other)


LOOKS = (
    Look(
        name="forced colours, light",
        options={"forced_colors": "active", "color_scheme": "light"},
        nightly="dark ones change more",
    ),
    Look(
        name="forced colours, dark",
        options={"forced_colors": "active", "color_scheme": "dark"},
        other=Stage.QUALITY,
    ),
    Look(name="dark colours", options={"color_scheme": "dark"}, nightly="test_accessibility holds them"),
    Look(name="more contrast", options={"contrast": "more"}, nightly="the pages do not depend on it"),
    Look(name="reduced motion", options={"reduced_motion": "reduce"}, nightly="many tests run with it"),
    Look(name="text at 150%", prepare=_text_size(24), nightly=BETWEEN),
    Look(name="text at 200%", prepare=_text_size(32), other=CampaignStage.WRITING),
    Look(name="text at 150%, on a phone", options=PHONE, prepare=_text_size(24), other=JointStage.CHECK),
    Look(
        name="text at 200%, on a phone",
        result="all can be reached by scrolling, and nothing is cut off",
        options=PHONE,
        prepare=_text_size(32),
        other=JointStage.CHECK,
        scrolls=True,
    ),
    Look(
        name="no text smaller than 24 pixels",
        prepare=_style("* { font-size: max(24px, 1em) !important }"),
        other=CampaignStage.WRITING,
    ),
    Look(
        name="text with wide spaces (WCAG 1.4.12)",
        prepare=_style(
            "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; "
            "word-spacing: 0.16em !important } p { margin-bottom: 2em !important }"
        ),
        nightly="larger text needs more room",
    ),
    _screen(1, nightly=BETWEEN),
    _screen(1.25, other=Stage.QUALITY),
    _screen(1.5, nightly=BETWEEN),
    _screen(1.75, nightly=BETWEEN),
    _screen(2, nightly=BETWEEN),
    _screen(2.625, phone=True),
    _screen(3, phone=True, nightly=BETWEEN),
    _zoom(90, other=JointStage.CHECK),
    _zoom(110, nightly=BETWEEN),
    _zoom(125, nightly=BETWEEN),
    _zoom(150, other=Stage.QUALITY),
)

# Tabs that sleep.

OVER_FOR_NOW = "the page says that its time is over, and takes it up again with the next press"


@dataclass(frozen=True, kw_only=True)
class Sleep(Condition):
    """A tab that sleeps for an hour after two of four points."""

    frozen: bool = False
    """Whether the browser stops all of its scripts."""
    offline: bool = False
    """Whether there is no network when it wakes."""
    expired: bool = False
    """Whether the server has taken the page back meanwhile."""


SLEEPS = (
    Sleep(name="asleep for an hour", result=OVER_FOR_NOW, nightly="a frozen tab sleeps deeper"),
    Sleep(name="frozen by the browser for an hour", result=OVER_FOR_NOW, frozen=True),
    Sleep(
        name="asleep for an hour, and there is no network when it wakes",
        result="the answer is sent when the network is back",
        offline=True,
    ),
    Sleep(
        name="asleep for an hour, and the lease has ended",
        result="the page says that its time is over; an answer that is still needed counts",
        expired=True,
    ),
)

# What the browser keeps.

FILL = """
  for (let part = "x".repeat(1 << 20), count = 0; part.length > 0; count++)
    try { localStorage.setItem(`filler-${count}`, part); } catch { part = part.slice(0, part.length >> 1); }
"""
"""Takes all room of localStorage, which has a limit of its own."""


@dataclass(frozen=True, kw_only=True)
class Storage(Condition):
    """What becomes of a page of three items, if something happens after the first answer."""

    script: str = ""
    """What is done before each page."""
    full: bool = False
    """Whether the disk has no room for the first answer."""
    evicted: bool = False
    """Whether the browser deletes everything that it keeps for the site."""
    waiting: bool = False
    """Whether this happens to a finished page that waits for a network."""
    said: str = ""
    """What the page says after the first answer."""
    reloaded: str = ""
    """How the page is opened again after the second answer: by `reload`, or by the worker's `link`."""


STORAGES = (
    Storage(
        name="localStorage is full",
        result="answers are in IndexedDB, and are there after a reload; the instructions are shown again",
        script=FILL,
        reloaded="reload",
    ),
    Storage(
        name="localStorage and sessionStorage throw at every access",
        result="answers are in IndexedDB, and are there after the worker's link was opened again",
        script=NO_STORAGE,
        reloaded="link",
    ),
    Storage(
        name="all storage throws at every access (blocked site data)",
        result="answers are in memory, and the page says so",
        script=FORBIDDEN,
        said=IN_MEMORY,
        nightly="test_lost_leases does it without a network",
    ),
    Storage(
        name="the disk is full for a while",
        result="answers are in memory, and the page says so; later they are in IndexedDB",
        full=True,
        said=IN_MEMORY,
        reloaded="reload",
    ),
    Storage(
        name="the browser deletes all data of the site in the middle of a page",
        result="the open tab stores its answers again",
        evicted=True,
        reloaded="link",
    ),
    Storage(
        name="the browser deletes all data of the site while a page waits for the network",
        result="the open tab sends it",
        evicted=True,
        waiting=True,
    ),
)

# Captions.


@dataclass(frozen=True, kw_only=True)
class Caption(Condition):
    """A caption whose mention is marked, in tokens between spaces."""

    result: str = "the mention is marked as it is, in view"
    text: str
    mention: str
    direction: str = "ltr"
    problem: str = ""
    """What the import says, if it leaves the caption out."""


LETTERS = 2 * "Rindfleischetikettierungsüberwachungsaufgabenübertragung"

CAPTIONS = (
    Caption(
        name="300 words, with the mention at their end",
        text="In front of the old town hall , before it rains , people wait . " * 21
        + "Beside them stands a man with a hat .",
        mention="a man",
    ),
    Caption(
        name="a word of 100 letters",
        result="it is broken over lines, and nothing sticks out",
        text=f"A sign says {LETTERS[:100]} beside a man .",
        mention="a man",
    ),
    Caption(
        name="a word of 101 letters",
        result="the import leaves the caption out: has more than 100 characters",
        text=f"A sign says {LETTERS[:101]} beside a man .",
        mention="a man",
        problem="has more than 100 characters",
    ),
    Caption(
        name="Arabic in an English page",
        result="it runs from right to left",
        text="رجل يقف بجانب سيارة حمراء .",
        mention="سيارة حمراء",
        direction="rtl",
    ),
    Caption(
        name="Hebrew with numbers and a Latin name",
        result="it runs from right to left",
        text="אדם עם חולצה 23 ליד רכב BMW 320i בשנת 1998 .",
        mention="רכב BMW 320i",
        direction="rtl",
    ),
    Caption(
        name="English with a name in Arabic",
        text="A man under a sign that says مقهى 24 waits .",
        mention="a sign",
    ),
    Caption(
        name="emoji of several characters",
        text="A family 👩‍👩‍👧‍👦 with a dog 🐕‍🦺 and a flag 🏳️‍🌈 waves .",
        mention="a dog 🐕‍🦺",
    ),
    Caption(
        name="letters with marks of their own (é as two characters, Vietnamese, Thai)",
        text="Un homme a\u0300 cote\u0301 d' un cafe\u0301 , Phở bò , ร้านอาหาร .",
        mention="un cafe\u0301",
    ),
    Caption(
        name="Chinese without spaces",
        text="一个戴帽子的男人站在 一辆红色的汽车 旁边。",
        mention="一辆红色的汽车",
    ),
)


@dataclass(frozen=True, kw_only=True)
class Written(Condition):
    """A caption that a worker writes."""

    result: str = "stored as it was written"
    typed: str
    stored: str = ""
    """Empty: as it was typed."""


WRITTEN = (
    Written(name="written from right to left, with a number", typed="رجل يقود سيارة حمراء في شارع 24"),
    Written(name="written with emoji of several characters", typed="A family 👩‍👩‍👧 walks a dog 🐕‍🦺 here"),
    Written(
        name="pasted in several lines, with spaces that do not break",
        result="stored in one line, with single spaces",
        typed="A man\u00a0in a hat\n\nwaves at a girl  \n",
        stored="A man in a hat waves at a girl",
    ),
)

# Photographs.

Colour = tuple[int, int, int]
BEHIND: Colour = (187, 187, 187)
"""What is behind a transparent photograph, by day and by night."""
GREY_PAPER, GREY_TARGET = (220, 220, 220), (60, 60, 60)
DEPTH = 257
"""A grey of 8 bits times this is the same grey of 16 bits."""


@dataclass(frozen=True, kw_only=True)
class Photograph(Condition):
    """A file that is imported, and one thing in it."""

    result: str = "the box is stored as drawn"
    file: str
    content: Callable[[], bytes]
    size: tuple[int, int] = FITTED.size
    edges: Edges = FITTED.edges
    paper: Colour | None = PAPER
    ink: Colour | None = TARGET
    """The colours outside and inside of the box. None: there is no such place, or they change."""
    problem: str = ""
    """What the import says, if it does not take the file."""
    too_small: bool = False
    """Whether no box of it can have three pixels each way."""


def _picture(
    kind: str,
    mode: str = "RGB",
    size: tuple[int, int] = FITTED.size,
    edges: Edges = FITTED.edges,
    paper: Any = PAPER,
    ink: Any = TARGET,
    **save: Any,
) -> Callable[[], bytes]:
    """Return a function that returns a file with one rectangle. `save` has options of Pillow."""

    def encoded() -> bytes:
        drawn = "RGB" if mode == "CMYK" else mode
        image = PIL.Image.new(drawn, size, paper)
        image.paste(ink, edges)
        file = io.BytesIO()
        image.convert(mode).save(file, kind, **save)
        return file.getvalue()

    return encoded


def _huge() -> bytes:
    """Return a PNG of 10,000 x 10,000 pixels, in black alone and one bit each."""
    side = 10_000
    rows = zlib.compress(bytes(side * (1 + side // 8)))
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(name, data) for name, data in chunks)


def _strip(name: str, size: tuple[int, int], nightly: str = "") -> Photograph:
    return Photograph(
        name=name,
        result="no box can have 3 pixels each way: the page says so, and *Photograph unusable* answers",
        file="strip.png",
        content=_picture("PNG", size=size, edges=(0, 0, *size)),
        size=size,
        edges=(0, 0, *size),
        too_small=True,
        nightly=nightly,
    )


LARGE: Edges = (1400, 1400, 4200, 4900)
OTHER_FRAME = PIL.Image.new("RGB", FITTED.size, (0, 0, 0))
FINE: dict[str, Any] = {"quality": 98, "subsampling": 0}

PHOTOGRAPHS = (
    _strip("1 x 1 pixel", (1, 1)),
    _strip("1 x 3,000 pixels", (1, 3000)),
    _strip("3,000 x 1 pixels", (3000, 1), nightly="1 x 3,000 is as long"),
    Photograph(
        name="3 x 3,000 pixels",
        file="narrow.png",
        content=_picture("PNG", size=(3, 3000), edges=(0, 1000, 3, 2000)),
        size=(3, 3000),
        edges=(0, 1000, 3, 2000),
        paper=None,
        ink=None,
    ),
    Photograph(
        name="10,000 x 10,000 pixels",
        result="the import refuses it: more than `GROUNDCREW_MAX_PIXELS`, which are 50,000,000",
        file="huge.png",
        content=_huge,
        problem="has more than 50,000,000 pixels",
    ),
    Photograph(
        name="7,000 x 7,000 pixels",
        file="large.jpg",
        content=_picture("JPEG", size=(7000, 7000), edges=LARGE, **FINE),
        size=(7000, 7000),
        edges=LARGE,
        nightly="it takes ten seconds to be imported",
    ),
    Photograph(
        name="transparent PNG",
        result="the box is stored as drawn; behind it is the same grey for everybody",
        file="glass.png",
        content=_picture("PNG", "RGBA", paper=(0, 0, 0, 0), ink=(*TARGET, 255)),
        paper=BEHIND,
    ),
    Photograph(
        name="PNG, 16 bits grey",
        file="grey.png",
        content=_picture("PNG", "I;16", paper=GREY_PAPER[0] * DEPTH, ink=GREY_TARGET[0] * DEPTH),
        paper=GREY_PAPER,
        ink=GREY_TARGET,
    ),
    Photograph(name="JPEG, CMYK", file="print.jpg", content=_picture("JPEG", "CMYK", **FINE)),
    Photograph(
        name="PNG, moving",
        result="it moves; the box is stored as drawn",
        file="moving.png",
        content=_picture("PNG", save_all=True, append_images=[OTHER_FRAME], duration=200),
        paper=None,
        ink=None,
    ),
)

# Photographs that come late.

HOLD_DECODING = """
  const { decode } = HTMLImageElement.prototype;
  const freed = new Promise((free) => (window.freeDecoding = free));
  HTMLImageElement.prototype.decode = function () { return freed.then(() => decode.call(this)); };
"""


@dataclass(frozen=True, kw_only=True)
class Arrival(Condition):
    """A photograph that is not there yet. `hold` keeps it away, and returns a function that lets it come."""

    hold: Callable[[Page], Callable[[], object]]
    said: str
    """What the page says meanwhile."""


MEDIA = "**/media/**"


def _hold_bytes(page: Page) -> Callable[[], None]:
    held: list[Route] | None = []

    def keep(route: Route) -> None:
        if held is None:
            route.continue_()
        else:
            held.append(route)

    def let() -> None:
        nonlocal held
        waiting, held = held or [], None
        for route in waiting:
            route.continue_()

    page.route(MEDIA, keep)
    return let


def _hold_decoding(page: Page) -> Callable[[], object]:
    page.add_init_script(HOLD_DECODING)
    return lambda: page.evaluate("freeDecoding()")


def _break(page: Page) -> Callable[[], None]:
    page.route(MEDIA, lambda route: route.fulfill(content_type="image/jpeg", body=b"\xff\xd8\xff nothing"))

    def let() -> None:
        page.unroute(MEDIA)
        page.get_by_role("button", name="Try again").click()

    return let


NOT_BEFORE = "nothing can be answered before it is seen; then the box is stored as drawn"
COMING, BROKEN = "The photograph is on its way.", "The photograph cannot be loaded."

ARRIVALS = (
    Arrival(name="its bytes come late", result=NOT_BEFORE, hold=_hold_bytes, said=COMING),
    Arrival(name="slow to decode", result=NOT_BEFORE, hold=_hold_decoding, said=COMING),
    Arrival(
        name="broken, then well",
        result="the page says that it cannot be loaded; *Try again* shows it",
        hold=_break,
        said=BROKEN,
    ),
)

TABLES: Mapping[str, tuple[str, tuple[Condition, ...]]] = {
    "Colours, sizes and screens": ("drawing, link, box quality, checking all boxes, writing", LOOKS),
    "Tabs that sleep": ("drawing", SLEEPS),
    "What the browser keeps": ("link", STORAGES),
    "Captions": ("requirement", CAPTIONS),
    "Captions that are written": ("writing", WRITTEN),
    "Photographs": ("drawing", PHOTOGRAPHS),
    "Photographs that come late": ("drawing", ARRIVALS),
}
"""The tables of the documentation: the title, the stages that are tried, and the rows."""
