"""Plant small faults in the product, one at a time, and see which test notices: `make mutations`.

A suite that gets faster must not catch less, and this measures it. `mutations.toml` lists the faults. Each is
found by its text, which occurs exactly once in the product, and never by a path, since modules move. So the
same list can be planted in an older or a newer checkout: `python -m scripts.mutations --tree DIR`.

The checkout itself is never touched: faults are planted in a copy beside it. For each, the tests nearest to
it run first, and the first that fails ends the search:

1. tests named as the changed module is, and for a page's module the unit tests beside it;
2. tests that import the module;
3. those of the folder that mirrors the module's; for a page's module all unit tests;
4. tests that import what imports the module; for a page's module those in a browser;
5. those of the folders above the mirrored one: permissions of all views, say.

In each group those go first that share rare words with the text that goes. With `--rest`, all other tests
follow if none of these fails. A test that fails catches the fault only if it passes without it. Results are
kept in a file, and a second run goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.servers import postgres, redis

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".toml")
OUT = Path("benchmarks", "out", "mutations.json")

PRODUCT = ("annotation/", "config/", "console/", "evaluation/", "frontend/src/", "workflows/")
"""Where faults are planted: what users run."""
CODE = frozenset({".html", ".py", ".svelte", ".ts"})
TESTS = "tests/"
BROWSER_TESTS = "tests/e2e/"
PAGES = "frontend/"
TEMPLATES = "/templates/"
VENV = ".venv"
PACKAGES = "frontend/node_modules"
BUILT = "frontend/dist"

FEW = 4
"""Test files that start faster in one process than in several."""
WORD = re.compile(r"[A-Za-z_]{4,}")
QUOTED = re.compile(r"[\"']([\w./-]+)[\"']")
IN_ORDER = ("--dist", "loadfile", "--no-loadscope-reorder")
"""Each process takes the next file: otherwise one would begin in the middle, far from the nearest tests."""
MOST_SECONDS = 1800
"""For one run of tests. A fault may make one wait for ever."""
FAILED = re.compile(
    r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::[^\[\s]+(?:\[.*?\](?= - |$))?)?)(?: - .*)?$", re.MULTILINE
)
FAILED_PAGES = re.compile(r"^\s*(?:FAIL|×)\s+(src/\S+\.test\.ts[^\n]*)$", re.MULTILINE)


class MutationError(ValueError):
    """A mutation cannot be planted in this checkout. The message says which and why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of the product's text and what it becomes, in the spellings of all checkouts it is for."""

    spellings: tuple[tuple[str, str], ...]


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


@dataclass
class Result:
    """What became of a mutation. `caught` names the test; without one, `why` says how the search ended."""

    digest: str
    files: list[str]
    caught: str = ""
    step: str = ""
    seconds: float = 0.0
    why: str = ""


# The list ---------------------------------------------------------------------------------------------------


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
        case {"old": str(old), "new": str(new), **more} if old != new:
            earlier = more.get("was")
            was = [_edit(name, one) for one in earlier] if isinstance(earlier, list) else []
            return Edit(((old, new), *(pair for one in was for pair in one.spellings)))
    raise MutationError(f"{name}: an edit needs an old text and a new one that differs")


# Checkouts --------------------------------------------------------------------------------------------------


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
        places = [
            (path, old, new)
            for old, new in edit.spellings
            for path, text in texts.items()
            for _ in range(text.count(old))
        ]
        if len(places) != 1:
            where = ", ".join(sorted({path for path, _, _ in places})) or "nowhere"
            raise MutationError(
                f"{mutation.name}: {edit.spellings[0][0]!r} is found {len(places)} times: {where}"
            )
        ((path, old, new),) = places
        before = texts[path]
        after, gone = (changes[path].after, changes[path].gone) if path in changes else (before, "")
        changes[path] = Change(path, before, after.replace(old, new), f"{gone} {old}")
    return list(changes.values())


def digest_of(changes: Sequence[Change]) -> str:
    """Return a word that differs where what is planted does."""
    return hashlib.sha256(repr([(one.path, one.after) for one in changes]).encode()).hexdigest()[:16]


@contextmanager
def planted(tree: Path, changes: Sequence[Change]) -> Iterator[None]:
    """The checkout with these changes, as long as the block runs."""
    try:
        for change in changes:
            (tree / change.path).write_text(change.after)
        yield
    finally:
        for change in changes:
            (tree / change.path).write_text(change.before)


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


