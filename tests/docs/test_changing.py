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
                code = folder in CODE and path.suffix in {".py", ".ts", ".js", ".svelte", ".html"}
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


NAMED_WITH_MODULE = re.compile(
    r"((?:`\w+`(?:, | and | or )?)+)\s(?:in |of |\()\s?`([\w./-]+\.(?:py|ts|js|svelte))`"
)
"""Names that are said to be in a module: `A` and `B` in `module.py`, or `A` (`module.py`)."""


def defines(text: str, name: str) -> bool:
    """Return whether a module defines the name, or gives it to a constraint; an import is not enough."""
    keyword = r"\b(?:def|class|const|let|function|type|interface)"
    return bool(
        re.search(rf"{keyword} {name}\b|^\s*(?:\w+, )*{name}(?:, \w+)* *[:=]|\"{name}\"", text, re.MULTILINE)
    )


def named_with_module() -> set[tuple[str, str]]:
    found = NAMED_WITH_MODULE.findall(CHANGING)
    return {(name, module) for names, module in found for name in re.findall(r"`(\w+)`", names)}


def test_a_name_is_in_the_module_that_the_page_says() -> None:
    """A module may be named by the end of its path, such as `forecast.py`: then one with this end will do."""
    named = named_with_module()
    assert len(named) > 80
    wrong = {
        (name, module)
        for name, module in named
        if not any(
            f"/{path}".endswith(f"/{module}") and defines(text, name) for path, text in files().items()
        )
    }
    assert wrong == set()


def test_an_import_is_no_definition() -> None:
    assert not defines("from a import NAME\nprint(NAME)", "NAME")
    for text in (
        "NAME = 1",
        "    NAME: int",
        "A, NAME = 1, 2",
        "def NAME() -> None:",
        'name="NAME"',
        "export const NAME = 1;",
    ):
        assert defines(text, "NAME")


def test_every_variable_of_ours_is_described() -> None:
    code = "\n".join(text for path, text in files().items() if path.startswith("config/"))
    named = set(re.findall(r"\"(GROUNDCREW_[A-Z0-9_]+)\"", code))
    assert len(named) > 20
    described = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert {name for name in named if f"`{name}`" not in described} == set()
