"""The tables of Hodosh, Young and Hockenmaier (2013) that `retrieval` and `judgments` print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.caption_words import content_words
from evaluation.dataset import Caption, Dataset, Image
from evaluation.errors import InputError
from evaluation.report.page import page
from evaluation.retrieval import GRADES, words
from evaluation.significance import mcnemar
from evaluation.tasks import common, retrieval
from evaluation.tasks.common import MAX_FILES, Inputs, name_files, to_compare
from tests.evaluation.small_set import write_lines
from tests.evaluation.tasks.reading import row, table
from tests.evaluation.test_caption_overlap import bleu1, rouge1

WORDS = ("a", "dog", "man", "runs", "jumps", "over", "the", "fence", "red", "ball", "in", "two", "men")
IMAGES, CAPTIONS = 12, 3


def made_up() -> Dataset:
    """Return images with three captions each, of random words."""
    rng = np.random.default_rng(5)
    return Dataset(
        "made up",
        tuple(
            Image(
                f"{image:02d}.jpg",
                0,
                0,
                "test",
                tuple(
                    Caption(at, tuple(rng.choice(WORDS, rng.integers(2, 8)).tolist()), ())
                    for at in range(CAPTIONS)
                ),
                {},
            )
            for image in range(IMAGES)
        ),
    )


def caption_of(place: int) -> tuple[str, int]:
    return f"{place // CAPTIONS:02d}.jpg", place % CAPTIONS


def systems(folder: Path, number: int = 3) -> dict[str, Path]:
    rng = np.random.default_rng(6)
    files = {}
    for at in range(number):
        scores = rng.random((IMAGES, IMAGES * CAPTIONS))
        scores[np.arange(IMAGES), np.arange(IMAGES) * CAPTIONS] += 0.4 * at
        files[f"s{at}"] = folder / f"s{at}.npy"
        np.save(files[f"s{at}"], scores)
    return files


def graded(folder: Path) -> tuple[Path, np.ndarray]:
    """Write grades of two thirds of the pairs. Return them, nan where there is none."""
    rng = np.random.default_rng(7)
    grades = rng.integers(3, 13, (IMAGES, IMAGES * CAPTIONS)) / 3
    grades[rng.random(grades.shape) < 1 / 3] = np.nan
    lines = [
        {"image": f"{image:02d}.jpg", "caption": caption_of(of), "grade": float(value)}
        for (image, of), value in np.ndenumerate(grades)
        if not np.isnan(value)
    ]
    return write_lines(folder / "grades.jsonl", *lines), grades


def test_first_captions_have_bleu_and_rouge_as_the_paper_computes_them(tmp_path: Path) -> None:
    """Table 2: against all captions of the image; Rouge of stems without stop words (section 4.2.2)."""
    dataset, files = made_up(), systems(tmp_path)
    report = retrieval.evaluate(Inputs(dataset, files), retrieval.Settings(reassignments=2000))
    texts = [[" ".join(one.tokens) for one in image.captions] for image in dataset.images]
    flat = [text for own in texts for text in own]
    values: dict[str, list[tuple[float, float]]] = {}
    for name, path in files.items():
        values[name] = []
        shared = length = 0.0
        for image, first in enumerate(np.load(path).argmax(axis=1)):
            bleu = bleu1(words(flat[first]), [words(own) for own in texts[image]])
            rouge = rouge1(content_words(flat[first]), [content_words(own) for own in texts[image]])
            values[name].append((bleu, rouge))
            shared, length = shared + bleu * len(words(flat[first])), length + len(words(flat[first]))
        found = row(report, "first_scores", name)
        assert (found["Bleu"], found["Rouge"]) == pytest.approx(tuple(np.mean(values[name], axis=0)))
        assert found["Bleu of all words together"] == pytest.approx(shared / length)
    every = [
        bleu1(words(text), [words(own) for own in texts[image]]) for image in range(IMAGES) for text in flat
    ]
    assert row(report, "first_scores", "random caption")["Bleu"] == pytest.approx(np.mean(every))
    differences = np.array(values["s0"])[:, 0] - np.array(values["s2"])[:, 0]
    expected = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=False
    ).pvalue
    p = row(report, "first_scores_significance", "s0", "s2")["Bleu: p"]
    assert p == pytest.approx(expected, abs=0.04)
    assert page(report)


def test_grades_of_first_captions_are_compared_at_every_threshold_and_by_their_means(tmp_path: Path) -> None:
    """Tables 1 and 2: McNemar's test at each threshold, and Fisher's of the mean grade."""
    files = systems(tmp_path)
    path, grades = graded(tmp_path)
    report = retrieval.evaluate(
        Inputs(made_up(), files), retrieval.Settings(relevance=path, reassignments=200)
    )
    first = {name: grades[np.arange(IMAGES), np.load(file).argmax(axis=1)] for name, file in files.items()}
    for name, own in first.items():
        found = row(report, "first_scores", name)
        assert found["graded images"] == (~np.isnan(own)).sum()
        assert found["mean grade"] == pytest.approx(np.nanmean(own))
    both = ~np.isnan(first["s0"]) & ~np.isnan(first["s2"])
    compared = row(report, "first_captions_significance", "s0", "s2")
    assert compared["images"] == both.sum()
    for threshold in GRADES:
        hits = [first[name][both] >= threshold - 1e-9 for name in ("s0", "s2")]
        assert compared[f"≥ {threshold:.2f}: p"] == mcnemar(*hits).p
    # By default, a good caption has 2 2/3 or more.
    fits = np.nan_to_num(grades) >= 8 / 3 - 1e-9
    for image in range(IMAGES):
        fits[image, image * CAPTIONS : (image + 1) * CAPTIONS] = True
    counts = np.bincount(np.minimum(fits.sum(axis=0), 4), minlength=5)[1:]
    assert [cells[3] for cells in table(report, "relevant").rows] == counts.tolist()
    assert f"Judgments add {fits.sum() - IMAGES * CAPTIONS:,}" in table(report, "relevant").note


def test_success_has_its_queries_its_significance_and_its_agreement_with_recall(tmp_path: Path) -> None:
    """Tables 4 and 7 (a). The originals are relevant, so no query drops out."""
    path, grades = graded(tmp_path)
    files = systems(tmp_path, 5)
    report = retrieval.evaluate(
        Inputs(made_up(), files), retrieval.Settings(relevance=path, reassignments=10)
    )
    fits = np.nan_to_num(grades) >= 8 / 3 - 1e-9
    own = np.arange(IMAGES)[:, None] == np.arange(IMAGES * CAPTIONS) // CAPTIONS
    success, recall = {}, {}
    for name, file in files.items():
        found = row(report, "annotation", name)
        assert found["queries of S@k"] == found["queries"] == IMAGES
        first = np.argsort(-np.load(file), axis=1)[:, :5]
        success[name], recall[name] = (
            np.take_along_axis(some, first, axis=1).any(axis=1) for some in (fits | own, own)
        )
        assert found["S@5"] == pytest.approx(success[name].mean())
    found = row(report, "search", "s0")
    assert found["queries of S@k"] == IMAGES * CAPTIONS
    assert found["with judgments"] == (~np.isnan(grades)).any(axis=0).sum()
    compared = row(report, "annotation_significance", "s0", "s4")
    assert compared["S@5: p"] == mcnemar(success["s0"], success["s4"]).p
    means = [[one[name].mean() for name in files] for one in (success, recall)]
    agreement = row(report, "annotation_success_agreement", "S@5 and R@5")
    assert agreement["Kendall's τ"] == pytest.approx(stats.kendalltau(*means).statistic, nan_ok=True)
    assert agreement["Spearman's ρ"] == pytest.approx(stats.spearmanr(*means).statistic, nan_ok=True)


def test_a_system_with_a_quarter_of_the_originals_first_has_no_better_success(tmp_path: Path) -> None:
    """A judgment of one pair used to take all other queries out: S@k was of the judged queries alone."""
    scores = np.zeros((IMAGES, IMAGES * CAPTIONS))
    scores[:3, : 3 * CAPTIONS] = np.repeat(np.eye(3), CAPTIONS, axis=1)  # right for 3 of 12 images
    scores[3:, 0] = 1
    np.save(tmp_path / "quarter.npy", scores)
    grade = {"image": "00.jpg", "caption": ["00.jpg", 0], "grade": 4}
    path = write_lines(tmp_path / "grades.jsonl", grade)
    inputs = Inputs(made_up(), {"quarter": tmp_path / "quarter.npy"})
    report = retrieval.evaluate(inputs, retrieval.Settings(relevance=path))
    assert row(report, "annotation", "quarter")["S@1"] == row(report, "annotation", "quarter")["R@1"] == 0.25
    assert row(report, "annotation", "quarter")["with judgments"] == 1


def test_of_many_systems_each_is_compared_with_the_first(tmp_path: Path) -> None:
    """Superscripts of the paper's tables say whether a model differs from Tri5Sem."""
    names = [f"s{at}" for at in range(30)]
    assert to_compare(names) == [("s0", name) for name in names[1:]]
    assert len(to_compare(names[:MAX_FILES])) == MAX_FILES * (MAX_FILES - 1) / 2
    paths = [tmp_path / name for name in names]
    assert list(name_files(paths, common.MAX_RANKINGS)) == names
    with pytest.raises(InputError, match="30 prediction files are too many: 12"):
        name_files(paths)
