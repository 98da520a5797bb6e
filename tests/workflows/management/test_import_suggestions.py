"""`manage.py import_suggestions`: a file becomes a set, or is only looked at."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldChain, Image, Mention, Project, SuggestionSet
from evaluation.coordinates import smart_resize
from evaluation.predictions.findings import EFFECTS
from tests.evaluation.small_set import mention, write_lines
from tests.factories import make_image, make_project
from tests.judging_models import make_judge
from workflows.core.models import AuditEntry
from workflows.management.commands.import_suggestions import SAYS_OF_PAIRS
from workflows.suggestions.files import SAYS

pytestmark = pytest.mark.django_db

BOX = (10, 20, 110, 220)


def run(*arguments: object, model: str = "detector/1") -> list[str]:
    out = StringIO()
    call_command("import_suggestions", "zoo", *map(str, arguments), "--model", model, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    project = make_project("zoo")
    make_judge(project, "detector/1")
    image = make_image(project, [["man", "dog"]], name="a.jpg")
    man = Mention.objects.get(image=image, start=0)
    GoldChain.objects.create(image=image, number=1, members=[man.pk], boxes=[BOX])
    good = mention("a.jpg", 0, 0, 2, BOX, (300, 0, 330, 30), scores=[0.9, 0.2])
    return write_lines(tmp_path / "p.jsonl", good, mention("b.jpg", 0, 0, 2, BOX, scores=[1]))


SAID = [
    "2 boxes for 1 of 2 phrases, in 1 images",
    "phrases by their number of boxes: 2: 1",
    "boxes for no phrase of the project: 1 (line 2: b.jpg caption 0 tokens 0 to 2)",
    "on 1 known phrases, all: recall 100.0% of 1 boxes, precision 50.0% of 2 suggestions (IoU .5)",
    "on 1 known phrases, people: recall 100.0% of 1 boxes, precision 50.0% of 2 suggestions (IoU .5)",
]


def test_a_dry_run_says_what_a_set_would_be_like_and_writes_nothing(file: Path) -> None:
    assert run(file, "--dry-run") == [*SAID, "nothing was written: leave out --dry-run to import this"]
    assert run(file, "--dry-run", "--threshold", ".5")[:3] == [
        "1 boxes for 1 of 2 phrases, in 1 images",
        "phrases by their number of boxes: 1: 1",
        "left out, below the threshold: 1",
    ]
    assert not SuggestionSet.objects.exists() and not AuditEntry.objects.exists()


def test_an_import_makes_the_next_set_and_is_in_the_log(file: Path) -> None:
    last = "this is set 1 of project zoo: a batch shows it with --set suggestions.set=1"
    assert run(file, "--by", "ada") == [*SAID, last]
    made = SuggestionSet.objects.get()
    assert (str(made.model), made.by, made.completed_at is not None) == ("detector/1", "ada", True)
    entry = AuditEntry.objects.get(action="suggestions.import")
    assert entry.detail == {"set": 1, "file": "p.jsonl"} and entry.by == "ada"
    assert run(file, "--every-mention", "--nms", "off")[-1].startswith("this is set 2")
    assert run(file, "--every-mention", "--dry-run")[0] == "2 boxes for 1 of 2 phrases, in 1 images"
    newest = SuggestionSet.objects.get(number=2)
    assert newest.settings["nms"] is None and newest.report["boxes"][:3] == [1, 0, 1]


def test_the_most_pixels_that_a_model_saw_are_chosen_and_kept(file: Path) -> None:
    image = Image.objects.get(name="a.jpg")
    size = image.width or 0, image.height or 0
    seen = smart_resize(*size, max_pixels=20_000)
    edges = [round(edge * seen[at % 2] / size[at % 2]) for at, edge in enumerate(BOX)]
    answer = json.dumps({"bbox_2d": edges})
    write_lines(file, {"image": "a.jpg", "caption": 0, "start": 0, "end": 2, "answer": answer})
    named = ("--predictions-format", "qwen2.5-vl")
    assert "recall 0.0%" in run(file, *named, "--dry-run")[-2]
    assert "recall 100.0%" in run(file, *named, "--max-pixels", 20_000)[-2]
    made = SuggestionSet.objects.get()
    assert made.settings["coordinates"] == "qwen2.5-vl" and made.settings["max_pixels"] == 20_000


def test_every_finding_that_it_says_in_its_own_words_exists() -> None:
    assert set(SAYS) <= set(EFFECTS)


def test_without_known_boxes_it_says_so(file: Path) -> None:
    GoldChain.objects.all().update(superseded=True)
    assert "no image with known boxes: how good these are cannot be said" in run(file, "--dry-run")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--nms", "0"), "0 is not above 0 and at most 1, nor off"),
        (("--nms", "x"), "'x' is not a number"),
        (("--threshold", "x"), "'x' is not a number"),
        (("--predictions-format", "inches"), "invalid choice: 'inches'"),
        (("--max-pixels", "3135"), "'3135' is no number from 3136 to 1000000000"),
        (("--max-pixels", "4e3"), "'4e3' is no number from 3136 to 1000000000"),
        (
            ("--max-pixels", "20000", "--predictions-format", "qwen3-vl"),
            "--max-pixels is for --predictions-format qwen2.5-vl alone",
        ),
        (("--model", "none/1"), "project zoo has no model none/1: add it with `model add`"),
    ],
)
def test_what_is_wrong_is_said(file: Path, arguments: tuple[str, ...], error: str) -> None:
    with pytest.raises(CommandError, match=error):
        call_command("import_suggestions", "zoo", str(file), "--model", "detector/1", *arguments)
    assert not SuggestionSet.objects.exists()


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    project = make_project("zoo")
    make_judge(project, "matcher/1")
    make_image(project, [["man", "dog"], ["man"]], name="a.jpg")
    man, other = {"caption": 0, "start": 0, "end": 2}, {"phrase": "a man", "caption": 1}
    lines = [
        {"image": "a.jpg", "mentions": [man, other], "score": 0.8},
        {"image": "a.jpg", "mentions": [man, {"phrase": "a dog"}], "score": 0.1},
        {"image": "b.jpg", "mentions": [man, other], "score": 0.8},
    ]
    return write_lines(tmp_path / "s.jsonl", *lines)


def test_scores_of_pairs_become_a_set_as_boxes_do(pairs: Path) -> None:
    said = [
        "scores of 1 pairs of phrases, in 1 images",
        "pairs of one caption, or without a common type, which nobody is asked about: 1 "
        "(line 2: a.jpg caption 0 tokens 0 to 2 and a.jpg caption 0 tokens 2 to 4)",
        "names of no phrase of the project: 2 "
        "(line 3: b.jpg caption 0 tokens 0 to 2; line 3: 'a man' in b.jpg)",
    ]
    found = run(pairs, "--dry-run", model="matcher/1")
    assert sorted(found[1:3]) == sorted(said[1:]) and found[0] == said[0] and len(found) == 4
    assert not SuggestionSet.objects.exists()
    assert run(pairs, model="matcher/1")[-1] == (
        "this is set 1 of project zoo: fit a prior with manage.py fit_prior zoo --scores 1"
    )
    made = SuggestionSet.objects.get()
    assert made.of_pairs and made.settings == {"test_split": False} and made.pair_scores.count() == 1
    assert AuditEntry.objects.get(action="suggestions.import").detail == {"set": 1, "file": "s.jsonl"}


def test_every_finding_of_pairs_exists() -> None:
    assert set(SAYS_OF_PAIRS) <= set(EFFECTS)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--threshold", "0"),
        ("--nms", "off"),
        ("--every-mention",),
        ("--predictions-format", "pixels"),
        ("--max-pixels", "1003520"),
    ],
)
def test_options_of_boxes_are_refused_for_pairs(pairs: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(
        CommandError, match=rf"{arguments[0]} is for boxes, and .*s\.jsonl has scores of pairs"
    ):
        run(pairs, *arguments, model="matcher/1")
    assert not SuggestionSet.objects.exists()


def test_an_option_of_pairs_is_refused_for_boxes(file: Path) -> None:
    with pytest.raises(CommandError, match=r"--test-split is for scores of pairs; .*suggestions.test_split"):
        run(file, "--test-split")


def test_a_bad_file_is_one_error(file: Path) -> None:
    write_lines(file, "nothing")
    with pytest.raises(CommandError, match=r"p\.jsonl, line 1: is not JSON"):
        run(file)
    Project.objects.update(name="other")
    with pytest.raises(CommandError, match="there is no project 'zoo'"):
        run(file)
