from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.domain.merge import MergeSettings
from annotation.domain.records import ImageRecord
from annotation.exporting import dataset
from annotation.exporting.dataset import ExportOptions, NothingToExport, export_dataset
from annotation.exporting.folder import ExportError
from annotation.formats.datasets import jsonl
from annotation.formats.registry import WRITERS
from annotation.models import Batch, Box, Chain, Image, ImageWork, Item, Judgment, Mention, Project
from tests.annotation.exporting.annotated_projects import (
    Made,
    annotate,
    export,
    files,
    make_annotated,
    make_batch,
    make_random,
)
from tests.factories import make_image, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MAN, DOG = (0, 0, 100, 200), (200, 0, 300, 100)


def records(project: Project, out: Path, **options: Any) -> list[ImageRecord]:
    export(project, out, "jsonl", **options)
    found = list(jsonl.read(out / jsonl.FILE))
    assert all(isinstance(record, ImageRecord) for record in found), found
    return [record for record in found if isinstance(record, ImageRecord)]


def sentences(project: Project, out: Path, **options: Any) -> str:
    export(project, out, **options)
    return "".join(path.read_text() for path in sorted((out / "Sentences").iterdir()))


@pytest.mark.parametrize("format", WRITERS)
def test_every_format_gets_the_same_annotation(format: str, tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN]), Made([1], [DOG])], [["man", "dog"]])
    manifest = export(project, tmp_path / "out", format)
    assert manifest.content_hash == export(project, tmp_path / "jsonl", "jsonl").content_hash
    counts = manifest.to_json()["counts"]
    assert counts == {
        "images": 1,
        "captions": 1,
        "mentions": 2,
        "notvisual": 0,
        "boxes_raw": 2,
        "boxes": 2,
        "chains_raw": 2,
        "chains": 2,
        "chains_two_of_a_caption": 0,
        "chains_of_equal_boxes": 0,
    }


def test_chains_are_numbered_by_image_name_and_first_mention(tmp_path: Path) -> None:
    """Names are compared code point by code point, whatever the database's language is."""
    project = make_project()
    batch = make_batch(project)
    for name in ("é.jpg", "a.jpg", "B.jpg", "_.jpg"):
        image = make_image(project, [["man", "dog"]], name=name)
        annotate(image, [Made([1], [DOG]), Made([0], [MAN])], batch=batch)
    found = records(project, tmp_path / "out")
    assert [record.name for record in found] == ["B.jpg", "_.jpg", "a.jpg", "é.jpg"]
    assert [[(chain.id, chain.types) for chain in record.chains] for record in found] == [
        [(number, ("people",)), (number + 1, ("animals",))] for number in (1, 3, 5, 7)
    ]


def test_boxes_and_chains_are_merged(tmp_path: Path) -> None:
    """docs/protocol.md, "Merging, at export"."""
    near = (0, 0, 100, 190)
    project = make_annotated(
        [Made([0], [MAN]), Made([2], [near]), Made([1], [MAN])], [["man", "red shirt"], ["woman"]]
    )
    (merged,) = records(project, tmp_path / "merged")
    assert [chain.mentions for chain in merged.chains] == [((0, 0, 2), (1, 0, 2)), ((0, 2, 5),)]
    assert [box.box.edges for box in merged.boxes] == [(0, 0, 100, 195), MAN]
    (apart,) = records(project, tmp_path / "apart", merge=None)
    assert [chain.boxes for chain in apart.chains] == [(1,), (2,), (0,)]
    (strict,) = records(project, tmp_path / "strict", merge=MergeSettings(iou=0.96))
    assert len(strict.boxes) == 3
    assert Chain.objects.count() == 3


def test_an_export_changes_no_annotation(tmp_path: Path) -> None:
    """docs/protocol.md, "Merging, at export": an export never changes raw annotations."""
    project = make_random(7)
    tables = (Image, Mention, ImageWork, Chain, Box, Item, Judgment)
    before = [list(table.objects.order_by("pk").values_list()) for table in tables]
    assert before[tables.index(Box)], "there is something to merge"
    export(project, tmp_path / "out", "flickr30k-entities")
    assert [list(table.objects.order_by("pk").values_list()) for table in tables] == before


