"""What the wall of boxes shows, in which order, and with which queries."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.domain.records import BoxFrom
from annotation.models import Batch, Box, Chain, Decision, Judgment, Mention, Project
from console.boxes import wall as listing
from console.boxes.query import BoxesWanted
from console.boxes.wall import Wall, wall
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_images, make_project
from workflows.review.models import SpotCheck, SpotCheckVerdict

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MAN, DOG = (10, 20, 110, 220), (200, 200, 300, 300)
NEAR_MAN = (10, 20, 110, 200)


@pytest.fixture
def made() -> Project:
    """Make two images of a man and a dog; on the second, the man has two boxes."""
    project = make_project()
    batch = Batch.objects.create(project=project, name="main")
    for name, men in (("a", [MAN]), ("b", [MAN, NEAR_MAN])):
        image = make_image(project, [["man", "dog"], ["woman"]], name=f"{name}.jpg")
        annotate(image, [Made((0, 2), men), Made((1,), [DOG])], batch=batch)
    return project


def _wall(project: Project, **conditions: str) -> Wall:
    return wall(project, BoxesWanted.read(conditions), after=int(conditions.get("after", 0)))


def _shown(project: Project, **conditions: str) -> list[str]:
    return [f"{crop.image.name[0]}{crop.letter}" for crop in _wall(project, **conditions).crops]


def test_boxes_are_in_the_order_of_their_images_with_the_letters_of_their_chains(made: Project) -> None:
    assert _shown(made) == ["aA", "aB", "bA", "bA", "bB"]
    assert [crop.text for crop in _wall(made).crops][:2] == ["a man", "a dog"]
    assert _shown(make_project()) == []


def test_a_phrase_finds_the_boxes_of_its_chain_alone(made: Project) -> None:
    assert _shown(made, phrase="dog") == ["aB", "bB"]
    assert _shown(made, phrase="a woman") == ["aA", "bA", "bA"]
    assert _shown(made, phrase="a kite") == []
    assert _shown(made, type="animals") == ["aB", "bB"]


def test_the_iou_is_that_with_another_accepted_box_of_the_chain(made: Project) -> None:
    assert _shown(made, low="80") == _shown(made, low="90", high="90") == ["bA", "bA"]
    assert _shown(made, high="89") == _shown(made, low="91") == []
    Box.objects.filter(bottom=NEAR_MAN[3]).update(state="rejected")
    assert _shown(made, low="80") == ["bA"]


def test_boxes_are_found_by_what_became_of_them(made: Project) -> None:
    rejected = Box.objects.filter(bottom=NEAR_MAN[3])
    rejected.update(state="rejected")
    Chain.objects.filter(boxes__in=rejected).update(boxes_rejected=1)
    assert _shown(made, state="rejected") == ["bA"]
    assert _shown(made, state="accepted") == ["aA", "aB", "bA", "bB"]
    rejected.update(state="withdrawn")
    assert _shown(made, state="withdrawn") == ["bA"]
    assert len(_shown(made)) == 4
    Chain.objects.filter(boxes__in=rejected).update(state="split")
    assert [crop.text for crop in _wall(made).crops] == ["a man", "a dog", "a dog"]


def test_boxes_are_found_by_the_worker_who_drew_them(made: Project) -> None:
    box = Box.objects.filter(chain__work__image__name="a.jpg").earliest("pk")
    assert box.judgment is not None
    name = box.judgment.worker.external_id
    found = [crop.drawn.name for crop in _wall(made, worker=name).crops]
    assert found and set(found) == {name}
    assert _wall(made, worker="nobody").unknown_worker


def test_a_cancelled_batch_is_shown_only_when_it_is_chosen(made: Project) -> None:
    batch = Batch.objects.get()
    batch.works.update(active=False)
    assert _shown(made) == []
    crops = _wall(made, batch=str(batch.pk)).crops
    assert len(crops) == 5
    assert {crop.source for crop in crops} == {f"?source={batch.pk}"}


def test_boxes_are_found_by_how_their_worker_used_suggestions(
    made: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(_shown(made, suggestion="drawn")) == 5
    assert _shown(made, suggestion="adjusted") == []
    first = Box.objects.earliest("pk")
    origin = BoxFrom(first.judgment_id, "adjusted", "dino", 0.8, None)
    monkeypatch.setattr(listing, "box_origins", lambda _: {(first.judgment_id, first.ordinal): origin})
    assert _shown(made, suggestion="adjusted") == ["aA"]
    assert len(_shown(made, suggestion="drawn")) == 4


def test_reviewed_are_boxes_that_a_researcher_decided_or_checked(made: Project) -> None:
    assert _shown(made, reviewed="yes") == []
    assert len(_shown(made, reviewed="no")) == 5
    dog = Chain.objects.get(work__image__name="a.jpg", types="animals")
    Decision.objects.create(project=made, kind="chain", by="ada", chain=dog, work=dog.work, created_at=NOW)
    assert _shown(made, reviewed="yes") == ["aB"]
    box = Box.objects.filter(chain__work__image__name="b.jpg").latest("pk")
    unit = ["box", box.pk, box.chain_id, box.chain.work.image_id]
    check = SpotCheck.objects.create(project=made, seed=1, units=[unit], totals={}, by="ada", created_at=NOW)
    assert _shown(made, reviewed="yes") == ["aB"]
    SpotCheckVerdict.objects.create(spot_check=check, place=0, right=True, by="ada", created_at=NOW)
    assert _shown(made, reviewed="yes") == ["aB", "bB"]
    assert _shown(made, reviewed="no") == ["aA", "bA", "bA"]


def test_a_page_goes_on_after_the_last_image_that_it_showed(
    made: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SHOWN", 1)
    first = made.images.earliest("pk")
    page = _wall(made)
    assert [crop.image.name for crop in page.crops] == ["a.jpg", "a.jpg"]
    assert page.after == f"?after={first.pk}"
    page = _wall(made, after=str(first.pk))
    assert ([crop.image.name for crop in page.crops], page.after) == (["b.jpg"] * 3, "")


def test_a_page_without_a_match_says_where_the_search_goes_on(
    made: Project, monkeypatch: pytest.MonkeyPatch, viewer: Client
) -> None:
    monkeypatch.setattr(listing, "IMAGES", 1)
    first = made.images.earliest("pk")
    said = viewer.get(f"/admin/projects/{made.pk}/boxes/?low=80").content.decode()
    assert "None of the next 1 images has such a box." in said
    assert f'href="?low=80&amp;after={first.pk}"' in said
    assert len(_wall(made, after=str(first.pk), low="80").crops) == 2


def test_each_crop_opens_its_image_at_the_box(made: Project, viewer: Client) -> None:
    image = made.images.earliest("pk")
    said = viewer.get(f"/admin/projects/{made.pk}/boxes/?type=animals").content.decode()
    assert f'href="/admin/images/{image.pk}/#chain-B"' in said
    assert 'viewBox="186 186 128 128"' in said
    assert 'id="chain-B"' in viewer.get(f"/admin/images/{image.pk}/").content.decode()


@pytest.mark.parametrize(
    "query", ["", "phrase=dog&type=animals&state=accepted&low=0&suggestion=drawn&reviewed=no"]
)
def test_a_wall_costs_the_same_queries_however_many_boxes_it_has(
    viewer: Client, query: str, django_assert_max_num_queries: object
) -> None:
    project = make_project()
    batch = Batch.objects.create(project=project, name="main")
    for image in make_images(project, [["man", "dog"]], 12):
        annotate(image, [Made((1,), [DOG, DOG])], batch=batch)
    address = f"/admin/projects/{project.pk}/boxes/?{query}"
    with django_assert_max_num_queries(24):  # type: ignore[operator]
        reply = viewer.get(address)
    assert reply.content.decode().count("<image ") == 24


def test_what_an_address_cannot_say_is_left_out() -> None:
    said = {"low": "101", "high": "-1", "state": "x", "suggestion": "y", "reviewed": "z", "batch": "b"}
    assert BoxesWanted.read(said) == BoxesWanted()
    assert BoxesWanted.read({"low": "0"}).query() == "?low=0"


def test_mentions_cut_differently_since_are_no_reason_to_show_a_box(made: Project) -> None:
    Mention.objects.filter(text="a dog").update(superseded=True)
    assert _shown(made, phrase="dog") == []
    assert Judgment.objects.exists()
