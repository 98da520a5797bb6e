"""What axe does not see: how large targets are, whether the focus is visible, what small windows cut off."""

from __future__ import annotations

from typing import Any, cast

from playwright.sync_api import Page

from tests.e2e.aiming import TWO_FRAMES
from tests.e2e.axe import COLOURS, check_accessible

SMALL_WINDOWS: tuple[Any, ...] = (
    {"width": 640, "height": 400},
    {"width": 320, "height": 256},
    {"width": 320, "height": 640},
)
"""Sizes in CSS pixels.

They are a window of 1280 enlarged to 200% and 400% (WCAG 1.4.4, 1.4.10), and the smallest phone.
"""
MAX_STOPS = 80

# Targets below 24 px that are not in a sentence, and with something else within 12 px of their middle (WCAG
# 2.5.8).
SMALL = """() => {
  const seen = [...document.querySelectorAll("button, a[href], summary, input, select, textarea")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".unseen"))
    .map((one) => ({ one, rect: one.getBoundingClientRect() }));
  const inSentence = ({ one }) =>
    getComputedStyle(one).display === "inline" &&
    one.parentElement.textContent.trim() !== one.textContent.trim();
  const crowded = ({ one, rect }) => {
    const x = rect.x + rect.width / 2, y = rect.y + rect.height / 2;
    return seen.some((other) => other.one !== one && !other.one.contains(one) && Math.hypot(
      Math.max(other.rect.left - x, 0, x - other.rect.right),
      Math.max(other.rect.top - y, 0, y - other.rect.bottom)) < 12);
  };
  const small = ({ rect }) => rect.width < 23.9 || rect.height < 23.9;
  return seen.filter((each) => small(each) && !inSentence(each) && crowded(each))
    .map(({ one, rect }) => `${rect.width} x ${rect.height}: ${one.outerHTML.slice(0, 120)}`);
}"""
# What reaches over an edge of the window. A photograph may, and so may a table that scrolls by key.
STICKING_OUT = """() => {
  const root = document.scrollingElement;
  const over = [...document.querySelectorAll("body *")].filter((one) => {
    if (one.closest(".unseen, svg, .viewer, [tabindex] > table") || !one.checkVisibility()) return false;
    const rect = one.getBoundingClientRect();
    return rect.width > 1 && (rect.right > innerWidth + 1 || rect.left < -1);
  });
  const scrolling = root.scrollWidth > root.clientWidth ? ["the page scrolls sideways"] : [];
  const told = (one) => `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 40)}`;
  return [...scrolling, ...over.map(told)];
}"""
# What has the focus, whether its ring is visible, and whether something hides it (WCAG 2.4.7, 2.4.11).
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const rect = one.getBoundingClientRect();
  const rings = [getComputedStyle(one), getComputedStyle(one, "::after")];
  const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]];
  const free = points.some(([x, y]) => {
    const top = document.elementFromPoint(rect.x + x * rect.width, rect.y + y * rect.height);
    return top !== null && (one.contains(top) || top.contains(one));
  });
  return {
    name: one.getAttribute("aria-label") ?? one.textContent.trim().slice(0, 60),
    ring: rings.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2),
    free,
    tabindex: one.tabIndex,
  };
}"""


def check_looks(page: Page) -> None:
    """Fail if anything is wrong with the page as it is: in light and dark colours, and in a small window."""
    page.emulate_media(color_scheme="dark")
    check_accessible(page, rules=COLOURS)
    page.emulate_media(color_scheme="light")
    check_accessible(page)
    _nothing(page, SMALL, "too small")
    size = page.viewport_size
    for window in SMALL_WINDOWS:
        page.set_viewport_size(window)
        _nothing(page, STICKING_OUT, f"at {window}")
    page.set_viewport_size(cast(Any, size))
    page.evaluate(TWO_FRAMES)  # a photograph gets its new place with the first


def _nothing(page: Page, script: str, when: str) -> None:
    found = page.evaluate(script)
    assert not found, "\n".join([f"{page.url} {when}:", *found])


def tab_through(page: Page) -> list[str]:
    """Return the names of all stops of Tab, until the first comes again. Fail if the focus cannot be seen."""
    names: list[str] = []
    for _ in range(MAX_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or (names and page.evaluate("document.activeElement.dataset.first") == "yes"):
            return names
        assert stop["ring"], f"no ring round {stop['name']}"
        assert stop["free"], f"something lies over {stop['name']}"
        assert stop["tabindex"] == 0, stop["name"]
        if not names:
            page.evaluate("document.activeElement.dataset.first = 'yes'")
        names.append(stop["name"])
    raise AssertionError(f"Tab finds no end: {names}")
