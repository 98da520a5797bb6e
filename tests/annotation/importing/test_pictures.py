from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Pillow
from pytest_django.fixtures import Settings

from annotation.importing.picture_files import PictureError, PictureFolders
from annotation.importing.pictures import check_picture
from tests.annotation.importing.made_corpora import picture, store

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


def test_a_turned_webp_loses_nothing(media: Path, folder: Path) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    noise = Pillow.effect_noise((40, 30), 80).convert("RGB")
    noise.save(folder / "a.webp", lossless=True, exif=exif)
    with Pillow.open(media / store(folder, "corpus", "a.webp").path) as image:
        assert image.convert("RGB").tobytes() == noise.transpose(Pillow.Transpose.ROTATE_270).tobytes()


def test_a_truncated_jpeg_is_refused(folder: Path) -> None:
    content = picture(folder / "a.jpg", 400, 300)
    (folder / "a.jpg").write_bytes(content[: len(content) // 2])
    with pytest.raises(PictureError, match="is damaged: image file is truncated"):
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


@pytest.mark.parametrize("name", ["a", "a.jpg", "a.jpeg", "a.png"])
def test_pictures_are_found_by_name_name_with_suffix_or_stem(folder: Path, name: str) -> None:
    picture(folder / "a.jpg")
    assert PictureFolders(folder).find(name) == folder / "a.jpg"


def test_the_exact_name_comes_first(folder: Path) -> None:
    picture(folder / "a.jpg")
    picture(folder / "a.png", kind="PNG")
    assert PictureFolders(folder).find("a.png") == folder / "a.png"


@pytest.mark.parametrize(
    "name", ["../a.jpg", "..", ".", "", "sub/a.jpg", "/etc/passwd", "sub\\a.jpg", "a\0.jpg"]
)
def test_names_that_are_paths_are_refused(folder: Path, name: str) -> None:
    picture(folder.parent / "a.jpg")
    with pytest.raises(PictureError):
        PictureFolders(folder).find(name)


def test_links_out_of_the_folder_are_refused(folder: Path) -> None:
    picture(folder.parent / "secret.jpg")
    (folder / "a.jpg").symlink_to(folder.parent / "secret.jpg")
    with pytest.raises(PictureError, match="leads out of the folder"):
        PictureFolders(folder).find("a.jpg")


def test_links_within_the_folder_are_followed(folder: Path) -> None:
    picture(folder / "b.jpg")
    (folder / "a.jpg").symlink_to("b.jpg")
    assert PictureFolders(folder).find("a.jpg") == folder / "a.jpg"


def test_a_folder_is_no_picture(folder: Path) -> None:
    (folder / "a.jpg").mkdir()
    with pytest.raises(PictureError, match=r"there is no picture a\.jpg"):
        PictureFolders(folder).find("a.jpg")


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


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture(path)
    return path


@pytest.mark.parametrize("within", ["x/val", "val", "other/x/val"])
def test_the_folder_of_a_name_is_looked_for_by_its_end(folder: Path, within: str) -> None:
    folders = PictureFolders(folder / "train", folder)
    put(folder / "train" / "a.jpg")
    there = put(folder / "val" / "a.jpg")
    assert folders.find("a.jpg", within) == there


def test_a_name_without_its_folder_is_looked_for_in_the_folder_with_the_most_pictures(folder: Path) -> None:
    there = put(folder / "train" / "a.jpg")
    folders = PictureFolders(folder / "train", folder)
    assert folders.find("a.jpg") == folders.find("a.jpg", "nowhere") == there
    with pytest.raises(PictureError, match=r"there is no picture b\.jpg in"):
        folders.find("b.jpg", "train")


def test_folders_of_names_that_are_links_out_are_refused(folder: Path) -> None:
    put(folder.parent / "secret" / "a.jpg")
    (folder / "val").symlink_to(folder.parent / "secret")
    with pytest.raises(PictureError, match="leads out of the folder"):
        PictureFolders(folder, folder).find("a.jpg", "val")


def test_the_picture_of_a_corpus_is_checked_like_a_file(settings: Settings, folder: Path) -> None:
    content = picture(folder / "a.jpg", orientation=6)
    kept, kind, width, height = check_picture(Path("set.parquet/a.jpg"), content)
    assert (kind, width, height) == ("JPEG", 30, 40) and kept != content
    settings.MAX_IMAGE_BYTES = 100
    with pytest.raises(PictureError, match="has more than 100 bytes"):
        check_picture(Path("set.parquet/a.jpg"), content)
