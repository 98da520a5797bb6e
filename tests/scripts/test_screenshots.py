"""Which pages are photographed. tests/e2e/test_screenshots.py takes one in a browser."""

from scripts.screenshots import PAGES, README, _names


def test_no_page_is_saved_over_another() -> None:
    assert len(set(PAGES)) == len(PAGES)


def test_the_readme_shows_pages_that_there_are() -> None:
    assert len(set(README)) == len(README)
    assert set(README) <= set(_names())
