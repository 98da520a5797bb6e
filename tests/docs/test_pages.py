"""docs/architecture.md has a map of the workers' pages, and their folders import each other in its order."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.test_architecture import ARCHITECTURE
from tests.shared import ROOT

SRC = ROOT / "frontend" / "src"
IMPORT = re.compile(r"""(?:\bfrom|\bimport|@import)\s*\(?\s*["'](\.[^"']+)["']""")
"""The path in a static, dynamic or type import, or in one of styles."""


def folders() -> list[str]:
    """Return the folders in the order of the map."""
    return re.findall(
        r"^  ([a-z]+)/ +[A-Z].+\.$", ARCHITECTURE.split("## The workers' pages")[1], re.MULTILINE
    )


def sources() -> list[Path]:
    """Return what the pages are built from. Tests, and what helps them, may import every folder."""
    files = [path for path in sorted(SRC.rglob("*")) if path.suffix in {".ts", ".svelte", ".css"}]
    return [path for path in files if ".test." not in path.name and "testing" not in path.parts]


def folder_of(path: Path) -> str:
    """Return the folder of a path below `src`. It is empty for files beside the folders."""
    inner = path.relative_to(SRC)
    return inner.parts[0] if len(inner.parts) > 1 or (SRC / inner).is_dir() else ""


def test_every_folder_is_in_the_map() -> None:
    assert sorted(folders()) == sorted(path.name for path in SRC.iterdir() if path.is_dir())


def test_a_folder_imports_only_those_above_it_in_the_map() -> None:
    order = folders()
    crossings = [
        (path, target)
        for path in sources()
        for name in IMPORT.findall(path.read_text(encoding="utf-8"))
        if (target := (path.parent / name).resolve()).is_relative_to(SRC) and folder_of(path)
    ]
    assert len(crossings) > 500
    wrong = {
        f"{path.relative_to(SRC)} imports {target.relative_to(SRC)}"
        for path, target in crossings
        if not folder_of(target) or order.index(folder_of(target)) > order.index(folder_of(path))
    }
    assert wrong == set()
