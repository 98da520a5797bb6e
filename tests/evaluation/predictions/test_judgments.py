"""Files of grades and ticks."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from evaluation.agreement import from_rows, krippendorff_alpha
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import read_judgments
from evaluation.predictions.pairs import images_and_captions
from evaluation.tasks import judgments
from evaluation.tasks.common import Inputs
from tests.evaluation.small_set import small_set, write_lines
from tests.evaluation.tasks.reading import row

EVERY = images_and_captions(small_set())
PAIR = {"image": "a.jpg", "caption": ["b.jpg", 1]}


def test_judgments_are_read_with_their_judges(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "j.jsonl",
        {**PAIR, "judge": "anna", "grade": 4},
        {**PAIR, "judge": "ben", "grade": 3},
        {**PAIR, "judge": "ben", "grade": 1},
        {**PAIR, "image": "z.jpg", "judge": "ben", "grade": 1},
    )
    findings = Findings()
    found = read_judgments(path, EVERY, findings)
    assert (found.kind, found.judges, found.value.tolist()) == ("grade", ("anna", "ben"), [4, 3])
    pair, mean = found.means()
    assert (pair.tolist(), mean.tolist()) == ([3], [3.5])
    assert dict(findings.counts) == {
        "second grade of the same pair": 1,
        "item that the data set does not have": 1,
    }


def test_ticks_are_ones_and_zeros(tmp_path: Path) -> None:
    lines = [{**PAIR, "judge": judge, "ticked": judge == "x"} for judge in "xyz"]
    found = read_judgments(write_lines(tmp_path / "t.jsonl", *lines), EVERY, Findings())
    assert (found.kind, found.value.tolist()) == ("ticked", [1, 0, 0])


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ({"grade": 1, "judge": "x"}, {"ticked": True, "judge": "x"}, "line 2: ticked: the lines before have"),
        ({"grade": 1, "judge": "x"}, {"grade": 1}, "line 2: judge: is in some lines only"),
        ({"ticked": True}, {}, "line 1: judge: is missing"),
        ({"ticked": True, "grade": 1, "judge": "x"}, {}, "line 1: ticked: stands beside a grade"),
        ({"judge": "x"}, {}, "line 1: grade: is missing"),
        ({"judge": "", "grade": 1}, {}, "line 1: judge: has 1 to 200 characters"),
        ({"grade": 1, "image": "z.jpg"}, {"grade": 1, "image": "y.jpg"}, "has no grade of a pair"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    first: dict[str, object], second: dict[str, object], wrong: str, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "j.jsonl", {**PAIR, **first}, {**PAIR, **second})
    with pytest.raises(InputError, match=wrong):
        read_judgments(path, EVERY, Findings())


def test_too_many_judgments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.predictions.judgments.MAX_JUDGMENTS", 1)
    path = write_lines(tmp_path / "j.jsonl", *({**PAIR, "judge": judge, "grade": 1} for judge in "xy"))
    with pytest.raises(InputError, match="line 2: there are more than 1 judgments"):
        read_judgments(path, EVERY, Findings())


# Flickr8k's files -------------------------------------------------------------------------------------------


def test_the_grades_of_flickr8ks_experts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "ExpertAnnotations.txt"
    path.write_text("a.jpg\tb.jpg#1\t1\t1\t2\na.jpg\ta.jpg#0\t4\t3\t4\nz.jpg\ta.jpg#0\t1\t1\t1\n")
    findings = Findings()
    found = read_judgments(path, EVERY, findings)
    assert (found.kind, found.judges, found.repeated) == ("grade", (), True)
    pair, mean = found.means()
    assert pair.tolist() == [0, 3]
    assert mean.tolist() == pytest.approx([11 / 3, 4 / 3])
    assert findings.counts == {"item that the data set does not have": 1}


def test_the_ticks_of_flickr8ks_crowd_are_read(tmp_path: Path) -> None:
    path = tmp_path / "CrowdFlowerAnnotations.txt.gz"
    lines = (
        "a.jpg\tb.jpg#1\t0\t0\t3",
        "a.jpg\ta.jpg#0\t1\t3\t0",
        "b.jpg\tb.jpg#0\t0.333333333333\t1\t2",
        "b.jpg\tb.jpg#0\t1\t3\t0",
        "b.jpg\tb.jpg#1\t0.75\t3\t1",
    )
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    findings = Findings()
    found = read_judgments(path, EVERY, findings)
    assert (found.kind, found.judges, len(found.value)) == ("ticked", (), 13)
    pair, mean = found.means()
    assert pair.tolist() == [0, 3, 6, 7]
    assert mean.tolist() == pytest.approx([1, 0, 1 / 3, 0.75])
    assert findings.counts == {"second grade of the same pair": 1}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("a.jpg\tb.jpg#1\t1\t2", "line 2: has 4 columns, not 5: expected image, caption#k, and three grades"),
        ("a.jpg\tb.jpg\t1\t2\t1", "line 2: 'b.jpg' does not end in #k"),
        ("a.jpg\tb.jpg#x\t1\t2\t1", "line 2: 'b.jpg#x' does not end in #k"),
        ("a.jpg\tb.jpg#1\t1\t2\tx", "line 2: 1, 2, x are not three numbers"),
        ("a.jpg\tb.jpg#1\t1\t2\t5", "line 2: the share is 1, and 2 yes and 5 no give 0.28"),
        ("a.jpg\tb.jpg#1\tnan\t2\t5", "line 2: the share is nan"),
        ("a.jpg\tb.jpg#1\t0\t0\t0", "line 2: there are 0 yes and 0 no"),
        ("a.jpg\tb.jpg#1\t1\t9999\t0", "line 2: there are 9999 yes and 0 no, not 1 to 1,000"),
        ("a.jpg\tb.jpg#1\t1\t3\t0", "line 2: ticked: the lines before have grade"),
    ],
)
def test_a_mistake_in_a_published_file_is_named_with_its_line(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "ExpertAnnotations.txt"
    path.write_text(f"a.jpg\ta.jpg#0\t1\t1\t1\n{line}\n")
    with pytest.raises(InputError, match=wrong):
        read_judgments(path, EVERY, Findings())


def test_judges_without_names_have_an_alpha_and_no_kappa(tmp_path: Path) -> None:
    experts, crowd = tmp_path / "ExpertAnnotations.txt", tmp_path / "CrowdFlowerAnnotations.txt"
    rng = np.random.default_rng(3)
    pairs = [(image, caption) for image in ("a.jpg", "b.jpg") for caption in EVERY.captions]
    grades = rng.integers(1, 5, (len(pairs), 3)).tolist()
    experts.write_text(
        "".join(
            "\t".join([image, f"{of}#{at}", *map(str, own)]) + "\n"
            for (image, (of, at)), own in zip(pairs, grades, strict=True)
        )
    )
    ticks = [(1, 2), (3, 0)] * (len(pairs) // 2)
    crowd.write_text(
        "".join(
            f"{image}\t{of}#{at}\t{yes / 3:.4f}\t{yes}\t{no}\n"
            for (image, (of, at)), (yes, no) in zip(pairs, ticks, strict=True)
        )
    )
    report = judgments.evaluate(Inputs(small_set(), {"experts": experts, "crowd": crowd}, resamples=0))
    assert row(report, "files", "experts")["kind"] == "grades"
    assert row(report, "files", "crowd")["judgments"] == 24
    rows = [(pair, judge, str(grade)) for pair, own in enumerate(grades) for judge, grade in enumerate(own)]
    votes = from_rows(rows, ("1", "2", "3", "4"))
    alpha = krippendorff_alpha(votes, rng, level="ordinal", resamples=0)
    assert row(report, "experts_agreement", "Krippendorff's α, ordinal")["value"] == alpha.value
    names = {found.name for found in report.tables()}
    assert "experts_judges" not in names and "crowd_experts_kappa" in names
