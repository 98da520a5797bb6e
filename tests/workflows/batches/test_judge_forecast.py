"""The forecast of a batch with a model: without it, in the shadow, and if its answers count."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Batch, Image
from tests.judging_models import JUDGE, believe, judge_of, make_judged
from tests.workflows.batches.domain.test_judge_course import RECORD
from workflows.batches.judge_forecast import forecast_judge
from workflows.judges.domain.gate import Record

pytestmark = pytest.mark.django_db
PAID: dict[str, Any] = {"reward": {"check": 10, "boxes": 20}, "judge": {"price": 500}}


def test_without_a_judge_there_is_none_and_without_a_record_nobody_can_say() -> None:
    batch = make_judged(images=3)
    found = forecast_judge(batch)
    assert found is not None and found.ways is None
    assert found.says() == ["forecast for batch main: nothing is measured about its model yet"]
    Batch.objects.update(settings={**batch.settings, "judge": {}})
    assert forecast_judge(Batch.objects.get()) is None


def test_it_follows_from_the_newest_record() -> None:
    batch = make_judged([["man", "dog"], ["man"]], images=3, **PAID)
    believe(judge_of(batch), Record())
    none = forecast_judge(batch)
    assert none is not None and none.ways is not None and none.closed
    assert none.ways.counts.seconds == pytest.approx(none.ways.off.seconds)
    believe(judge_of(batch), RECORD)
    found = forecast_judge(batch)
    assert found is not None and found.ways is not None and not found.closed
    assert found.ways.counts.seconds < found.ways.off.seconds == none.ways.off.seconds
    assert found.ways.counts.people < found.ways.off.people
    assert found.ways.off.model == 0 < found.ways.shadow.model


def test_images_of_the_test_split_save_nothing() -> None:
    batch = make_judged(images=2)
    believe(judge_of(batch), RECORD)
    Image.objects.update(split="test")
    found = forecast_judge(batch)
    assert found is not None and found.ways is not None
    assert found.ways.counts.seconds == pytest.approx(found.ways.off.seconds)


def test_of_a_set_of_suggestions_that_it_never_judged_nothing_is_known() -> None:
    batch = make_judged(images=2)
    believe(judge_of(batch), RECORD)
    Batch.objects.update(settings={**batch.settings, "suggestions": {"set": 7}})
    found = forecast_judge(Batch.objects.get())
    assert found is not None
    assert found.unknown == "nothing is measured yet about boxes from its set of suggestions"


def test_the_report_shows_it() -> None:
    batch = make_judged(images=3, **PAID)
    believe(judge_of(batch), RECORD)
    found = forecast_judge(batch)
    assert found is not None
    out = StringIO()
    call_command("model", "report", batch.project.name, JUDGE, stdout=out)
    for line in found.says():
        assert line in out.getvalue().splitlines()
