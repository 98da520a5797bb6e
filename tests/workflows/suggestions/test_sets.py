"""Files become sets of suggestions: matched with mentions, measured on known images, and written whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotation.models import GoldChain, Image, Mention, Project, Suggestion, SuggestionSet
from tests.evaluation.small_set import write_lines
from tests.factories import NOW, make_image, make_project
from tests.judging_models import make_judge
from workflows.suggestions import files, sets
from workflows.suggestions.domain.choice import Choice
from workflows.suggestions.domain.preview import Figures
from workflows.suggestions.files import SuggestionError, read_suggestions
from workflows.suggestions.selectors import completed
from workflows.suggestions.sets import save_set

pytestmark = pytest.mark.django_db

BOX, OTHER = [10, 20, 110, 220], [200, 20, 300, 90]


@pytest.fixture
def project() -> Project:
    """Return a project whose images `b.jpg` and `a.jpg` say *a man a dog* and *a man*; one is known."""
    project = make_project()
    for name in ("b.jpg", "a.jpg"):
        make_image(project, [["man", "dog"], ["man"]], name=name)
    man = mentions_of("b.jpg")[0]
    GoldChain.objects.create(image=man.image, number=1, members=[man.pk], boxes=[BOX])
    return project


def mentions_of(image: str) -> list[Mention]:
    """Return the mentions of an image in the order of its captions."""
    return list(Mention.objects.filter(image__name=image).order_by("caption__index", "start"))


def line(image: str, caption: int, start: int, *boxes: Sequence[float], **more: object) -> dict[str, object]:
    return {"image": image, "caption": caption, "start": start, "end": start + 2, "boxes": boxes, **more}


def by_mention(path: Path, project: Project, choice: Choice | None = None, **more: Any) -> dict[str, Any]:
    """Return the suggestions of a file by image and place of their mention."""
    found = read_suggestions(project, path, choice or Choice(), **more)
    places = {
        mention.pk: f"{image}{place}"
        for image in "ab"
        for place, mention in enumerate(mentions_of(f"{image}.jpg"))
    }
    return {places[pk]: boxes for pk, boxes in found.suggestions.items()}


def test_boxes_come_to_the_mentions_that_a_file_names(project: Project, tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "p.jsonl",
        line("a.jpg", 0, 2, BOX, OTHER, scores=[0.1, 0.9]),
        line("b", 1, 0, scores=[]),
        {"image": "b.jpg", "phrase": "A MAN", "caption": 0, "boxes": [BOX], "scores": [1]},
    )
    assert by_mention(path, project) == {"a1": [[*OTHER, 0.9], [*BOX, 0.1]], "b2": [], "b0": [[*BOX, 1.0]]}


def test_every_format_of_localization_is_read(project: Project, tmp_path: Path) -> None:
    sentences = [
        {"image_id": "a", "sentence_id": 0, "boxes": [[BOX], [OTHER, BOX]]},
        {"image_id": "b", "sentence_id": 1, "boxes": [[]]},
    ]
    assert by_mention(write_lines(tmp_path / "s.json", sentences), project) == {
        "a0": [[*BOX, None]],
        "a1": [[*OTHER, None], [*BOX, None]],
        "b2": [],
    }
    coco = [  # images and phrases are counted from 1 in the order of names, as in an export
        {"image_id": 1, "phrase_id": 2, "bbox": [10, 20, 100, 200], "score": 0.5},
        {"image_id": 2, "caption": 0, "tokens_positive": [[6, 11]], "bbox": [10, 20, 100, 200], "score": 0.5},
        {"image_id": 2, "category_id": 1, "bbox": [200, 20, 100, 70], "score": 0.25},
    ]
    assert by_mention(write_lines(tmp_path / "c.json", json.dumps(coco)), project) == {
        "a1": [[*BOX, 0.5]],
        "b1": [[*BOX, 0.5]],
        "b0": [[*OTHER, 0.25]],
        "b2": [[*OTHER, 0.25]],
    }
    chat = {"image": "a.jpg", "answer": "a man<loc_100><loc_100><loc_300><loc_500>a dog" + "<loc_7>" * 4}
    width, height = Image.objects.values_list("width", "height").get(name="a.jpg")
    assert width and height
    box = [round(width / 10), round(height / 10), round(width * 0.3), round(height / 2), None]
    florence = by_mention(write_lines(tmp_path / "v.jsonl", chat), project, predictions_format="florence-2")
    assert florence == {"a0": [box], "a2": [box], "a1": []}
    np.savez(
        tmp_path / "n.npz",
        images=np.array(["a.jpg"]),
        mentions=np.array([[0, 1, 0, 2]]),
        offsets=np.array([0, 1]),
        boxes=np.array([BOX], dtype=np.float32),
        scores=np.array([0.5]),
    )
    assert by_mention(tmp_path / "n.npz", project) == {"a2": [[*BOX, 0.5]]}


def test_mentions_that_nobody_is_asked_about_get_none(project: Project, tmp_path: Path) -> None:
    Mention.objects.filter(pk=mentions_of("a.jpg")[0].pk).update(annotatable=False)
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX), line("a.jpg", 0, 2, BOX))
    found = read_suggestions(project, path, Choice())
    assert list(found.suggestions) == [mentions_of("a.jpg")[1].pk]
    assert found.asked == 5 and found.findings.counts == {"prediction for a mention without a box": 1}


def test_what_does_not_match_is_counted_with_its_lines(project: Project, tmp_path: Path) -> None:
    wrong = [line("z.jpg", 0, 0, BOX), line("a.jpg", 0, 1, BOX), {"image": "a", "phrase": "x", "boxes": []}]
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX), *wrong)
    findings = read_suggestions(project, path, Choice()).findings
    kind = "prediction for a mention that the data set does not have"
    assert findings.counts == {kind: 3}
    assert findings.examples[kind] == [
        "line 2: z.jpg caption 0 tokens 0 to 2",
        "line 3: a.jpg caption 0 tokens 1 to 3",
        "line 4: 'x' in a.jpg",
    ]


def test_a_mention_that_the_file_does_not_have_counts_as_seen_only_if_that_is_said(
    project: Project, tmp_path: Path
) -> None:
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX, scores=[0.5]))
    assert by_mention(path, project) == {"a0": [[*BOX, 0.5]]}
    every = by_mention(path, project, Choice(every_mention=True))
    assert every == {"a0": [[*BOX, 0.5]], "a1": [], "a2": [], "b0": [], "b1": [], "b2": []}
    found = read_suggestions(project, path, Choice(every_mention=True))
    assert (found.images, found.boxes[:2]) == (2, [5, 1])


def test_known_boxes_say_how_good_a_set_is(project: Project, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", line("b.jpg", 0, 0, BOX, OTHER, scores=[0.9, 0.3]))
    found = read_suggestions(project, path, Choice())
    both = Figures(mentions=1, known=1, suggested=2, matched=1)
    assert found.known == {"all": both, "people": both}
    sure = read_suggestions(project, path, Choice(threshold=0.5))
    assert sure.known["all"].precision == 1.0 and sure.left_out == {"below the threshold": 1}
    GoldChain.objects.update(superseded=True)
    assert read_suggestions(project, path, Choice()).known == {}


def test_images_of_unknown_size_get_none(project: Project, tmp_path: Path) -> None:
    Image.objects.filter(name="a.jpg").update(width=None)
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX), line("b.jpg", 0, 0, BOX))
    found = read_suggestions(project, path, Choice())
    assert list(found.suggestions) == [mentions_of("b.jpg")[0].pk]
    assert found.left_out == {"all of a mention, since the size of its image is not known": 1}


@pytest.mark.parametrize(
    ("entry", "choice", "error"),
    [
        ("x", Choice(), r"p\.jsonl, line 2: is not JSON"),
        (line("b.jpg", 0, 0, BOX), Choice(threshold=0.5), "has no scores, which a threshold needs"),
        (line("b.jpg", 0, 0, BOX), Choice(threshold=float("nan")), "threshold: must be a number"),
        (
            {"image_id": "b", "sentence_id": 0, "boxes": [[BOX]]},
            Choice(),
            r"line 2: boxes: has 1 lists for 2 mentions that are asked about",
        ),
        (
            {"image": "b.jpg", "answer": "a man"},
            Choice(),
            "say how boxes are written in it",
        ),
    ],
)
def test_a_bad_file_is_refused_as_a_whole(
    project: Project, tmp_path: Path, entry: object, choice: Choice, error: str
) -> None:
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX, scores=[0.5]), entry)
    with pytest.raises(SuggestionError, match=error):
        read_suggestions(project, path, choice)


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity"])
def test_scores_that_are_not_finite_are_refused_with_their_line(
    project: Project, tmp_path: Path, score: str
) -> None:
    bad = json.dumps(line("a.jpg", 0, 0, BOX, scores=[0.5])).replace("0.5", score)
    path = write_lines(tmp_path / "p.jsonl", line("b.jpg", 0, 0, BOX, scores=[0.5]), bad)
    with pytest.raises(SuggestionError, match=r"line 2: scores: has NaN or infinity for a\.jpg caption 0"):
        read_suggestions(project, path, Choice())


def test_files_that_are_missing_too_large_or_about_something_else_are_refused(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_lines(tmp_path / "p.jsonl", line("z.jpg", 0, 0, BOX))
    with pytest.raises(SuggestionError, match=r"no box for a mention .* does not have \(1\)"):
        read_suggestions(project, path, Choice())
    with pytest.raises(SuggestionError, match="has no mention to suggest boxes for"):
        read_suggestions(make_project(), path, Choice())
    with pytest.raises(SuggestionError, match="cannot be read: No such file"):
        read_suggestions(project, tmp_path / "none", Choice())
    monkeypatch.setattr(files, "MAX_FILE", 10)
    with pytest.raises(SuggestionError, match="has more than 10 bytes"):
        read_suggestions(project, path, Choice())


def save(project: Project, path: Path, **more: Any) -> SuggestionSet:
    choice = Choice(threshold=0.25)
    found = read_suggestions(project, path, choice)
    model = make_judge(project, "detector/1")
    return save_set(model=model, found=found, choice=choice, by="ada", now=NOW, **more)


@pytest.mark.both_databases
def test_a_set_is_numbered_in_its_project_and_says_what_it_is(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "ROWS_AT_ONCE", 2)
    lines = [line("a.jpg", 0, 0, BOX, scores=[0.5]), line("a.jpg", 0, 2, OTHER, scores=[0.75])]
    path = write_lines(tmp_path / "p.jsonl", *lines, line("b.jpg", 0, 0, BOX, scores=[0.1]))
    told: list[SuggestionSet] = []
    made = save(project, path, also=told.append)
    assert (made.number, save(project, path).number, told) == (1, 2, [made])
    assert made.settings == {"threshold": 0.25, "nms": 0.7, "every_mention": False, "coordinates": None}
    assert made.report["mentions"] == 3 and made.report["boxes"][:2] == [1, 2]
    assert made.report["digest"].startswith("sha256:") and made.report["scored"]
    assert made.report["known"]["all"] == {"mentions": 1, "known": 1, "suggested": 0, "matched": 0}
    rows = Suggestion.objects.filter(set=made).order_by("mention__caption__image__name", "mention__start")
    assert [row.boxes for row in rows] == [[[*BOX, 0.5]], [[*OTHER, 0.75]], []]
    assert completed(project.pk, 1) == made and completed(project.pk, 3) is None
    assert completed(make_project().pk, 1) is None


@pytest.mark.both_databases
def test_a_set_whose_import_was_killed_is_never_shown(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "ROWS_AT_ONCE", 1)
    path = write_lines(
        tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX, scores=[0.5]), line("b.jpg", 0, 0, scores=[])
    )
    lock, calls = sets.lock_project, []

    def die_at_third(project: int) -> None:
        calls.append(project)
        if len(calls) == 3:
            raise KeyboardInterrupt
        lock(project)

    with monkeypatch.context() as patched:
        patched.setattr(sets, "lock_project", die_at_third)
        with pytest.raises(KeyboardInterrupt):
            save(project, path)
    assert SuggestionSet.objects.get().number == 1 and Suggestion.objects.count() == 1
    assert completed(project.pk, 1) is None
    assert save(project, path).number == 2 and completed(project.pk, 2)


def test_a_deleted_project_gets_no_set(project: Project, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", line("a.jpg", 0, 0, BOX, scores=[0.5]))
    found = read_suggestions(project, path, Choice())
    model = make_judge(project, "detector/1")
    Project.objects.filter(pk=project.pk).update(deleted_at=NOW)
    with pytest.raises(SuggestionError, match="was deleted"):
        save_set(model=model, found=found, choice=Choice(), by="ada", now=NOW)
    assert not SuggestionSet.objects.exists()
