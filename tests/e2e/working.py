"""What every walk through a page does in the same way.

The texts are the English ones, since the browser's language is English.
"""

from __future__ import annotations

from playwright.sync_api import Frame, Locator, Page

UNREAD_MS = 200
"""A key that comes sooner after its question was shown is ignored as a slip (stages/settling.ts)."""


def begin(view: Page | Frame) -> None:
    """Close the instructions that a stage shows first to somebody new."""
    view.get_by_role("dialog").get_by_role("button", name="To the questions").click()


def question(view: Page | Frame, number: int, of: int) -> Locator:
    """Return the question with this number, once it is shown with its photograph and takes an answer."""
    shown = view.get_by_label(f"Question {number} of {of}", exact=True).and_(view.get_by_role("region"))
    shown.wait_for()
    shown.locator("svg[data-phase=ready]").wait_for()
    view.wait_for_timeout(UNREAD_MS)
    return shown


def press_answers(page: Page, view: Page | Frame, keys: list[str]) -> None:
    """Press one key for each question, up to the overview.

    `page` has the keyboard, `view` has the questions.
    """
    for number, key in enumerate(keys, start=1):
        question(view, number, len(keys))
        page.keyboard.press(key)
    view.get_by_role("heading", name="Your answers").wait_for()