def test_nonvisual_mentions_and_flags_are_exported(tmp_path: Path) -> None:
    """docs/protocol.md, "Mentions", rule 1, and "Export format"."""
    project = make_annotated(
        [Made([0], state="nonvisual", flag="scene"), Made([1], state="nonvisual", flag="nobndbox")],
        [["park", "ball", "dog"]],
    )
    Mention.objects.filter(head="dog").update(annotatable=False)
    assert sentences(project, tmp_path / "out") == (
        "[/EN#1/scene a park] [/EN#2/other a ball] [/EN#0/notvisual a dog]\n"
    )
    xml = (tmp_path / "out" / "Annotations" / "a.xml").read_text()
    assert "<object><name>1</name><scene>1</scene><nobndbox>0</nobndbox></object>" in xml
    assert "<object><name>2</name><scene>0</scene><nobndbox>1</nobndbox></object>" in xml


def test_a_mention_keeps_its_own_types_in_a_chain_of_several(tmp_path: Path) -> None:
    project = make_annotated([Made([0, 1], [MAN])], [["man"], ["dog"]])
    assert sentences(project, tmp_path / "out") == "[/EN#1/people a man]\n[/EN#1/animals a dog]\n"


def test_unfinished_images_are_left_out_and_counted(tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN])], [["man"]])
    batch = Batch.objects.get(project=project)
    annotate(make_image(project, [["dog"]], name="b.jpg"), [], batch=batch, state="linking")
    half = [Made([0], [DOG]), Made([1], [MAN], state="coverage")]
    annotate(make_image(project, [["dog", "man"]], name="c.jpg"), half, batch=batch, state="boxing")
    make_image(project, [["dog"]], name="d.jpg")
    Image.objects.create(project=project, name="e.jpg")
    manifest = export(project, tmp_path / "out")
    assert dict(manifest.left_out.images) == {"unfinished": 2, "in no batch": 2}
    assert [path.name for path in (tmp_path / "out" / "Sentences").iterdir()] == ["a.txt"]
    found = records(project, tmp_path / "all", include_unfinished=True)
    assert [(record.name, [chain.finished for chain in record.chains]) for record in found] == [
        ("a.jpg", [True]),
        ("b.jpg", []),
        ("c.jpg", [True, False]),
        ("d.jpg", []),
    ]
    assert len(found[2].boxes) == 2


def test_a_finished_image_with_a_chain_in_review_is_left_out_and_counted(tmp_path: Path) -> None:
    """Its mentions would look as if they were not visual."""
    project = make_annotated([Made([0], [MAN]), Made([1], [DOG], state="review")], [["man", "dog"]])
    done = make_image(project, [["dog"]], name="b.jpg")
    annotate(done, [Made([0], [DOG])], batch=project.batches.get())
    ImageWork.objects.exclude(image=done).update(state="boxing")
    manifest = export(project, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out" / "Sentences").iterdir()] == ["b.txt"]
    assert manifest.to_json()["left_out"]["images"] == {"with unresolved mentions": 1}
    assert not manifest.left_out.chains
    assert sum(manifest.protocols.values()) == 1


def test_chains_in_review_can_be_left_out_alone(tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN]), Made([1], [DOG], state="review")], [["man", "dog"]])
    ImageWork.objects.update(state="boxing")
    said = sentences(project, tmp_path / "out", include_unresolved=True)
    assert said == "[/EN#1/people a man] [/EN#0/notvisual a dog]\n"
    manifest = export(project, tmp_path / "again", include_unresolved=True)
    assert dict(manifest.left_out.chains) == {"in review": 1}
    assert (manifest.mentions, manifest.notvisual, manifest.merging.boxes) == (1, 1, 1)
    everything = export(project, tmp_path / "all", include_unfinished=True)
    assert everything.merging.boxes == 2 and not everything.left_out.images


def test_a_split_chain_is_replaced_by_its_parts(tmp_path: Path) -> None:
    parts = [Made([0, 1], state="split"), Made([1], [DOG], generation=1), Made([0], [MAN], generation=1)]
    (record,) = records(make_annotated(parts, [["man"], ["dog"]]), tmp_path / "out")
    assert [chain.mentions for chain in record.chains] == [((0, 0, 2),), ((1, 0, 2),)]


