"""Smaller copies of photographs: they show the same, are made once, and go when the photograph goes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image as Pillow
from PIL import ImageCms, ImageDraw
from pytest_django.fixtures import Settings

from annotation import renditions
from annotation.importing.replacement import replace_photograph
from annotation.models import Image
from annotation.renditions import (
    BOMBS,
    DECODING_ERRORS,
    delete_photograph,
    file_of,
    make_missing,
    render,
    save_renditions,
    sizes_for,
)
from tests.annotation.importing.made_corpora import store
from tests.annotation.picture_files_made import entry, exif_segment, jpeg_with
from tests.annotation.picture_files_made import exif as exif_of
from tests.factories import NOW, make_image, make_project
from tests.workflows.threads import at_once


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


def encoded(picture: Pillow.Image, kind: str = "JPEG", **more: Any) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, kind, **({"quality": 97} | more))
    return buffer.getvalue()


def noise(width: int, height: int) -> Pillow.Image:
    """Return a picture with as many bytes as a photograph."""
    return Pillow.effect_noise((width, height), 60).convert("RGB")


def read(rendition: bytes) -> Pillow.Image:
    return Pillow.open(BytesIO(rendition))


def files(media: Path) -> set[str]:
    return {str(path.relative_to(media)) for path in media.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((500, 375), []),
        ((640, 480), []),
        ((641, 480), [(640, 479)]),
        ((4000, 3000), [(640, 480), (1280, 960), (2560, 1920)]),
        ((3000, 4001), [(640, 854), (1280, 1707), (2560, 3414)]),
        ((20_000, 3), [(640, 1), (1280, 1), (2560, 1)]),
        ((1000, 40_000), []),
        ((1300, 12_000), [(640, 5908)]),
    ],
)
def test_a_photograph_has_renditions_that_are_smaller_than_itself(
    size: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    """No rendition has so many pixels that its making would take long."""
    assert sizes_for(*size) == expected


def test_renditions_show_the_same_from_edge_to_edge() -> None:
    """A line at each edge of a thing is at the same place, to a third of a rendition's pixel."""
    picture = Pillow.new("L", (2001, 1501), 0)
    box = (403, 301, 1207, 1100)  # edges: left, top, right, bottom
    ImageDraw.Draw(picture).rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=255)
    made = render(encoded(Pillow.merge("RGB", [picture] * 3), "PNG"))
    assert list(made) == [640, 1280]
    for width, content in made.items():
        small = read(content).convert("L")
        # The brightness of a row or column, in whole pixels of the thing, says where its edges are.
        row = [small.getpixel((x, small.height // 2)) / 255 for x in range(width)]  # type: ignore[operator]
        column = [small.getpixel((width // 2, y)) / 255 for y in range(small.height)]  # type: ignore[operator]
        for line, first, last, length in (
            (row, box[0], box[2], picture.width),
            (column, box[1], box[3], picture.height),
        ):
            scale = len(line) / length
            middle = int((first + last) / 2 * scale)
            begins, ends = middle - sum(line[:middle]), middle + sum(line[middle:])
            assert abs(begins - first * scale) < 0.34 and abs(ends - last * scale) < 0.34


def test_a_rendition_has_fewer_bytes_than_the_photograph() -> None:
    assert list(render(encoded(noise(1500, 300)))) == [640, 1280]
    plain = encoded(Pillow.new("P", (3000, 40)), "PNG")
    assert all(len(made) < len(plain) for made in render(plain).values())


def test_a_photograph_that_exif_turns_is_shown_upright() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    turned = noise(1000, 1400)
    turned.paste("red", (0, 0, 500, 400))  # the upper left corner, which belongs to the upper right
    small = read(render(encoded(turned, exif=exif))[640])
    assert small.size == (640, 457) and small.getexif().get(0x0112, 1) == 1
    red, green, _ = small.convert("RGB").getpixel((620, 20))  # type: ignore[misc]
    assert red > 200 and green < 60


def test_colours_are_those_of_the_profile() -> None:
    """One that is broken, or for another kind of picture, is passed over, as by browsers."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    swapped = srgb.replace(b"rXYZ", b"????").replace(b"bXYZ", b"rXYZ").replace(b"????", b"bXYZ")
    given, exchanged = (200, 40, 90), (90, 40, 200)
    for profile, expected in ((srgb, given), (b"broken", given), (lab, given), (swapped, exchanged)):
        picture = noise(800, 600)
        picture.paste(given, (0, 0, 400, 600))
        small = read(render(encoded(picture, icc_profile=profile))[640])
        assert "icc_profile" not in small.info
        colour = small.convert("RGB").getpixel((100, 200))
        assert all(abs(a - b) < 12 for a, b in zip(colour, expected, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "kind", "colour", "expected"),
    [
        ("CMYK", "JPEG", (0, 255, 255, 0), (255, 0, 0)),
        ("L", "JPEG", 128, (128, 128, 128)),
        ("I;16", "PNG", 128 * 257, (128, 128, 128)),
        ("P", "PNG", 0, (0, 0, 0)),
        ("LA", "PNG", (90, 255), (90, 90, 90)),
    ],
)
def test_pictures_of_every_kind_have_renditions(mode: str, kind: str, colour: Any, expected: Any) -> None:
    speckled = Pillow.effect_noise((900, 700), 90)
    picture = speckled.convert("I;16") if mode == "I;16" else speckled.convert("RGB").convert(mode)
    picture.paste(colour, (0, 0, 450, 700))
    small = read(render(encoded(picture, kind))[640]).convert("RGB")
    assert all(abs(a - b) < 14 for a, b in zip(small.getpixel((100, 200)), expected, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["RGBA", "P"])
def test_what_is_transparent_stays_so(mode: str) -> None:
    picture = noise(900, 700).convert("RGBA")
    picture.paste((0, 0, 0, 0), (0, 0, 450, 700))
    if mode == "P":
        picture = picture.quantize(64)
    small = read(render(encoded(picture, "PNG"))[640])
    assert small.mode == "RGBA"
    assert small.getpixel((100, 200))[3] == 0 and small.getpixel((600, 200))[3] == 255  # type: ignore[index]


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_moving_picture_has_none(kind: str) -> None:
    """A rendition would stand still, and move once somebody zooms in."""
    frames = [noise(800, 600), noise(800, 600)]
    assert render(encoded(frames[0], kind, save_all=True, append_images=frames[1:])) == {}


def test_a_camera_picture_with_a_preview_has_renditions() -> None:
    assert list(render(encoded(noise(800, 600), "MPO", save_all=True, append_images=[noise(80, 60)]))) == [
        640
    ]


def test_damaged_pictures_and_bombs_are_refused(settings: Settings) -> None:
    with pytest.raises(DECODING_ERRORS):
        render(encoded(noise(800, 600))[:-5000])
    settings.MAX_PIXELS = 400_000
    with pytest.raises(BOMBS):
        render(encoded(noise(800, 600)))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_of_what_the_file_says_is_in_a_rendition(kind: str) -> None:
    exif = Pillow.Exif()
    exif[0x010E] = "at home"
    said = {"exif": exif, "xmp": b"<x>at home</x>", "comment": b"at home"}
    content = encoded(noise(800, 600), kind, lossless=True, **said)
    assert b"at home" in content and b"at home" not in render(content)[640]


def test_exif_data_that_cannot_be_written_anew_are_no_matter() -> None:
    """Pillow writes them when it turns a picture by itself, and fails."""
    turning = exif_of(entry(0x011A, 2, 3, b"72\0"), orientation=6)
    small = read(render(jpeg_with(exif_segment(turning), jpeg=encoded(noise(600, 800))))[640])
    assert small.size == (640, 480)


def stored(media: Path, width: int = 1400) -> Image:
    """Return an image whose photograph was imported before there were renditions."""
    image = make_image(make_project(), [["man"]])
    image.file.name = default_storage.save(f"p/{image.pk}.jpg", ContentFile(encoded(noise(width, 300))))
    image.width, image.height = width, 300
    image.save()
    return image


@pytest.mark.django_db
def test_an_import_makes_them_and_replaces_those_of_a_killed_one(media: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(encoded(noise(1400, 300)))
    assert store(folder, "p", "a.jpg").renditions == [640, 1280]
    assert files(media) == {"p/a.jpg", file_of("p/a.jpg", 640), file_of("p/a.jpg", 1280)}
    (folder / "a.jpg").write_bytes(encoded(noise(700, 300)))
    assert store(folder, "p", "a.jpg").renditions == [640]
    assert files(media) == {"p/a.jpg", file_of("p/a.jpg", 640)}
    assert read((media / file_of("p/a.jpg", 640)).read_bytes()).size == (640, 274)


@pytest.mark.django_db
def test_a_replaced_photograph_takes_its_renditions_with_it(
    media: Path, django_capture_on_commit_callbacks: Any
) -> None:
    image = stored(media)
    before = str(image.file)
    assert make_missing() == 1
    assert file_of(before, 640) in files(media)
    with django_capture_on_commit_callbacks(execute=True):
        changed = replace_photograph(image_id=image.pk, file=ContentFile(encoded(noise(700, 300))))
    assert changed.renditions == [640]
    assert files(media) == {str(changed.file), file_of(str(changed.file), 640)}


@pytest.mark.django_db
def test_missing_ones_are_made_later_and_only_once(media: Path, caplog: pytest.LogCaptureFixture) -> None:
    small, large = stored(media, 300), stored(media)
    gone, broken = stored(media), stored(media)
    default_storage.delete(str(gone.file))
    (media / str(broken.file)).write_bytes(b"no picture")
    assert make_missing(goes_on=lambda: False) == 0
    assert make_missing() == 4
    for image, widths in ((small, []), (large, [640, 1280]), (gone, []), (broken, [])):
        image.refresh_from_db()
        assert image.renditions == widths
    assert "is damaged" in caplog.text
    assert make_missing() == 0


@pytest.mark.django_db
def test_an_unreadable_photograph_is_tried_again_and_holds_up_no_other(
    media: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away, there = stored(media), stored(media)
    read_file = renditions._read

    def fails(file: str) -> bytes:
        if file == str(away.file):
            raise OSError("the disk is away")
        return read_file(file)

    monkeypatch.setattr(renditions, "_read", fails)
    assert make_missing() == 1
    there.refresh_from_db()
    assert there.renditions == [640, 1280]
    monkeypatch.undo()
    assert make_missing() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["replaced", "deleted"])
def test_nothing_is_left_of_a_photograph_that_goes_meanwhile(
    media: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = stored(media)

    def meanwhile(content: bytes) -> dict[int, bytes]:
        made = render(content)
        if change == "replaced":
            Image.objects.filter(pk=image.pk).update(file="p/another.jpg")
        else:
            type(image.project).objects.filter(pk=image.project_id).update(deleted_at=NOW)
        return made

    monkeypatch.setattr(renditions, "render", meanwhile)
    make_missing(goes_on=iter([True, False]).__next__)
    assert not any(name.startswith(".renditions") for name in files(media))


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_two_who_make_them_at_once_leave_one_of_each(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = stored(media)
    both = threading.Barrier(2)

    def together(content: bytes) -> dict[int, bytes]:
        made = render(content)
        both.wait(timeout=30)
        return made

    monkeypatch.setattr(renditions, "render", together)
    work: list[Callable[[], int]] = [make_missing] * 2
    at_once(work)
    image.refresh_from_db()
    assert image.renditions == [640, 1280]
    assert files(media) == {str(image.file), *(file_of(str(image.file), width) for width in (640, 1280))}


def test_a_reader_never_sees_half_a_rendition(media: Path) -> None:
    """Another process writes the same file over and over."""
    contents = [bytes([number]) * 300_000 for number in (1, 2)]
    done = threading.Event()

    def write() -> None:
        for turn in range(40):
            save_renditions("p/a.jpg", {640: contents[turn % 2]})
        done.set()

    save_renditions("p/a.jpg", {640: contents[0]})
    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        assert (media / file_of("p/a.jpg", 640)).read_bytes() in contents
    writer.join()
    assert len(files(media)) == 1


def test_what_a_killed_process_wrote_goes_with_the_photograph(media: Path) -> None:
    default_storage.save("p/a.jpg", ContentFile(b"a photograph"))
    save_renditions("p/a.jpg", {640: b"small"})
    (media / f"{file_of('p/a.jpg', 640)}.0a1b").write_bytes(b"half")
    delete_photograph("p/a.jpg")
    assert files(media) == set()
    delete_photograph("p/a.jpg")


def test_a_storage_without_folders_holds_them_as_well(settings: Settings) -> None:
    """As S3: no file has a path there."""
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "default": memory, "replacing": memory}
    save_renditions("p/a.jpg", {640: b"small"})
    assert renditions.storage().exists(file_of("p/a.jpg", 640))
    delete_photograph("p/a.jpg")
    assert not renditions.storage().exists(file_of("p/a.jpg", 640))
