from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.importing import captions, stream
from annotation.importing.corpus import StrictError, import_corpus
from annotation.models import Batch, Caption, Image, ImageWork, Mention, Project
from tests.annotation.importing.made_corpora import breaking_off, picture, record, run

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

CORPUS = [record(f"{n}.jpg", f"A man holds {n} dogs.", "Trees in the background.") for n in range(7)]


def rows() -> tuple[list[Any], list[Any], list[Any]]:
    return (
        list(Image.objects.order_by("name").values_list("name", "file", "width", "height", "split")),
        list(
            Caption.objects.order_by("image__name", "index").values_list(
                "image__name", "index", "text", "tokens"
            )
        ),
        list(
            Mention.objects.order_by("image__name", "caption__index", "start").values_list(
                "image__name", "caption__index", "start", "end", "text", "head", "types", "annotatable"
            )
        ),
    )


def test_captions_are_tokenised_and_chunked() -> None:
    done = run([record("a.jpg", "A man's arm in a blue shirt.")])
    assert Caption.objects.get().text == "A man's arm in a blue shirt."
    assert Caption.objects.get().tokens == "A man 's arm in a blue shirt ."
    assert [(m.text, m.head, m.types, m.start, m.end) for m in Mention.objects.order_by("start")] == [
        ("A man 's arm", "arm", "bodyparts/people", 0, 4),
        ("a blue shirt", "shirt", "clothing", 5, 8),
    ]
    assert (done.summary.captions, done.summary.mentions, done.summary.words) == (1, 2, 7)
    assert done.problems == []


def test_pronouns_and_nonvisual_terms_keep_their_place_but_are_not_asked() -> None:
    """docs/protocol.md, "Mentions", rule 1."""
    done = run([record("a.jpg", "She sees trees in the background.")])
    found = dict(Mention.objects.values_list("text", "annotatable"))
    assert found == {"She": False, "trees": True, "the background": False}
    assert (done.summary.chunks, done.summary.mentions) == (3, 1)


def test_running_again_adds_nothing() -> None:
    run(CORPUS)
    before = rows()
    again = run(CORPUS)
    assert rows() == before
    assert (again.summary.images, again.summary.captions, again.problems) == (0, 0, [])
    assert (again.summary.images_known, again.summary.captions_known) == (7, 14)


def test_captions_that_are_there_are_not_chunked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run(CORPUS)

    def fail(*args: object) -> None:
        raise AssertionError("chunked again")

    monkeypatch.setattr("annotation.importing.prepare.get_chunker", fail)
    run(CORPUS)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("processes", [1, 2])
def test_an_import_that_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    run(CORPUS, name="whole")
    whole = rows()
    Mention.objects.all().delete()
    Caption.objects.all().delete()
    Image.objects.all().delete()
    monkeypatch.setattr(stream, "IMAGES_AT_ONCE", 1)
    with pytest.raises(KeyboardInterrupt):
        run(breaking_off(CORPUS, after=6), processes=processes)
    assert 0 < Image.objects.count() < 7
    run(CORPUS, processes=processes)
    assert rows() == whole


@pytest.mark.django_db(transaction=True)
def test_a_chunk_is_written_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise RuntimeError("the machine goes down")

    monkeypatch.setattr(captions, "_mentions", fail)
    with pytest.raises(RuntimeError):
        run(CORPUS)
    assert not Project.objects.exists() and not Image.objects.exists() and not Caption.objects.exists()


def test_a_project_that_another_import_has_created_meanwhile_is_shared() -> None:
    """Both imports began when there was no project of that name."""
    late = Project(name="corpus")
    run(CORPUS[:4])
    done = import_corpus(project=late, records=CORPUS)
    assert late == Project.objects.get() and late.created_at == Project.objects.get().created_at
    assert (done.images, done.images_known, done.captions_known) == (3, 4, 8)


def test_an_image_in_pieces_is_put_together() -> None:
    whole = record("a.jpg", "A man.", "A dog.")
    first, second = (ImageRecord("a.jpg", (caption,)) for caption in whole.captions)
    run([first, record("b.jpg", "A cat."), second])
    assert list(Caption.objects.filter(image__name="a.jpg").values_list("index", "text")) == [
        (0, "A man."),
        (1, "A dog."),
    ]


def test_a_caption_with_another_text_is_reported_and_kept() -> None:
    run([record("a.jpg", "A man.", "A dog.")])
    done = run([record("a.jpg", "A man.", "A cat.", "A bird.")])
    assert done.problems == [
        "corpus.txt:8: caption 1 of a.jpg was imported with another text (the first one was kept)"
    ]
    assert list(Caption.objects.order_by("index").values_list("text", flat=True)) == [
        "A man.",
        "A dog.",
        "A bird.",
    ]
    assert done.summary.skipped == 1


