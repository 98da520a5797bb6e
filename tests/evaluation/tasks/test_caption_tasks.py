"""The tasks about captions: `captions`, `clean`, `pairs` and `judgments`."""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import orjson
import pytest

from evaluation.errors import InputError
from evaluation.readers.recognition import read_dataset
from evaluation.report.model import Cell
from evaluation.report.page import page
from evaluation.tasks import captions, clean, judgments, pairs, retrieval
from evaluation.tasks.common import Inputs
from tests.evaluation.small_set import small_set, write_lines
from tests.evaluation.tasks.reading import row, table

LINES = (
    "a.jpg#0\tA brown dog jumps over a fence .",
    "a.jpg#1\tA dog jumping over the fence .",
    "a.jpg#2\tA dog in a tee-shirt .",
    "b.jpg#0\tTwo men sit at a table .",
    "b.jpg#1\ttwo men sit at a table",
    "b.jpg#2\tMen with a cat in a t-shirt .",
    "c.jpg#0\tTwo men sit at a table !",
    "c.jpg#1\tA red t-shirt .",
)


def token_file(folder: Path, *lines: str) -> Path:
    path = folder / "captions.token"
    path.write_text("\n".join(lines or LINES) + "\n")
    return path


def of_lines(folder: Path, *lines: str, **files: Path) -> Inputs:
    return Inputs(read_dataset(token_file(folder, *lines)), files, resamples=50)


def number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return cell


def interval(cell: Cell) -> tuple[float, float]:
    assert isinstance(cell, tuple)
    return cell


# Captions ---------------------------------------------------------------------------------------------------


def test_captions_are_counted_and_stand_beside_the_paper(tmp_path: Path) -> None:
    report = captions.evaluate(of_lines(tmp_path), captions.Settings(least_words=6))
    assert row(report, "lengths", "all")["captions"] == 8
    assert row(report, "lengths", "Flickr8k (paper)")["with marks"] == 11.8
    assert row(report, "repeated", "fewer than 6 words", "all")["share"] == pytest.approx(1 / 8)
    assert row(report, "repeated", "repeats an earlier one of its image", "all")["share"] == pytest.approx(
        1 / 8
    )
    assert row(report, "repeated", "another image has it, too", "all")["share"] == pytest.approx(3 / 8)
    assert row(report, "verbs", "no verb", "all")["share"] == pytest.approx(3 / 8)
    assert row(report, "verbs", "only static", "all")["share"] == pytest.approx(3 / 8)
    assert row(report, "verbs", "no verb", "PASCAL (paper)")["share"] == 0.25
    assert row(report, "commonest", "two men sit at a table")["captions"] == 3
    assert page(report)


def test_figures_are_also_given_by_split() -> None:
    report = captions.evaluate(Inputs(small_set(), {}, resamples=0), captions.Settings())
    assert [cells[0] for cells in table(report, "lengths").rows][:2] == ["all", "test"]


def test_verbs_may_be_looked_for_in_some_captions_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = captions.evaluate(of_lines(tmp_path), captions.Settings(tagged=3))
    assert dict(some.facts)["Verbs looked for in"] == "3 captions"
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    none = captions.evaluate(of_lines(tmp_path), captions.Settings(tagged=0))
    assert "verbs" not in {found.name for found in none.tables()}


def test_a_set_without_captions_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "images.jsonl", {"name": "a.jpg", "captions": []})
    inputs = Inputs(read_dataset(path), {})
    with pytest.raises(InputError, match="has no caption"):
        captions.evaluate(inputs, captions.Settings())
    with pytest.raises(InputError, match="has no caption"):
        pairs.evaluate(inputs, pairs.Settings())


# Cleaning ---------------------------------------------------------------------------------------------------


