from __future__ import annotations

from pathlib import Path

import pytest

from annotation.models import Decision, GoldChain, Image, Mention
from tests.annotation.exporting.annotated_projects import export
from tests.factories import NOW, make_image, make_project

pytestmark = pytest.mark.django_db


def test_images_without_known_chains_are_left_out_and_counted(tmp_path: Path) -> None:
    project = make_project()
    known = make_image(project, [["man"]], name="a.jpg")
    GoldChain.objects.create(image=known, number=77, members=[Mention.objects.get(image=known).pk])
    make_image(project, [["man"]], name="b.jpg")
    silent = make_image(project, [["man"]], name="c.jpg")
    Mention.objects.filter(image=silent).update(annotatable=False)
    Image.objects.create(project=project, name="d.jpg")
    manifest = export(project, tmp_path / "out", source="gold", merge=None)
    assert dict(manifest.left_out.images) == {"without known chains": 1, "without captions": 1}
    assert sorted(path.name for path in (tmp_path / "out" / "Sentences").iterdir()) == ["a.txt", "c.txt"]
    everything = export(project, tmp_path / "all", source="gold", merge=None, include_unfinished=True)
    assert everything.images == 3


def test_known_chains_can_be_merged_too(tmp_path: Path) -> None:
    project = make_project()
    image = make_image(project, [["man"], ["woman"]], name="a.jpg")
    for number, mention in enumerate(Mention.objects.filter(image=image)):
        GoldChain.objects.create(
            image=image, number=number, members=[mention.pk], boxes=[[0, 0, 100, 100 + number]]
        )
    counts = export(project, tmp_path / "out", source="gold").merging
    assert (counts.chains_raw, counts.chains, counts.boxes_raw, counts.boxes) == (2, 1, 2, 1)


def test_the_ids_that_known_chains_had_are_kept_in_a_map(tmp_path: Path) -> None:
    """Ids of the official set survive an import and an export, also those of chains that merging joins."""
    project = make_project()
    image = make_image(project, [["man"], ["woman"], ["dog"]], name="a.jpg")
    for number, mention in zip((700, 40, 9), Mention.objects.filter(image=image).order_by("pk"), strict=True):
        boxes = [[0, 0, 100, 100]] if number > 9 else []
        GoldChain.objects.create(image=image, number=number, members=[mention.pk], boxes=boxes)
    export(project, tmp_path / "apart", source="gold", merge=None)
    lines = (tmp_path / "apart" / "about" / "imported_chains.csv").read_text().splitlines()
    assert lines == ["image,chain,imported", "a.jpg,1,700", "a.jpg,2,40", "a.jpg,3,9"]
    export(project, tmp_path / "joined", source="gold")
    lines = (tmp_path / "joined" / "about" / "imported_chains.csv").read_text().splitlines()
    assert lines == ["image,chain,imported", "a.jpg,1,40", "a.jpg,1,700", "a.jpg,2,9"]


def test_a_chain_that_a_researcher_annotated_was_not_imported(tmp_path: Path) -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    decision = Decision.objects.create(project=project, kind="annotate", by="ada", created_at=NOW)
    GoldChain.objects.create(
        image=image, number=1, members=[Mention.objects.get(image=image).pk], decision=decision
    )
    export(project, tmp_path / "out", source="gold")
    assert [path.name for path in (tmp_path / "out" / "about").iterdir()] == ["manifest.json"]


def test_there_is_no_provenance_of_known_chains(tmp_path: Path) -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    GoldChain.objects.create(image=image, number=1, members=[Mention.objects.get(image=image).pk])
    export(project, tmp_path / "out", source="gold")
    assert (tmp_path / "out" / "about" / "manifest.json").exists()
    assert not (tmp_path / "out" / "provenance.jsonl").exists()