def test_an_image_that_is_being_annotated_gets_no_captions() -> None:
    run([record("a.jpg", "A man.")])
    batch = Batch.objects.create(project=Project.objects.get(), name="main")
    ImageWork.objects.create(batch=batch, image=Image.objects.get())
    done = run([record("a.jpg", "A man.", "A cat."), record("b.jpg", "A dog.")])
    assert done.problems == [
        "corpus.txt:8: a.jpg is being annotated: caption 1 cannot be added (import it into another project)"
    ]
    assert Caption.objects.filter(image__name="a.jpg").count() == 1
    assert Caption.objects.filter(image__name="b.jpg").count() == 1


def test_a_caption_that_cannot_be_stored_leaves_the_others() -> None:
    done = run([record("a.jpg", "A man.", "A " + "x" * 101 + ".", "A dog."), record("b.jpg", "x" * 200)])
    assert done.problems == [
        f"corpus.txt:8: caption 1 of a.jpg: the word {'x' * 40!r}… has more than 100 characters "
        "(the caption was left out)",
        f"corpus.txt:7: caption 0 of b.jpg: the word {'x' * 40!r}… has more than 100 characters "
        "(the caption was left out)",
    ]
    assert list(Caption.objects.order_by("index").values_list("index", flat=True)) == [0, 2]
    assert not Image.objects.filter(name="b.jpg").exists()


def test_problems_of_the_reader_are_passed_on_and_counted() -> None:
    done = run([record("a.jpg", "A man."), Problem("x", 3, "bad"), record("b.jpg", "A dog.")])
    assert done.problems == ["x:3: bad"] and done.summary.skipped == 1 and done.summary.images == 2


@pytest.mark.django_db(transaction=True)
def test_strict_changes_nothing_at_the_first_problem(
    monkeypatch: pytest.MonkeyPatch, media: Any, folder: Any
) -> None:
    monkeypatch.setattr(stream, "IMAGES_AT_ONCE", 1)
    for n in range(7):
        picture(folder / f"{n}.jpg")
    with pytest.raises(StrictError, match="x:3: bad"):
        run([*CORPUS, Problem("x", 3, "bad")], strict=True, images=folder)
    assert not Project.objects.exists() and not Image.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


@pytest.mark.django_db(transaction=True)
def test_strict_finds_pieces_that_contradict_each_other() -> None:
    pieces = [record("a.jpg", "A man."), record("b.jpg", "A dog."), record("a.jpg", "A woman.")]
    with pytest.raises(StrictError, match=r"corpus.txt:7: caption 0 of a.jpg was imported with another text"):
        run(pieces, strict=True)
    assert not Project.objects.exists()


def test_strict_imports_what_is_in_order() -> None:
    run(CORPUS)
    before = rows()
    for model in (Mention, Caption, Image):
        model.objects.all().delete()
    assert run(CORPUS, strict=True).summary.captions == 14
    assert rows() == before


def test_sizes_and_splits_are_filled_in_later_but_never_changed() -> None:
    run([record("a.jpg", "A man.")])
    run([record("a.jpg", "A man.", width=40, height=30, split="val")])
    assert Image.objects.values_list("width", "height", "split").get() == (40, 30, "val")
    done = run([record("a.jpg", "A man.", width=41, height=30, split="train")])
    assert Image.objects.values_list("width", "height", "split").get() == (40, 30, "val")
    assert done.problems == [
        "corpus.txt:7: a.jpg is in split val, not in train (what was imported before was kept)",
        "corpus.txt:7: a.jpg has 40 x 30 pixels, not 41 x 30 (what was imported before was kept)",
    ]


def test_split_lists_name_images_or_their_stems() -> None:
    splits = {"a": "train", "b.jpg": "test"}
    run([record(f"{name}.jpg", "A man.") for name in "abc"], splits=splits)
    assert dict(Image.objects.values_list("name", "split")) == {
        "a.jpg": "train",
        "b.jpg": "test",
        "c.jpg": "",
    }


def test_the_planner_has_statistics_afterwards() -> None:
    """Right after a bulk import, the planner would have no statistics and choose slow plans."""
    run(CORPUS)
    queries = {
        "sqlite": "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'annotation_mention'",
        "postgresql": "SELECT count(*) FROM pg_stats WHERE tablename = 'annotation_mention'",
    }
    with connection.cursor() as cursor:
        cursor.execute(queries[connection.vendor])
        assert cursor.fetchone()[0] > 0


def test_progress_counts_images() -> None:
    seen: list[int] = []
    progress: Callable[[int], None] = seen.append
    run(CORPUS, progress=progress)
    assert sum(seen) == 7


def test_an_image_without_captions_is_kept() -> None:
    assert run([ImageRecord("a.jpg", ())]).summary.images == 1
    assert run([ImageRecord("a.jpg", (CaptionRecord(0, "A man."),))]).summary.captions == 1
