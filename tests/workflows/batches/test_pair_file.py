"""Pairs of images and captions from a file."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from annotation.models import Batch, Caption, Project
from tests.factories import make_images, make_project
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import BatchError
from workflows.batches.pair_file import draft_of_pairs, read_pairs
from workflows.pipeline.models import JudgedPair

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project()
    make_images(project, [["man"], ["dog"]], 8)
    return project


def line(image: str, of: str, number: int, **more: object) -> bytes:
    return orjson.dumps({"image": image, "caption": [of, number], **more}, option=orjson.OPT_APPEND_NEWLINE)


def names(project: Project) -> list[str]:
    return list(project.images.order_by("name").values_list("name", flat=True))


def test_the_captions_of_each_image_are_put_into_groups_of_ten(project: Project, tmp_path: Path) -> None:
    first, second, *others = names(project)
    path = tmp_path / "pairs.jsonl"
    lines = [line(first, of, number, bleu=0.3) for of in (first, *others) for number in (0, 1)]
    path.write_bytes(b"".join([*lines, line(second, first, 1), lines[0]]))
    pairs = read_pairs(project, path)
    assert (pairs.number, pairs.repeated) == (15, 1)
    settings = parse_settings({"protocol": "relevance-crowd", "regime": "open"})
    batch = draft_of_pairs(project=project, name="judged", settings=settings, pairs=pairs)
    work = batch.works.get(image__name=first)
    rows = JudgedPair.objects.filter(work=work).values_list("number", "caption__image__name")
    assert sorted(number for number, _ in rows) == [0] * 7 + [1] * 7
    assert {of for _, of in rows} == {first, *others}
    assert JudgedPair.objects.get(work__image__name=second).caption.image.name == first


def test_an_expert_grades_one_caption_at_a_time(project: Project, tmp_path: Path) -> None:
    first, second, *_ = names(project)
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(line(first, first, 0) + line(first, second, 0))
    settings = parse_settings({"protocol": "relevance-expert"})
    draft_of_pairs(project=project, name="graded", settings=settings, pairs=read_pairs(project, path))
    assert list(JudgedPair.objects.order_by("number").values_list("number", "place")) == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has no pair"),
        (b"[1]\n", "line 1: is not an object"),
        (b"{nonsense\n", "line 1: is not JSON"),
        (b'{"image": "a.jpg"}\n', "line 1: caption: is missing"),
        (b'{"image": 3, "caption": ["a.jpg", 0]}\n', "line 1: image: is not a text"),
        (b'{"image": "a.jpg", "caption": ["a.jpg"]}\n', r"line 1: caption: is not \[image, number"),
        (line("no.jpg", "no.jpg", 0), "line 1: project .* has no image 'no.jpg'"),
    ],
)
def test_a_wrong_line_is_named(project: Project, tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    with pytest.raises(BatchError, match=message):
        read_pairs(project, path)


def test_a_caption_that_is_not_there_is_named(project: Project, tmp_path: Path) -> None:
    first, second, *_ = names(project)
    Caption.objects.filter(image__name=second, index=1).update(superseded=True)
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(line(first, first, 0) + line(first, second, 1))
    with pytest.raises(BatchError, match=f"line 2: {second} has no caption 1"):
        read_pairs(project, path)


def test_no_draft_is_left_if_its_name_is_taken(project: Project, tmp_path: Path) -> None:
    first, *_ = names(project)
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(line(first, first, 0))
    pairs = read_pairs(project, path)
    settings = parse_settings({"protocol": "relevance-crowd"})
    draft_of_pairs(project=project, name="judged", settings=settings, pairs=pairs)
    with pytest.raises(BatchError, match="has a batch 'judged' already"):
        draft_of_pairs(project=project, name="judged", settings=settings, pairs=pairs)
    assert Batch.objects.count() == 1 and JudgedPair.objects.count() == 1
