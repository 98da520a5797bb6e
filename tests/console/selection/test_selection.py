"""Selected images go into a batch, a spot check and an export, or are withdrawn."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.exporting.dataset import images_to_export
from annotation.models import Batch, Image, Project
from console.selection import chosen, views
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_project
from workflows.jobs.models import Job
from workflows.review.models import SpotCheck, SpotCheckVerdict
from workflows.review.spot_checks import draw_spot_check, newest_rates

pytestmark = pytest.mark.django_db


@pytest.fixture
def images() -> list[Image]:
    """Make two finished images with a dog, and two free ones."""
    project = make_project()
    made = [make_image(project, [["man", "dog"]], name=f"{n}.jpg") for n in range(4)]
    batch = Batch.objects.create(project=project, name="main", state="finished")
    for image in made[:2]:
        annotate(image, [Made((0,), [(1, 2, 30, 40)]), Made((1,), [(5, 6, 70, 80)])], batch=batch)
    return made


def _post(client: Client, project: Project, **data: Any) -> Any:
    return client.post(f"/admin/projects/{project.pk}/selection/", data)


def test_what_was_ticked_is_offered_to_each_use(manager: Client, images: list[Image]) -> None:
    other = make_image(make_project(), [["man"]])
    project = images[0].project
    said = _post(manager, project, image=[images[1].pk, images[2].pk, other.pk, "x"]).content.decode()
    assert "<h1>2 selected images</h1>" in said
    assert f'name="images" value="{images[1].pk},{images[2].pk}"' in said
    assert "1 of the images is free" in said
    assert _post(manager, project, image=[other.pk])["Location"].endswith(f"/projects/{project.pk}/images/")


def test_all_that_match_are_taken_up_to_a_limit_that_is_said(
    manager: Client, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen, "MAX_CHOSEN", 3)
    monkeypatch.setattr(views, "MAX_CHOSEN", 3)
    project = images[0].project
    said = _post(manager, project, all="yes", query="?phrase=dog").content.decode()
    assert "<h1>3 selected images</h1>" in said and "These are the first 3" in said
    said = _post(manager, project, all="yes", query="?words=man&state=free").content.decode()
    assert "<h1>2 selected images</h1>" in said and "More match" not in said
    assert _post(manager, project, all="yes", query="?phrase=kite").status_code == 302


def test_the_free_ones_become_a_draft(manager: Client, images: list[Image]) -> None:
    project, ids = images[0].project, ",".join(str(image.pk) for image in images)
    reply = _post(manager, project, images=ids, act="batch", name="hard ones")
    assert reply.status_code == 422 and "no spaces" in reply.content.decode()
    _post(manager, project, images=ids, act="batch", name="hard")
    batch = Batch.objects.get(name="hard")
    assert batch.state == "draft"
    assert set(batch.works.values_list("image", flat=True)) == {image.pk for image in images[2:]}
    reply = _post(manager, project, images=ids, act="batch", name="again")
    assert reply.status_code == 422 and not Batch.objects.filter(name="again").exists()


@pytest.mark.both_databases
def test_a_spot_check_is_drawn_of_them_alone(reviewer: Client, images: list[Image]) -> None:
    project = images[0].project
    data = {"act": "spot-check", "mention": 0, "chain": 9, "box": 9}
    _post(reviewer, project, images=images[1].pk, **data)
    check = SpotCheck.objects.get()
    assert {unit[3] for unit in check.units} == {images[1].pk}
    assert check.totals == {"mention": 2, "chain": 2, "box": 2, "image": 1, "chosen": 1}
    said = reviewer.get(f"/admin/review/projects/{project.pk}/spot-checks/").content.decode()
    assert "1 finished image, selected" in said
    SpotCheckVerdict.objects.create(spot_check=check, place=0, right=False, by="ada", created_at=NOW)
    assert newest_rates(project) is None
    whole = draw_spot_check(project=project, sizes={"box": 9}, seed=1, by="ada", now=NOW)
    SpotCheckVerdict.objects.create(spot_check=whole, place=0, right=True, by="ada", created_at=NOW)
    found = newest_rates(project)
    assert found is not None and found.spot_check == whole
    assert _post(reviewer, project, images=images[3].pk, **data).status_code == 422


def test_an_export_has_them_alone(manager: Client, images: list[Image]) -> None:
    data = {"act": "export", "format": "jsonl", "source": "crowd"}
    reply = _post(manager, images[0].project, images=images[1].pk, **data)
    job = Job.objects.get()
    assert reply["Location"] == f"/admin/jobs/{job.pk}/"
    assert job.options["images"] == [images[1].pk]
    assert "selected images" in manager.get(reply["Location"]).content.decode()
    assert list(images_to_export(images[0].project, None, job.options["images"])) == [images[1].pk]


def test_they_are_withdrawn_once_with_a_reason(
    reviewer: Client, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, ids = images[0].project, f"{images[0].pk},{images[2].pk}"
    assert _post(reviewer, project, images=ids, act="withdraw").status_code == 422
    for _ in range(2):
        _post(reviewer, project, images=ids, act="withdraw", note="blurred")
    gone = Image.objects.filter(withdrawn_at__isnull=False)
    assert set(gone) == {images[0], images[2]}
    monkeypatch.setattr(views, "MAX_WITHDRAWN", 1)
    more = f"{images[1].pk},{images[3].pk}"
    assert _post(reviewer, project, images=more, act="withdraw", note="x").status_code == 422
    assert gone.count() == 2


@pytest.mark.parametrize(
    "data", [{"act": "batch", "name": "mine"}, {"act": "export", "format": "jsonl", "source": "crowd"}]
)
def test_only_managers_make_batches_and_exports(
    reviewer: Client, images: list[Image], data: dict[str, str]
) -> None:
    said = _post(reviewer, images[0].project, images=images[2].pk, **data).content.decode()
    assert "Make a batch" not in said and "Spot check" in said
    assert not Job.objects.exists() and not Batch.objects.filter(name="mine").exists()


def test_the_lists_offer_to_select(reviewer: Client, viewer: Client, images: list[Image]) -> None:
    for page in ("images", "boxes"):
        address = f"/admin/projects/{images[0].project_id}/{page}/"
        said = reviewer.get(address).content.decode()
        assert f'name="image" value="{images[0].pk}" form="selection"' in said
        assert "At most 1000." in said
        assert 'form="selection"' not in viewer.get(address).content.decode()
