"""Docstrings and comments name modules, and what is in them, by names that are still right."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.test_architecture import MODULES, PACKAGES
from tests.shared import ROOT

NAMED = re.compile(rf"`((?:{'|'.join((*PACKAGES, 'tests'))})(?:[./]\w+)+)`")
"""A module, a file, or something in a module, such as `workflows.core.locks`."""


def is_there(name: str) -> bool:
    """Return whether a name leads to a folder or file, or to a module that has the next part as a word."""
    if any((folder / name).exists() for folder in (ROOT, ROOT / "console" / "templates")):
        return True
    path, parts = ROOT, re.split(r"[./]", name)
    while parts and (path / parts[0]).is_dir():
        path /= parts.pop(0)
    if not parts:
        return True
    module, *inside = parts
    file = path / f"{module}.py"
    return file.is_file() and all(re.search(rf"\b{word}\b", file.read_text()) for word in inside[:1])


def wrong_names(file: Path) -> set[str]:
    """Return the names in a file that lead nowhere."""
    return {name for name in NAMED.findall(file.read_text(encoding="utf-8")) if not is_there(name)}


def test_named_modules_are_there() -> None:
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    wrong = {
        str(path.relative_to(ROOT)): names for path in (*MODULES, *tests) if (names := wrong_names(path))
    }
    assert wrong == {}


def test_a_name_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""`annotation.gone`, `annotation.selectors`, `annotation.selectors.gone_too`"""')
    assert wrong_names(file) == {"annotation.gone", "annotation.selectors.gone_too"}
