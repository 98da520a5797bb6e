"""What a photograph says of its place and its owner is at no address that a worker can read."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from PIL import Image as Pillow

from annotation.domain.answers import Stage
from annotation.models import Image
from annotation.renditions import WIDTHS
from tests.annotation.importing.made_corpora import record, run
from tests.annotation.picture_files_made import OWNER, XMP, encoded, jpeg_with, owned, segment
from tests.factories import make_at_stage, make_worker
from tests.workflows.http import Api

pytestmark = pytest.mark.django_db

NOISE = Pillow.effect_noise((900, 700), 60).convert("RGB")


def telling(kind: str, *, turned: bool) -> bytes:
    """Return a photograph that says in several places where it was taken, and by whom."""
    exif = owned(6 if turned else None)
    if kind == "JPEG":
        photograph = encoded(kind, NOISE, quality=97, exif=exif, comment=OWNER)
        return jpeg_with(segment(0xED, b"Photoshop 3.0\0" + OWNER), jpeg=photograph) + OWNER
    return encoded(kind, NOISE, exif=exif, **({"xmp": XMP} if kind == "WEBP" else {})) + OWNER


def addresses(said: Any) -> Iterator[str]:
    """Yield every address in a reply."""
    if isinstance(said, dict):
        yield from (value for key, value in said.items() if key == "url" and value)
        said = list(said.values())
    for one in said if isinstance(said, list) else []:
        yield from addresses(one)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_of_it_is_at_any_address_of_a_worker(
    media: Path, tmp_path: Path, kind: str, turned: bool
) -> None:
    batch = make_at_stage(Stage.DRAWING)
    content = telling(kind, turned=turned)
    assert content.count(OWNER) >= 2
    folder = tmp_path / "photographs"
    folder.mkdir()
    Image.objects.update(file="", width=None, height=None, renditions=None)
    names = list(Image.objects.values_list("name", flat=True))
    for name in names:
        (folder / name).write_bytes(content)
    done = run([record(name) for name in names], name=batch.project.name, images=folder)
    assert (done.summary.pictures, done.problems) == (len(names), [])
    page = Api(make_worker(batch.project)).claim(Stage.DRAWING)
    found = {address: _fetched(address) for address in addresses(page.json())}
    widths = {f"/{width}" for width in WIDTHS if any(address.endswith(f"/{width}") for address in found)}
    assert len(found) > len(widths) > 0, "the photograph itself, and smaller copies"
    for reply in found.values():
        assert OWNER not in reply and b"Exif" not in reply and b"EXIF" not in reply
        with Pillow.open(BytesIO(reply)) as picture:
            assert dict(picture.getexif()) == {} and not {"xmp", "comment"} & set(picture.info)
    stored = b"".join(path.read_bytes() for path in media.rglob("*") if path.is_file())
    assert OWNER not in stored, "nor is it anywhere in the storage"


def _fetched(address: str) -> bytes:
    reply: Any = Client().get(address)
    assert reply.status_code == 200
    content: bytes = reply.getvalue()
    return content
