"""`python -m baselines ranking`, from photographs to lists that `evaluation` reads."""

from __future__ import annotations

import gzip
from pathlib import Path

import cv2
import numpy as np
import pytest

from baselines.__main__ import main
from baselines.commands.ranking import ranked_lists, read_captions
from baselines.measured import ranking as measured
from baselines.ranking.nearest import Ranking
from baselines.ranking.pyramids import Pyramids
from baselines.work import Work
from evaluation.__main__ import main as evaluate
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.retrieval import read_scores
from evaluation.readers.recognition import read_dataset
from evaluation.report.model import Table
from tests.baselines.ranking.test_similarities import wordnet

COLOURS = {"red": (0, 0, 255), "green": (0, 255, 0), "blue": (255, 0, 0), "yellow": (0, 255, 255)}
SHAPES = ("ball", "box")


def draw(folder: Path, number: int) -> str:
    """Draw a ball or a box of some colour, and return its two captions as in Flickr30k Entities."""
    rng = np.random.default_rng(number)
    colour, shape = str(rng.choice(list(COLOURS))), str(rng.choice(SHAPES))
    pixels = np.full((48, 64, 3), 230, dtype=np.uint8)
    x, y = int(rng.integers(16, 48)), int(rng.integers(14, 34))
    if shape == "ball":
        cv2.circle(pixels, (x, y), 12, COLOURS[colour], -1)
    else:
        cv2.rectangle(pixels, (x - 12, y - 10), (x + 12, y + 10), COLOURS[colour], -1)
    cv2.imwrite(str(folder / f"{number}.jpg"), pixels)
    return f"[/EN#{number}/other A {colour} {shape}] lies here .\nWe see [/EN#{number}/other a {shape}] .\n"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set of 60 images: 40 to train, 10 and 10."""
    folder = tmp_path_factory.mktemp("set")
    for name in ("Sentences", "images"):
        (folder / name).mkdir()
    for number in range(1, 61):
        (folder / "Sentences" / f"{number}.txt").write_text(draw(folder / "images", number))
    for split, numbers in (("train", range(1, 41)), ("val", range(41, 51)), ("test", range(51, 61))):
        (folder / f"{split}.txt").write_text("".join(f"{number}\n" for number in numbers))
    return folder


@pytest.fixture(scope="module")
def pyramids(dataset: Path) -> Path:
    """Return the pyramids of all images, with fewer words than the paper has."""
    small = Pyramids(colours=12, textures=16, shapes=16, points=100, side=64)
    names = [image.name for image in read_dataset(dataset).images]

    def read(name: str) -> np.ndarray:
        pixels = cv2.imread(str(dataset / "images" / name))
        assert pixels is not None
        return pixels

    small.fit(names[:40], read)
    small.save(dataset / "pyramids.npz", names, small.transform(names, read))
    return dataset / "pyramids.npz"


def run(*arguments: str | Path) -> int:
    return main(["ranking", *map(str, arguments)])


@pytest.mark.parametrize("system", ["nn", "bow5", "tri5-sem", "tri5-lin", "nn-tri5-sem"])
def test_lists_can_be_evaluated(system: str, dataset: Path, pyramids: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "model.npz", tmp_path / "lists.jsonl"
    options = ("--dataset", dataset, "--pyramids", pyramids)
    assert run("train", *options, "--system", system, "--model", model, "--taxonomy", wordnet(tmp_path)) == 0
    assert run("predict", *options, "--model", model, "--out", out) == 0
    findings = Findings()
    _, scores = read_scores(out, read_dataset(dataset, split="test"), findings)
    assert not list(findings.rows())
    assert scores.annotation is not None
    assert scores.annotation.shape == (10, 20)
    measured_as = ("--dataset", str(dataset), "--split", "test", "--predictions", str(out))
    assert evaluate(["retrieval", *measured_as, "--reassignments", "10"]) == 0


def test_one_drawn_caption_an_image_is_ranked_and_measured(
    dataset: Path, pyramids: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """R, 4.1.1. Until lists had one caption an image, a perfect system scored 21.7% here."""
    model, out = tmp_path / "model.npz", tmp_path / "lists.jsonl"
    options = ("--dataset", dataset, "--pyramids", pyramids)
    assert run("train", *options, "--system", "bow5-idf", "--model", model) == 0
    drawn = ("--candidates", "drawn", "--seed", "4")
    assert run("predict", *options, "--model", model, "--out", out, *drawn) == 0
    said = capsys.readouterr().out
    assert "ranks 10 captions and 10 images" in said and said.endswith("--candidates drawn --seed 4\n")
    findings = Findings()
    found, scores = read_scores(out, read_dataset(dataset, split="test"), findings, "drawn", 4)
    assert not list(findings.rows()) and len(found.captions) == 10
    assert scores.annotation is not None
    assert (np.sort(-scores.annotation, axis=1) == np.arange(1, 11)).all()


def test_pyramids_of_one_level_are_the_histogram_kernel(dataset: Path, tmp_path: Path) -> None:
    """R, 3.3.1: each image is a single histogram, and the kernel their intersection."""
    options = ("--dataset", dataset, "--images", dataset / "images", "--split", "val")
    whole, flat = tmp_path / "whole.npz", tmp_path / "flat.npz"
    assert run("describe", *options, "--out", whole) == 0
    assert run("describe", *options, "--out", flat, "--levels", "1", "--like", whole) == 0
    (words, _, three), (found, _, one) = Pyramids.load(whole), Pyramids.load(flat)
    assert found.levels == 1 and found.fingerprint == words.fingerprint
    number = sum(map(len, found.centres.values()))
    assert one.shape == (10, number)
    np.testing.assert_allclose(one.sum(axis=1), 1, atol=1e-5)
    # The first level of a pyramid of three has a quarter of the weight.
    start = 0
    for centres in words.centres.values():
        width = len(centres)
        place = 21 * start
        np.testing.assert_allclose(
            three[:, place : place + width], one[:, start : start + width] / 4, atol=1e-6
        )
        start += width


def test_new_photographs_are_described_in_the_levels_that_the_model_knows(
    dataset: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--dataset", dataset, "--images", dataset / "images")
    flat, test, whole = (tmp_path / name for name in ("flat.npz", "test.npz", "whole.npz"))
    assert run("describe", *options, "--split", "train", "--out", flat, "--levels", "1") == 0
    model, out = tmp_path / "model.npz", tmp_path / "lists.jsonl"
    trained = ("--dataset", dataset, "--pyramids", flat, "--system", "nn", "--model", model)
    assert run("train", *trained) == 0
    again = (*options, "--split", "test", "--like", flat)
    assert run("describe", *again, "--out", test) == 0
    assert Pyramids.load(test)[0].levels == 1
    ranking = ("--dataset", dataset, "--model", model, "--out", out)
    assert run("describe", *again, "--out", whole, "--levels", "3") == 0
    capsys.readouterr()
    assert run("predict", *ranking, "--pyramids", whole) == 1
    assert "whole.npz: has pyramids of 3 levels, and" in capsys.readouterr().err
    assert not out.exists()
    assert run("predict", *ranking, "--pyramids", test) == 0


def test_without_earlier_pyramids_there_are_three_levels(dataset: Path, tmp_path: Path) -> None:
    """R, 3.3.2."""
    options = ("--dataset", dataset, "--images", dataset / "images", "--split", "test")
    assert run("describe", *options, "--out", tmp_path / "pyramids.npz") == 0
    assert Pyramids.load(tmp_path / "pyramids.npz")[0].levels == 3


def test_an_incomplete_factor_can_be_asked_for(dataset: Path, pyramids: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.npz"
    options = ("--dataset", dataset, "--pyramids", pyramids, "--model", model)
    assert run("train", *options, "--system", "tri5", "--rank", "15", "--kappas", "1", "--best", "1") == 0
    assert run("predict", *options, "--out", tmp_path / "lists.jsonl") == 0


def test_photographs_are_described_by_words_of_the_training_part(dataset: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    (small / "Sentences").mkdir(parents=True)
    for number in (1, 2, 51):
        text = (dataset / "Sentences" / f"{number}.txt").read_text()
        (small / "Sentences" / f"{number}.txt").write_text(text)
    (small / "train.txt").write_text("1\n2\n")
    options = ("--dataset", small, "--images", dataset / "images")
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    assert run("describe", *options, "--out", first) == 0
    assert run("describe", *options, "--out", second, "--like", first, "--split", "train") == 0
    words, names, rows = Pyramids.load(first)
    assert names == ("1.jpg", "2.jpg", "51.jpg")
    _, fewer, same = Pyramids.load(second)
    assert fewer == names[:2]
    np.testing.assert_array_equal(rows[:2], same)
    assert words.length == rows.shape[1]


def test_items_with_equal_scores_are_in_random_order() -> None:
    ranking = Ranking(np.zeros((1, 3)), np.array([[0.0], [0], [0]]))
    captions = [("a.jpg", at) for at in range(3)]
    lines = {
        next(iter(ranked_lists(ranking, ["a.jpg"], captions, np.random.default_rng(seed))))
        for seed in range(9)
    }
    assert len(lines) > 1


def test_the_page_says_where_the_order_is_not_the_papers(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(seed: int) -> Pyramids:
        return Pyramids(colours=12, textures=16, shapes=16, points=100, side=64, seed=seed)

    monkeypatch.setattr(measured, "Pyramids", small)
    train, validation, test = (read_dataset(dataset, split=split) for split in ("train", "val", "test"))
    (section,) = measured.measure(Work(train, validation, test, dataset / "images", 1, 10))
    tables = {item.name: item for item in section.items if isinstance(item, Table)}
    assert list(tables) == [
        "ranking_annotation",
        "ranking_order_annotation",
        "ranking_search",
        "ranking_order_search",
    ]
    recall = {row[0]: row for row in tables["ranking_annotation"].rows}
    assert recall["random ranking"][1] == 10
    assert recall["tri5"][4] > recall["random ranking"][4]  # type: ignore[operator]
    for worse, better, first, second, _, here in tables["ranking_order_annotation"].rows:
        assert (first, second) == (recall[worse][4], recall[better][4])
        said = "the same order" if second > first else "no difference" if second == first else "the other way"  # type: ignore[operator]
        assert str(here).startswith(said)


CAPTIONS = """1.jpg#0	A puppy runs .
1.jpg#1	A dog runs .
2.jpg#0	A dog sits .
2.jpg#1	The puppy sits .
3.jpg#0	An animal runs .
"""


def test_near_words_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "captions.token.gz"
    with gzip.open(path, "wt") as file:
        file.write("".join(CAPTIONS.replace(".jpg", f"{copy}.jpg") for copy in range(8)))
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The dog has a bone .\nA puppy has a bone .\nA man has a car .\n" * 5)
    options = ("--captions", path, "--corpus", corpus, "--taxonomy", wordnet(tmp_path))
    assert run("words", *options, "--words", "dog", "unicorn", "--nearest", "1") == 0
    out = capsys.readouterr().out
    assert "40 captions of 24 images" in out
    for title in ("Alignment", "Distributional: ", "Distributional in the other corpus", "Lin"):
        part = out.partition(f"{title}")[2].partition("\n\n")[0]
        assert "dog      " in part, title
        assert "unicorn  -" in part, title
    assert "dog      puppy" in out.partition("Lin")[2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a.jpg#0 A dog .\n", "line 1: there is no tab: expected image.jpg#k"),
        ("\na.jpg#x\tA dog .\n", "line 2: 'a.jpg#x' does not end in #k"),
        ("", "has no caption"),
    ],
)
def test_captions_in_another_form_are_refused(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "captions.token").write_text(content)
    with pytest.raises(InputError, match=message):
        read_captions(tmp_path / "captions.token")


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "captions.token.gz").write_bytes(b"\x1f\x8bno gzip")
    for name, why in (("captions.token.gz", "the gzip file is damaged"), ("missing.token", "cannot be read")):
        assert run("words", "--captions", tmp_path / name) == 1
        assert f"{name}: {why}" in capsys.readouterr().err


def test_an_image_without_a_pyramid_is_named(
    dataset: Path, pyramids: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, names, rows = Pyramids.load(pyramids)
    words.save(tmp_path / "fewer.npz", names[1:], rows[1:])
    options = ("--dataset", dataset, "--pyramids", tmp_path / "fewer.npz", "--split", "all")
    assert run("train", *options, "--system", "nn", "--model", tmp_path / "model.npz") == 1
    assert f"has no pyramid of {names[0]}; run `describe`" in capsys.readouterr().err


def test_pyramids_of_other_visual_words_are_refused(
    dataset: Path, pyramids: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.npz"
    assert run("train", "--dataset", dataset, "--pyramids", pyramids, "--system", "nn", "--model", model) == 0
    words, names, rows = Pyramids.load(pyramids)
    words.centres["shapes"] = words.centres["shapes"] + 1
    words.save(tmp_path / "others.npz", names, rows)
    options = ("--dataset", dataset, "--pyramids", tmp_path / "others.npz", "--out", tmp_path / "lists.jsonl")
    assert run("predict", *options, "--model", model) == 1
    assert "others.npz: has other visual words than" in capsys.readouterr().err
    assert not (tmp_path / "lists.jsonl").exists()


def test_a_data_set_without_validation_images_is_named(
    dataset: Path, pyramids: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = tmp_path / "alone"
    (alone / "Sentences").mkdir(parents=True)
    (alone / "Sentences" / "1.txt").write_text((dataset / "Sentences" / "1.txt").read_text())
    (alone / "train.txt").write_text("1\n")
    options = ("--dataset", alone, "--pyramids", pyramids, "--model", tmp_path / "model.npz")
    assert run("train", *options, "--system", "bow5") == 1
    assert "has no image of the split val" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--power", "0"), "--power and diagonal must be at least 1"),
        (("--system", "tri5-lin"), "--system tri5-lin needs --taxonomy"),
        (("--system", "tri5-corpus"), "--system tri5-corpus needs --corpus, a file of sentences"),
        (("--system", "tri9"), "--system tri9 is none: nn, bow1, bow5, tagrank or tri5"),
        (("--kappas", "0"), "--kappas must be above 0"),
        (("--best", "0"), "best at least 1"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(
    options: tuple[str, ...],
    message: str,
    dataset: Path,
    pyramids: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ("--dataset", dataset, "--pyramids", pyramids, "--model", tmp_path / "model.npz")
    assert run("train", *given, *options) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "model.npz").exists()