# What is near -----------------------------------------------------------------------------------------------


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


# Running ----------------------------------------------------------------------------------------------------

Run = Callable[[Sequence[str], Path, Mapping[str, str]], tuple[int, str]]
"""Runs a command in a folder, with these further environment variables: its exit code and what it said."""
TIMED_OUT = -1


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command, with all that it starts in a group of its own. TIMED_OUT after MOST_SECONDS."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            code = TIMED_OUT
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        said.seek(0)
        return code, said.read()


@dataclass
class Runner:
    """Runs steps in a copy of a checkout. `clean` holds the tests that passed there without any fault."""

    copy: Path
    graph: Graph
    processes: int = 2
    rest: bool = False
    run: Run = run
    servers: Mapping[str, str] = field(default_factory=dict)
    clean: dict[str, bool] = field(default_factory=dict)

    def look(self, mutation: Mutation, changes: Sequence[Change]) -> Result:
        """Plant it, run the nearest tests until one fails, and see whether that one passes without it."""
        begun = time.monotonic()
        result = Result(digest_of(changes), [change.path for change in changes])
        steps = nearest(self.graph, changes)
        if self.rest:
            tests = {test for step in steps for test in step.tests}
            others = [file for file in self.graph.files if is_test(file) and file not in tests]
            steps.append(Step("the rest", tuple(sorted(others))))
        for step in steps:
            with planted(self.copy, changes):
                failed, why = self._failing(step, mutation)
            result.why = why or result.why
            if failed and not self._passes(failed, step, mutation):
                result.why = f"{failed} fails without it, too"
            elif failed:
                result.caught, result.step, result.why = failed, step.name, ""
                break
        result.seconds = round(time.monotonic() - begun, 1)
        return result

    def _failing(self, step: Step, mutation: Mutation) -> tuple[str, str]:
        """The first test of a step that fails, or none; and why nothing can be said, where that is so."""
        if step.name == "in a browser" and not self._build():
            return "", "the pages cannot be built with it"
        command, folder = self._command(step, step.tests)
        code, said = self.run(command, folder, self._environment(mutation))
        found = (FAILED_PAGES if step.pages else FAILED).search(said)
        if code and found:
            return found[1].strip(), ""
        if code == TIMED_OUT:
            return "", f"{step.name}: no end after {MOST_SECONDS} s"
        # 5: pytest was given files without tests for this database
        return "", "" if code in (0, 5) else f"{step.name}: {_last_lines(said)}"

    def _passes(self, test: str, step: Step, mutation: Mutation) -> bool:
        key = f"{test} on PostgreSQL" if mutation.postgres else test
        if key not in self.clean:
            if step.name == "in a browser" and not self._build():
                return False
            # A test's file and name, as vitest prints them
            only = (test.split(" > ")[0],) if step.pages else (test,)
            command, folder = self._command(step, only)
            code, _ = self.run(command, folder, self._environment(mutation))
            self.clean[key] = code == 0
        return self.clean[key]

    def _build(self) -> bool:
        code, _ = self.run(["npm", "run", "build"], self.copy / "frontend", {})
        return code == 0

    def _command(self, step: Step, tests: Sequence[str]) -> tuple[list[str], Path]:
        if step.pages:
            return ["npx", "vitest", "run", "--bail", "1", *tests], self.copy / "frontend"
        python = self.copy / ".venv" / "bin" / "python"
        program = str(python) if python.exists() else sys.executable
        many = len(tests) > FEW or BROWSER_TESTS.rstrip("/") in tests
        parallel = ["-n", str(self.processes), *IN_ORDER] if many else []
        options = ["-q", "-x", "-p", "no:cacheprovider", "-o", "console_output_style=classic"]
        return [program, "-m", "pytest", *options, *parallel, *tests], self.copy

    def _environment(self, mutation: Mutation) -> dict[str, str]:
        databases = self.servers if mutation.postgres else {"DATABASE_URL": "", "REDIS_URL": ""}
        return {**databases, "NO_COLOR": "1", "CI": "", "COLUMNS": "300"}


def _last_lines(said: str) -> str:
    return " / ".join(line.strip() for line in said.strip().splitlines()[-3:])[:300]


# Results ----------------------------------------------------------------------------------------------------


