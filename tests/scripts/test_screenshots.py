"""Which pictures the README has. tests/e2e/test_screenshots.py takes one in a browser."""

from scripts.screenshots import README, _names


def test_the_readme_shows_pages_that_there_are() -> None:
    assert len(set(README)) == len(README)
    assert set(README) <= set(_names())
