"""The list of faults, and a copy of a checkout in which one is planted at a time."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_suffix(".toml")
PRODUCT = ("annotation/", "config/", "console/", "evaluation/", "frontend/src/", "workflows/")
"""Where faults are planted: what users run."""
CODE = frozenset({".html", ".py", ".svelte", ".ts"})
VENV = ".venv"
PACKAGES = "frontend/node_modules"
BUILT = "frontend/dist"


class MutationError(ValueError):
    """A mutation cannot be planted in this checkout. The message says which and why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of the product's text, and what it becomes."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """One fault. `breaks` says what a user would lose; `postgres`: only PostgreSQL can show it."""

    name: str
    kind: str
    breaks: str
    edits: tuple[Edit, ...]
    postgres: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """An edit in a checkout: the file, by its path from the root, its text before and after, what goes."""

    path: str
    before: str
    after: str
    gone: str


def read_list(path: Path = LIST) -> list[Mutation]:
    """Return the mutations of a list. Raises MutationError for one that is not complete."""
    listed = tomllib.loads(path.read_text())["mutation"]
    mutations = [_read(entry) for entry in listed]
    if twice := [name for name, times in Counter(one.name for one in mutations).items() if times > 1]:
        raise MutationError(f"listed twice: {', '.join(twice)}")
    return mutations


def _read(entry: Mapping[str, object]) -> Mutation:
    name = str(entry.get("name"))
    match entry:
        case {"kind": str(kind), "breaks": str(breaks), "edits": list(edits)}:
            return Mutation(
                name, kind, breaks, tuple(_edit(name, one) for one in edits), entry.get("postgres") is True
            )
    raise MutationError(f"{name}: it needs a kind, what breaks, and edits")


def _edit(name: str, entry: object) -> Edit:
    match entry:
        case {"old": str(old), "new": str(new)} if old != new:
            return Edit(old, new)
    raise MutationError(f"{name}: an edit needs an old text and a new one that differs")


def tracked(tree: Path) -> list[str]:
    """Return the paths from its root of a checkout's files: those in Git and new ones, no ignored ones."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(path for path in set(listed.split("\0")) if path and (tree / path).is_file())


def product(tree: Path, files: Iterable[str]) -> dict[str, str]:
    """Return path -> text of the product's code, without the tests beside it."""
    return {
        path: (tree / path).read_text()
        for path in files
        if path.startswith(PRODUCT)
        and Path(path).suffix in CODE
        and not path.endswith(".test.ts")
        and "testing" not in Path(path).parts
    }


def find(mutation: Mutation, texts: Mapping[str, str]) -> list[Change]:
    """Return where and how to plant it. Raises MutationError unless each edit is found exactly once."""
    changes: dict[str, Change] = {}
    for edit in mutation.edits:
        places = [path for path, text in texts.items() for _ in range(text.count(edit.old))]
        if len(places) != 1:
            where = ", ".join(sorted(set(places))) or "nowhere"
            raise MutationError(f"{mutation.name}: {edit.old!r} is found {len(places)} times: {where}")
        (path,) = places
        before = texts[path]
        after, gone = (changes[path].after, changes[path].gone) if path in changes else (before, "")
        changes[path] = Change(path, before, after.replace(edit.old, edit.new), f"{gone} {edit.old}")
    return list(changes.values())


def digest_of(changes: Sequence[Change]) -> str:
    """Return a word that differs where what is planted does."""
    return hashlib.sha256(repr([(one.path, one.after) for one in changes]).encode()).hexdigest()[:16]


@contextmanager
def planted(tree: Path, changes: Sequence[Change]) -> Iterator[None]:
    """The checkout with these changes, as long as the block runs."""
    try:
        for change in changes:
            _write(tree / change.path, change.after)
        yield
    finally:
        for change in changes:
            _write(tree / change.path, change.before)


def _write(path: Path, text: str) -> None:
    """Write a module, and forget what Python has compiled of it.

    Python compiles it again by its size and the second of its change. A fault that is as long as what it
    replaces, planted in the second in which the one before was taken out, would not be run.
    """
    path.write_text(text)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink(missing_ok=True)


@contextmanager
def copied(tree: Path, files: Iterable[str]) -> Iterator[Path]:
    """A copy of a checkout beside it, where `../shared` is the same. What is installed is linked."""
    with tempfile.TemporaryDirectory(
        prefix=".mutations-", dir=tree.parent, ignore_cleanup_errors=True
    ) as name:
        copy = Path(name)
        for path in files:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(tree / path, copy / path)
        if (tree / VENV).exists():
            (copy / VENV).symlink_to((tree / VENV).resolve())
        if (tree / PACKAGES).exists():  # vite takes nothing from outside of the folder
            found = (tree / PACKAGES).resolve()
            shutil.copytree(found, copy / PACKAGES, symlinks=True, copy_function=os.link)
        if (tree / BUILT).exists():
            shutil.copytree(tree / BUILT, copy / BUILT)
        yield copy
