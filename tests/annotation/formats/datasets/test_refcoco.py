"""Referring expressions in the shape of RefCOCO."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

from pycocotools.coco import COCO

from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.refcoco import INSTANCES, REFS_LINES, REFS_PICKLE, UNCLEAR, RefcocoWriter
from tests.annotation.formats.records import IMAGE


def refs(out: Path, *records: ImageRecord) -> list[dict[str, Any]]:
    with RefcocoWriter(out) as writer:
        for record in records:
            writer.add(record)
    found = [json.loads(line) for line in (out / REFS_LINES).read_text().splitlines()]
    assert pickle.loads((out / REFS_PICKLE).read_bytes()) == found  # noqa: S301 (the test has just written it)
    return found


def test_a_box_has_a_type_of_the_projects_own(tmp_path: Path) -> None:
    record = of_words((("a pizza", 1),))
    (chain,) = record.chains
    refs(tmp_path, replace(record, chains=(replace(chain, types=("food",)),)))
    coco = COCO(str(tmp_path / INSTANCES))
    (box,) = coco.loadAnns(coco.getAnnIds())
    assert (box["category_id"], coco.loadCats([9])[0]["name"]) == (9, "food")


def of_words(*captions: tuple[tuple[str, int], ...]) -> ImageRecord:
    """Return an image whose captions are phrases of two words, each in the chain with this id."""
    made = []
    for index, phrases in enumerate(captions):
        tokens = tuple(word for text, _ in phrases for word in text.split())
        mentions = tuple(
            MentionRecord(2 * place, 2 * place + 2, ("people",), chain)
            for place, (_, chain) in enumerate(phrases)
        )
        made.append(CaptionRecord(index, " ".join(tokens), tokens, mentions))
    ids = sorted({chain for phrases in captions for _, chain in phrases})
    chains = tuple(
        ChainRecord(chain, ("people",), ((0, 0, 2),), (place % 2,)) for place, chain in enumerate(ids)
    )
    return replace(IMAGE, captions=tuple(made), chains=chains)


def test_a_chain_with_one_box_is_a_reference_to_it(tmp_path: Path) -> None:
    """The chain of two boxes is none: RefCOCO's expressions mean one thing."""
    (ref,) = refs(tmp_path, IMAGE)
    assert ref == {
        "ref_id": 1,
        "ann_id": 2,
        "image_id": 1,
        "category_id": 1,
        "file_name": "a.jpg",
        "split": "train",
        "sent_ids": [1],
        "sentences": [{"sent_id": 1, "sent": "shirts", "raw": "shirts", "tokens": ["shirts"]}],
    }
    instances = COCO(str(tmp_path / INSTANCES))
    assert instances.loadAnns([ref["ann_id"]])[0]["bbox"] == [10, 20, 90, 60]
    assert instances.loadImgs([1])[0]["file_name"] == "a.jpg"


def test_the_phrases_of_a_chain_are_its_sentences_each_once(tmp_path: Path) -> None:
    (ref,) = refs(tmp_path, of_words((("A man", 1),), (("a man", 1),), (("The boy", 1),)))
    assert [sentence["sent"] for sentence in ref["sentences"]] == ["a man", "the boy"]
    assert [sentence["raw"] for sentence in ref["sentences"]] == ["A man", "The boy"]


def test_a_phrase_that_names_two_chains_is_left_out(tmp_path: Path) -> None:
    found = refs(tmp_path, of_words((("A man", 1), ("a man", 2)), (("tall guy", 1),)))
    assert [[sentence["sent"] for sentence in ref["sentences"]] for ref in found] == [["tall guy"]]


def test_what_makes_no_reference_is_counted(tmp_path: Path) -> None:
    with RefcocoWriter(tmp_path) as writer:
        writer.add(of_words((("A man", 1), ("a man", 2)), (("tall guy", 1),)))
        writer.add(replace(IMAGE, name="b.jpg"))
    assert writer.not_held[UNCLEAR] == 2 and writer.not_held["chains with several boxes"] == 1


def test_ids_go_on_from_image_to_image(tmp_path: Path) -> None:
    found = refs(tmp_path, IMAGE, replace(IMAGE, name="b.jpg", split=""))
    assert [(ref["ref_id"], ref["ann_id"], ref["image_id"], ref["sent_ids"]) for ref in found] == [
        (1, 2, 1, [1]),
        (2, 4, 2, [2]),
    ]
    assert [ref["split"] for ref in found] == ["train", "unsplit"]


def test_without_images_the_files_can_be_read(tmp_path: Path) -> None:
    assert refs(tmp_path) == []