def test_a_cleaned_copy_and_its_diff_are_written_and_the_data_set_stays(tmp_path: Path) -> None:
    lines = [f"z{at}.jpg#0\tA t-shirt in the background" for at in range(100)]
    inputs = of_lines(tmp_path, *LINES, *lines, "y.jpg#0\tA tee shirt in the backround")
    before = (tmp_path / "captions.token").read_bytes()
    copy, diff = tmp_path / "copy.token", tmp_path / "diff.jsonl"
    settings = clean.Settings(compounds=True, spelling="corpus", copy=copy, diff=diff)
    report = clean.evaluate(inputs, settings)
    assert (tmp_path / "captions.token").read_bytes() == before
    assert row(report, "changes", "compound")["changes"] == 2
    assert row(report, "changes", "spelling")["captions"] == 1
    changed = [orjson.loads(line) for line in diff.read_bytes().splitlines()]
    assert [(one["image"], one["after"]) for one in changed] == [
        ("a.jpg", "A dog in a t-shirt ."),
        ("y.jpg", "A t-shirt in the background"),
    ]
    assert changed[1]["changes"][1] == {"kind": "spelling", "before": "backround", "after": "background"}
    again = read_dataset(copy)
    texts = {(image.name, one.index): one.tokens for image in again.images for one in image.captions}
    assert len(texts) == 109 and texts["a.jpg", 2][-2:] == ("t-shirt", ".")


