"""The screen on which a researcher annotates an image, and what becomes of what is sent."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import orjson
import PIL.Image
import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.own_types import parse_types
from annotation.domain.types import TYPES
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.formats.registry import READERS
from annotation.importing.corpus import import_corpus
from annotation.models import Case, Chain, Decision, Image, ImageWork, Mention, Project
from console.common.history import Entry
from tests.console.expert.sending import send
from tests.console.review.review_rows import make_finished
from tests.factories import NOW, make_batch, make_image, make_project
from tests.workflows.review.annotating import drawn, said
from workflows.cases.review_queue import open_case
from workflows.mention_types.versions import save_types
from workflows.pipeline.replay.verify_state import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def image() -> Image:
    """Return an image that no batch has."""
    return make_image(make_project(), [["man", "dog"], ["man"]])


def _setup(client: Client, image: Image) -> dict[str, Any]:
    setup: dict[str, Any] = client.get(reverse("expert-image", args=[image.pk])).context["setup"]
    return setup


def test_the_screen_begins_with_the_image_as_it_is(reviewer: Client, image: Image) -> None:
    setup = _setup(reviewer, image)
    assert [one["value"] for one in setup["purposes"]] == ["final", "gold"]
    assert (setup["chains"], setup["purpose"], setup["image"]["width"]) == ([], "final", 640)
    first = setup["captions"][0]
    assert [(word["before"], word["text"]) for word in first["words"]] == [
        ("", "a"),
        (" ", "man"),
        (" ", "a"),
        (" ", "dog"),
    ]
    assert first["words"][3]["types"] == ("animals",)
    assert first["phrases"][1] == {
        "start": 2,
        "end": 4,
        "types": ["animals"],
        "visual": True,
        "chain": "",
    }
    send(reviewer, image, drawn(image, "gold"))
    again = _setup(reviewer, image)
    assert [chain["name"] for chain in again["chains"]] == ["A", "B", "C"]
    assert again["captions"][0]["phrases"][1]["chain"] == "B"
    assert again["version"] != setup["version"]
    assert again["purpose"] == "gold", "what it was annotated for"


def test_types_of_the_projects_own_are_offered_and_taken(reviewer: Client, image: Image) -> None:
    types = parse_types({"food": {"label": "Food and drink", "words": "dog"}})
    save_types(project_id=image.project_id, types=types, based_on=0, by="ada", now=NOW)
    Mention.objects.filter(image=image, caption__index=1).update(types="earlier")  # of a version before
    setup = _setup(reviewer, image)
    assert [one["key"] for one in setup["types"]] == [*TYPES, "earlier", "food"]
    assert setup["types"][-1] == {"key": "food", "label": "Food and drink"}
    assert setup["captions"][0]["words"][3]["types"] == ("food",)  # of a phrase that is marked now
    data = drawn(image, "final")
    for phrases in (one["phrases"] for one in data["captions"]):
        phrases[-1]["types"] = ["food", "people"]
    assert send(reviewer, image, data).status_code == 200
    said = Mention.objects.filter(image=image, superseded=False).order_by("caption__index", "start")
    assert list(said.values_list("types", "types_version")) == [
        ("people", 0),
        ("people/food", 1),
        ("people/food", 1),
    ]
    data["captions"][0]["phrases"][0]["types"] = ["toys"]
    reply = send(reviewer, image, {**drawn(image, "final"), "captions": data["captions"], "key": "k2"})
    assert (reply.status_code, reply.json()["field"]) == (422, "captions[0].phrases[0].types")
    assert "'toys' is not a type: use people, " in reply.json()["error"]


def test_what_a_crowd_works_on_is_corrected_unless_it_is_to_be_final(reviewer: Client) -> None:
    image = make_finished().work.image
    setup = _setup(reviewer, image)
    assert [one["value"] for one in setup["purposes"]] == ["correction", "final", "gold"]
    assert setup["chains"][0]["boxes"] == [[10, 20, 110, 220]]


def test_what_is_wrong_is_said_with_its_field(reviewer: Client, image: Image) -> None:
    reply = send(reviewer, image, said(image))
    assert (reply.status_code, reply.json()["field"]) == (422, "chains[0]")
    assert "neither a box nor a reason" in reply.json()["error"]
    for body, field in (("{", "annotation"), ("[]", "annotation"), ("[" * 9000, "annotation")):
        reply = reviewer.post(reverse("expert-image", args=[image.pk]), body, content_type="application/json")
        assert (reply.status_code, reply.json()["field"]) == (422, field)
    assert not Decision.objects.exists()


def test_what_changed_since_is_said_and_can_be_overruled(reviewer: Client) -> None:
    image = make_finished().work.image
    mine = drawn(image)
    mine["chains"][0]["boxes"] = [[1, 2, 30, 40]]
    send(reviewer, image, drawn(image, key="theirs"))
    reply = send(reviewer, image, mine)
    assert reply.status_code == 409
    assert reply.json()["changes"]
    assert send(reviewer, image, mine | {"version": reply.json()["version"]}).status_code == 200
    boxes = Chain.objects.exclude(state="withdrawn").get().boxes.filter(state="accepted")
    assert [box.rectangle.edges for box in boxes] == [(1, 2, 30, 40)]


def test_why_an_image_cannot_be_annotated_is_said(reviewer: Client) -> None:
    project = make_project()
    bare = make_image(project, [["man"]], picture=False)
    silent = make_image(project, [])
    drafted = make_image(make_project(), [["man"]])
    make_batch(drafted.project, launch=False)
    for image, says in ((bare, "photograph is missing"), (silent, "no captions"), (drafted, "a draft")):
        page = reviewer.get(reverse("expert-image", args=[image.pk])).content.decode()
        assert says in page and "data-expert" not in page


def test_cases_about_the_image_are_closed_by_it(reviewer: Client) -> None:
    chain = make_finished()
    open_case(
        project_id=chain.work.batch.project_id, reason="chunk", now=NOW, work_id=chain.work_id, detail={}
    )
    send(reviewer, chain.work.image, drawn(chain.work.image))
    assert Case.objects.get().decision == Decision.objects.get()


def decided(reply: Any) -> list[Entry]:
    """Return the decisions of an image's history, in order."""
    return [entry for entry in reply.context["history"] if entry.kind == "decision"]


