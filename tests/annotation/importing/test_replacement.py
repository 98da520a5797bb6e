"""An image gets another photograph, which fits the boxes that are known."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.importing.picture_files import PictureError
from annotation.importing.replacement import replace_photograph
from annotation.models import GoldChain, Image
from tests.annotation.importing.made_corpora import picture
from tests.factories import make_image, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def image(media: Path) -> Image:
    image = make_image(make_project(), [["man"]])
    image.file.name = default_storage.save("p/1.jpg", ContentFile(b"before"))
    image.width, image.height = 60, 40
    image.save()
    return image


def photograph(folder: Path, width: int, height: int) -> ContentFile[bytes]:
    return ContentFile(picture(folder / "new.jpg", width, height))


def known_box(image: Image) -> None:
    GoldChain.objects.create(image=image, number=1, members=[], boxes=[[0, 0, 10, 10]])


def test_the_photograph_before_is_deleted_once_the_new_one_is_there(
    image: Image, tmp_path: Path, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        changed = replace_photograph(image_id=image.pk, file=photograph(tmp_path, 30, 20))
        assert default_storage.exists("p/1.jpg")
    assert (changed.width, changed.height) == (30, 20)
    assert default_storage.exists(str(changed.file)) and not default_storage.exists("p/1.jpg")


def test_the_same_photograph_again_changes_nothing(image: Image, tmp_path: Path) -> None:
    file = photograph(tmp_path, 60, 40)
    first = replace_photograph(image_id=image.pk, file=file)
    file.seek(0)
    again = replace_photograph(image_id=image.pk, file=file)
    assert str(first.file) == str(again.file) and default_storage.exists(str(again.file))


def test_known_boxes_need_a_photograph_of_their_size(image: Image, tmp_path: Path) -> None:
    known_box(image)
    with pytest.raises(PictureError, match="is 30 x 20 pixels, but boxes were drawn on 60 x 40"):
        replace_photograph(image_id=image.pk, file=photograph(tmp_path, 30, 20))
    image.refresh_from_db()
    assert str(image.file) == "p/1.jpg"
    assert replace_photograph(image_id=image.pk, file=photograph(tmp_path, 60, 40)).width == 60


def test_another_image_with_the_same_photograph_keeps_its_own(image: Image, tmp_path: Path) -> None:
    other = make_image(image.project, [["dog"]])
    files = {
        str(replace_photograph(image_id=one.pk, file=photograph(tmp_path, 60, 40)).file)
        for one in (image, other)
    }
    assert len(files) == 2
