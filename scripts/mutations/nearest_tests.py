"""The tests that are nearest to a change, in groups: those that would most likely notice it come first."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.mutations.faults import Change

TESTS = "tests/"
BROWSER_TESTS = "tests/e2e/"
PAGES = "frontend/"
TEMPLATES = "/templates/"
WORD = re.compile(r"[A-Za-z_]{4,}")
QUOTED = re.compile(r"[\"']([\w./-]+)[\"']")


def is_test(path: str) -> bool:
    """Return whether pytest collects tests from this file."""
    return path.startswith(TESTS) and Path(path).name.startswith("test_") and path.endswith(".py")


def module_of(path: str) -> str:
    """Return the dotted name of a Python file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


class Graph:
    """Which files of a checkout use which: imports of Python, names of templates, a folder's conftest."""

    def __init__(self, tree: Path, files: Collection[str]) -> None:
        self.files = frozenset(files)
        self.users: dict[str, set[str]] = defaultdict(set)
        self.uses: Counter[str] = Counter()
        self.words: dict[str, frozenset[str]] = {}  # of each test
        paths = {module_of(path): path for path in files if path.endswith(".py")}
        templates = {path.rpartition(TEMPLATES)[2]: path for path in files if TEMPLATES in path}
        for path in files:
            if path.endswith(".py"):
                used = self._used_by_python(ast.parse((tree / path).read_text()), path, paths, templates)
            elif path in templates.values():
                text = (tree / path).read_text()
                used = {templates[name] for name in QUOTED.findall(text) if name in templates}
            else:
                continue
            self.uses[path] = len(used)
            if is_test(path):
                self.words[path] = frozenset(WORD.findall((tree / path).read_text()))
            for one in used - {path}:
                self.users[one].add(path)

    def _used_by_python(
        self, source: ast.Module, path: str, paths: Mapping[str, str], templates: Mapping[str, str]
    ) -> set[str]:
        used: set[str] = set()
        for node in ast.walk(source):
            match node:
                case ast.Import(names=names):
                    used |= {paths[one.name] for one in names if one.name in paths}
                case ast.ImportFrom(module=str(module), names=names, level=0):
                    parts = {f"{module}.{one.name}" for one in names} & paths.keys()
                    used |= {paths[part] for part in parts}
                    # Of a package that only passes names on, too: who uses it uses what it passes on.
                    if module in paths and len(parts) < len(names):
                        used.add(paths[module])
                case ast.Constant(value=str(text)) if text in templates:
                    used.add(templates[text])
        if path.startswith(TESTS):
            folders = [str(folder) for folder in Path(path).parents]
            used |= {f"{folder}/conftest.py" for folder in folders} & self.files
        return used

    def at_distance(self, start: str, most: int) -> list[set[str]]:
        """Return for each distance from 1 the files that use `start` over so many others, no nearer ones."""
        seen, last, found = {start}, {start}, []
        for _ in range(most):
            users = set().union(*(self.users[path] for path in last)) - seen
            # A template or a package's front is passed through: whoever uses it is as near as it is.
            while through := {path for path in users if TEMPLATES in path or path.endswith("/__init__.py")}:
                seen |= through
                users = (users - through) | (set().union(*(self.users[path] for path in through)) - seen)
            seen |= users
            found.append(users)
            last = users
        return found


@dataclass(frozen=True, slots=True)
class Step:
    """Tests that run together: of pytest, or of vitest with paths from `frontend/` (none: all)."""

    name: str
    tests: tuple[str, ...]
    pages: bool = False


def nearest(graph: Graph, changes: Sequence[Change]) -> list[Step]:
    """Return the steps for these changes, the nearest tests first; no test is in two of them."""
    names = ("named alike", "imports it", "in its folder", "imports what imports it", "in a folder above")
    groups: dict[str, set[str]] = {name: set() for name in names}
    unit_tests: list[str] = []
    for path in (change.path for change in changes):
        if path.startswith(PAGES):
            unit_tests += _unit_tests(graph, path)
        elif "/migrations/" not in path:  # the tests of the models, which change with it
            direct, further = graph.at_distance(path, 2)
            inner, *above = _mirrored_folders(graph, path) or [set()]
            found = (_mirrors(graph, path), direct, inner, further, set().union(*above))
            for group, tests in zip(groups.values(), found, strict=True):
                group |= set(filter(is_test, tests))
    steps, before = [], set[str]()
    for name, group in groups.items():
        # Tests in a browser are slow, and belong to the rest.
        tests = {test for test in group - before if not test.startswith(BROWSER_TESTS)}
        steps.append(Step(name, _ordered(graph, tests, " ".join(change.gone for change in changes))))
        before |= group
    if any(change.path.startswith(PAGES) for change in changes):
        steps += [
            Step("unit tests beside it", tuple(dict.fromkeys(unit_tests)), pages=True),
            Step("all unit tests", (), pages=True),
            Step("in a browser", (BROWSER_TESTS.rstrip("/"),)),
        ]
    return [step for step in steps if step.tests or step.name == "all unit tests"]


def _ordered(graph: Graph, tests: Collection[str], gone: str) -> tuple[str, ...]:
    """Those first that have rare words of the text that goes, then those that use little else."""
    words = set(WORD.findall(gone))
    times = Counter(word for test in graph.words.values() for word in words & test)

    def key(test: str) -> tuple[float, int, str]:
        return -sum(1 / times[word] for word in words & graph.words[test]), graph.uses[test], test

    return tuple(sorted(tests, key=key))


def _mirrors(graph: Graph, path: str) -> set[str]:
    """The tests that are named as this module is, in the folder that mirrors its own."""
    folder, stem = Path(TESTS, path).parent, Path(path).stem
    if stem == "__init__":
        folder, stem = folder.parent, folder.name
    wanted = {f"test_{stem}", f"test_{stem.removesuffix('s')}"}
    return {
        file
        for file in graph.files
        if is_test(file) and Path(file).stem in wanted and folder in (Path(file).parent, *Path(file).parents)
    }


def _mirrored_folders(graph: Graph, path: str) -> list[set[str]]:
    """The tests of each folder that mirrors one of this file's, innermost first; of a template its area's."""
    app, _, template = path.partition(TEMPLATES)
    folder = Path(TESTS, app, template).parent if template else Path(TESTS, path).parent
    folders = [one for one in (folder, *folder.parents) if Path(TESTS) in one.parents]
    found = [{test for test in graph.files if is_test(test) and Path(test).parent == one} for one in folders]
    return [tests for tests in found if tests]


def _unit_tests(graph: Graph, path: str) -> list[str]:
    """The unit test beside a module, then the others of its folder. Paths are from `frontend/`."""
    module = Path(path)
    beside = sorted(
        file for file in graph.files if file.endswith(".test.ts") and Path(file).parent == module.parent
    )
    stem = module.name.removesuffix(".ts").removesuffix(".svelte").lower()
    beside.sort(key=lambda file: Path(file).name != f"{stem}.test.ts")
    return [file.removeprefix(PAGES) for file in beside]
