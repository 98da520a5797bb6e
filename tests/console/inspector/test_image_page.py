"""An image's page, what merging makes of the image, and a chain's history."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.merge import MergeSettings
from annotation.domain.records import ImageRecord
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.formats.datasets import jsonl
from annotation.models import Batch, Chain, GoldChain, Image, ImageWork, Mention
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.campaigns import answer_all, make_judged
from tests.console.review.review_rows import SCRIPT, make_finished, make_flagged
from tests.factories import make_batch, make_image, make_project

pytestmark = pytest.mark.django_db

NEAR = [(100, 100, 200, 200), (102, 100, 202, 200)]


def _image(*, gold: bool = False) -> Image:
    """Make a finished image with two chains whose boxes have an IoU of 0.96, and a chain without a box."""
    project = make_project()
    image = make_image(project, [["man", "dog"], ["woman"], ["park"]])
    batch = Batch.objects.create(project=project, name="main")
    men, dog, park = Made((0, 2), [NEAR[0]]), Made((1,), [NEAR[1], (5, 5, 60, 60)]), Made((3,), flag="scene")
    annotate(image, [men, dog, park], batch=batch)
    if gold:
        GoldChain.objects.create(image=image, number=1, members=[image.mentions.get(text="a dog").pk])
    return image


def _page(client: Client, image: Image, query: str = "") -> str:
    answer = client.get(f"/admin/images/{image.pk}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_says_everything_without_its_script(viewer: Client) -> None:
    image = _image()
    said = _page(viewer, image)
    assert said.count('href="#chain-A" data-chain="A"') == 3  # two mentions, and the list
    assert said.count('class="shape c1 l0"') == 2
    assert '<span class="pill">scene</span>' in said
    assert all(f"/admin/review/chain/{chain.pk}/" in said for chain in Chain.objects.all())


def test_a_caption_runs_as_its_script_does(viewer: Client) -> None:
    assert _page(viewer, _image()).count("<bdi>") == 3


def test_an_image_costs_a_fixed_number_of_queries(
    viewer: Client, django_assert_max_num_queries: object
) -> None:
    image = _image(gold=True)
    with django_assert_max_num_queries(24):  # type: ignore[operator]
        _page(viewer, image, "?phrase=dog&type=animals")


def test_known_chains_are_shown_where_they_are_wanted_or_alone(viewer: Client) -> None:
    image = _image(gold=True)
    assert 'id="chain-B"' in _page(viewer, image)
    assert 'id="chain-B"' not in _page(viewer, image, "?source=gold")
    image.works.update(active=False)
    assert 'id="chain-B"' not in _page(viewer, image)


def test_an_image_nobody_worked_on_shows_the_plain_corpus(viewer: Client) -> None:
    image = make_image(make_project(), [["man"]], picture=False)
    Mention.objects.update(annotatable=False)
    said = _page(viewer, image)
    assert 'class="mention unasked"' in said
    assert "No worker has worked on it yet" in said
    assert "is missing" in said


def test_an_image_whose_links_are_asked_has_no_chains_yet(viewer: Client) -> None:
    image = make_image(make_project(), [["man"], ["man"]])
    make_batch(image.project)
    assert "There are no chains yet" in _page(viewer, image)


def test_what_captions_say_is_no_markup(viewer: Client) -> None:
    image = make_image(make_project(), [["man"]])
    caption = image.captions.get()
    caption.text = caption.tokens = SCRIPT
    caption.save()
    Mention.objects.update(text=SCRIPT, start=0, end=1)
    assert "<script>alert" not in _page(viewer, image)


@pytest.mark.parametrize(("iou", "iou_other"), [(0.8, 0.9), (0.97, 1.0), (0.5, 0.5)])
def test_merging_is_that_of_the_export(viewer: Client, iou: float, iou_other: float, tmp_path: Path) -> None:
    image = _image()
    said = viewer.get(f"/admin/images/{image.pk}/merged.json?iou={iou}&iou_other={iou_other}").json()
    out = tmp_path / "out"
    options = ExportOptions(merge=MergeSettings(iou=iou, iou_other=iou_other))
    manifest = export_dataset(project=image.project, format="jsonl", out=out, options=options)
    (record,) = jsonl.read(out / jsonl.FILE)
    assert isinstance(record, ImageRecord)
    assert [one["box"] for one in said["boxes"]] == [list(box.box.edges) for box in record.boxes]
    assert said["chains"] == len(record.chains)
    assert manifest.images == 1


def test_a_merged_box_says_what_it_was_made_of(viewer: Client) -> None:
    image = _image()
    said = viewer.get(f"/admin/images/{image.pk}/merged.json").json()
    assert (said["boxes_raw"], len(said["boxes"]), said["chains_raw"], said["chains"]) == (3, 2, 3, 3)
    joined = said["boxes"][1]
    assert joined["letters"] == ["A", "B"]
    assert joined["from"] == [
        {"letter": "A", "box": list(NEAR[0])},
        {"letter": "B", "box": list(NEAR[1])},
    ]


@pytest.mark.parametrize("query", ["iou=0.4", "iou=nan", "iou_other=1.1", "iou=x", "iou_other=-1"])
def test_a_threshold_that_is_none_is_named(viewer: Client, query: str) -> None:
    answer = viewer.get(f"/admin/images/{_image().pk}/merged.json?{query}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(query.split("=")[0] + " has to be")


def test_a_history_says_who_when_what_and_by_which_rule(viewer: Client) -> None:
    chain, _ = make_flagged()
    said = viewer.get(f"/admin/images/{chain.work.image_id}/history.json?chain={chain.pk}").json()
    assert [box["state"] for box in said["boxes"]] == ["accepted"]
    given = [one for entry in said["entries"] for one in entry["given"]]
    assert all(one["name"] and one["answer"] for one in given)
    moves = [move for entry in said["entries"] for move in entry["moves"]]
    assert any("the box is good" in move for move in moves)
    assert said["entries"][-1]["note"] == "look again (ada)"


def test_a_chain_of_another_image_has_no_history_here(viewer: Client) -> None:
    chain = make_finished()
    other = make_image(make_project(), [["man"]])
    assert viewer.get(f"/admin/images/{other.pk}/history.json?chain={chain.pk}").status_code == 404
    assert viewer.get(f"/admin/images/{other.pk}/history.json?chain=x").status_code == 404


@pytest.mark.parametrize("path", ["images/0/", "images/0/merged.json", "projects/0/images/"])
def test_what_is_not_there_is_not_found(viewer: Client, path: str) -> None:
    assert viewer.get(f"/admin/{path}").status_code == 404


def test_an_image_in_campaigns_alone_is_said_to_be_in_them(viewer: Client) -> None:
    """The page said that no worker has worked on it, beside the number of their judgments."""
    batch = make_judged(images=1)
    answer_all(batch)
    image = batch.works.get().image
    said = _page(viewer, image)
    assert "judging: done · in no grounding batch" in said and "No worker has worked" not in said
    listed = viewer.get(reverse("inspector:search", args=[image.project_id])).content.decode()
    assert listed.count('<span class="pill">judging: done</span>') == 1
    assert listed.count('<span class="pill">in no batch</span>') == image.project.images.count() - 1
    own = viewer.get(reverse("inspector:search", args=[image.project_id]), {"batch": batch.pk})
    assert [row.image for row in own.context["found"].rows] == [image]
    ImageWork.objects.update(active=False)
    said = _page(viewer, image)
    assert "in no batch" in said and "No worker has worked" not in said
