"""scripts/mutations, on a small checkout; and its list of faults, on this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scripts.mutations.faults import (
    Change,
    Edit,
    Mutation,
    MutationError,
    copied,
    find,
    planted,
    product,
    read_list,
    tracked,
)
from scripts.mutations.nearest_tests import Graph, nearest
from scripts.mutations.results import Result, counts, load, save, table
from scripts.mutations.runner import FAILED_PAGES, Runner
from tests.shared import ROOT

FILES = {
    "annotation/__init__.py": "",
    "annotation/boxes.py": "def area(width: int, height: int) -> int:\n    return width * height\n",
    "annotation/chains.py": "from annotation.boxes import area\n\nUNIT = area(1, 1)\n",
    "console/queue.py": "from annotation.chains import UNIT\n\nPAGE = 'queue/list.html'\n",
    "console/rows/paging.py": "",
    "console/templates/queue/list.html": "{% include 'queue/row.html' %}\n",
    "console/templates/queue/row.html": "<b>{{ case }}</b>\n",
    "frontend/src/geometry/box.ts": "export const half = 0.5;\n",
    "frontend/src/geometry/box.test.ts": "// half = 0.5;\n",
    "frontend/src/geometry/aim.test.ts": "",
    "tests/annotation/test_boxes.py": "from annotation.boxes import area\n",
    "tests/annotation/test_sizes.py": "from annotation.boxes import area\nfrom annotation import chains\n",
    "tests/annotation/test_chains.py": "from annotation.chains import UNIT\n",
    "tests/annotation/test_words.py": "",
    "tests/console/conftest.py": "from console.queue import PAGE\n",
    "tests/console/rows/test_paging.py": "",
    "tests/console/test_pages.py": "",
    "tests/e2e/test_site.py": "from annotation.boxes import area\n",
    "simulation/boxes.py": "HALF = 'width * height'\n",
}
SWAPPED = Edit("width * height", "width + height")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "checkout"
    for path, text in FILES.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    return tree


def mutation(*edits: Edit) -> Mutation:
    return Mutation("area", "rules", "Areas are wrong.", edits or (SWAPPED,))


def steps(tree: Path, path: str, gone: str = "") -> dict[str, tuple[str, ...]]:
    graph = Graph(tree, tracked(tree))
    return {step.name: step.tests for step in nearest(graph, [Change(path, "", "", gone)])}


# The list ---------------------------------------------------------------------------------------------------


def test_each_text_of_the_list_occurs_exactly_once_in_the_product() -> None:
    texts = product(ROOT, tracked(ROOT))
    mutations = read_list()
    for one in mutations:
        assert find(one, texts)
    assert len(mutations) >= 45
    assert {one.kind for one in mutations} == {
        *("constraints", "formats", "locks", "money", "pages", "permissions", "rules")
    }


def test_the_nearest_tests_of_a_rule_are_those_named_alike() -> None:
    texts = product(ROOT, tracked(ROOT))
    (one,) = (one for one in read_list() if one.name == "merge-at-threshold")
    first = nearest(Graph(ROOT, tracked(ROOT)), find(one, texts))[0]
    assert first.name == "named alike" and all("merg" in test for test in first.tests)


@pytest.mark.parametrize(
    ("listed", "wrong"),
    [
        ("kind = 'rules'\nbreaks = 'x'", "needs a kind"),
        ("kind = 'rules'\nbreaks = 'x'\nedits = [{ old = 'a', new = 'a' }]", "a new one that differs"),
        ("kind = 'rules'\nbreaks = 'x'\nedits = [{ old = 'a' }]", "a new one that differs"),
    ],
)
def test_an_entry_that_is_not_complete_is_refused(tmp_path: Path, listed: str, wrong: str) -> None:
    (tmp_path / "list.toml").write_text(f"[[mutation]]\nname = 'area'\n{listed}\n")
    with pytest.raises(MutationError, match=f"area: .*{wrong}"):
        read_list(tmp_path / "list.toml")


# Where it is planted ----------------------------------------------------------------------------------------


def test_only_the_product_is_looked_through(tree: Path) -> None:
    (change,) = find(mutation(), product(tree, tracked(tree)))
    assert change.path == "annotation/boxes.py" and "width + height" in change.after
    (change,) = find(mutation(Edit("half = 0.5", "half = 0")), product(tree, tracked(tree)))
    assert change.path == "frontend/src/geometry/box.ts"


@pytest.mark.parametrize(("text", "times"), [("nothing of this", 0), ("area", 3)])
def test_a_text_that_is_not_there_exactly_once_is_refused(tree: Path, text: str, times: int) -> None:
    with pytest.raises(MutationError, match=f"found {times} times"):
        find(mutation(Edit(text, "x")), product(tree, tracked(tree)))


def test_two_edits_of_one_file_are_planted_together_and_taken_back(tree: Path) -> None:
    changes = find(mutation(SWAPPED, Edit("def area", "def size")), product(tree, tracked(tree)))
    with planted(tree, changes):
        assert (tree / "annotation/boxes.py").read_text().startswith("def size(")
        assert "width + height" in (tree / "annotation/boxes.py").read_text()
    assert (tree / "annotation/boxes.py").read_text() == FILES["annotation/boxes.py"]


def test_a_fault_of_the_same_length_in_the_same_second_is_run(tree: Path) -> None:
    """Python compiles a module again by its size and the second of its change."""

    def area() -> str:
        os.utime(tree / "annotation/boxes.py", (1_000_000_000, 1_000_000_000))
        asked = [sys.executable, "-c", "from annotation.boxes import area; print(area(3, 4))"]
        return subprocess.run(asked, cwd=tree, check=True, capture_output=True, text=True).stdout.strip()

    before = FILES["annotation/boxes.py"]
    change = Change("annotation/boxes.py", before, before.replace("*", "+"), "*")
    for _ in range(2):
        assert area() == "12"
        with planted(tree, [change]):
            assert area() == "7"


def test_a_copy_lies_beside_the_checkout_and_goes(tree: Path) -> None:
    (tree / ".venv").mkdir()
    (tree / ".gitignore").write_text("node_modules/\n")
    (tree / "frontend/node_modules").mkdir()
    (tree / "frontend/node_modules/vite.js").write_text("export {};")
    with copied(tree, tracked(tree)) as copy:
        assert copy.parent == tree.parent
        assert {path: (copy / path).read_text() for path in FILES} == FILES
        assert (copy / ".venv").resolve() == tree / ".venv"
        assert (copy / "frontend/node_modules/vite.js").resolve().is_relative_to(copy)
        (copy / "annotation/boxes.py").write_text("")
    assert not copy.exists()
    assert (tree / "annotation/boxes.py").read_text() == FILES["annotation/boxes.py"]


# What is near -----------------------------------------------------------------------------------------------


def test_tests_named_alike_come_first_then_by_imports(tree: Path) -> None:
    assert steps(tree, "annotation/boxes.py") == {
        "named alike": ("tests/annotation/test_boxes.py",),
        "imports it": ("tests/annotation/test_sizes.py",),
        "in its folder": ("tests/annotation/test_words.py", "tests/annotation/test_chains.py"),
    }
    # A conftest's imports count as imports of its tests.
    assert steps(tree, "annotation/chains.py") == {
        "named alike": ("tests/annotation/test_chains.py",),
        "imports it": ("tests/annotation/test_sizes.py",),
        "in its folder": ("tests/annotation/test_words.py", "tests/annotation/test_boxes.py"),
    }
    assert steps(tree, "console/queue.py") == {
        "in its folder": ("tests/console/test_pages.py",),
        "imports what imports it": ("tests/console/rows/test_paging.py",),
    }


def test_tests_with_rare_words_of_the_text_go_first(tree: Path) -> None:
    (tree / "tests/annotation/test_words.py").write_text("# the height of a box\n")
    (tree / "tests/annotation/test_chains.py").write_text("# nothing\n")
    assert steps(tree, "annotation/boxes.py", "width * height")["in its folder"] == (
        "tests/annotation/test_words.py",
        "tests/annotation/test_chains.py",
    )


def test_a_template_belongs_to_the_views_that_name_it(tree: Path) -> None:
    (tree / "tests/console/conftest.py").unlink()
    (tree / "tests/annotation/test_words.py").write_text("from console.queue import PAGE\n")
    assert steps(tree, "console/templates/queue/row.html") == {
        "in its folder": ("tests/console/test_pages.py",),
        "imports what imports it": ("tests/annotation/test_words.py",),
    }


def test_the_folders_above_come_last(tree: Path) -> None:
    assert steps(tree, "console/rows/paging.py") == {
        "named alike": ("tests/console/rows/test_paging.py",),
        "in a folder above": ("tests/console/test_pages.py",),
    }


def test_a_page_goes_through_its_unit_tests_before_a_browser(tree: Path) -> None:
    assert steps(tree, "frontend/src/geometry/box.ts") == {
        "unit tests beside it": ("src/geometry/box.test.ts", "src/geometry/aim.test.ts"),
        "all unit tests": (),
        "in a browser": ("tests/e2e",),
    }


# The search -------------------------------------------------------------------------------------------------


class Fails:
    """Runs nothing. The tests that are named for a command fail in it as long as `boxes.py` has its fault."""

    def __init__(self, tree: Path, failing: Sequence[str], *, always: bool = False) -> None:
        self.tree, self.failing, self.always = tree, failing, always
        self.ran: list[list[str]] = []

    def __call__(self, command: Sequence[str], folder: Path, _: Mapping[str, str]) -> tuple[int, str]:
        self.ran.append([part for part in command if part.startswith("tests/")])
        clean = (self.tree / "annotation/boxes.py").read_text() == FILES["annotation/boxes.py"]
        for test in self.failing if self.always or not clean else ():
            if any(test.startswith(part) for part in self.ran[-1]):
                return 1, f"FAILED {test} - assert 5 == 6\n1 failed"
        return 0, "1 passed"


def search(tree: Path, fails: Fails, *, rest: bool = False) -> Result:
    runner = Runner(tree, Graph(tree, tracked(tree)), rest=rest, run=fails)
    return runner.look(mutation(), find(mutation(), product(tree, tracked(tree))))


def test_the_search_ends_with_the_first_test_that_fails_only_with_the_fault(tree: Path) -> None:
    caught = "tests/annotation/test_sizes.py::test_area[a box - 3]"
    fails = Fails(tree, [caught, "tests/annotation/test_chains.py::test_unit"])
    result = search(tree, fails)
    assert (result.caught, result.step, result.why) == (caught, "imports it", "")
    assert fails.ran == [["tests/annotation/test_boxes.py"], ["tests/annotation/test_sizes.py"], [caught]]
    assert (tree / "annotation/boxes.py").read_text() == FILES["annotation/boxes.py"]


def test_a_test_that_fails_anyway_catches_nothing(tree: Path) -> None:
    result = search(tree, Fails(tree, ["tests/annotation/test_boxes.py::test_area"], always=True))
    assert result.caught == "" and "fails without it, too" in result.why


@pytest.mark.parametrize("project", ["", "|together| "])
def test_a_unit_test_of_the_pages_is_read_from_what_vitest_says(project: str) -> None:
    said = f" RUN  v4\n FAIL  {project}src/geometry/box.test.ts > whole pixels > halves go up\nAssertionError"
    found = FAILED_PAGES.search(said)
    assert found and found[1] == "src/geometry/box.test.ts > whole pixels > halves go up"


@pytest.mark.parametrize("rest", [True, False])
def test_the_rest_runs_only_when_asked_for(tree: Path, rest: bool) -> None:
    fails = Fails(tree, ["tests/e2e/test_site.py::test_it"])
    assert bool(search(tree, fails, rest=rest).caught) is rest


# Results ----------------------------------------------------------------------------------------------------


def test_results_of_another_revision_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "out" / "mutations.json"
    results = {"area": Result("1", ["annotation/boxes.py"], "tests/x.py::test", "named alike", 3)}
    save(path, "abc", results)
    assert load(path, "abc") == results
    assert load(path, "def") == {}


def test_the_table_and_the_counts() -> None:
    caught = Result("1", [], "tests/x.py::test", "named alike", 90.0)
    results = {"area": caught, "sign": Result("2", [], seconds=30.0)}
    both = [mutation(), Mutation("sign", "money", "A sign is wrong.", (SWAPPED,))]
    assert table(both, results)[2:] == [
        "| area | rules | tests/x.py::test | named alike | 90 |",
        "| sign | money | **not caught** |  | 30 |",
    ]
    assert counts(both, results) == "Caught: 1 of 2 (money 0 of 1, rules 1 of 1) in 2 minutes."
