from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Pillow
from pytest_django.fixtures import Settings

from annotation.importing.picture_files import PictureError
from annotation.importing.pictures import check_picture
from tests.annotation.importing.made_corpora import picture, store
from tests.annotation.importing.picture_trials import ACCEPTED, RESULTS, STRIPPED, TRIALS, Trial, result_of
from tests.annotation.picture_files_made import OWNER, encoded

RED_CORNER = {  # by EXIF orientation, where the upper left quarter of the stored pixels belongs
    1: "upper left",
    2: "upper right",
    3: "lower right",
    4: "lower left",
    5: "upper left",
    6: "upper right",
    7: "lower right",
    8: "lower left",
}


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_are_stored_upright_with_their_size(media: Path, folder: Path, orientation: int) -> None:
    """EXIF rotation would shift boxes, so it is applied once, here."""
    original = picture(folder / "a.jpg", 40, 30, orientation=orientation)
    stored = store(folder, "corpus", "a.jpg")
    assert (stored.width, stored.height) == ((30, 40) if orientation >= 5 else (40, 30))
    content = (media / stored.path).read_bytes()
    assert (content == original) == (orientation == 1)
    with Pillow.open(BytesIO(content)) as image:
        assert image.size == (stored.width, stored.height)
        assert image.getexif().get(0x0112, 1) == 1
        vertical, horizontal = RED_CORNER[orientation].split()
        x = 4 if horizontal == "left" else image.width - 4
        y = 4 if vertical == "upper" else image.height - 4
        red, green, _ = image.convert("RGB").getpixel((x, y))  # type: ignore[misc]  # an RGB pixel is a triple
        assert red > 200 and green < 60


@pytest.mark.parametrize(("kind", "suffix"), [("JPEG", "jpeg"), ("PNG", "png"), ("WEBP", "webp")])
def test_bytes_of_upright_pictures_are_stored_untouched(
    media: Path, folder: Path, kind: str, suffix: str
) -> None:
    original = picture(folder / f"a.{suffix}", kind=kind)
    stored = store(folder, "corpus", f"a.{suffix}")
    assert stored.path == f"corpus/a.{suffix}"
    assert (media / stored.path).read_bytes() == original


@pytest.mark.parametrize("trial", TRIALS, ids=[trial.kind for trial in TRIALS])
def test_what_becomes_of_each_kind_of_file(trial: Trial) -> None:
    assert result_of(trial) == trial.result


@pytest.mark.parametrize("trial", TRIALS, ids=[trial.kind for trial in TRIALS])
def test_what_is_stored_says_nothing_and_is_fit_for_programs(trial: Trial) -> None:
    if trial.result not in RESULTS:
        with pytest.raises(PictureError) as caught:
            check_picture(Path("a.jpg"), trial.content)
        assert caught.value.path == Path("a.jpg"), "the problem names the file"
        return
    content, kind, *size = check_picture(Path("a.jpg"), trial.content)
    assert OWNER not in content
    with Pillow.open(BytesIO(content)) as image:
        image.load()
        assert (image.format, list(image.size), dict(image.getexif())) == (kind, size, {})


@pytest.mark.parametrize("trial", TRIALS, ids=[trial.kind for trial in TRIALS])
def test_metadata_can_be_kept(trial: Trial) -> None:
    """Not of a picture that is turned, nor where it keeps programs from reading the picture."""
    plain = result_of(trial)
    if plain not in (ACCEPTED, STRIPPED):
        return
    content = check_picture(Path("a.jpg"), trial.content, keep_metadata=True)[0]
    assert content in (trial.content, check_picture(Path("a.jpg"), trial.content)[0])
    assert (OWNER in content) == (OWNER in trial.content)


