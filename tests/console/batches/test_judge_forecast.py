"""The forecast of a batch with a model, on its page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.judging_models import believe, judge_of, make_judged
from tests.workflows.batches.domain.test_judge_course import RECORD
from workflows.batches.judge_forecast import forecast_judge

pytestmark = pytest.mark.django_db


def test_the_page_shows_each_way_or_why_nobody_can_say(viewer: Client) -> None:
    batch = make_judged(images=3, reward={"check": 10, "boxes": 20}, judge={"price": 500})
    url = reverse("batches:forecast", args=[batch.pk])
    assert "nothing is measured about its model yet" in viewer.get(url).content.decode()
    believe(judge_of(batch), RECORD)
    shown, found = viewer.get(url).content.decode(), forecast_judge(batch)
    assert found is not None
    for name, *figures in found.rows:
        row = f'<th scope="row">{name.capitalize()}</th>' + "".join(f"<td>{one}</td>" for one in figures)
        assert row in shown
