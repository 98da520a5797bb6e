"""The tables of Hodosh, Young and Hockenmaier (2013) that `retrieval` and `judgments` print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from evaluation.caption_words import content_words
from evaluation.dataset import Caption, Dataset, Image
from evaluation.errors import InputError
from evaluation.judgments import EXPERT_THRESHOLDS, SCORE_THRESHOLDS
from evaluation.predictions.pairs import drawn_place
from evaluation.report.page import page
from evaluation.retrieval import GRADES, words
from evaluation.significance import mcnemar
from evaluation.tasks import common, judgments, retrieval
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
    success: dict[str, np.ndarray] = {}
    recall: dict[str, np.ndarray] = {}
    for name, file in files.items():
        found = row(report, "annotation", name)
        assert found["queries of S@k"] == found["queries"] == IMAGES
        first = np.argsort(-np.load(file), axis=1)[:, :5]
        for hits, relevant in ((success, fits | own), (recall, own)):
            hits[name] = np.asarray(np.take_along_axis(relevant, first, axis=1).any(axis=1))
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


def test_bleu_and_rouge_are_cut_at_thresholds_for_the_four_sets_of_references(tmp_path: Path) -> None:
    """Tables 8 and 9: κ with experts' grades, with the candidates among the references, and without."""
    rng = np.random.default_rng(8)
    dataset = made_up()
    candidate = rng.integers(CAPTIONS, size=IMAGES)  # the one caption of each image that is judged
    texts = [[" ".join(one.tokens) for one in image.captions] for image in dataset.images]
    lines, grades, scores = [], [], []
    for image in range(IMAGES):
        others = [at for at in range(CAPTIONS) if at != candidate[image]]
        one = others[drawn_place(f"{image:02d}.jpg", len(others), 1)]
        sets = [
            [texts[image][at] for at in some] for some in (range(CAPTIONS), [candidate[image]], others, [one])
        ]
        for of in range(IMAGES):
            grades.append(int(rng.integers(3, 13)) / 3)
            pair = {"image": f"{image:02d}.jpg", "caption": [f"{of:02d}.jpg", int(candidate[of])]}
            lines.append({**pair, "grade": grades[-1]})
            text = texts[of][candidate[of]]
            row_of_scores = []
            for own in sets:
                row_of_scores.append(bleu1(words(text), [words(one) for one in own]))
                row_of_scores.append(rouge1(content_words(text), [content_words(one) for one in own]))
            scores.append(row_of_scores)
    files = {"experts": write_lines(tmp_path / "experts.jsonl", *lines)}
    report = judgments.evaluate(Inputs(dataset, files, resamples=0))
    summary = table(report, "experts_overlap").rows
    sets_and_metrics = [
        (name, metric) for name in ("all", "itself", "others", "other") for metric in ("bleu", "rouge")
    ]
    for at, (name, metric) in enumerate(sets_and_metrics):
        rows = table(report, f"experts_{metric}_{name}").rows
        cells = np.array(
            [[np.nan if cell is None else cell for cell in one[1:]] for one in rows], dtype=float
        )
        for row_at, threshold in enumerate(SCORE_THRESHOLDS):
            for column, grade in enumerate(EXPERT_THRESHOLDS):
                if not np.isnan(cells[row_at, column]):
                    cut = np.array(scores)[:, at] >= threshold - 1e-9, np.array(grades) >= grade - 1e-9
                    assert cells[row_at, column] == pytest.approx(cohen_kappa_score(*cut), abs=1e-12)
        assert summary[at // 2][2 + 4 * (at % 2)] == pytest.approx(np.nanmax(cells))
        assert summary[at // 2][1] == IMAGES * IMAGES
    assert [cells[5] for cells in summary] == [0.72, 0.71, 0.52, 0.36]
    assert [cells[9] for cells in summary] == [0.54, 0.69, 0.51, 0.42]
    assert page(report)


def test_without_other_captions_than_candidates_no_pair_has_references(tmp_path: Path) -> None:
    path, _ = graded(tmp_path)
    report = judgments.evaluate(Inputs(made_up(), {"g": path}, resamples=0))
    found = row(report, "g_overlap", "one other, which is no candidate")
    assert (found["pairs"], found["Bleu: best κ"]) == (0, None)
    assert row(report, "g_overlap", "all captions")["Bleu: best κ"] is not None


def test_of_many_systems_each_is_compared_with_the_first(tmp_path: Path) -> None:
    """Superscripts of the paper's tables say whether a model differs from Tri5Sem."""
    names = [f"s{at}" for at in range(30)]
    assert to_compare(names) == [("s0", name) for name in names[1:]]
    assert len(to_compare(names[:MAX_FILES])) == MAX_FILES * (MAX_FILES - 1) / 2
    paths = [tmp_path / name for name in names]
    assert list(name_files(paths, common.MAX_RANKINGS)) == names
    with pytest.raises(InputError, match="30 prediction files are too many: 12"):
        name_files(paths)
