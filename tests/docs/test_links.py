"""Every relative link of the documentation leads somewhere, and its index names every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "frontend/README.md")),
        *ROOT.glob("simulation/emulators/*/README.md"),
        ROOT / "baselines" / "README.md",
        ROOT / "evaluation" / "README.md",
        ROOT / "examples" / "README.md",
        ROOT / "research" / "README.md",
        *DOCS.glob("*.md"),
    ]
)
CODE = (
    "annotation",
    "baselines",
    "benchmarks",
    "config",
    "console",
    "evaluation",
    "examples",
    "research",
    "scripts",
    "simulation",
    "workflows",
)
README_LINES = 130

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)|src=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
PAGE_IN_CODE = re.compile(r"\bdocs/([\w-]+\.(?:md|yaml))")


def read(page: Path) -> str:
    """Return the page without its blocks of code, in which nothing is a link or a heading."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def links(page: Path) -> Iterator[str]:
    """Return the targets of links within the repository, in their order."""
    for markdown, html in LINK.findall(INLINE_CODE.sub("", read(page))):
        target = markdown or html
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """Return the names that GitHub gives to the headings of a page."""
    found: set[str] = set()
    for heading in HEADING.findall(read(page)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (numbered := f"{name}-{number}" if number else name) in found:
            number += 1
        found.add(numbered)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    broken = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One, `two`\n\n```\n# no heading [x](y.md)\n```\n\n[a](#one-two) `[b](c.md)` [d](d.md#e)\n"
    )
    assert list(links(page)) == ["#one-two", "d.md#e"]
    assert anchors(page) == {"one-two"}


def test_the_index_lists_every_page_of_docs() -> None:
    listed = {target.partition("#")[0] for target in links(DOCS / "README.md")}
    pages = {page.name for page in DOCS.iterdir() if page.suffix in {".md", ".yaml"}} - {"README.md"}
    assert pages <= listed


def test_every_picture_of_docs_is_shown() -> None:
    shown = {(page.parent / target).resolve() for page in PAGES for target in links(page)}
    assert set((DOCS / "images").iterdir()) <= shown


def test_pages_that_the_code_names_are_there() -> None:
    files = [
        path for folder in CODE for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".html"}
    ]
    named = {page for file in files for page in PAGE_IN_CODE.findall(file.read_text(encoding="utf-8"))}
    assert named
    assert not {page for page in named if not (DOCS / page).exists()}


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES
