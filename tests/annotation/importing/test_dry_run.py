"""A dry run says what would happen, by the rules of a real import, and leaves no trace."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.importing.corpus import StrictError
from annotation.models import Caption, Image, Mention, Project
from tests.annotation.importing.made_corpora import picture, record, run

pytestmark = pytest.mark.django_db


def rows() -> tuple[object, ...]:
    images = sorted(Image.objects.values_list("name", "file", "width"))
    return images, Caption.objects.count(), Mention.objects.count(), Project.objects.count()


def test_it_counts_and_reports_what_the_import_then_does(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg")
    corpus = [record("a.jpg", "A man.", "A dog in a park."), record("b.jpg", "A dog.")]
    dry = run(corpus, images=folder, dry_run=True)
    assert rows() == ([], 0, 0, 0) and not media.exists()
    real = run(corpus, images=folder)
    assert asdict(dry.summary) == asdict(real.summary) and real.summary.pictures == 1
    assert dry.problems == real.problems and len(real.problems) == 1


def test_of_a_known_corpus_it_tells_what_grows_and_what_is_in_the_way(media: Path, folder: Path) -> None:
    run([record(f"{name}.jpg", "A man.") for name in "abc"])
    before = rows()
    picture(folder / "b.jpg")
    grown = [record("a.jpg", "A man.", "A dog."), record("b.jpg", "A man."), record("c.jpg", "Another.")]
    dry = run(grown, images=folder, dry_run=True)
    said = dry.summary
    assert (said.images, said.images_known, said.images_grown) == (0, 3, 2)
    assert (said.captions, said.pictures) == (1, 1)
    assert any("was imported with another text" in problem for problem in dry.problems)
    assert rows() == before and not media.exists()


def test_an_image_in_pieces_is_one_image(media: Path) -> None:
    pieces = [record("a.jpg", "A man."), record("a.jpg", "A man.")]
    dry = run(pieces, dry_run=True).summary
    assert (dry.images, dry.images_known) == (1, 1)


def test_of_pieces_it_says_what_the_import_then_does(media: Path, folder: Path) -> None:
    """It does not matter whether an image comes again in the next line or thousands of lines later."""
    picture(folder / "a.jpg")
    pieces = [
        record("a.jpg", "A man.", "A dog."),
        record("b.jpg", "A man."),
        record("a.jpg", "A man.", "A cat.", "A park."),
        record("b.jpg", "A man."),
        record("b.jpg", "A dog.", "w" * 101),
        record("a.jpg", "A man.", "A cat.", "A park."),
    ]
    dry = run(pieces, images=folder, dry_run=True)
    real = run(pieces, images=folder)
    assert asdict(dry.summary) == asdict(real.summary)
    assert (real.summary.images, real.summary.captions, real.summary.pictures) == (2, 4, 1)
    assert sorted(dry.problems) == sorted(real.problems)
    assert sum("was imported with another text" in problem for problem in real.problems) == 3


def test_pieces_with_known_answers_are_told_once(media: Path) -> None:
    mention = MentionRecord(0, 2, ("people",), 1)
    caption = CaptionRecord(0, "A man", ("A", "man"), (mention,))
    piece = ImageRecord("a.jpg", (caption,), chains=(ChainRecord(1, ("people",), ((0, 0, 2),)),))
    dry = run([piece, piece], as_gold=True, dry_run=True)
    assert (dry.summary.gold_chains, dry.problems) == (1, [])


def test_a_strict_one_stops_at_the_first_problem() -> None:
    with pytest.raises(StrictError):
        run([record("a.jpg", "w" * 101)], dry_run=True, strict=True)
