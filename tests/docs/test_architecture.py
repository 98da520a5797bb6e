"""docs/architecture.md says of each package what its docstring says, and the glossary names what exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.shared import ROOT

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PACKAGES = (
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
NOT_ROOMS = {"management", "migrations"}
GERUNDS = {"chunking", "drawing", "ranking"}
"""Modules with the names of their commands: two benchmarks, and the systems of the ranking task."""

MODULES = [
    path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if "migrations" not in path.parts and "node_modules" not in path.parts
]


def sentence(package: Path) -> str:
    """Return the docstring of a package, on one line."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return " ".join((ast.get_docstring(tree) or "").split())


def tree() -> dict[str, str]:
    """Return each package's name in the block that lists the packages, and what is said of it."""
    blocks = re.findall(r"^```\n(.*?)^```", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    listed = next(block for block in blocks if block.startswith("  core/"))
    return dict(re.findall(r"^  ([a-z_]+)/ +(.+)$", listed, re.MULTILINE))


def rooms() -> list[Path]:
    folders = [path.parent for path in (ROOT / "workflows").glob("*/__init__.py")]
    return sorted(folder for folder in folders if folder.name not in NOT_ROOMS)


def test_every_room_is_in_the_tree_with_the_sentence_of_its_package() -> None:
    assert tree() == {room.name: sentence(room) for room in rooms()}


def test_a_room_begins_with_one_sentence_and_imports_nothing() -> None:
    for package in (ROOT / "workflows").rglob("__init__.py"):
        body = ast.parse(package.read_text(encoding="utf-8")).body
        if "management" in package.parts or "migrations" in package.parts:
            continue
        assert [type(node) for node in body] == [ast.Expr], package
        assert sentence(package.parent).endswith("."), package


def test_nothing_lies_loose_beside_the_rooms() -> None:
    loose = {path.name for path in (ROOT / "workflows").glob("*.py")}
    assert loose == {"__init__.py", "apps.py", "models.py", "tasks.py"}


def test_every_concept_has_one_room_and_the_room_exists() -> None:
    rows = re.findall(r"^\| ([^|`]+) \| `([a-z_/]+)` \|$", ARCHITECTURE, re.MULTILINE)
    concepts = [concept.strip() for row, _ in rows for concept in row.split(",")]
    assert len(concepts) > 40 and len(concepts) == len(set(concepts))
    for _, room in rows:
        assert (ROOT / room).is_dir(), room


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", ARCHITECTURE))))
def test_every_file_that_the_page_names_is_there(path: str) -> None:
    assert any((ROOT / folder / path).is_file() for folder in ("", "workflows", "workflows/crowd"))


def defined() -> set[str]:
    """Return the names of modules, and of what is defined in them."""
    names = {path.stem for path in MODULES} | {path.parent.name for path in MODULES}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
    return names


def test_the_glossarys_names_are_in_the_code() -> None:
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (`\w+`(?:, `\w+`)*) \|$", GLOSSARY, re.MULTILINE)
    assert len(rows) > 50
    known = defined()
    assert [(word, names) for word, names in rows if not known.issuperset(re.findall(r"\w+", names))] == []


def test_the_glossary_has_each_word_once() -> None:
    words = re.findall(r"^\| ([^|`]+) \| [^|]+ \| `\w+`.* \|$", GLOSSARY, re.MULTILINE)
    assert len(words) == len(set(words))


def test_no_module_is_called_by_a_bare_gerund() -> None:
    named = [path for path in MODULES if re.fullmatch(r"[a-z]+ing", path.stem)]
    assert [path for path in named if path.stem not in GERUNDS] == []
