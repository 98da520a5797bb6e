"""What docs/changing.md names is there: files, folders, and names in the code."""

from __future__ import annotations

import re
from functools import cache

from tests.docs.test_architecture import PACKAGES
from tests.shared import ROOT

CHANGING = (ROOT / "docs" / "changing.md").read_text(encoding="utf-8")
CODE = (*PACKAGES, "frontend", "tests")
LEFT = {"node_modules", "dist", "__pycache__"}


@cache
def files() -> dict[str, str]:
    """Return the files of the checkout, by their path, with the text of those that are code."""
    found = {}
    for folder in (*CODE, "docs", "."):
        paths = (ROOT / folder).glob("*") if folder == "." else (ROOT / folder).rglob("*")
        for path in paths:
            if path.is_file() and not LEFT.intersection(path.parts):
                code = folder in CODE and path.suffix in {".py", ".ts", ".svelte", ".html"}
                found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8") if code else ""
    return found


def test_every_file_and_folder_is_there() -> None:
    named = set(re.findall(r"`([\w./-]+(?:\.(?:py|ts|svelte|toml|yml|html|js)|/))`", CHANGING))
    assert len(named) > 100
    ends = [f"/{path}" for path in files()]
    gone = {
        name
        for name in named
        if not any(f"/{name}" in path if name.endswith("/") else path.endswith(f"/{name}") for path in ends)
    }
    assert gone == set()


def test_every_name_is_in_the_code() -> None:
    named = set(re.findall(r"`([A-Za-z_]\w+)`", CHANGING))
    assert len(named) > 100
    words = {word for text in files().values() for word in re.findall(r"\w+", text)}
    assert named - words == set()
