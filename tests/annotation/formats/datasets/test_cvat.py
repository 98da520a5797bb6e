"""The file of CVAT for images, read back with a parser of XML."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from defusedxml import ElementTree
from hypothesis import given

from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.cvat import CvatWriter
from tests.annotation.formats.records import IMAGE, images


def write(out: Path, *records: ImageRecord) -> tuple[Any, CvatWriter]:
    """Return the root of the file, and the writer, which has counted."""
    with CvatWriter(out) as writer:
        for record in records:
            writer.add(record)
    return ElementTree.parse(out / "annotations.xml").getroot(), writer


def attributes(shape: Any) -> dict[str, str]:
    return {one.get("name"): one.text or "" for one in shape.findall("attribute")}


def test_a_chain_has_its_boxes_or_a_tag(tmp_path: Path) -> None:
    root, writer = write(tmp_path, IMAGE, replace(IMAGE, name="<b>.jpg", split=""))
    first, second = root.findall("image")
    assert first.attrib == {"id": "0", "name": "a.jpg", "subset": "train", "width": "100", "height": "80"}
    assert (second.get("id"), second.get("name"), second.get("subset")) == ("1", "<b>.jpg", None)
    box = first.findall("box")[1]
    assert box.attrib == {
        "label": "people",
        "source": "manual",
        "occluded": "0",
        "xtl": "10.00",
        "ytl": "20.00",
        "xbr": "100.00",
        "ybr": "80.00",
        "z_order": "0",
    }
    assert attributes(box) == {
        "chains": "1 2",
        "phrases": "Two guys; shirts",
        "types": "people clothing other",
        "flag": "",
    }
    (tag,) = first.findall("tag")
    assert tag.get("label") == "scene" and attributes(tag) == {
        "chains": "3",
        "phrases": "Outside",
        "types": "scene",
        "flag": "scene",
    }
    assert [label.findtext("name") for label in root.iter("label")][:2] == ["people", "bodyparts"]
    assert root.findtext("meta/task/size") == "2" and root.findtext("version") == "1.1"
    assert writer.not_held == {"captions": 4, "phrases that are not visual": 2}


def test_characters_that_xml_may_not_have_are_replaced(tmp_path: Path) -> None:
    said = CaptionRecord(0, "A\x01b", ("A\x01b",), (MentionRecord(0, 1, ("people",), 1),))
    root, _ = write(tmp_path, replace(IMAGE, captions=(said,)))
    assert attributes(root.find("image/box"))["phrases"] == "A\ufffdb"


@given(images())
def test_boxes_come_back_as_they_were(record: ImageRecord) -> None:
    with TemporaryDirectory() as folder:
        root, _ = write(Path(folder), record)
    found = [tuple(float(box.get(name)) for name in ("xtl", "ytl", "xbr", "ybr")) for box in root.iter("box")]
    pointed = sorted({index for chain in record.chains for index in chain.boxes})
    assert found == [record.boxes[index].box.edges for index in pointed]
    assert len(root.findall("image/tag")) == sum(not chain.boxes for chain in record.chains)