def test_an_error_of_any_kind_is_a_problem_with_the_file(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """Pillow's decoders raise errors that nobody expects of them, such as TypeError for EXIF data."""

    def fails(*_: object) -> None:
        raise TypeError("what a strange file")

    picture(folder / "a.jpg")
    monkeypatch.setattr("PIL.JpegImagePlugin.JpegImageFile.load", fails)
    with pytest.raises(PictureError, match="is damaged: what a strange file") as caught:
        check_picture(folder / "a.jpg")
    assert caught.value.path == folder / "a.jpg"


def test_nothing_is_stored_of_a_picture_that_cannot_be_made_smaller(
    monkeypatch: pytest.MonkeyPatch, media: Path, folder: Path
) -> None:
    def fails(_: object) -> None:
        raise AssertionError("what a strange file")

    picture(folder / "a.jpg")
    monkeypatch.setattr("annotation.importing.pictures.render", fails)
    with pytest.raises(PictureError, match="cannot be made smaller: what a strange file"):
        store(folder, "corpus", "a.jpg")
    assert not media.exists()


def test_a_truncated_jpeg_is_refused(folder: Path) -> None:
    content = picture(folder / "a.jpg", 400, 300)
    (folder / "a.jpg").write_bytes(content[: len(content) // 2])
    with pytest.raises(PictureError, match="is damaged: it ends too early"):
        check_picture(folder / "a.jpg")


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_other_truncated_pictures_are_refused(folder: Path, kind: str) -> None:
    Pillow.effect_noise((100, 100), 80).save(folder / "a", kind)
    content = (folder / "a").read_bytes()
    (folder / "a").write_bytes(content[: len(content) // 2])
    with pytest.raises(PictureError, match="is damaged"):
        check_picture(folder / "a")


@pytest.mark.parametrize("side", [101, 150, 2000])
def test_a_decompression_bomb_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, folder: Path, side: int
) -> None:
    """A bomb may be just over the limit, where Pillow only warns, or far over it."""
    settings.MAX_PIXELS = 10_000
    Pillow.new("1", (side, 100)).save(folder / "a.png")

    def fail(*args: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", fail)
    with pytest.raises(PictureError, match="has more than 10,000 pixels"):
        check_picture(folder / "a.png")


def test_a_file_too_large_is_refused(settings: Settings, folder: Path) -> None:
    settings.MAX_IMAGE_BYTES = len(picture(folder / "a.jpg"))
    check_picture(folder / "a.jpg")
    settings.MAX_IMAGE_BYTES -= 1
    with pytest.raises(PictureError, match=r"has more than [\d,]+ bytes"):
        check_picture(folder / "a.jpg")


@pytest.mark.parametrize(
    "content", [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"%PDF-1.7", b"\xff\xd8\xff"]
)
def test_what_is_no_picture_is_refused(folder: Path, content: bytes) -> None:
    (folder / "a.jpg").write_bytes(content)
    with pytest.raises(PictureError):
        check_picture(folder / "a.jpg")


@pytest.mark.parametrize("kind", ["GIF", "TIFF", "BMP"])
def test_other_formats_are_refused_whatever_their_name(folder: Path, kind: str) -> None:
    Pillow.new("RGB", (4, 4)).save(folder / "a.jpg", kind)
    with pytest.raises(PictureError, match="is not a JPEG, PNG or WebP"):
        check_picture(folder / "a.jpg")


def test_a_size_that_differs_from_the_corpus_is_refused(media: Path, folder: Path) -> None:
    picture(folder / "a.jpg", 40, 30)
    assert store(folder, "corpus", "a.jpg", 40, 30).width == 40
    with pytest.raises(PictureError, match="is 40 x 30 pixels, but the corpus says 30 x 40"):
        store(folder, "corpus", "a.jpg", 30, 40)


@pytest.mark.parametrize(("size", "hint"), [((40, 30), "before EXIF turns it"), ((40, 31), "was made with")])
def test_a_corpus_that_counts_a_picture_as_it_lies_is_told_so(
    media: Path, folder: Path, size: tuple[int, int], hint: str
) -> None:
    picture(folder / "a.jpg", 40, 30, orientation=6)
    with pytest.raises(PictureError) as caught:
        store(folder, "corpus", "a.jpg", *size)
    assert hint in caught.value.hint


def test_storing_again_replaces_what_was_left_half_written(media: Path, folder: Path) -> None:
    original = picture(folder / "a.jpg")
    (media / "corpus").mkdir(parents=True)
    (media / "corpus" / "a.jpg").write_bytes(original[:100])
    assert store(folder, "corpus", "a.jpg").path == "corpus/a.jpg"
    assert (media / "corpus" / "a.jpg").read_bytes() == original
    assert default_storage.listdir("corpus") == ([], ["a.jpg"])


@pytest.mark.parametrize("name", ["page.html", "a", "a.svg"])
def test_the_stored_name_says_the_true_type(media: Path, folder: Path, name: str) -> None:
    """A server tells the type by the suffix.

    Otherwise a picture that is also a web page would be served as one.
    """
    picture(folder / name)
    assert store(folder, "corpus", name).path == f"corpus/jpeg/{name}.jpg"


def test_names_longer_than_a_file_system_holds_are_refused(media: Path, folder: Path) -> None:
    picture(folder / "é.jpg")
    with pytest.raises(PictureError):
        store(folder, "corpus", "é" * 196 + ".jpg")


def test_the_picture_of_a_corpus_is_checked_like_a_file(settings: Settings, folder: Path) -> None:
    content = picture(folder / "a.jpg", orientation=6)
    kept, kind, width, height = check_picture(Path("set.parquet/a.jpg"), content)
    assert (kind, width, height) == ("JPEG", 30, 40) and kept != content
    settings.MAX_IMAGE_BYTES = 100
    with pytest.raises(PictureError, match="has more than 100 bytes"):
        check_picture(Path("set.parquet/a.jpg"), content)


@pytest.mark.parametrize("more", [b"", b"\xff", OWNER, OWNER * 500, b"\0" * 64, b"\xff\0" + OWNER])
@pytest.mark.parametrize("progressive", [False, True])
def test_bytes_after_a_jpeg_without_an_end_marker_are_left_out(more: bytes, progressive: bool) -> None:
    image = Pillow.effect_mandelbrot((200, 150), (-3, -2.5, 2, 2.5), 100)
    whole = encoded(image=image, progressive=progressive)
    content = check_picture(Path("a.jpg"), whole[:-2] + more)[0]
    assert OWNER not in content and len(whole) - 4 <= len(content) <= len(whole)
    with Pillow.open(BytesIO(content)) as ended, Pillow.open(BytesIO(whole)) as before:
        assert ended.tobytes() == before.tobytes()
