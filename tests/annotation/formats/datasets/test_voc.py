"""Files of Pascal VOC, read back by its definition: corners from 1, both within the box."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from defusedxml import ElementTree
from hypothesis import given

from annotation.domain.records import ImageRecord
from annotation.formats.datasets.voc import VocWriter
from tests.annotation.formats.records import IMAGE, images


def write(out: Path, *records: ImageRecord) -> None:
    with VocWriter(out) as writer:
        for record in records:
            writer.add(record)


def test_an_object_is_a_box(tmp_path: Path) -> None:
    write(tmp_path, IMAGE, replace(IMAGE, name="b & c.png", split="val", chains=(), boxes=()))
    assert (tmp_path / "Annotations" / "a.xml").read_text() == (
        "<annotation>\n  <folder>images</folder>\n  <filename>a.jpg</filename>\n"
        "  <source><database>Groundcrew</database></source>\n"
        "  <size><width>100</width><height>80</height><depth>3</depth></size>\n  <segmented>0</segmented>\n"
        "  <object><name>people</name><pose>Unspecified</pose><truncated>0</truncated>"
        "<difficult>0</difficult><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>50</xmax><ymax>80</ymax></bndbox>"
        "</object>\n"
        "  <object><name>people</name><pose>Unspecified</pose><truncated>0</truncated>"
        "<difficult>0</difficult><bndbox><xmin>11</xmin><ymin>21</ymin><xmax>100</xmax><ymax>80</ymax>"
        "</bndbox></object>\n</annotation>\n"
    )
    assert ElementTree.parse(tmp_path / "Annotations" / "b & c.xml").findtext("filename") == "b & c.png"
    labels = (tmp_path / "labelmap.txt").read_text().splitlines()
    assert labels[:3] == ["# label:color_rgb:parts:actions", "people:::", "bodyparts:::"] and len(labels) == 9
    lists = {path.name: path.read_text() for path in (tmp_path / "ImageSets" / "Main").iterdir()}
    assert lists == {"train.txt": "a\n", "val.txt": "b & c\n", "test.txt": ""}


def test_two_images_of_one_stem_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.jpg and a\.png would both be Annotations/a\.xml"):
        write(tmp_path, IMAGE, replace(IMAGE, name="a.png"))


@given(images())
def test_boxes_come_back_as_they_were(record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder), record)
        objects = ElementTree.parse(Path(folder) / "Annotations" / "x.xml").findall("object")
    found = []
    for one in objects:
        corners = [int(one.findtext(f"bndbox/{name}") or "") for name in ("xmin", "ymin", "xmax", "ymax")]
        found.append((corners[0] - 1, corners[1] - 1, corners[2], corners[3]))
    pointed = sorted({index for chain in record.chains for index in chain.boxes})
    assert found == [record.boxes[index].box.edges for index in pointed]
