"""Pictures with an export: they lie upright in their files, and boxes lie right without any EXIF data."""

from __future__ import annotations

import hashlib
import os
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Any

import PIL.Image
import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from pytest_django.fixtures import Settings

from annotation.exporting.compare import export_differences, read_manifest
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.exporting.folder import ExportError
from annotation.exporting.pictures import Pictures
from annotation.formats.recognition import recognise
from annotation.formats.registry import WRITERS
from annotation.importing.picture_files import PictureFolders
from annotation.models import Image, Project
from tests.annotation.exporting.annotated_projects import Made, annotate, export, files, make_batch
from tests.annotation.exporting.test_data_card import card, opened
from tests.annotation.exporting.test_earlier import refused
from tests.factories import make_image, make_project

SIZE = (60, 80)


def photograph(size: tuple[int, int] = SIZE, orientation: int = 1, kind: str = "JPEG") -> bytes:
    """Return a picture whose left half is red. If it is turned, it lies in its file as a phone writes it."""
    upright = PIL.Image.new("RGB", size, "blue")
    upright.paste("red", (0, 0, size[0] // 2, size[1]))
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    lying = upright.transpose(PIL.Image.Transpose.ROTATE_90) if orientation == 6 else upright
    buffer = BytesIO()
    lying.save(buffer, kind, exif=exif)
    return buffer.getvalue()


def put(image: Image, content: bytes | None, size: tuple[int, int] = SIZE) -> None:
    """Let the image have this picture in the storage, without the checks of an import."""
    image.file.name = "" if content is None else default_storage.save(f"p/{image.name}", ContentFile(content))
    image.width, image.height = size
    image.save()


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def project(db: None, media: Path) -> Project:
    project = make_project()
    batch = make_batch(project)
    for name in ("a.jpg", "b.jpg"):
        image = make_image(project, [["man"]], name=name)
        annotate(image, [Made([0], [(0, 0, 30, 80)])], batch=batch)
        put(image, photograph())
    return project


def written(project: Project, out: Path, how: Pictures = Pictures.COPIED, **options: Any) -> Any:
    return export(project, out, "jsonl", pictures=how, **options)


BESIDE = [name for name, output in WRITERS.items() if not output.holds_pictures]


@pytest.mark.parametrize("format", BESIDE)
def test_pictures_are_copied_byte_for_byte(project: Project, tmp_path: Path, format: str) -> None:
    manifest = export(project, tmp_path / "out", format, pictures=Pictures.COPIED)
    content = (tmp_path / "out" / "images" / "a.jpg").read_bytes()
    assert content == photograph() and not os.stat(tmp_path / "out" / "images" / "a.jpg").st_nlink > 1
    assert sorted(path.name for path in (tmp_path / "out" / "images").iterdir()) == ["a.jpg", "b.jpg"]
    assert manifest.to_json()["counts"]["pictures"] == 2
    digest = hashlib.sha256(content).hexdigest()
    sums = (tmp_path / "out" / "about" / "pictures.sha256").read_text().splitlines()
    assert sums == [f"{digest}  images/{name}" for name in ("a.jpg", "b.jpg")]


@pytest.mark.parametrize("format", BESIDE)
def test_pictures_change_nothing_else(project: Project, tmp_path: Path, format: str) -> None:
    plain = export(project, tmp_path / "plain", format)
    manifest = export(project, tmp_path / "out", format, pictures=Pictures.COPIED)
    beside = ("about/manifest.json", "README.md", "about/pictures.sha256", "images/a.jpg", "images/b.jpg")
    assert files(tmp_path / "out", without=beside) == files(tmp_path / "plain", without=beside)
    assert manifest.content_hash == plain.content_hash
    assert "pictures" not in plain.to_json()["counts"]


@pytest.mark.parametrize("how", Pictures)
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_picture_that_exif_turns_is_written_upright(
    project: Project, tmp_path: Path, how: Pictures, kind: str
) -> None:
    """Stored pictures are upright, but somebody may have put the originals back into the storage."""
    put(Image.objects.get(name="a.jpg"), photograph(orientation=6, kind=kind))
    written(project, tmp_path / "out", how)
    with PIL.Image.open(tmp_path / "out" / "images" / "a.jpg") as picture:
        assert picture.format == kind and picture.size == SIZE
        assert picture.getexif().get(0x0112, 1) == 1
        left, right = (picture.convert("RGB").getpixel((x, 40)) for x in (10, 50))
    assert left[0] > 200 > 60 > left[2] and right[2] > 200 > 60 > right[0]  # type: ignore[index]


def test_linked_pictures_take_no_space_and_stay_if_the_project_loses_them(
    project: Project, media: Path, tmp_path: Path
) -> None:
    written(project, tmp_path / "out", Pictures.LINKED)
    linked, stored = tmp_path / "out" / "images" / "a.jpg", media / "p" / "a.jpg"
    assert os.path.samefile(linked, stored) and not linked.is_symlink()
    stored.unlink()
    assert linked.read_bytes() == photograph()


def test_what_cannot_be_linked_is_said(
    project: Project, tmp_path: Path, monkeypatch: Any, settings: Settings
) -> None:
    def other_disk(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", other_disk)
    with pytest.raises(
        ExportError, match="cannot be linked: Invalid cross-device link; have the pictures copied"
    ):
        written(project, tmp_path / "out", Pictures.LINKED)
    settings.IMAGES_ARE_LOCAL = False
    with pytest.raises(ExportError, match="in a bucket, where nothing can be linked"):
        written(project, tmp_path / "out", Pictures.LINKED)
    assert [path.name for path in tmp_path.iterdir()] == ["media"]


def test_a_picture_that_is_missing_or_does_not_fit_is_counted(
    project: Project, media: Path, tmp_path: Path
) -> None:
    batch = project.batches.get()
    odd: dict[str, bytes | None] = {
        "c.jpg": None,
        "d.jpg": photograph()[:10],
        "e.jpg": photograph((80, 60)),
        "f.jpg": photograph(),
    }
    for name, content in odd.items():
        image = make_image(project, [["man"]], name=name)
        annotate(image, [Made([0], [(0, 0, 30, 80)])], batch=batch)
        put(image, content)
    (media / "p" / "f.jpg").unlink()
    manifest = written(project, tmp_path / "out")
    assert manifest.to_json()["left_out"]["pictures"] == {
        "damaged or too large": 1,
        "gone from the storage": 1,
        "not imported": 1,
        "of another size than their images": 1,
    }
    assert (manifest.images, manifest.pictures) == (6, 2)
    assert sorted(path.name for path in (tmp_path / "out" / "images").iterdir()) == ["a.jpg", "b.jpg"]


def test_a_picture_that_cannot_be_read_stops_the_export(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> None:
        raise OSError(5, "Input/output error", name)

    monkeypatch.setattr(default_storage, "open", broken)
    with pytest.raises(ExportError, match=r"the picture of [ab]\.jpg cannot be read: Input/output error"):
        written(project, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_pictures_of_images_that_are_left_out_are_left_out(project: Project, tmp_path: Path) -> None:
    put(make_image(project, [["man"]], name="c.jpg"), photograph())
    assert written(project, tmp_path / "out").pictures == 2


def test_there_is_a_limit_on_their_bytes(project: Project, tmp_path: Path) -> None:
    size = len(photograph())
    written(project, tmp_path / "fits", most_picture_bytes=2 * size)
    with pytest.raises(ExportError, match=r"have more than [\d,]+ bytes: export a batch at a time"):
        written(project, tmp_path / "out", most_picture_bytes=2 * size - 1)
    assert not (tmp_path / "out").exists()


def test_a_pulse_is_given_after_each_picture_and_may_end_the_export(project: Project, tmp_path: Path) -> None:
    pulses: list[int] = []
    options = ExportOptions(pictures=Pictures.COPIED)

    def pulse() -> None:
        pulses.append(1)
        if len(pulses) == 4:
            raise KeyboardInterrupt

    def run(out: Path) -> None:
        export_dataset(project=project, format="jsonl", out=out, options=options, pulse=pulse)

    run(tmp_path / "one")
    assert len(pulses) == 2
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "two")
    assert {path.name for path in tmp_path.iterdir()} == {"media", "one"}


@pytest.mark.parametrize("format", WRITERS)
def test_an_export_with_pictures_can_be_overwritten(project: Project, tmp_path: Path, format: str) -> None:
    for _ in range(2):
        export(project, tmp_path / "out", format, pictures=Pictures.LINKED, overwrite=True)
    export(project, tmp_path / "out", format, overwrite=True)
    assert not (tmp_path / "out" / "images").exists()
    assert default_storage.exists("p/a.jpg")


@pytest.mark.parametrize(
    "strange", ["about/mine.txt", "images/mine.jpg", "images/deep", "images/deep/a.jpg", "images/link.jpg"]
)
def test_a_picture_of_somebody_else_is_kept(project: Project, tmp_path: Path, strange: str) -> None:
    written(project, tmp_path / "out")
    path = tmp_path / "out" / strange
    if strange.endswith("link.jpg"):
        path.symlink_to("a.jpg")
    elif strange.endswith("deep"):
        path.mkdir()
    else:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    named = strange if strange.count("/") == 1 else "images/deep"
    refused(tmp_path / "out", f"holds {named}, which is not part of the export in it")


def test_pictures_without_a_list_are_somebody_elses(project: Project, tmp_path: Path) -> None:
    written(project, tmp_path / "out")
    (tmp_path / "out" / "about" / "pictures.sha256").unlink()
    refused(tmp_path / "out", r"holds images/a\.jpg, which is not part")


@pytest.mark.parametrize("format", ["jsonl", "flickr30k-entities"])
def test_an_import_finds_the_pictures_of_an_export(project: Project, tmp_path: Path, format: str) -> None:
    export(project, tmp_path / "out", format, pictures=Pictures.COPIED, include_unfinished=True)
    found = recognise(tmp_path / "out")
    assert found.format == format and found.pictures is not None
    assert PictureFolders(found.pictures).find("a.jpg").read_bytes() == photograph()


def test_a_folder_for_hugging_face_opens_with_its_pictures(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    manifest = export(project, out, "huggingface", pictures=Pictures.COPIED)
    assert manifest.pictures == 2
    assert "The column `image` has the photographs" in card(out)[1]
    (rows,) = opened(out, tmp_path / "cache")["rows"].values()
    assert [(row["file_name"], row["image"]) for row in rows] == [("a.jpg", [*SIZE]), ("b.jpg", [*SIZE])]
    (table,) = (out / "data").iterdir()
    pictures = pq.read_table(table)["image"].to_pylist()
    assert pictures == [{"bytes": photograph(), "path": name} for name in ("a.jpg", "b.jpg")]
    assert not (out / "images").exists() and not (out / "about" / "pictures.sha256").exists()


def test_shards_hold_the_pictures(project: Project, tmp_path: Path) -> None:
    """An image whose picture is missing is left out and counted."""
    Image.objects.filter(name="b.jpg").update(file="")
    manifest = export(project, tmp_path / "out", "webdataset", pictures=Pictures.LINKED)
    assert manifest.pictures == 1 and manifest.left_out.pictures == {"not imported": 1}
    assert manifest.not_in_format["images without a picture"] == 1
    with tarfile.open(tmp_path / "out" / "shards" / "unsplit-000000.tar") as shard:
        assert shard.getnames() == ["000000000.jpg", "000000000.json"]
        picture = shard.extractfile("000000000.jpg")
        assert picture is not None and picture.read() == photograph()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "about",
        "provenance.jsonl",
        "shards",
    ]
    assert default_storage.exists("p/a.jpg")


def test_shards_for_pictures_that_are_all_missing_are_not_written(project: Project, tmp_path: Path) -> None:
    Image.objects.update(file="")
    with pytest.raises(ExportError, match="none of the images has a picture that can be written"):
        export(project, tmp_path / "out", "webdataset", pictures=Pictures.COPIED)
    assert list(tmp_path.glob("*out*")) == []


FIRST = {"huggingface": "data/unsplit.parquet", "webdataset": "shards/unsplit-000000.tar"}


@pytest.mark.parametrize("format", [name for name, output in WRITERS.items() if output.holds_pictures])
def test_an_export_that_holds_its_pictures_is_compared_with_them(
    project: Project, tmp_path: Path, format: str
) -> None:
    out = tmp_path / "out"
    export(project, out, format, pictures=Pictures.COPIED)
    assert list(export_differences(out, project, read_manifest(out))) == []
    put(Image.objects.get(name="a.jpg"), photograph(kind="PNG"))
    different = set(export_differences(out, project, read_manifest(out)))
    assert different >= {f"{FIRST[format]}: differs"}
