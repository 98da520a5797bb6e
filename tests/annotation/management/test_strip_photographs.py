"""Stored photographs lose their metadata and nothing else, whenever the command is stopped and run again."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from PIL import Image as Pillow
from pytest_django.fixtures import Settings

from annotation import stored_metadata
from annotation.models import Image, Project
from annotation.picture_parts import without_metadata
from annotation.stored_metadata import Stripped, strip_stored
from tests.annotation.picture_files_made import (
    OWNER,
    PROFILE,
    drawn,
    encoded,
    jpeg_with,
    moving,
    owned,
    segment,
)
from tests.bucket_server import KEY_ID, REGION, SECRET, BucketServer, bucket_server
from tests.factories import NOW, make_image, make_project

pytestmark = pytest.mark.django_db

TELLING = {
    "a.jpg": encoded(exif=owned(), icc_profile=PROFILE),
    "turned.jpg": encoded(exif=owned(6)),
    "b.png": encoded("PNG", drawn(mode="RGBA"), exif=owned()),
    "c.webp": encoded("WEBP", exif=owned()),
    "moving.png": moving("PNG") + OWNER,
    "camera.jpg": encoded("MPO", save_all=True, append_images=[drawn()]) + OWNER,
}


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


def put(project: Project, name: str, content: bytes) -> Image:
    """Return an image whose photograph was stored as it came."""
    image = make_image(project, [["man"]])
    image.file.name = default_storage.save(f"{project.name}/{name}", ContentFile(content))
    image.save()
    return image


def strip(*options: str) -> tuple[int, str, str]:
    """Run the command. Return its exit code, standard output and standard error."""
    out, err = StringIO(), StringIO()
    try:
        call_command("strip_photographs", *options, stdout=out, stderr=err)
    except CommandError as error:
        return error.returncode, out.getvalue(), err.getvalue() + str(error)
    return 0, out.getvalue(), err.getvalue()


def read(image: Image) -> bytes:
    with default_storage.open(str(image.file)) as file:
        content: bytes = file.read()
    return content


def shown(content: bytes) -> list[bytes]:
    """Return the pixels of each frame."""
    found = []
    with Pillow.open(BytesIO(content)) as picture:
        for number in range(1 if picture.format == "MPO" else getattr(picture, "n_frames", 1)):
            picture.seek(number)
            found.append(picture.tobytes())
    return found


def check_stripped(images: dict[str, Image]) -> None:
    for name, image in images.items():
        content = read(image)
        assert OWNER not in content and content == without_metadata(TELLING[name])
        assert shown(content) == shown(TELLING[name])


def test_stored_photographs_lose_what_they_say_and_no_pixel(media: Path) -> None:
    project = make_project()
    images = {name: put(project, name, content) for name, content in TELLING.items()}
    plain = put(project, "plain.jpg", encoded())
    before = {path.name for path in (media / project.name).iterdir()}
    assert strip("--dry-run")[:2] == (
        0,
        f"Dry run: nothing was written.\n7 photographs, 6 of them with metadata ({saved():,} bytes)\n",
    )
    assert all(read(image) == TELLING[name] for name, image in images.items())
    assert strip()[:2] == (0, f"7 photographs, 6 of them with metadata ({saved():,} bytes)\n")
    check_stripped(images)
    assert read(plain) == encoded()
    assert {path.name for path in (media / project.name).iterdir()} == before
    assert strip()[1] == "7 photographs, 0 of them with metadata (0 bytes)\n"


def saved() -> int:
    return sum(len(content) - len(without_metadata(content)) for content in TELLING.values())


def test_it_goes_on_where_it_was_stopped(media: Path) -> None:
    project = make_project()
    images = {name: put(project, name, content) for name, content in TELLING.items()}

    def stop(counts: Stripped) -> None:
        if counts.photographs == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strip_stored(seen=stop)
    assert sum(OWNER in read(image) for image in images.values()) == 3
    assert strip_stored().stripped == 3
    check_stripped(images)


def test_only_the_project_that_is_named(media: Path) -> None:
    one, other = make_project("one"), make_project("other")
    stripped, kept = put(one, "a.jpg", TELLING["a.jpg"]), put(other, "a.jpg", TELLING["a.jpg"])
    assert strip("--project", "one")[0] == 0
    assert OWNER not in read(stripped) and OWNER in read(kept)
    assert strip("--project", "third") == (1, "", "--project: there is no project third")


def test_a_damaged_photograph_is_named_and_holds_up_no_other(media: Path, settings: Settings) -> None:
    project = make_project()
    damaged = put(project, "damaged.jpg", TELLING["a.jpg"][:-300])
    cut = put(project, "cut.webp", TELLING["c.webp"][:-20])
    large = put(project, "large.jpg", TELLING["a.jpg"] + bytes(20_000))
    gone = put(project, "gone.jpg", TELLING["a.jpg"])
    default_storage.delete(str(gone.file))
    good = put(project, "good.jpg", TELLING["a.jpg"])
    settings.MAX_IMAGE_BYTES = 20_000
    code, out, err = strip()
    assert code == 3 and out.startswith("4 photographs, 1 of them with metadata")
    assert OWNER not in read(good)
    assert f"{project.name}/damaged.jpg: " in err
    assert f"{project.name}/cut.webp: it ends too early: it was left as it is" in err
    assert f"{project.name}/large.jpg: it has more than 20,000 bytes" in err
    assert "3 photographs could not be used" in err
    assert OWNER in read(damaged) and OWNER in read(large) and read(cut) == TELLING["c.webp"][:-20]


def test_a_photograph_that_would_look_otherwise_stays(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = put(make_project(), "a.jpg", TELLING["a.jpg"])
    monkeypatch.setattr(stored_metadata, "without_metadata", lambda content: encoded(image=drawn((8, 8))))
    code, _, err = strip()
    assert code == 3 and "it would look otherwise without metadata" in err
    assert read(image) == TELLING["a.jpg"]


@pytest.mark.parametrize("change", ["replaced", "deleted"])
def test_nothing_is_written_for_a_photograph_that_goes_meanwhile(
    media: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = put(make_project(), "a.jpg", TELLING["a.jpg"])

    def meanwhile(content: bytes) -> bytes:
        if change == "replaced":
            Image.objects.filter(pk=image.pk).update(file="p/another.jpg")
        else:
            Project.objects.filter(pk=image.project_id).update(deleted_at=NOW)
        return without_metadata(content)

    monkeypatch.setattr(stored_metadata, "without_metadata", meanwhile)
    assert strip_stored().stripped == 0
    assert read(image) == TELLING["a.jpg"]


@pytest.fixture
def bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[BucketServer]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with bucket_server() as server:
        options = {"bucket_name": "photos", "region_name": REGION, "endpoint_url": server.url}
        backend = "annotation.bucket.BucketStorage"
        settings.STORAGES = {
            **settings.STORAGES,
            "default": {"BACKEND": backend, "OPTIONS": {**options, "file_overwrite": False}},
            "replacing": {"BACKEND": backend, "OPTIONS": {**options, "file_overwrite": True}},
        }
        yield server


def test_photographs_in_a_bucket_are_stripped_too(bucket: BucketServer) -> None:
    project = make_project()
    images = {name: put(project, name, content) for name, content in TELLING.items()}
    count = len(bucket.objects)
    assert strip()[0] == 0
    check_stripped(images)
    assert len(bucket.objects) == count and not any(OWNER in one for one in bucket.objects.values())


def test_a_comment_alone_is_metadata(media: Path) -> None:
    image = put(make_project(), "a.jpg", jpeg_with(segment(0xFE, OWNER)))
    assert strip()[1] == "1 photographs, 1 of them with metadata (28 bytes)\n" and read(image) == encoded()