def load(path: Path, revision: str) -> dict[str, Result]:
    """Return the results that a run at this revision left, by name."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text())
    return (
        {name: Result(**one) for name, one in kept["results"].items()} if kept["revision"] == revision else {}
    )


def save(path: Path, revision: str, results: Mapping[str, Result]) -> None:
    """Keep results, so that a run that is broken off loses one mutation at most."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"revision": revision, "results": {name: asdict(one) for name, one in results.items()}}
    scratch = path.with_suffix(".tmp")
    scratch.write_text(json.dumps(content, indent=1) + "\n")
    scratch.replace(path)


def table(mutations: Sequence[Mutation], results: Mapping[str, Result]) -> list[str]:
    """Return the lines of the table: the mutation, the test that caught it and how near it is, seconds."""
    lines = ["| mutation | kind | caught by | step | s |", "| --- | --- | --- | --- | ---: |"]
    for one in mutations:
        if (result := results.get(one.name)) is not None:
            caught = result.caught or f"**not caught** {result.why}".strip()
            lines.append(f"| {one.name} | {one.kind} | {caught} | {result.step} | {result.seconds:.0f} |")
    return lines


def counts(mutations: Sequence[Mutation], results: Mapping[str, Result]) -> str:
    """Return how many were caught, of all and of each kind."""
    done = [one for one in mutations if one.name in results]
    caught = Counter(one.kind for one in done if results[one.name].caught)
    kinds = Counter(one.kind for one in done)
    each = ", ".join(f"{kind} {caught[kind]} of {number}" for kind, number in sorted(kinds.items()))
    seconds = sum(results[one.name].seconds for one in done)
    return f"Caught: {caught.total()} of {len(done)} ({each}) in {seconds / 60:.0f} minutes."


def _revision(tree: Path) -> str:
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    return subprocess.run(asked, cwd=tree, check=True, capture_output=True, text=True).stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant each mutation that has no result yet. Returns the exit code: 0 when all were caught."""
    parser = argparse.ArgumentParser(description="Plant small faults, and see which test notices.")
    parser.add_argument("names", nargs="*", help="of mutations; all, if none is named")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout, where it is not this one")
    parser.add_argument(
        "--out", type=Path, help=f"where results are kept; {OUT} of the checkout, if not said"
    )
    parser.add_argument(
        "--rest", action="store_true", help="all other tests, too, where the nearest all pass"
    )
    parser.add_argument("--again", action="store_true", help="also those that have a result already")
    parser.add_argument("--list", action="store_true", help="show what there is and where, and plant nothing")
    parser.add_argument("-n", type=int, default=2, dest="processes", help="processes of pytest")
    options = parser.parse_args(arguments)
    tree = options.tree.resolve()
    out = options.out or tree / OUT
    try:
        mutations = read_list()
        if unknown := set(options.names) - {one.name for one in mutations}:
            raise MutationError(f"there is no mutation {', '.join(sorted(unknown))}")
        chosen = [one for one in mutations if not options.names or one.name in options.names]
        files = tracked(tree)
        texts = product(tree, files)
        places = {one.name: find(one, texts) for one in chosen}
    except MutationError as error:
        print(error, file=sys.stderr)
        return 2
    if options.list:
        for one in chosen:
            paths = ", ".join(change.path for change in places[one.name])
            print(f"{one.name} ({one.kind}): {one.breaks}\n    {paths}")
        return 0
    # Ends the servers and removes the copy, too, when somebody stops the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    revision = _revision(tree)
    results = {} if options.again and not options.names else load(out, revision)
    open_ = [
        one
        for one in chosen
        if options.again or one.name not in results or results[one.name].digest != digest_of(places[one.name])
    ]
    with ExitStack() as stack:
        copy = stack.enter_context(copied(tree, files))
        runner = Runner(copy, Graph(copy, files), processes=options.processes, rest=options.rest)
        for one in open_:
            if one.postgres and not runner.servers:
                runner.servers = {
                    "DATABASE_URL": stack.enter_context(postgres()),
                    "REDIS_URL": stack.enter_context(redis()),
                }
            result = results[one.name] = runner.look(one, places[one.name])
            save(out, revision, results)
            said = result.caught or f"NOT CAUGHT {result.why}"
            print(f"{result.seconds:7.1f} s  {one.name}: {said}", flush=True)
    print("\n".join(["", *table(chosen, results), "", counts(chosen, results)]))
    return 0 if all(results[one.name].caught for one in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
