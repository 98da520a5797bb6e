"""What every walk through a page does the same way. Texts are the English ones: the browser's language is."""

from __future__ import annotations

from playwright.sync_api import Frame, Locator, Page

UNREAD_MS = 200
"""A key that comes sooner after a question was shown counts as a slip and is ignored (stages/settling.ts)."""


def begin(view: Page | Frame) -> None:
    """Close the instructions that a stage opens with for somebody new."""
    view.get_by_role("dialog").get_by_role("button", name="To the questions").click()


def question(view: Page | Frame, number: int, of: int) -> Locator:
    """The question with this number, once it is shown with its photograph and takes an answer."""
    shown = view.get_by_label(f"Question {number} of {of}", exact=True).and_(view.get_by_role("region"))
    shown.wait_for()
    shown.locator("svg[data-phase=ready]").wait_for()
    view.wait_for_timeout(UNREAD_MS)
    return shown


def press_answers(page: Page, view: Page | Frame, keys: list[str]) -> None:
    """Press one key a question, up to the overview. `page` has the keyboard, `view` shows the questions."""
    for number, key in enumerate(keys, start=1):
        question(view, number, len(keys))
        page.keyboard.press(key)
    view.get_by_role("heading", name="Your answers").wait_for()
