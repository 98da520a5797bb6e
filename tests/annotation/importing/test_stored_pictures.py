"""Captions never come to the photograph of another image that was imported under the same name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow

from annotation.domain.records import ImageRecord
from annotation.importing.corpus import StrictError
from annotation.models import Caption
from tests.annotation.importing.made_corpora import record, run
from tests.annotation.picture_files_made import encoded, exif_segment, jpeg_with, owned

pytestmark = pytest.mark.django_db


def photograph(shade: int, size: tuple[int, int] = (40, 30), **options: Any) -> bytes:
    return encoded(image=Pillow.new("RGB", size, (shade, 40, 90)), **options)


def first() -> ImageRecord:
    return record("0.jpg", "A man.", picture=photograph(10))


def texts() -> list[str]:
    return list(Caption.objects.order_by("index").values_list("text", flat=True))


OTHERS = {
    "of the same size": photograph(200),
    "of another size": photograph(10, (30, 40)),
    "damaged": photograph(200)[:300],
    "turned": photograph(10, exif=owned(6)),
}


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("kind", OTHERS)
def test_captions_of_another_picture_are_one_problem(media: Path, kind: str, dry_run: bool) -> None:
    run([first()])
    new = record("0.jpg", "A man.", "A dog.", picture=OTHERS[kind], split="val")
    done = run([new, record("1.jpg", "A cat.", picture=photograph(90))], dry_run=dry_run)
    assert done.problems == [
        "corpus.txt:7: its picture of 0.jpg is not the one that was imported before "
        "(its captions were left out: give the picture another name, or import into a new project)"
    ]
    assert sorted(texts()) == (["A man."] if dry_run else ["A cat.", "A man."])
    assert (done.summary.images, done.summary.captions, done.summary.images_grown) == (1, 1, 0)


def test_a_strict_import_ends_there(media: Path) -> None:
    run([first()])
    with pytest.raises(StrictError, match="not the one that was imported before"):
        run([record("0.jpg", "A man.", "A dog.", picture=photograph(200))], strict=True)
    assert texts() == ["A man."]


SAME = {
    "the same file": (photograph(10), photograph(10)),
    "with metadata": (photograph(10), jpeg_with(exif_segment(owned()), jpeg=photograph(10))),
    "encoded otherwise": (photograph(10), photograph(10, optimize=True)),
    "without an end marker": (photograph(10), photograph(10)[:-2]),
    "turned": (photograph(10, exif=owned(6)), photograph(10, exif=owned(6))),
}


@pytest.mark.parametrize("keep_metadata", [False, True])
@pytest.mark.parametrize("kind", SAME)
def test_captions_of_the_same_picture_are_added(media: Path, kind: str, keep_metadata: bool) -> None:
    before, now = SAME[kind]
    run([record("0.jpg", "A man.", picture=before)], keep_metadata=keep_metadata)
    done = run([record("0.jpg", "A man.", "A dog.", picture=now)])
    assert (done.problems, texts()) == ([], ["A man.", "A dog."])


def test_a_picture_whose_stored_file_is_lost_is_not_taken_for_the_same(media: Path) -> None:
    run([first()])
    (media / "corpus" / "0.jpg").unlink()
    [problem] = run([record("0.jpg", "A man.", "A dog.", picture=photograph(10))]).problems
    assert "not the one" in problem and texts() == ["A man."]