def test_cleaning_by_a_list_of_words_and_lemmas(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("a\nred\nshirts\nare\nhanging\n")
    inputs = of_lines(tmp_path, "a.jpg#0\tRed sharts are haning")
    copy = tmp_path / "copy.token"
    clean.evaluate(inputs, clean.Settings(spelling=words, copy=copy))
    assert copy.read_text() == "a.jpg#0\tRed shirts are hanging\n"
    lemmas = tmp_path / "lemmas.token"
    clean.evaluate(inputs, clean.Settings(spelling=words, lemmas=True, copy=lemmas))
    assert lemmas.read_text() == "a.jpg#0\tred shirt be hang\n"


def test_no_file_is_ever_replaced_or_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = of_lines(tmp_path)
    with pytest.raises(InputError, match=r"captions\.token exists already"):
        clean.evaluate(inputs, clean.Settings(compounds=True, copy=tmp_path / "captions.token"))
    with pytest.raises(InputError, match="is no folder that you may write to"):
        clean.evaluate(inputs, clean.Settings(compounds=True, diff=tmp_path / "missing" / "diff.jsonl"))
    with pytest.raises(InputError, match="cannot be both"):
        clean.evaluate(inputs, clean.Settings(compounds=True, copy=tmp_path / "x", diff=tmp_path / "x"))
    with pytest.raises(InputError, match="nothing is to be cleaned"):
        clean.evaluate(inputs, clean.Settings())
    broken = OSError(28, "No space left on device")

    def fail(*_: object) -> None:
        raise broken

    monkeypatch.setattr("evaluation.written.os.link", fail)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        clean.evaluate(inputs, clean.Settings(compounds=True, copy=tmp_path / "copy.token"))
    assert [path.name for path in tmp_path.iterdir()] == ["captions.token"]


# Pairs ------------------------------------------------------------------------------------------------------


def test_pairs_that_share_enough_words_remain_and_are_written(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    settings = pairs.Settings(candidates="first", write=out, judges=2, seconds=30, pay=0.5, together=4)
    report = pairs.evaluate(of_lines(tmp_path), settings)
    written = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    # The first captions of b and c have the same words.
    assert [(one["image"], one["caption"]) for one in written] == [
        ("a.jpg", ["a.jpg", 0]),
        ("b.jpg", ["b.jpg", 0]),
        ("b.jpg", ["c.jpg", 0]),
        ("c.jpg", ["b.jpg", 0]),
        ("c.jpg", ["c.jpg", 0]),
    ]
    assert written[0]["bleu"] == 1 and written[0]["text"] == "A brown dog jumps over a fence ."
    assert row(report, "filter", "0.25")["pairs that remain"] == 5
    assert row(report, "filter", "0.25")["dropped"] == pytest.approx(4 / 9)
    cost = row(report, "cost", "one by one")
    assert (cost["judged pairs"], cost["pay"]) == (10, 5) and cost["hours"] == pytest.approx(10 / 120)
    assert row(report, "cost", "4 captions an image, filled up")["judged pairs"] == 24
    note = table(report, "cost").note
    assert "a photograph with all captions of a question as one judgment" in note
    assert "3 of them" in report.sections[1].text
    with pytest.raises(InputError, match="exists already"):
        pairs.evaluate(of_lines(tmp_path), settings)


def test_what_systems_rank_first_is_pooled_once(tmp_path: Path) -> None:
    one = write_lines(
        tmp_path / "one.jsonl",
        {"image": "a.jpg", "captions": [["a.jpg", 0], ["b.jpg", 0], ["c.jpg", 0]]},
    )
    two = write_lines(
        tmp_path / "two.jsonl",
        {"image": "a.jpg", "captions": [["b.jpg", 0], ["a.jpg", 1]]},
        {"caption": ["b.jpg", 1], "images": ["c.jpg"]},
    )
    inputs = of_lines(tmp_path, one=one, two=two)
    report = pairs.evaluate(inputs, pairs.Settings(depth=2))
    assert row(report, "pool", "one")["pairs"] == 2
    assert row(report, "pool", "two")["new ones"] == 2
    assert row(report, "pool", "originals")["new ones"] == 6  # of 8 originals, two are ranked
    assert row(report, "pool", "together")["pairs"] == 10
    assert row(report, "filter", "0.25")["pairs that remain"] == 9  # a has no word of b's caption
    only = pairs.evaluate(inputs, pairs.Settings(depth=2, direction="search"))
    assert [row(only, "pool", name)["pairs"] for name in ("one", "two")] == [0, 1]


def test_the_original_pair_of_each_query_remains_whatever_systems_rank(tmp_path: Path) -> None:
    """R, section 4.3.2: judgments add pairs to the "test images paired with their original caption"."""
    wrong = write_lines(tmp_path / "wrong.jsonl", {"image": "a.jpg", "captions": [["b.jpg", 0]]})
    for candidates, number in (("all", 8), ("drawn", 3)):
        out = tmp_path / f"{candidates}.jsonl"
        settings = pairs.Settings(candidates=candidates, least_bleu=1.0, write=out)  # type: ignore[arg-type]
        pairs.evaluate(of_lines(tmp_path, wrong=wrong), settings)
        written = [orjson.loads(line) for line in out.read_bytes().splitlines()]
        assert len(written) == number
        assert all(one["image"] == one["caption"][0] for one in written)


def test_pages_are_filled_up_with_pairs_that_the_filter_drops(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    settings = pairs.Settings(candidates="first", together=2, fill=True, write=out)
    report = pairs.evaluate(of_lines(tmp_path), settings)
    written = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    # Only a, whose first caption is like no other, lacks one of two.
    assert Counter(one["image"] for one in written) == {"a.jpg": 2, "b.jpg": 2, "c.jpg": 2}
    assert [one["image"] for one in written if one["bleu"] < 0.25] == ["a.jpg"]
    assert row(report, "cost", "one by one")["judged pairs"] == 3 * 6
    assert row(report, "cost", "2 captions an image, filled up")["judged pairs"] == 3 * 6
    assert "Pairs that the filter drops fill pages up: 1." in table(report, "cost").note


def test_other_references_leave_the_judged_caption_out(tmp_path: Path) -> None:
    settings = pairs.Settings(candidates="first", references="others")
    report = pairs.evaluate(of_lines(tmp_path), settings)
    # Without its first caption, c has "a red t-shirt" alone. Its own caption stays all the same.
    assert row(report, "filter", "0.25")["pairs that remain"] == 4
    with pytest.raises(InputError, match="--references others needs --candidates drawn or first"):
        pairs.evaluate(of_lines(tmp_path), pairs.Settings(references="others"))


def test_one_caption_of_each_image_is_drawn_by_the_seed(tmp_path: Path) -> None:
    drawn = set()
    for seed in range(30):
        out = tmp_path / f"{seed}.jsonl"
        inputs = Inputs(read_dataset(token_file(tmp_path)), {}, seed=seed)
        pairs.evaluate(inputs, pairs.Settings(candidates="drawn", write=out))
        own = [orjson.loads(line) for line in out.read_bytes().splitlines()]
        drawn.add(tuple(tuple(one["caption"]) for one in own if one["caption"][0] == one["image"]))
    assert {len(one) for one in drawn} == {3}
    assert {caption for one in drawn for caption in one} == {
        *(("a.jpg", at) for at in range(3)),
        *(("b.jpg", at) for at in range(3)),
        *(("c.jpg", at) for at in range(2)),
    }


def test_random_pairs_measure_the_filter_and_are_not_written(tmp_path: Path) -> None:
    report = pairs.evaluate(of_lines(tmp_path), pairs.Settings(random=2000))
    shown = row(report, "random", "0.25")
    low, high = interval(shown["95% interval"])
    assert low < number(shown["dropped"]) < high and shown["dropped in the paper"] == 0.86
    as_above = row(report, "variants", "as above")
    assert as_above["below .25"] == shown["dropped"]
    dropped = number(as_above["below .25"])
    assert number(row(report, "variants", "one caption an image")["below .25"]) > dropped
    assert number(row(report, "variants", "words as they are")["below .25"]) < dropped
    plain = row(report, "overlap", "words as they are")
    assert 0 < number(plain["Bleu-2 above 0"]) < number(plain["Bleu-1 above 0"])
    assert row(report, "variants", "words as they are")["Bleu-1 above 0"] == plain["Bleu-1 above 0"]
    assert page(report)
    with pytest.raises(InputError, match="--random measures the filter"):
        pairs.evaluate(of_lines(tmp_path), pairs.Settings(random=9, write=tmp_path / "pairs.jsonl"))


def test_a_list_of_stop_words_takes_the_place_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("\n".join({word for line in LINES for word in line.lower().partition("\t")[2].split()}))
    report = pairs.evaluate(of_lines(tmp_path), pairs.Settings(stop_words=path, candidates="first"))
    assert row(report, "filter", "0.25")["pairs that remain"] == 3  # the originals
    assert dict(report.facts)["Stop words"] == "stop.txt"


def test_the_loss_is_what_the_filter_drops_of_pairs_with_good_grades(tmp_path: Path) -> None:
    grades = [
        {"image": "a.jpg", "caption": ["a.jpg", 0], "grade": 4},
        {"image": "a.jpg", "caption": ["b.jpg", 0], "grade": 3},
        {"image": "b.jpg", "caption": ["c.jpg", 0], "grade": 8 / 3},
        {"image": "b.jpg", "caption": ["a.jpg", 0], "grade": 1},
    ]
    path = write_lines(tmp_path / "grades.jsonl", *grades)
    report = pairs.evaluate(of_lines(tmp_path), pairs.Settings(relevance=path))
    assert row(report, "loss", "0.25", "all")["dropped"] == 0.5
    good = row(report, "loss", "0.25", "grade of 2.66 or more")
    assert good["dropped"] == pytest.approx(1 / 3) and good["dropped in the paper"] == 0.067
    assert row(report, "loss", "0.25", "grade of 3 or more")["dropped"] == 0.5
    filtered = row(report, "loss_variants", "as above", "0.250")
    assert filtered["all: dropped"] == 0.5 and filtered["in the paper, of 2.66 or more"] == 0.067
    # "A brown dog jumps over a fence ." and "Two men sit at a table ." share "a" once: 1 word of 6.
    plain = row(report, "loss_variants", "words as they are", "0.333")
    assert plain["all: dropped"] == 0.5 and plain["in the paper, of 2.66 or more"] == 0.119


def test_ticks_say_whether_pairs_that_the_filter_drops_fit(tmp_path: Path) -> None:
    """R, section 4.3.2: of 98.3% of such pairs, nobody said that they fit; of 99.8%, not the majority."""
    ticked = (  # of pairs without a word in common, but for the last two
        ("a.jpg", ("b.jpg", 0), (0, 0, 0)),
        ("a.jpg", ("b.jpg", 1), (1, 0, 0)),
        ("b.jpg", ("a.jpg", 0), (1, 1, 0)),
        ("b.jpg", ("a.jpg", 1), (0, 0, 0)),
        ("b.jpg", ("c.jpg", 0), (1, 1, 1)),
        ("a.jpg", ("a.jpg", 0), (1, 1, 1)),
    )
    lines = [
        {"image": image, "caption": caption, "judge": f"w{at}", "ticked": bool(tick)}
        for image, caption, ticks in ticked
        for at, tick in enumerate(ticks)
    ]
    path = write_lines(tmp_path / "ticks.jsonl", *lines)
    report = pairs.evaluate(of_lines(tmp_path), pairs.Settings(relevance=path))
    found = row(report, "check", "0.25")
    assert found["judged pairs below"] == 4
    assert (found["nobody ticked"], found["in the paper"]) == (0.5, 0.983)
    assert (found["less than two thirds ticked"], found["in the paper, the majority"]) == (0.75, 0.998)
    assert found["dropped of those that fit"] == 0.5  # its own caption does not count


# Judgments --------------------------------------------------------------------------------------------------


def planted(folder: Path) -> tuple[Inputs, dict[str, float]]:
    """Write judgments of 60 images with 5 captions, whose true grades are known.

    Return them, and how often each worker of the crowd is right about what experts gave 3 or more.
    """
    rng = np.random.default_rng(7)
    lines = [f"i{image:02d}.jpg#{index}\tA dog ." for image in range(60) for index in range(5)]
    accuracies = {"good": 0.95, "fair": 0.85, "spammer": 0.5}
    experts, crowd = [], []
    for image in range(60):
        for index in range(5):
            pair = {"image": f"i{image:02d}.jpg", "caption": [f"i{image:02d}.jpg", index]}
            truth = int(rng.integers(1, 5))
            for judge in ("anna", "ben", "cleo"):
                grade = int(np.clip(truth + rng.choice([-1, 0, 1], p=[0.05, 0.9, 0.05]), 1, 4))
                experts.append({**pair, "judge": judge, "grade": grade})
            for judge, accuracy in accuracies.items():
                right = rng.random() < accuracy
                crowd.append({**pair, "judge": judge, "ticked": bool((truth >= 3) == right)})
    files = {
        "experts": write_lines(folder / "experts.jsonl", *experts),
        "crowd": write_lines(folder / "crowd.jsonl", *crowd),
    }
    return of_lines(folder, *lines, **files), accuracies


def test_planted_judges_are_recovered_and_the_spammer_is_caught(tmp_path: Path) -> None:
    inputs, accuracies = planted(tmp_path)
    report = judgments.evaluate(inputs)
    assert row(report, "files", "crowd")["judgments"] == 900
    levels = {
        level: row(report, "experts_agreement", f"Krippendorff's α, {level}")
        for level in ("nominal", "ordinal", "interval")
    }
    assert number(levels["nominal"]["value"]) < number(levels["ordinal"]["value"])
    for found in levels.values():
        assert number(found["from"]) < number(found["value"]) < number(found["to"])
    rows = table(report, "crowd_judges").rows
    assert rows[0][0] == "spammer"
    findings = {cells[0]: cells[6] for cells in rows}
    assert findings == {"spammer": "no better than chance", "fair": "", "good": ""}
    for judge, accuracy in accuracies.items():
        low, high = interval(row(report, "crowd_judges", judge)["95% interval"])
        assert low - 0.02 < accuracy < high + 0.02  # the experts err, too
    best = table(report, "crowd_experts_kappa")
    assert "The best κ is" in best.note and "Pairs with both: 300." in best.note
    assert number(row(report, "crowd_experts_reproduced", "3.00")["recall"]) > 0.8
    assert page(report)


def test_retrieval_reads_the_same_judgments_as_means(tmp_path: Path) -> None:
    lines = [
        {"image": "a.jpg", "caption": ["a.jpg", 0], "judge": judge, "grade": grade}
        for judge, grade in (("anna", 4), ("ben", 3), ("cleo", 4))
    ]
    lines.append({"image": "b.jpg", "caption": ["a.jpg", 0], "judge": "anna", "grade": 2})
    path = write_lines(tmp_path / "grades.jsonl", *lines)
    np.save(tmp_path / "s.npy", np.array([[4.0, 3, 2, 0], [5, 1, 4, 2]]))
    inputs = Inputs(small_set(), {"mine": tmp_path / "s.npy"}, resamples=0)
    report = retrieval.evaluate(inputs, retrieval.Settings(relevance=path, least_grade=3, reassignments=10))
    # The originals are relevant beside what was judged: a has both of its captions first, and b none.
    assert row(report, "annotation", "mine")["S@1"] == 0.5
    assert row(report, "annotation", "mine")["R-precision"] == 0.75
    assert row(report, "grades", "3.67")["share of judged pairs"] == 0.5
    first = row(report, "first_captions", "mine")
    assert (first["images"], first["≥ 3.67"], first["≥ 2.00"]) == (2, 0.5, 1)


def test_ticks_of_a_crowd_are_relevant_from_two_of_three_on(tmp_path: Path) -> None:
    lines = [
        {"image": "a.jpg", "caption": ["a.jpg", index], "judge": judge, "ticked": ticked}
        for index, ticks in enumerate(((True, True, False), (True, False, False)))
        for judge, ticked in zip("xyz", ticks, strict=True)
    ]
    path = write_lines(tmp_path / "ticks.jsonl", *lines)
    np.save(tmp_path / "s.npy", np.array([[0.0, 3, 2, 1], [5, 1, 4, 2]]))
    inputs = Inputs(small_set(), {"mine": tmp_path / "s.npy"}, resamples=0)
    report = retrieval.evaluate(inputs, retrieval.Settings(relevance=path))
    assert row(report, "annotation", "mine")["S@1"] == 0.5
    assert row(report, "annotation", "mine")["S@5"] == 1
    more = [{"image": "b.jpg", "caption": ["a.jpg", 0], "judge": judge, "ticked": True} for judge in "xy"]
    report = retrieval.evaluate(inputs, retrieval.Settings(relevance=write_lines(path, *lines, *more)))
    assert row(report, "annotation", "mine")["S@1"] == 1
    assert "grades" not in {found.name for found in report.tables()}


def test_judgments_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="judgments needs --predictions"):
        judgments.evaluate(of_lines(tmp_path))
    many = [
        {"image": "a.jpg", "caption": ["a.jpg", 0], "judge": str(at), "grade": at / 7} for at in range(21)
    ]
    with pytest.raises(InputError, match="21 different grades"):
        judgments.evaluate(of_lines(tmp_path, many=write_lines(tmp_path / "many.jsonl", *many)))
    apart = {
        "experts": write_lines(tmp_path / "e.jsonl", {"image": "a.jpg", "caption": ["a.jpg", 0], "grade": 3}),
        "crowd": write_lines(
            tmp_path / "c.jsonl", {"image": "b.jpg", "caption": ["b.jpg", 0], "judge": "x", "ticked": True}
        ),
    }
    with pytest.raises(InputError, match="judge no pair both"):
        judgments.evaluate(of_lines(tmp_path, **apart))


def test_packed_caption_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "captions.token.gz"
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))
    report = captions.evaluate(Inputs(read_dataset(path), {}, resamples=0), captions.Settings(tagged=0))
    assert row(report, "lengths", "all")["images"] == 3
