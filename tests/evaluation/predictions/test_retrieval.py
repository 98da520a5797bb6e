"""Scores and ranked lists of images and captions are read, and mistakes are named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.errors import InputError
from evaluation.predictions.candidates import candidates_of
from evaluation.predictions.findings import Findings
from evaluation.predictions.pairs import Pairs, drawn_place
from evaluation.predictions.retrieval import Scores, pairs, read_grades, read_scores
from tests.evaluation.small_set import small_set, write_lines

MATRIX = np.arange(8.0).reshape(2, 4)


def read(path: Path) -> tuple[Pairs, Scores, Findings]:
    findings = Findings()
    return (*read_scores(path, small_set(), findings), findings)


def test_a_matrix_of_all_captions_is_read_from_every_format(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", MATRIX)
    np.savez(tmp_path / "s.npz", scores=MATRIX.astype(np.float32))
    np.savetxt(tmp_path / "s.csv", MATRIX, delimiter=",")
    for suffix in ("npy", "npz", "csv"):
        found, scores, findings = read(tmp_path / f"s.{suffix}")
        assert scores.annotation is not None and scores.search is not None
        np.testing.assert_array_equal(scores.annotation, MATRIX)
        np.testing.assert_array_equal(scores.search, MATRIX.T)
        assert found.captions == (("a.jpg", 0), ("a.jpg", 1), ("b.jpg", 0), ("b.jpg", 1))
        assert found.relevant().tolist() == [[True, True, False, False], [False, False, True, True]]
        assert not findings.counts


def test_a_square_matrix_has_the_first_caption_of_each_image(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", MATRIX[:, :2])
    found, _, _ = read(tmp_path / "s.npy")
    assert found.captions == (("a.jpg", 0), ("b.jpg", 0))


def test_a_score_that_is_nan_comes_last_and_is_counted(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.where(MATRIX == 5, np.nan, MATRIX))
    _, scores, findings = read(tmp_path / "s.npy")
    assert scores.annotation is not None and scores.annotation[1, 1] == -np.inf
    assert findings.counts == {"score of a pair with NaN": 1}
    assert findings.examples == {"score of a pair with NaN": ["b.jpg with caption 1 of a.jpg"]}


def test_ranked_lists_are_read_for_the_directions_that_there_are(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s.jsonl",
        {"image": "b.jpg", "captions": [["b.jpg", 1], ["a.jpg", 0], ["b.jpg", 1], ["c.jpg", 0]]},
        {"image": "b.jpg", "captions": []},
        {"image": "c.jpg", "captions": []},
    )
    _, scores, findings = read(path)
    assert scores.search is None and scores.annotation is not None
    assert scores.annotation[1].argsort()[::-1][:2].tolist() == [3, 0]
    assert len(set(scores.annotation[0])) == 1
    assert findings.counts == {
        "item that is in a ranked list twice": 2,
        "item that the data set does not have": 2,
        "query without a ranked list": 1,
        "pair that a ranked list does not have": 2,
    }
    path = write_lines(tmp_path / "t.jsonl", {"caption": ["a.jpg", 1], "images": ["b.jpg", "a.jpg"]})
    _, scores, _ = read(path)
    assert scores.annotation is None and scores.search is not None
    assert scores.search[1].tolist() == [-2, -1]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("s.npy", b"nothing", r"s\.npy: is no array that can be read"),
        ("s.npz", b"PK\x03\x04", r"s\.npz: is no \.npz file, or damaged"),
        ("s.csv", b"1,2,3,4\n1,x,3,4\n", r"s\.csv, line 2: is not numbers with commas"),
        ("s.csv", b"1,2,3,4\n1,2\n", r"s\.csv, line 2: has 2 numbers, and the first line has 4"),
        (
            "s.csv",
            b"1,2\n",
            r"s\.csv: scores: have the shape \(1, 2\); the data set needs \(2, 4\), or \(2, 2\)",
        ),
        ("s.jsonl", b"", r"s\.jsonl: has no ranked list"),
        ("s.jsonl", b'{"image": "a.jpg", "captions": [["a.jpg"]]}', r"captions\[0\]: is not \[image, number"),
        ("s.jsonl", b'{"images": ["a.jpg"]}', r"line 1: caption: is missing"),
    ],
)
def test_a_bad_file_is_named(name: str, content: bytes, error: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=error):
        read(tmp_path / name)


def test_an_array_with_another_name_and_pickles_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "s.npz", matrix=MATRIX)
    with pytest.raises(InputError, match=r"s\.npz: scores: is missing; the arrays are matrix"):
        read(tmp_path / "s.npz")
    np.save(tmp_path / "s.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(InputError, match="is no array that can be read"):
        read(tmp_path / "s.npy")


def test_grades_are_of_pairs(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "g.jsonl",
        {"image": "a.jpg", "caption": ["b.jpg", 1], "grade": 3.5},
        {"image": "a.jpg", "caption": ["b.jpg", 1], "grade": 1},
        {"image": "c.jpg", "caption": ["b.jpg", 1], "grade": 1},
    )
    findings = Findings()
    kind, grades = read_grades(path, pairs(small_set()), small_set(), findings)
    assert kind == "grade" and grades[0, 3] == 3.5 and np.isnan(grades).sum() == 7
    assert findings.counts == {"second grade of the same pair": 1, "item that the data set does not have": 1}


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('{"image": "a.jpg", "caption": ["b.jpg", 1], "grade": NaN}', r"g\.jsonl, line 1: grade: is NaN"),
        (
            '{"image": "a.jpg", "caption": ["b.jpg", 1], "grade": 1%s}' % ("0" * 400),
            r"line 1: grade: is not a num",
        ),
        ("", r"g\.jsonl: has no grade of a pair of the data set"),
    ],
)
def test_bad_grades_are_named(content: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text(content)
    with pytest.raises(InputError, match=error):
        read_grades(tmp_path / "g.jsonl", pairs(small_set()), small_set(), Findings())


def test_of_one_drawn_caption_an_image_the_others_are_left_out_of_every_file(tmp_path: Path) -> None:
    """R, section 4.1.1: "one, arbitrarily chosen, caption" of each test image."""
    whole = np.arange(8.0).reshape(2, 4)
    np.save(tmp_path / "whole.npy", whole)
    np.save(tmp_path / "square.npy", whole[:, :2])
    every = [("a.jpg", 0), ("a.jpg", 1), ("b.jpg", 0), ("b.jpg", 1)]
    lists = write_lines(
        tmp_path / "l.jsonl",
        {"image": "a.jpg", "captions": every},
        *({"caption": caption, "images": ["b.jpg", "a.jpg"]} for caption in every),
    )
    grades = write_lines(
        tmp_path / "g.jsonl",
        *({"image": "a.jpg", "caption": caption, "grade": at} for at, caption in enumerate(every)),
    )
    drawn = set()
    for seed in range(20):
        columns = [2 * at + drawn_place(name, 2, seed) for at, name in enumerate(("a.jpg", "b.jpg"))]
        drawn.add(tuple(columns))
        wanted = tuple(every[column] for column in columns)

        def read(path: Path, findings: Findings, seed: int = seed) -> tuple[Pairs, Scores]:
            return read_scores(path, small_set(), findings, "drawn", seed)

        found, scores = read(tmp_path / "whole.npy", Findings())
        assert found.captions == wanted
        np.testing.assert_array_equal(scores.annotation, whole[:, columns])
        found, scores = read(tmp_path / "square.npy", Findings())
        assert found.captions == wanted
        np.testing.assert_array_equal(scores.search, whole[:, :2].T)
        findings = Findings()
        _, scores = read(lists, findings)
        np.testing.assert_array_equal(scores.annotation, [[-1, -2], [-np.inf, -np.inf]])
        np.testing.assert_array_equal(scores.search, [[-2, -1], [-2, -1]])
        assert findings.counts["caption in a ranked list that is no candidate"] == 4
        findings = Findings()
        _, found_grades = read_grades(grades, found, small_set(), findings)
        np.testing.assert_array_equal(found_grades[0], columns)
        assert findings.counts == {"judged pair whose caption is no candidate": 2}
    assert len(drawn) == 4


def test_the_candidates_may_be_those_that_a_file_has_judgments_of(tmp_path: Path) -> None:
    """The captions that the paper drew are known from Flickr8k's files of judgments alone."""
    path = tmp_path / "CrowdFlowerAnnotations.txt"
    path.write_text("a.jpg\tb.jpg#1\t0\t0\t3\nb.jpg\tb.jpg#1\t1\t3\t0\n")
    names = ("a.jpg", "b.jpg", "c.jpg")
    seen = set()
    for seed in range(20):
        captions = candidates_of(small_set(names), path, seed).captions
        assert [image for image, _ in captions] == list(names) and captions[1] == ("b.jpg", 1)
        seen.add(captions)
    assert len(seen) == 4  # of images without a judged caption, one is drawn
    np.save(tmp_path / "s.npy", np.arange(8.0).reshape(2, 4))
    found, scores = read_scores(tmp_path / "s.npy", small_set(), Findings(), path)
    assert scores.annotation is not None and scores.annotation[:, 1].tolist() == [3, 7]
    assert found.captions[1] == ("b.jpg", 1)


def test_the_draw_of_a_caption_does_not_depend_on_other_images() -> None:
    both, one = small_set(), small_set(("b.jpg",))
    for seed in range(10):
        wanted = candidates_of(one, "drawn", seed).captions
        assert candidates_of(both, "drawn", seed).captions[1:] == wanted


def test_a_set_with_too_many_pairs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.predictions.retrieval.MAX_CELLS", 7)
    with pytest.raises(InputError, match=r"small has 2 images and 4 captions.*give --split"):
        pairs(small_set())
