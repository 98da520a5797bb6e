"""Which pictures the README has. Taking some is a test in a browser: tests/e2e/test_screenshots.py."""

from scripts.screenshots import README, _names


def test_the_readme_shows_pages_that_there_are() -> None:
    assert len(set(README)) == len(README)
    assert set(README) <= set(_names())
