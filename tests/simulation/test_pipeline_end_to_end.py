"""A corpus with known answers goes through all six stages, and its export says the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.protocols import DEFAULT_PROTOCOL, ENTITIES_PROTOCOLS, PROTOCOL_STAGES
from annotation.domain.records import ImageRecord
from annotation.models import ImageWork, Judgment
from simulation.agreement import compare
from simulation.profiles import PAPER
from tests.annotation.formats import published
from tests.shared import shared
from tests.simulation import pipeline
from workflows.pipeline.replay.verify_state import verify

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("eager_tasks"),
    pytest.mark.slow("data sets through all six stages over HTTP"),
]


def test_the_real_sample_comes_out_with_its_chains(live_server: Any, tmp_path: Path) -> None:
    """If no question can hold a chain together, it comes out in the parts that questions can join.

    No other chain is cut.
    """
    sample = shared("data", "entities_sample")
    pipeline.annotate(sample, sample / "images", live_server.url)
    exported, gold = pipeline.export(tmp_path / "out"), pipeline.records(sample)
    assert set(exported) == set(gold)
    split = {}
    for name, record in gold.items():
        parts = pipeline.askable_parts(record)
        assert pipeline.mention_sets(exported[name]) == {part for found in parts.values() for part in found}
        assert pipeline.notvisual(exported[name]) == pipeline.notvisual(record)
        assert [c.text for c in exported[name].captions] == [c.text for c in record.captions]
        split.update({chain: found for chain, found in parts.items() if len(found) > 1})
    print(
        "chains that came out split:",
        {chain: [sorted(part) for part in found] for chain, found in split.items()},
    )
    assert sum(len(pipeline.notvisual(record)) for record in gold.values()) > 0
    # "A man" with "acrobatics" (no common type), and a booth (scene) with a sign (other).
    assert set(split) == {14516, 279867}


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_self_made_gold_comes_out_with_its_boxes(
    scenes: Path, live_server: Any, tmp_path: Path, protocol: str
) -> None:
    """Workers make no errors, so chains, boxes, flags and non-visual mentions equal the truth, box by box."""
    tally = pipeline.annotate(scenes, scenes / "images", live_server.url, protocol=protocol)
    stages = set(PROTOCOL_STAGES[protocol])
    unasked = {"verification"} if protocol == "entities-fast" else set()
    assert set(tally.answers) == stages - unasked
    assert tally.judgments == Judgment.objects.count() + tally.acknowledged
    exported, gold = pipeline.export(tmp_path / "out"), pipeline.records(scenes)
    for name, record in gold.items():
        found = exported[name]
        assert pipeline.boxes_by_chain(found) == pipeline.boxes_by_chain(record)
        assert pipeline.notvisual(found) == pipeline.notvisual(record)
        flags = {frozenset(c.mentions): (c.scene, c.nobndbox) for c in record.chains}
        assert {frozenset(c.mentions): (c.scene, c.nobndbox) for c in found.chains} == flags
    works = ImageWork.objects.values_list("pk", flat=True)
    assert verify(list(works)) == []
    result = compare(gold.values(), exported.values())
    assert (result.f1, result.exact_chains, result.box_recall, result.mean_iou) == (1.0, 1.0, 1.0, 1.0)
    check_read_by_a_parser_of_the_published_format(tmp_path / "out", exported)


def check_read_by_a_parser_of_the_published_format(out: Path, exported: Mapping[str, ImageRecord]) -> None:
    for name, record in exported.items():
        stem = Path(name).stem
        sentences = published.sentence_data(out / "Sentences" / f"{stem}.txt")
        assert [sentence["sentence"] for sentence in sentences] == [
            caption.text for caption in record.captions
        ]
        annotations = published.annotation_data(out / "Annotations" / f"{stem}.xml")
        boxes = {
            str(chain.id): sorted([box.left, box.top, box.right - 1, box.bottom - 1] for box in found)
            for chain in record.chains
            if (found := [record.boxes[i].box for i in chain.boxes])
        }
        assert {chain: sorted(map(list, found)) for chain, found in annotations["boxes"].items()} == boxes


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_workers_who_err_as_in_the_paper_come_near_the_truth(
    scenes: Path, live_server: Any, tmp_path: Path, protocol: str
) -> None:
    """Nothing is stuck, and the result is near the truth. The bounds are wide, since threads race."""
    pipeline.annotate(scenes, scenes / "images", live_server.url, PAPER, protocol)
    exported, gold = pipeline.export(tmp_path / "out"), pipeline.records(scenes)
    result = compare(gold.values(), exported.values())
    assert result.images >= 6
    # `entities-fast` verifies no chains, so one wrong *same* may join two chains: up to 25 wrong links of 80.
    assert result.precision > (0.75 if protocol == DEFAULT_PROTOCOL else 0.5)
    assert result.box_recall > 0.75
    assert result.mean_iou > 0.85
