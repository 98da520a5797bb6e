"""A file that is imported again neither undoes nor doubles what researchers did to its captions."""

from __future__ import annotations

import pytest

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.models import Caption, GoldChain, Image, Mention
from tests.annotation.importing.made_corpora import run
from tests.factories import NOW
from workflows.review.annotate import image_version
from workflows.review.caption_effects import suggest
from workflows.review.captions import change_caption
from workflows.review.domain.captions import read_marked

pytestmark = pytest.mark.django_db

RECORDS = [
    ImageRecord(
        "a.jpg",
        (
            CaptionRecord(0, "A man rides .", mentions=(MentionRecord(0, 2, ("people",), 1),)),
            CaptionRecord(1, "He rides a bike .", mentions=(MentionRecord(2, 4, ("vehicles",), 2),)),
        ),
        100,
        80,
        chains=(
            ChainRecord(1, ("people",), ((0, 0, 2),), (0,)),
            ChainRecord(2, ("vehicles",), ((1, 2, 4),), (1,)),
        ),
        boxes=(BoxRecord(Box(1, 1, 20, 20)), BoxRecord(Box(30, 30, 60, 60))),
    )
]


def change(index: int, marked: str | None) -> None:
    caption = Caption.objects.in_use().get(index=index)
    wording = None if marked is None else suggest(caption, read_marked(marked), None)
    version = image_version(caption.image_id)
    change_caption(caption_id=caption.pk, wording=wording, by="ada", note="", now=NOW, version=version)


def stored() -> list[object]:
    models = (Image, Caption, Mention, GoldChain)
    return [list(model.objects.order_by("pk").values_list()) for model in models]


@pytest.mark.both_databases
@pytest.mark.parametrize("dry_run", [False, True])
def test_the_same_file_again_changes_nothing_and_reports_nothing(dry_run: bool) -> None:
    assert run(RECORDS, as_gold=True).summary.captions == 2
    change(0, "Today [a young man] rides .")
    change(1, None)
    before = stored()
    done = run(RECORDS, as_gold=True, dry_run=dry_run)
    assert stored() == before
    assert (done.problems, done.summary.captions, done.summary.captions_known) == ([], 0, 2)


def test_a_strict_import_of_the_same_file_does_not_stop_at_an_edited_caption() -> None:
    run(RECORDS, as_gold=True)
    change(0, "Today [A man] rides .")
    assert run(RECORDS, as_gold=True, strict=True).problems == []


def test_another_text_is_still_reported() -> None:
    run(RECORDS)
    change(0, "Today [A man] rides .")
    other = [ImageRecord("a.jpg", (CaptionRecord(0, "A woman rides .", mentions=()),), 100, 80)]
    (problem,) = run(other).problems
    assert "caption 0 of a.jpg was imported with another text" in str(problem)