def test_only_the_active_work_counts_unless_a_batch_is_named(tmp_path: Path) -> None:
    project = make_project()
    image = make_image(project, [["man"]], name="a.jpg")
    make_image(project, [["dog"]], name="b.jpg")
    old, new = make_batch(project, "old"), make_batch(project, "new")
    work = annotate(image, [Made([0], [MAN])], batch=old)
    ImageWork.objects.filter(pk=work.pk).update(active=False)
    annotate(image, [Made([0], [DOG])], batch=new)
    assert records(project, tmp_path / "active")[0].boxes[0].box.edges == DOG
    (found,) = records(project, tmp_path / "old", batch="old")
    assert found.boxes[0].box.edges == MAN
    with pytest.raises(ExportError, match="has no batch 'none'"):
        export(project, tmp_path / "none", batch="none")


def test_rejected_and_proposed_boxes_are_not_exported(tmp_path: Path) -> None:
    project = make_annotated([Made([0], [MAN, DOG, (5, 5, 9, 9)])], [["man"]])
    boxes = list(Chain.objects.get().boxes.order_by("pk"))
    for box, state in zip(boxes[1:], ("rejected", "proposed"), strict=True):
        box.state = state
        box.save()
    (record,) = records(project, tmp_path / "out", include_unfinished=True)
    assert [box.box.edges for box in record.boxes] == [MAN]


def test_a_box_is_kept_within_its_image(tmp_path: Path) -> None:
    project = make_annotated([Made([0], [(600, 400, 700, 500), (650, 0, 700, 50)])], [["man"]])
    (record,) = records(project, tmp_path / "out")
    assert [box.box.edges for box in record.boxes] == [(600, 400, 640, 480)]
    assert export(project, tmp_path / "again").left_out.boxes["outside the image"] == 1


def test_the_same_judgments_give_the_same_bytes_whatever_their_ids(tmp_path: Path) -> None:
    one = make_random(7)
    two = make_random(7)
    first, second = export(one, tmp_path / "one"), export(two, tmp_path / "two")
    assert first.content_hash == second.content_hash
    beside = ("about/manifest.json", "provenance.jsonl")
    assert files(tmp_path / "one", without=beside) == files(tmp_path / "two", without=beside)
    assert export(make_random(8), tmp_path / "three").content_hash != first.content_hash


@pytest.mark.parametrize("format", WRITERS)
def test_an_export_repeated_is_the_same_to_the_byte(format: str, tmp_path: Path) -> None:
    project = make_random(3)
    export(project, tmp_path / "one", format)
    export(project, tmp_path / "two", format)
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_images_are_read_in_chunks_of_a_few_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    project = make_random(1, images=6)
    whole = export(project, tmp_path / "whole")
    for size, chunks in ((6, 1), (2, 3)):
        monkeypatch.setattr(dataset, "CHUNK", size)
        with django_assert_num_queries(3 + 10 * chunks):
            assert export(project, tmp_path / str(size)).content_hash == whole.content_hash


def test_progress_is_told_after_every_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "CHUNK", 2)
    told: list[tuple[int, int]] = []
    export_dataset(
        project=make_random(1, images=5),
        format="jsonl",
        out=tmp_path / "out",
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_what_the_format_cannot_hold_leaves_nothing_behind(tmp_path: Path) -> None:
    project = make_project()
    for name in ("a.jpg", "a.png"):
        annotate(
            make_image(project, [["man"]], name=name), [Made([0], [MAN])], batch=make_batch(project, name[2:])
        )
    with pytest.raises(ExportError, match=r"a\.jpg and a\.png would both be"):
        export(project, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_or_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="there is no format 'csv'"):
        export(make_project(), tmp_path / "out", "csv")
    with pytest.raises(ValueError, match="source must be one of crowd, gold"):
        ExportOptions(source="workers")
    with pytest.raises(ValueError, match="only the crowd's annotation has batches"):
        ExportOptions(source="gold", batch="main")


@pytest.mark.parametrize("unfinished", [False, True])
def test_an_empty_data_set_is_refused_and_leaves_nothing(unfinished: bool, tmp_path: Path) -> None:
    project = make_project()
    with pytest.raises(
        NothingToExport, match=rf"nothing was exported: project '{project.name}' has no images"
    ):
        export(project, tmp_path / "out", include_unfinished=unfinished)
    with pytest.raises(NothingToExport, match="batch 'main' has no images"):
        export(make_batch(project).project, tmp_path / "out", batch="main", include_unfinished=unfinished)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_data_set_does_not_replace_an_earlier_export(tmp_path: Path) -> None:
    export(make_random(3), tmp_path / "out")
    before = files(tmp_path / "out")
    with pytest.raises(NothingToExport):
        export(make_project(), tmp_path / "out", overwrite=True)
    assert files(tmp_path / "out") == before
