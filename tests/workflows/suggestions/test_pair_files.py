"""Files of scores of pairs become sets: matched with mentions, told by line, and written whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Image, Mention, Project, SuggestionSet
from tests.evaluation.small_set import write_lines
from tests.factories import NOW, make_image, make_project
from tests.judging_models import make_judge
from tests.suggesting_models import make_scored_set
from workflows.suggestions import pair_files, sets
from workflows.suggestions.files import SuggestionError
from workflows.suggestions.pair_files import NOT_ASKED, TWICE, FoundScores, has_pairs, read_pair_scores
from workflows.suggestions.selectors import completed, pair_scores
from workflows.suggestions.sets import save_scores

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    """Return a project whose images say *a man a dog*, *a man a man* and *a man*."""
    project = make_project()
    for name in ("a.jpg", "b.jpg"):
        make_image(project, [["man", "dog"], ["man", "man"], ["man"]], name=name)
    return project


def span(caption: int, start: int) -> dict[str, int]:
    return {"caption": caption, "start": start, "end": start + 2}


def line(one: object, other: object, score: object = 0.5, image: object = "a.jpg") -> dict[str, object]:
    return {"image": image, "mentions": [one, other], "score": score}


def read(project: Project, path: Path, **more: Any) -> FoundScores:
    return read_pair_scores(project, path, **more)


def by_place(found: FoundScores, image: str = "a.jpg") -> dict[tuple[int, int], float]:
    """Return the scores of an image by the places of its mentions in reading order."""
    mentions = Mention.objects.filter(image__name=image).order_by("caption__index", "start")
    places = {pk: place for place, pk in enumerate(mentions.values_list("pk", flat=True))}
    scores = found.scores.get(Image.objects.get(name=image).pk, {})
    return {(places[a], places[b]): score for (a, b), score in scores.items()}


def test_scores_come_to_the_pairs_that_a_file_names(project: Project, tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s.jsonl",
        line(span(0, 0), span(1, 0), 0.75),
        line(span(2, 0), span(0, 0), -3),
        line(span(2, 0), {"phrase": "A MAN", "caption": 0}, 1e300, image="b"),
    )
    assert has_pairs(path)
    found = read(project, path)
    assert by_place(found) == {(0, 2): 0.75, (0, 4): -3.0}
    assert by_place(found, "b.jpg") == {(0, 4): 1e300}
    assert found.pairs == 3 and not found.findings.counts


def test_phrases_stand_for_all_pairs_of_their_mentions_that_are_asked_about(
    project: Project, tmp_path: Path
) -> None:
    both = {"phrase": "a man"}
    found = read(project, write_lines(tmp_path / "s.jsonl", line(both, both, 0.25)))
    assert set(by_place(found)) == {(0, 2), (0, 3), (0, 4), (2, 4), (3, 4)}, "not two mentions of one caption"
    assert not found.findings.counts


def test_what_does_not_match_is_told_with_its_line(project: Project, tmp_path: Path) -> None:
    Mention.objects.filter(image__name="b.jpg", caption__index=2).update(annotatable=False)
    path = write_lines(
        tmp_path / "s.jsonl",
        line(span(0, 0), span(1, 0)),
        line(span(0, 0), span(7, 0)),
        line(span(1, 0), span(1, 2)),
        line(span(0, 2), span(1, 0)),
        line(span(1, 0), span(0, 0), 0.9),
        line(span(0, 0), span(2, 0), image="b.jpg"),
        line(span(0, 0), {"phrase": "a cat"}),
        line(span(0, 0), span(1, 0), image="c.jpg"),
    )
    found = read(project, path)
    assert by_place(found) == {(0, 2): 0.5}, "the first score of a pair counts"
    none = "prediction for a mention that the data set does not have"
    assert found.findings.counts == {
        none: 4,
        NOT_ASKED: 2,
        TWICE: 1,
        "prediction for a mention without a box": 1,
    }
    examples = found.findings.examples
    assert [one.partition(":")[0] for one in examples[none]] == ["line 2", "line 7", "line 8", "line 8"]
    assert examples[NOT_ASKED] == [
        "line 3: a.jpg caption 1 tokens 0 to 2 and a.jpg caption 1 tokens 2 to 4",
        "line 4: a.jpg caption 0 tokens 2 to 4 and a.jpg caption 1 tokens 0 to 2",
    ]
    assert examples[TWICE][0].startswith("line 5: ")


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (
            line(span(0, 0), span(1, 0), float("nan")),
            "line 2: score: is NaN or infinite; leave out such pairs",
        ),
        (line(span(0, 0), span(1, 0), float("inf")), "line 2: score: is NaN or infinite"),
        (line(span(0, 0), span(1, 0), "0.5"), "line 2: score: is not a number"),
        (line(span(0, 0), span(1, 0), True), "line 2: score: is not a number"),
        (line(span(0, 0), {"caption": 1, "start": 0}), r"line 2: mentions\[1\]: end: is missing"),
        (line(span(0, 0), {"phrase": 3}), r"line 2: mentions\[1\]: phrase: is not a text"),
        (line(span(0, 0), {**span(1, 0), "box": 1}), r"line 2: mentions\[1\].box: is not known here"),
        (line(span(0, 0), span(1, 0), image=3), "line 2: image: is not a text"),
        ({"image": "a.jpg", "mentions": [span(0, 0)], "score": 1}, "line 2: mentions: is not two mentions"),
        ({"image": "a.jpg", "mentions": [{}] * 3, "score": 1}, "line 2: mentions: has more than 2 entries"),
        ({"image": "a.jpg", "mentions": [{}] * 2}, "line 2: score: is missing"),
        ([1], "line 2: is not an object"),
    ],
)
def test_a_line_that_cannot_be_read_is_one_error(
    project: Project, tmp_path: Path, wrong: object, error: str
) -> None:
    path = write_lines(tmp_path / "s.jsonl", line(span(0, 0), span(1, 0)), json.dumps(wrong))
    with pytest.raises(SuggestionError, match=error):
        read(project, path)


def test_a_file_without_a_pair_of_the_project_says_why(project: Project, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", line(span(1, 0), span(1, 2)))
    with pytest.raises(
        SuggestionError, match=r"no score for a pair of project .*no pair that may be linked \(1\)"
    ):
        read(project, path)
    with pytest.raises(SuggestionError, match="cannot be read"):
        read(project, tmp_path / "none.jsonl")


def test_a_file_has_limits(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line(span(0, 0), span(caption, 0)) for caption in (1, 2)]
    monkeypatch.setattr(pair_files, "MAX_PAIRS", 2)
    assert read(project, write_lines(tmp_path / "s.jsonl", *lines)).pairs == 2
    with pytest.raises(SuggestionError, match="line 3: the file has more than 2 lines"):
        read(project, write_lines(tmp_path / "s.jsonl", *lines, *lines))
    many = line({"phrase": "a man"}, {"phrase": "a man"})
    with pytest.raises(SuggestionError, match="line 1: the file has more than 2 pairs"):
        read(project, write_lines(tmp_path / "s.jsonl", many))


def test_images_of_the_test_split_get_none_unless_that_is_wanted(project: Project, tmp_path: Path) -> None:
    Image.objects.filter(name="a.jpg").update(split="test")
    path = write_lines(
        tmp_path / "s.jsonl", line(span(0, 0), span(1, 0)), line(span(0, 0), span(1, 0), image="b.jpg")
    )
    found = read(project, path)
    assert (by_place(found), by_place(found, "b.jpg")) == ({}, {(0, 2): 0.5})
    assert found.left_out == {"of images of the split test": 1}
    assert by_place(read(project, path, test_split=True)) == {(0, 2): 0.5}


def test_other_files_have_no_pairs(tmp_path: Path) -> None:
    for content in ("[{}]", "{}", "nothing", "\x00" * 100, "", "x" * 5_000_000):
        (tmp_path / "s.jsonl").write_text(content)
        assert not has_pairs(tmp_path / "s.jsonl")
    assert not has_pairs(tmp_path / "none.jsonl")


def save(project: Project, path: Path) -> SuggestionSet:
    found = read(project, path)
    return save_scores(model=make_judge(project, "matcher/1"), found=found, by="ada", now=NOW)


def test_a_set_is_written_whole_and_read_by_image(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "ROWS_AT_ONCE", 1)
    scores = (0.75, 0.1, -1e-9)
    lines = [line(span(2, 0), span(0, 0), score, image) for score, image in zip(scores, "ab", strict=False)]
    made = save(project, write_lines(tmp_path / "s.jsonl", *lines, line(span(0, 0), span(1, 0), scores[2])))
    assert made.of_pairs and completed(project.pk, 1) == made and made.settings == {"test_split": False}
    assert (made.report["pairs"], made.report["images"]) == (3, 2)
    images = [*Image.objects.order_by("name").values_list("pk", flat=True)]
    found = pair_scores(project.pk, 1, images)
    assert [sorted(found[image].values()) for image in images] == [[-1e-9, 0.75], [0.1]]
    assert all(a < b for own in found.values() for a, b in own)
    assert pair_scores(project.pk, 1, images[1:]) == {images[1]: found[images[1]]}
    assert pair_scores(project.pk, 2, images) == {}


def test_a_set_that_is_not_complete_has_no_scores(project: Project) -> None:
    images = Image.objects.filter(project=project)
    made = make_scored_set(project, lambda a, b: 0.5, completed=False)
    assert made.pair_scores.count() == 2
    assert completed(project.pk, made.number) is None and pair_scores(project.pk, made.number, images) == {}
    SuggestionSet.objects.filter(pk=made.pk).update(completed_at=NOW)
    assert len(pair_scores(project.pk, made.number, images)) == 2
