"""Which boxes of a model the expert screen begins with."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Image
from tests.factories import make_images, make_project
from tests.suggesting_models import SUGGESTED, make_set, make_suggesting

pytestmark = pytest.mark.django_db
BOXES = [box[:4] for box in SUGGESTED]


def suggested(client: Client, image: Image) -> Any:
    page = client.get(reverse("expert-image", args=[image.pk]))
    assert page.status_code == 200
    return page.context["setup"].get("suggested")


def an_image(*, split: str = "") -> Image:
    (image,) = make_images(make_project(), [["dog"], ["man"]], 1)
    Image.objects.filter(pk=image.pk).update(split=split, width=640, height=480, file="a.jpg")
    return image


def test_without_a_set_nothing_is_said_and_no_query_is_added(reviewer: Client) -> None:
    image = an_image()
    with CaptureQueriesContext(connection) as without:
        assert suggested(reviewer, image) is None
    make_set(image.project)
    with CaptureQueriesContext(connection) as queries:
        assert suggested(reviewer, image) is not None
    assert len(queries) - len(without) == 2


def test_the_newest_complete_set_is_shown_by_phrase(reviewer: Client) -> None:
    image = an_image()
    make_set(image.project, lambda mention: [[0, 0, 5, 5, 0.5]])
    make_set(image.project)
    make_set(image.project, completed=False)
    make_set(image.project, lambda mention: None)  # a set of scores of pairs has no boxes
    found = suggested(reviewer, image)
    assert (found["set"], found["model"]) == (2, "detector/1")
    spans = {tuple(one["at"]) for one in found["boxes"]}
    assert len(spans) == 2 and {caption for caption, *_ in spans} == {0, 1}
    assert [one["box"] for one in found["boxes"]] == BOXES * 2
    assert [one["id"] for one in found["boxes"]] == [0, 1, 2, 3]


def test_a_batch_pins_its_own_set(reviewer: Client) -> None:
    batch = make_suggesting()
    image = Image.objects.get()
    Image.objects.update(file="a.jpg")
    make_set(batch.project, lambda mention: [[0, 0, 5, 5, 0.5]])
    assert suggested(reviewer, image)["set"] == 1


def test_boxes_too_small_are_left_out_and_shift_no_number(reviewer: Client) -> None:
    image = an_image()
    make_set(image.project, lambda mention: [[0, 0, 2, 50, 0.9], SUGGESTED[0]])
    assert [one["id"] for one in suggested(reviewer, image)["boxes"]] == [1, 3]


def test_images_of_the_test_split_show_none(reviewer: Client) -> None:
    image = an_image(split="test")
    make_set(image.project)
    assert suggested(reviewer, image) is None
