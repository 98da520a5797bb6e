from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Image
from tests.annotation.exporting.annotated_projects import Edges, Made, annotate, make_batch
from tests.annotation.importing.made_corpora import picture, record, run

pytestmark = pytest.mark.django_db


def test_a_corpus_can_be_imported_before_its_pictures(media: Path, folder: Path) -> None:
    corpus = [record(f"{n}.jpg", "A man.") for n in range(3)]
    assert run(corpus).problems == []
    assert set(Image.objects.values_list("file", "width", "height")) == {("", None, None)}
    for n in range(3):
        picture(folder / f"{n}.jpg", 40 + n, 30)
    done = run(corpus, images=folder)
    assert (done.summary.pictures, done.summary.captions, done.problems) == (3, 0, [])
    assert list(Image.objects.order_by("name").values_list("file", "width", "height")) == [
        (f"corpus/{n}.jpg", 40 + n, 30) for n in range(3)
    ]
    assert (media / "corpus" / "1.jpg").read_bytes() == (folder / "1.jpg").read_bytes()


def test_pictures_that_are_there_are_not_read_again(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg")
    run([record("a.jpg", "A man.")], images=folder)
    (folder / "a.jpg").write_bytes(b"changed")
    done = run([record("a.jpg", "A man.")], images=folder)
    assert (done.summary.pictures, done.problems) == (0, [])


def test_a_missing_picture_names_the_line_of_its_image(media: Path, folder: Path) -> None:
    picture(folder / "b.jpg")
    done = run([record("a.jpg", "A man."), record("b.jpg", "A dog.")], images=folder)
    assert done.problems == [f"corpus.txt:7: there is no picture a.jpg in {folder}"]
    assert dict(Image.objects.values_list("name", "file")) == {"a.jpg": "", "b.jpg": "corpus/b.jpg"}


def test_a_missing_picture_is_no_problem_without_a_folder() -> None:
    assert run([record("a.jpg", "A man.")]).problems == []


def test_a_damaged_picture_is_reported_and_its_captions_are_imported(media: Path, folder: Path) -> None:
    (folder / "a.jpg").write_bytes(picture(folder / "a.jpg", 400, 300)[:1500])
    done = run([record("a.jpg", "A man.")], images=folder)
    [problem] = done.problems
    assert problem.startswith(f"{folder / 'a.jpg'}: is damaged: ")
    assert done.summary.captions == 1 and Image.objects.get().file.name == ""
    assert not media.exists()


def test_a_picture_of_another_size_than_the_corpus_says_is_reported(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg", 40, 30)
    done = run([record("a.jpg", "A man.", width=80, height=60)], images=folder)
    assert "is 40 x 30 pixels, but the corpus says 80 x 60" in done.problems[0]
    assert Image.objects.values_list("file", "width", "height").get() == ("", 80, 60)
    # known from the first run, although the second input does not have it
    assert "is 40 x 30 pixels" in run([record("a.jpg", "A man.")], images=folder).problems[0]


def drawn(*boxes: Edges) -> None:
    """Return the imported image a.jpg, which was annotated without its picture."""
    image = Image.objects.get(name="a.jpg")
    annotate(image, [Made([0], boxes)], batch=make_batch(image.project))


def test_a_picture_smaller_than_the_boxes_drawn_before_is_not_attached(media: Path, folder: Path) -> None:
    """Every box must be inside its image."""
    corpus = [record("a.jpg", "A man."), record("b.jpg", "A dog.")]
    run(corpus)
    drawn((0, 0, 41, 20), (5, 5, 20, 30))
    for name in ("a.jpg", "b.jpg"):
        picture(folder / name, 40, 30)
    for _ in range(2):  # it is not attached the next time either
        assert run(corpus, images=folder).problems == [
            "corpus.txt:7: the picture of a.jpg has 40 x 30 pixels, but the boxes drawn on it "
            "reach to 41 x 30 (it was not attached: get the picture that was annotated)"
        ]
    assert list(Image.objects.order_by("name").values_list("file", "width", "height")) == [
        ("", None, None),
        ("corpus/b.jpg", 40, 30),
    ]
    assert [path.name for path in media.rglob("*.jpg")] == ["b.jpg"]


def test_a_picture_that_holds_the_boxes_drawn_before_is_attached(media: Path, folder: Path) -> None:
    run([record("a.jpg", "A man.")])
    drawn((0, 0, 40, 20), (5, 5, 20, 30))
    picture(folder / "a.jpg", 40, 30)
    assert run([record("a.jpg", "A man.")], images=folder).problems == []
    assert Image.objects.values_list("file", "width", "height").get() == ("corpus/a.jpg", 40, 30)


def test_a_size_smaller_than_the_boxes_drawn_before_is_left_out() -> None:
    run([record("a.jpg", "A man.")])
    drawn((0, 0, 40, 31))
    done = run([record("a.jpg", "A man.", width=40, height=30, split="val")])
    assert done.problems == [
        "corpus.txt:7: a.jpg is said to have 40 x 30 pixels, but the boxes drawn on it reach to 40 x 31 "
        "(the size was left out)"
    ]
    assert Image.objects.values_list("width", "height", "split").get() == (None, None, "val")


def test_two_projects_keep_their_pictures_apart(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg")
    for name in ("one", "two"):
        run([record("a.jpg", "A man.")], name=name, images=folder)
    assert set(Image.objects.values_list("file", flat=True)) == {"one/a.jpg", "two/a.jpg"}


def test_an_image_whose_captions_are_all_refused_leaves_no_picture(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg")
    run([record("a.jpg", "x" * 200)], images=folder)
    assert not media.exists()


def test_pictures_of_the_corpus_need_no_folder(media: Path, folder: Path) -> None:
    content = picture(folder / "a.jpg")
    corpus = [record("a.jpg", "A man.", picture=content), record("b.jpg", "A dog.")]
    done = run(corpus)
    assert (done.summary.pictures, done.problems) == (1, [])
    assert dict(Image.objects.values_list("name", "file")) == {"a.jpg": "corpus/a.jpg", "b.jpg": ""}
    assert (media / "corpus" / "a.jpg").read_bytes() == content
    assert run(corpus).summary.pictures == 0, "it has its picture already"


@pytest.mark.parametrize("processes", [1, 2])
def test_a_damaged_picture_of_the_corpus_is_named_with_its_image(media: Path, processes: int) -> None:
    done = run([record("a.jpg", "A man.", picture=b"nonsense")], processes=processes)
    assert done.problems == ["corpus.txt/a.jpg: is not a JPEG, PNG or WebP (convert it)"]
    assert (done.summary.unpictured_names, Image.objects.get().file.name) == (["a.jpg"], "")


def test_the_picture_of_the_corpus_comes_before_one_in_the_folder(media: Path, folder: Path) -> None:
    content = picture(folder / "a.jpg", 40)
    picture(folder / "a.jpg", 50)
    run([record("a.jpg", "A man.", picture=content)], images=folder)
    assert Image.objects.get().width == 40
