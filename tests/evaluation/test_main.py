"""The command `python -m evaluation`."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import orjson
import pytest

from evaluation.__main__ import main
from tests.annotation.formats.records import IMAGE
from tests.evaluation.readers.test_recognition import write
from tests.evaluation.small_set import mention, write_lines
from tests.shared import ROOT


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return write(IMAGE, "flickr30k-entities", tmp_path / "set")


def test_without_predictions_it_measures_references(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["localization", "--dataset", str(dataset)]) == 0
    said = capsys.readouterr().out
    assert re.search(r"whole image +2 +100\.00%", said) and "With --out DIR" in said


def test_it_writes_a_page_and_prints_what_else_a_file_has(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "mine.jsonl", mention("a", 0, 0, 2, (0, 0, 99, 80)), mention("z", 0, 0, 1))
    arguments = ["--dataset", str(dataset), "--predictions", str(path), "--out", str(tmp_path / "out")]
    assert main(["localization", *arguments, "--rule", "any", "--nms", "off", "--boxes", "published"]) == 0
    said = capsys.readouterr().out
    assert "prediction for a mention that the data set does not have" in said
    assert f"Everything, with charts: {tmp_path / 'out' / 'report.html'}" in said
    html = (tmp_path / "out" / "report.html").read_text()
    assert "--rule any" in html and "as MDETR and GLIP compute" in html and "all are kept" in html


@pytest.mark.parametrize("task", ["captions", "components", "pairs", "retrieval", "selection"])
def test_other_tasks_need_no_predictions(
    task: str, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([task, "--dataset", str(dataset)]) == 0
    assert capsys.readouterr().out.strip()


def test_an_audit_writes_a_sample_and_then_reads_it(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = tmp_path / "sample.jsonl"
    arguments = ["audit", "--dataset", str(dataset)]
    assert main([*arguments, "--sample", str(sample), "--boxes", "1"]) == 0
    sample.write_text(sample.read_text().replace('"wrong":null', '"wrong":false'))
    assert main([*arguments, "--sample", str(tmp_path / "new"), "--predictions", str(sample)]) == 1
    assert "give one of them" in capsys.readouterr().err and not (tmp_path / "new").exists()
    assert main([*arguments, "--predictions", str(sample)]) == 0
    assert re.search(r"box +1 +0 +0\.00%", capsys.readouterr().out)


def test_captions_are_cleaned_into_new_files(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.token"
    arguments = ["clean", "--dataset", str(dataset), "--spelling", "corpus", "--copy", str(copy)]
    assert main(arguments) == 0
    assert "What was changed" in capsys.readouterr().out and "#0\t" in copy.read_text()
    assert main(arguments) == 1
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("depth", [1, 2])
def test_the_first_caption_of_each_image_is_judged_alone(
    depth: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R, section 4.2.1: "we only judged the highest ranked caption for each test image"."""
    captions = tmp_path / "captions.token"
    captions.write_text("a.jpg#0\tA dog .\nb.jpg#0\tTwo men .\nc.jpg#0\tRed flowers .\n")
    a, b, c = (("a.jpg", 0), ("b.jpg", 0), ("c.jpg", 0))
    ranked = write_lines(
        tmp_path / "ranked.jsonl",
        *(
            {"image": image, "captions": order}
            for image, order in (("a.jpg", (b, a, c)), ("b.jpg", (b, a, c)))
        ),
        {"image": "c.jpg", "captions": (a, b, c)},
        {"caption": c, "images": ("a.jpg", "b.jpg", "c.jpg")},
    )
    out = tmp_path / "pairs.jsonl"
    arguments = ["--dataset", str(captions), "--predictions", str(ranked), "--write", str(out)]
    first = ["--depth", str(depth), "--direction", "annotation", "--least-bleu", "0", "--no-originals"]
    assert main(["pairs", *arguments, *first]) == 0
    said = capsys.readouterr().out
    assert "originals" not in said
    found = {
        (line["image"], tuple(line["caption"])) for line in map(orjson.loads, out.read_bytes().splitlines())
    }
    firsts = {("a.jpg", b), ("b.jpg", b), ("c.jpg", a)}
    assert found == (firsts if depth == 1 else firsts | {("a.jpg", a), ("b.jpg", a), ("c.jpg", b)})


def test_what_systems_do_not_rank_cannot_be_left_out_without_rankings(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pairs", "--dataset", str(dataset), "--no-originals"]) == 1
    assert "give rankings to --predictions" in capsys.readouterr().err


def test_judgments_are_compared(dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = {"image": IMAGE.name, "caption": [IMAGE.name, 0]}
    experts = write_lines(tmp_path / "experts.jsonl", {**pair, "judge": "anna", "grade": 4})
    crowd = write_lines(tmp_path / "crowd.jsonl", {**pair, "judge": "x", "ticked": True})
    assert main(["judgments", "--dataset", str(dataset), "--predictions", str(experts), str(crowd)]) == 0
    assert "Pairs with both: 1." in capsys.readouterr().out
    assert main(["judgments", "--dataset", str(dataset)]) == 1
    assert "judgments needs --predictions" in capsys.readouterr().err


def test_an_error_is_one_line_and_no_traceback(dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["localization", "--dataset", str(dataset / "none")]) == 1
    assert capsys.readouterr().err.strip() == f"{dataset / 'none'}: there is no such file or folder"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (["--iou", "0"], "0 is not above 0 and at most 1"),
        (["--iou", "x"], "x is not a number"),
        (["--rule", "all"], "invalid choice: 'all'"),
        (["--nms", "2"], "2 is not above 0"),
        (["--nms", "nan"], "nan is not a number"),
        (["--seed", "-1"], "-1 is not from 0 to 1,000,000"),
        (["--resamples", "x"], "x is not from 0"),
    ],
)
def test_wrong_options_are_refused(
    wrong: list[str], error: str, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["localization", "--dataset", str(dataset), *wrong])
    assert error in capsys.readouterr().err


def test_a_folder_that_cannot_be_used_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    arguments = ["localization", "--dataset", str(tmp_path / "none")]
    assert main([*arguments, "--out", str(tmp_path)]) == 1
    assert "holds mine.txt, which is no part of a report" in capsys.readouterr().err
    assert main([*arguments, "--open"]) == 1
    assert "give --out, too" in capsys.readouterr().err


def test_it_runs_as_a_module_and_imports_neither_django_nor_our_apps(dataset: Path) -> None:
    code = (
        "import runpy, sys; sys.argv = ['evaluation', 'localization', '--dataset', sys.argv[1]]\n"
        "try: runpy.run_module('evaluation', run_name='__main__')\n"
        "finally: print(sorted({'django', 'annotation', 'console', 'PIL', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(dataset)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_package_lists_all_that_it_needs() -> None:
    project = tomllib.loads((ROOT / "evaluation" / "pyproject.toml").read_text())
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in (ROOT / "evaluation").rglob("__init__.py")
        if "build" not in path.parts
    }
    assert set(project["tool"]["setuptools"]["packages"]) == folders
    named = {re.split(r"[><=]", one)[0] for one in project["project"]["dependencies"]}
    for extra in project["project"]["optional-dependencies"].values():
        named |= {re.split(r"[><=]", one)[0] for one in extra}
    imported = {
        match
        for path in (ROOT / "evaluation").rglob("*.py")
        for match in re.findall(r"^\s*(?:from|import) (\w+)", path.read_text(), re.MULTILINE)
    }
    outside = imported - set(sys.stdlib_module_names) - {"evaluation"}
    assert {"Pillow" if name == "PIL" else name for name in outside} == named
