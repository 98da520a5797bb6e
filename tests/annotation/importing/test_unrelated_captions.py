"""Captions about other photographs: an Entities folder lists them, and so does its export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotation.domain.records import ImageRecord, Problem
from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import Caption, GoldChain, Mention, Project
from tests.annotation.importing.made_corpora import run

LIST = "# format: <imageID> <sentence number>\na 2\n"
SENTENCES = (
    "[/EN#1/people Two guys] run .\n"
    "[/EN#2/animals A dog] sleeps beside [/EN#1/people two guys] .\n"
    "[/EN#1/people They] smile .\n"
)
XML = (
    "<annotation><filename>a.jpg</filename><size><width>100</width><height>80</height><depth>3</depth></size>"
    + "".join(
        f"<object><name>{chain}</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>{side}</xmax>"
        f"<ymax>{side}</ymax></bndbox></object>"
        for chain, side in ((1, 20), (2, 30))
    )
    + "</annotation>"
)


def folder(root: Path, listed: str = LIST) -> Path:
    for name, text in (
        ("Sentences/a.txt", SENTENCES),
        ("Annotations/a.xml", XML),
        ("UNRELATED_CAPTIONS", listed),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def parts(root: Path) -> tuple[ImageRecord, list[str]]:
    found = list(read(root))
    (record,) = [one for one in found if isinstance(one, ImageRecord)]
    return record, [str(one).removeprefix(f"{root}/") for one in found if isinstance(one, Problem)]


def test_a_listed_sentence_is_apart_and_leaves_its_chains(tmp_path: Path) -> None:
    record, problems = parts(folder(tmp_path))
    assert problems == []
    assert [one.index for one in record.captions] == [0, 2]
    assert [(one.index, one.text) for one in record.unrelated] == [(1, "A dog sleeps beside two guys .")]
    assert [(chain.id, chain.mentions) for chain in record.chains] == [(1, ((0, 0, 2), (2, 0, 1)))]
    assert [box.box.edges for box in record.boxes] == [record.boxes[0].box.edges]


def test_the_list_of_the_release_ends_without_a_line_break(tmp_path: Path) -> None:
    record, problems = parts(folder(tmp_path, LIST.rstrip("\n")))
    assert (problems, len(record.unrelated)) == ([], 1)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("b 1", "UNRELATED_CAPTIONS:3: there is no Sentences/b.txt for this image"),
        ("a 4", "UNRELATED_CAPTIONS:3: Sentences/a.txt has no caption 4"),
        ("a 0", "UNRELATED_CAPTIONS:3: Sentences/a.txt has no caption 0"),
        ("a two", "UNRELATED_CAPTIONS:3: 'a two' is no image and sentence number"),
        ("a", "UNRELATED_CAPTIONS:3: 'a' is no image and sentence number"),
        ("a -1", "UNRELATED_CAPTIONS:3: 'a -1' is no image and sentence number"),
        ("a 1" + "0" * 30, "UNRELATED_CAPTIONS:3: 'a 1000000000"),
    ],
)
def test_each_line_is_checked(tmp_path: Path, line: str, says: str) -> None:
    record, problems = parts(folder(tmp_path, f"{LIST}{line}\n"))
    assert len(problems) == 1 and problems[0].startswith(says)
    assert [one.index for one in record.unrelated] == [1]


def test_an_image_whose_name_begins_like_a_comment_is_an_image(tmp_path: Path) -> None:
    root = folder(tmp_path, "# 2\n#\n\n")
    (root / "Sentences" / "a.txt").rename(root / "Sentences" / "#.txt")
    found = [one for one in read(root) if isinstance(one, ImageRecord)]
    assert [one.index for one in found[0].unrelated] == [1]


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("again", [False, True])
def test_what_is_listed_is_not_asked_about_and_is_listed_again_by_the_export(
    tmp_path: Path, again: bool
) -> None:
    record, _ = parts(folder(tmp_path / "in"))
    runs = [run([record], as_gold=True) for _ in range(1 + again)]
    assert [one.problems for one in runs] == [[]] * len(runs)
    done = runs[-1]
    assert (done.summary.captions, done.summary.unrelated) == ((0, 0) if again else (2, 1))
    rows = Caption.objects.order_by("index").values_list("index", "superseded", "unrelated")
    assert list(rows) == [(0, False, False), (1, True, True), (2, False, False)]
    assert not Mention.objects.filter(caption__unrelated=True).exists()
    assert GoldChain.objects.count() == 1
    out = tmp_path / "out"
    export_dataset(
        project=Project.objects.get(),
        format="flickr30k-entities",
        out=out,
        options=ExportOptions(source="gold"),
    )
    assert (out / "UNRELATED_CAPTIONS").read_text() == LIST
    lines = (out / "Sentences" / "a.txt").read_text().splitlines()
    assert lines[1] == "A dog sleeps beside two guys ."
    exported, problems = parts(out)
    assert problems == []
    plain = tuple(replace(one, mentions=()) for one in record.unrelated)
    assert (exported.captions, exported.unrelated) == (record.captions, plain)


@pytest.mark.django_db
def test_other_formats_leave_it_out_and_a_set_without_one_has_no_list(tmp_path: Path) -> None:
    record, _ = parts(folder(tmp_path / "in"))
    run([record], as_gold=True)
    gold = ExportOptions(source="gold")
    project = Project.objects.get()
    export_dataset(project=project, format="jsonl", out=tmp_path / "jsonl", options=gold)
    assert not any("A dog sleeps" in file.read_text() for file in (tmp_path / "jsonl").glob("*.jsonl"))
    assert list((tmp_path / "jsonl").glob("*.jsonl"))
    Caption.objects.update(unrelated=False)
    export_dataset(project=project, format="flickr30k-entities", out=tmp_path / "out", options=gold)
    assert not (tmp_path / "out" / "UNRELATED_CAPTIONS").exists()
    assert len((tmp_path / "out" / "Sentences" / "a.txt").read_text().splitlines()) == 2