def test_the_image_and_its_chains_say_what_was_decided(reviewer: Client) -> None:
    old = make_finished()
    image, text = old.work.image, old.representative.text
    data = drawn(image)
    data["captions"][0]["phrases"][0]["start"] = 1
    send(reviewer, image, data)
    history = reverse("review:history", args=[image.pk])
    (entry,) = decided(reviewer.get(history))
    assert entry.title == "A researcher annotated the image"
    assert entry.moves == [
        f"before: “{text}”",
        "after: “man”",
        f"no mention any more: “{text}”",
        "new mentions: “man”",
    ]
    page = reviewer.get(reverse("review:chain", args=[old.pk])).context["found"]
    assert "after: “man”" in [line for one in page.history for line in one.moves]
    send(reviewer, image, drawn(image, key="k2"))
    (_, newer) = decided(reviewer.get(history))
    assert newer.moves == ["settled: “man”"]


def test_only_mentions_that_an_annotation_added_are_called_new(reviewer: Client, image: Image) -> None:
    send(reviewer, image, drawn(image))
    (entry,) = decided(reviewer.get(reverse("review:history", args=[image.pk])))
    assert not [line for line in entry.moves if "mention" in line], "those of the import are not"


def test_the_screen_takes_a_fixed_number_of_queries(
    reviewer: Client, django_assert_max_num_queries: Any
) -> None:
    image = make_image(make_project(), [["man", "dog", "ball"]] * 5)
    send(reviewer, image, drawn(image))
    with django_assert_max_num_queries(26):
        assert reviewer.get(reverse("expert-image", args=[image.pk])).status_code == 200


def test_imported_images_are_annotated_and_exported(reviewer: Client, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    lines = []
    for name in ("a.jpg", "b.jpg"):
        picture = io.BytesIO()
        PIL.Image.new("RGB", (320, 240)).save(picture, "JPEG")
        (folder / name).write_bytes(picture.getvalue())
        lines += [f"{name}#0\tA man walks a dog .", f"{name}#1\tThe dog is brown ."]
    (tmp_path / "captions.token").write_text("\n".join(lines) + "\n", encoding="utf-8")
    project = Project.objects.create(name="own")
    records = READERS["flickr30k-token"](tmp_path / "captions.token")
    import_corpus(project=project, records=records, images=folder)
    for image in Image.objects.order_by("name"):
        data = said(image)
        (dog,) = (p["chain"] for p in data["captions"][0]["phrases"] if p["start"] == 3)
        data["captions"][1]["phrases"] = [
            {"start": 0, "end": 2, "types": ["animals"], "chain": dog},
        ]
        data["chains"] = [
            {"name": chain["name"], "boxes": [[100 * n, 5, 100 * n + 50, 60]], "flag": ""}
            for n, chain in enumerate(data["chains"])
            if chain["name"] in {p["chain"] for c in data["captions"] for p in c["phrases"]}
        ]
        assert send(reviewer, image, data).status_code == 200
    export_dataset(project=project, format="jsonl", out=tmp_path / "x", options=ExportOptions())
    (file,) = (path for path in (tmp_path / "x").glob("*.jsonl") if path.name != "provenance.jsonl")
    written = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    assert [record["name"] for record in written] == ["a.jpg", "b.jpg"]
    for record in written:
        assert [record["boxes"][n]["box"] for chain in record["chains"] for n in chain["boxes"]] == [
            [0, 5, 50, 60],
            [100, 5, 150, 60],
        ]
        assert [len(chain["mentions"]) for chain in record["chains"]] == [1, 2]
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []
    assert Mention.objects.filter(superseded=False, annotatable=True).count() == 6
