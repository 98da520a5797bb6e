"""What the API sends to workers has neither the names of files nor the ids of images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotation.domain.answers import Stage
from annotation.models import Image
from tests import made_once
from tests.factories import make_at_stage, make_worker
from tests.workflows.http import Api
from tests.workflows.qualification.tested_workers import GIVEN, make_tested

pytestmark = pytest.mark.django_db

FIRST = 7_341_905_118
"""An id with so many digits that it is nowhere by chance."""


@pytest.fixture(autouse=True)
def remarkable_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give images ids that can be found in a reply."""
    make, ids = Image.__init__, iter(range(FIRST, FIRST + 100))

    def make_with_id(image: Image, *args: Any, **named: Any) -> None:
        make(image, *args, **named)
        image.pk = image.pk or next(ids)

    monkeypatch.setattr(Image, "__init__", make_with_id)
    monkeypatch.setattr(made_once, "REUSED", False)


def replies_of_a_page(api: Api, stage: str) -> Iterator[Any]:
    yield (claimed := api.claim(stage))
    page = claimed.json()
    yield api.claim(stage)
    yield api.get(f"assignments/{page['id']}")
    yield api.post(f"assignments/{page['id']}/renewal")
    yield api.submit(page, GIVEN[stage])
    for path in ("stages", "me", f"assignments/{page['id']}"):
        yield api.get(path)
    for item in page["items"]:
        yield api.client.get(item["question"]["image"]["url"])


def replies_of_a_test(api: Api, stage: str) -> Iterator[Any]:
    path = f"qualifications/{stage}"
    yield api.get(path)
    yield (begun := api.post(f"{path}/tries"))
    for item in begun.json()["items"]:
        yield api.post(f"{path}/tries/1/training", {"item": item["item"], "answer": GIVEN[stage]})
        yield api.client.get(item["question"]["image"]["url"])
    yield (test := api.get(path))
    answers = [{"item": item["item"], "answer": GIVEN[stage]} for item in test.json()["try"]["items"]]
    yield api.post(f"{path}/tries/1/submission", {"answers": answers})


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("walk", [replies_of_a_page, replies_of_a_test])
def test_no_reply_names_an_image_or_its_file(media: Any, walk: Any, stage: str) -> None:
    batch = make_at_stage(stage) if walk is replies_of_a_page else make_tested(stage)
    for image in Image.objects.all():
        Image.objects.filter(pk=image.pk).update(
            file=default_storage.save(f"secret-folder/{image.pk}.jpg", ContentFile(b"JPEG"))
        )
    images = list(Image.objects.all())
    assert images and all(image.pk >= FIRST for image in images)
    seen = 0
    for reply in walk(Api(make_worker(batch.project)), stage):
        assert reply.status_code in (200, 201), reply.content
        said = f"{reply.headers} {reply.getvalue().decode()}"
        for image in images:
            assert str(image.pk) not in said and image.name not in said
        assert "secret-folder" not in said
        seen += "/media/" in said
    assert seen, "no photograph was shown"
