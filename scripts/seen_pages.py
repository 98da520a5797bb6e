"""What a worker reads on our page, or on the platform's own page in its place."""

from __future__ import annotations

import time
from dataclasses import dataclass

from playwright.sync_api import Error, Page

PATIENCE = 90.0
"""Seconds until something new must be shown. A loaded machine is slow."""
LOOK_MS = 50
BACK = "Thank you"
"""What the platform says to whoever comes back with a code."""
WORDS = (
    *("Your answers", "A short test first", "Now the test", "✓ Right", "✗ Not quite", "You passed"),
    *("Not passed this time", "This task is closed for you", "You can try again later"),
    *("Please return this task on the platform", "There is no page for you in it now"),
    BACK,
)
"""Headings that tell a worker what to do next. Others only say that something is being loaded."""
LOOK = """(words) => {
  if (document.querySelector("dialog[open]")) return ["instructions", ""];
  const asked = document.querySelector('section[aria-label*="uestion "]');
  if (asked) {
    const ready = asked.querySelector("svg[data-phase=ready]");
    return ready ? [asked.ariaLabel, asked.querySelector("img")?.getAttribute("src") ?? ""] : ["", ""];
  }
  const heads = [...document.querySelectorAll("h1, h2, h3")].filter((head) => head.checkVisibility());
  const said = heads.map((head) => head.textContent.replace(/\\s+/g, " ").trim());
  return [said.find((head) => words.includes(head)) ?? "", ""];
}"""
LIST = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  return [
    all('a[href$="/start"]').map((link) => link.getAttribute("href")),
    all('a[href$="/open"]').map((link) => link.getAttribute("href")),
  ];
}"""
"""The platform's list: links to the studies that there are, and to the places that were begun."""


class LostError(Exception):
    """The page is not where a worker would expect it. The message says what it shows."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is shown: a question or a heading, and the address of a question's picture.

    `words` is "instructions" if those are shown, and "" if nothing is ready.
    """

    words: str
    picture: str = ""


def look(page: Page) -> Seen:
    try:
        return Seen(*page.evaluate(LOOK, list(WORDS)))
    except Error as error:
        if "context was destroyed" in str(error) or "navigat" in str(error):  # another page is coming
            return Seen("")
        raise


def until(page: Page, before: str) -> Seen:
    """Return what is shown as soon as it differs from `before`. Raises LostError."""
    end = time.monotonic() + PATIENCE
    while (seen := look(page)).words in ("", before):
        if time.monotonic() > end:
            still = f"it still shows {before!r}" if seen.words else "it shows nothing to do"
            raise LostError(f"after {PATIENCE:.0f} s {still} ({page.url.split('?')[0]})")
        page.wait_for_timeout(LOOK_MS)
    return seen
