"""Every benchmark still works: each runs here as its users run it, at its smallest size."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from benchmarks.report import IncompleteError, check_logs, percentile, write_json
from tests.benchmarks.tiny import make_template, run_tiny
from tests.selection import and_nightly
from tests.shared import ROOT

IN_A_BROWSER = {"drawing"}
"""These are in tests/e2e/test_drawing_benchmark.py."""
ON_EITHER_DATABASE = {"console", "dispatch", "export", "import"}
ON_POSTGRESQL = {"scale"}
"""These are in test_scale.py."""
WITH_DATABASE = {*ON_EITHER_DATABASE, "crowd", "forecast", "quality"}
WITH_SERVERS = {"console", "crowd", "dispatch"}
"""These start web servers and keep them busy for some seconds."""
RUNS = (
    "aggregation",
    "baselines",
    "chunking",
    "console",
    "crowd",
    "dispatch",
    "evaluation",
    "export",
    "forecast",
    "import",
    "models",
    "one_caption",
    "protocols",
    "quality",
    "relevance_controls",
    "strategies",
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the files that benchmarks read from the folder `shared`, with captions of our own."""
    folder = tmp_path_factory.mktemp("shared")
    sentences = folder / "data" / "entities_sample" / "Sentences"
    sentences.mkdir(parents=True)
    (sentences / "1.txt").write_text(
        "[/EN#1/people A man] in [/EN#2/clothing a red hat] walks [/EN#3/animals his dog] .\n"
        "[/EN#1/people An old man] sits on [/EN#4/other a bench] .\n"
    )
    captions = folder / "data" / "flickr30k" / "captions.token.gz"
    captions.parent.mkdir()
    with gzip.open(captions, "wt", encoding="utf-8") as file:
        for image in range(20):
            for number in range(5):
                file.write(
                    f"{image}.jpg#{number}\tA man in a red hat and a woman walk a dog on street {image} .\n"
                )
    return folder


def test_all_benchmarks_are_tried() -> None:
    modules = [*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("research/*.py")]
    writing = (one for one in modules if "write_json(" in one.read_text(encoding="utf-8"))
    found = {one.parent.name if one.stem == "__main__" else one.stem for one in writing} - {"report"}
    assert found == {*RUNS, *IN_A_BROWSER, *ON_POSTGRESQL}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.mark.parametrize("name", [name for name in RUNS if name not in WITH_DATABASE])
def test_it_measures_everything(name: str, tmp_path: Path, data: Path) -> None:
    run_tiny(name, tmp_path / "out", GROUNDCREW_SHARED=str(data))


@pytest.mark.slow("processes with databases of their own")
@pytest.mark.parametrize(
    "name",
    and_nightly(
        sorted(WITH_DATABASE - WITH_SERVERS),
        sorted(WITH_SERVERS),
        "the others run what benchmarks share, and the types of all are checked",
    ),
)
def test_it_measures_everything_of_a_database(name: str, tmp_path: Path, data: Path, template: Path) -> None:
    arguments = ("--database", "sqlite") if name in ON_EITHER_DATABASE else ()
    figures = run_tiny(
        name,
        tmp_path / "out",
        *arguments,
        GROUNDCREW_SHARED=str(data),
        GROUNDCREW_BENCHMARK_DATABASE=str(template),
    )
    assert ("sqlite" in figures) == (name in ON_EITHER_DATABASE)


@pytest.mark.parametrize("value", [0, 0.0, -1.0, float("nan")])
def test_a_reference_of_0_fails(tmp_path: Path, value: float) -> None:
    with pytest.raises(IncompleteError, match="bench-x: the reference of sqlite is"):
        write_json("x", {"seconds": 1.0}, references={"of sqlite": value}, folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_missing_figure_fails_and_is_named(tmp_path: Path) -> None:
    figures: dict[str, Any] = {
        "runs": [{"p50": percentile([], 0.5)}, {"p50": 0}],
        "queue": [],
        "seconds": None,
        "stages": {},
    }
    with pytest.raises(IncompleteError) as error:
        write_json("x", figures, references={}, folder=tmp_path)
    named = ("runs[0].p50", "queue", "seconds")
    assert str(error.value) == f"bench-x: {'; '.join(f'{place} is missing' for place in named)}"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", ["2026-01-01 10:00:00,000 ERROR workflows: no", "Traceback (most recent"])
def test_an_error_in_the_log_of_a_service_fails(tmp_path: Path, line: str) -> None:
    (tmp_path / "web.log").write_text("2026-01-01 10:00:00,000 WARNING workflows: no ERRORS\n")
    check_logs(tmp_path)
    (tmp_path / "worker.log").write_text(f"ready\n{line}\n")
    with pytest.raises(IncompleteError, match="worker logged an error: "):
        check_logs(tmp_path)
