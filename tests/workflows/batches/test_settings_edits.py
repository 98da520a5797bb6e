"""Which settings of a batch can be changed, and when."""

from __future__ import annotations

import pytest

from annotation.models import Batch
from tests.factories import make_batch, make_image, make_project
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.settings_edits import change_settings

pytestmark = pytest.mark.django_db


def _batch(images: int = 1) -> Batch:
    project = make_project()
    for number in range(images):
        make_image(project, [["man"]], name=f"{number}.jpg")
    return make_batch(project, launch=False)


def test_a_draft_takes_any_setting() -> None:
    batch = _batch()
    wanted = parse_settings({"strategy": "greedy", "reward": {"link": 25}})
    assert sorted(change_settings(batch=batch, settings=wanted)) == ["regime", "reward", "strategy"]
    batch.refresh_from_db()
    assert settings_of(batch) == wanted


def test_another_seed_draws_the_order_of_a_drafts_images_anew() -> None:
    batch = _batch(images=12)

    def order() -> list[int]:
        return list(batch.works.order_by("pk").values_list("image_id", flat=True))

    before = order()
    change_settings(batch=batch, settings=parse_settings({"regime": "open", "seed": 5}))
    assert order() != before and sorted(order()) == sorted(before)
    change_settings(batch=batch, settings=parse_settings({"regime": "open", "seed": 0}))
    assert order() == before, "as if it had been created with it"


def test_a_running_batch_takes_what_no_judgment_rests_on() -> None:
    batch = move_batch(batch=_batch(), action="launch")
    wanted = parse_settings({"regime": "open", "reward": {"link": 25}, "lease_seconds": 600, "target": 1})
    assert sorted(change_settings(batch=batch, settings=wanted)) == ["lease_seconds", "reward", "target"]
    assert change_settings(batch=batch, settings=wanted) == [], "as it is already"


@pytest.mark.parametrize(
    "setting", [{"strategy": "greedy"}, {"regime": "trusted"}, {"limits": {"returns": 5}}]
)
def test_a_running_batch_keeps_what_judgments_rest_on(setting: dict[str, object]) -> None:
    batch = move_batch(batch=_batch(), action="launch")
    with pytest.raises(BatchError, match=f"{next(iter(setting))}[a-z.]*: fixed since"):
        change_settings(batch=batch, settings=parse_settings({"regime": "open", **setting}))
    batch.refresh_from_db()
    assert settings_of(batch) == parse_settings({"regime": "open"})


def test_what_is_over_keeps_all_of_its_settings() -> None:
    batch = move_batch(batch=_batch(), action="cancel")
    with pytest.raises(BatchError, match="is cancelled"):
        change_settings(batch=batch, settings=parse_settings({"regime": "open", "lease_seconds": 60}))
