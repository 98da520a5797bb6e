"""One side of `benchmarks.evaluation`: `python -m benchmarks.evaluation.run TASK QUERIES OUT.json`.

Seconds are those of the processor, so that other work on the machine changes little.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from evaluation.boxes import enclosing_boxes
from evaluation.dataset import TYPES, Boxes, MentionKey
from evaluation.localization import RANKS, Queries, Rule, join, localize, summarize
from evaluation.ragged import RaggedBoxes, RankedBoxes

PROPOSALS = 200
QUERIES_PER_IMAGE = 500_000 / 31_783
AT_ONCE = 2_500
"""Queries whose boxes are in memory at a time: half a million boxes, 16 MB."""
WIDTH, HEIGHT = 500, 375
NEAR = 0.01
"""How likely a proposal is near the truth."""


def some_boxes(rng: np.random.Generator, number: int) -> Boxes:
    """Return boxes of many sizes within the image, of whole pixels, so that all areas are exact."""
    centre = rng.random((number, 2)) * [WIDTH, HEIGHT]
    half = rng.gamma(2, 25, (number, 2))
    low = np.clip(np.round(centre - half), 0, [WIDTH - 1, HEIGHT - 1])
    return np.concatenate([low, np.clip(np.round(centre + half), low + 1, [WIDTH, HEIGHT])], axis=1)


def made_up_queries(number: int, *, single: bool) -> Queries:
    """Return queries with one true box or, for about a fifth unless `single`, three."""
    rng = np.random.default_rng(1)
    boxes = np.ones(number, dtype=np.int64) if single else np.where(rng.random(number) < 0.2, 3, 1)
    truth = RaggedBoxes(some_boxes(rng, int(boxes.sum())), np.concatenate([[0], np.cumsum(boxes)]))
    image = (np.arange(number) / QUERIES_PER_IMAGE).astype(np.int64)
    return Queries(
        keys=tuple(MentionKey(f"{of}.jpg", 0, n, n + 1) for n, of in enumerate(image.tolist())),
        phrases=tuple(f"phrase {kind}" for kind in rng.zipf(1.5, number).tolist()),
        image=image,
        chain=np.arange(number) // 2,
        truth=truth,
        enclosing=enclosing_boxes(truth),
        types=rng.random((number, len(TYPES))) < 1 / len(TYPES),
        plural=boxes > 1,
        sizes=np.tile([float(WIDTH), float(HEIGHT)], (int(image[-1]) + 1, 1)),
    )


def predictions(queries: Queries) -> Iterator[tuple[NDArray[np.int64], RankedBoxes]]:
    """Yield some queries and their proposals at a time. The same queries always have the same proposals."""
    rng = np.random.default_rng(2)
    for begin in range(0, len(queries), AT_ONCE):
        rows = np.arange(begin, min(begin + AT_ONCE, len(queries)))
        boxes = some_boxes(rng, len(rows) * PROPOSALS)
        near = rng.random(len(boxes)) < NEAR
        moved = np.round(rng.normal(0, 5, (int(near.sum()), 2)))
        boxes[near] = queries.enclosing[rows.repeat(PROPOSALS)[near]] + np.tile(moved, 2)
        scores = np.tile(np.linspace(1, 0, PROPOSALS), len(rows))
        yield rows, RankedBoxes(RaggedBoxes(boxes, np.arange(len(rows) + 1) * PROPOSALS), scores)


def with_ours(number: int, rule: Rule, suppression: float | None) -> dict[str, Any]:
    """Return seconds of the evaluation, and recall at each of RANKS and the upper bound."""
    queries = made_up_queries(number, single=suppression is None)
    seconds, parts = 0.0, []
    for rows, predicted in predictions(queries):
        begin = time.process_time()
        parts.append(localize(queries, rows, predicted, rule=rule, suppression=suppression))
        seconds += time.process_time() - begin
    begin = time.process_time()
    total = summarize(queries, join(parts), np.random.default_rng(3)).total
    tables = time.process_time() - begin
    recall = [*(total.share(place) for place in range(len(RANKS))), total.bound]
    return {"seconds": seconds + tables, "seconds_of_tables": tables, "recall": recall}


def with_pycocotools(number: int) -> dict[str, Any]:
    """Return the same of COCO's evaluation at IoU 0.5, where each query is an image of its own."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    queries = made_up_queries(number, single=True)
    rows = []
    for some, predicted in predictions(queries):
        boxes = predicted.lists.boxes
        sides = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], axis=1)
        whose = some.repeat(PROPOSALS)[:, None]
        rows.append(np.concatenate([whose, sides, predicted.scores[:, None], np.ones_like(whose)], axis=1))
    with contextlib.redirect_stdout(open(os.devnull, "w")):
        begin = time.process_time()
        truth = COCO()
        truth.dataset = {
            "info": {},
            "images": [{"id": n} for n in range(number)],
            "categories": [{"id": 1}],
            "annotations": [
                {"id": n + 1, "image_id": n, "category_id": 1, "iscrowd": 0, "area": 1.0,
                 "bbox": [left, top, right - left, bottom - top]}
                for n, (left, top, right, bottom) in enumerate(queries.enclosing.tolist())
            ],
        }  # fmt: skip
        truth.createIndex()
        evaluation = COCOeval(truth, truth.loadRes(np.concatenate(rows)), "bbox")
        evaluation.params.iouThrs = np.array([0.5])
        evaluation.params.maxDets = [*RANKS, PROPOSALS]
        evaluation.params.areaRng, evaluation.params.areaRngLbl = [[0, 1e10]], ["all"]
        evaluation.evaluate()
        evaluation.accumulate()
        seconds = time.process_time() - begin
    return {"seconds": seconds, "recall": evaluation.eval["recall"][0, 0, 0].tolist()}


def main() -> None:
    task, number, out = sys.argv[1:]
    if task == "coco":
        found = with_pycocotools(int(number))
    elif task == "unsuppressed":
        found = with_ours(int(number), "merged", None)
    else:
        (rule,) = (one for one in get_args(Rule) if one == task)
        found = with_ours(int(number), rule, 0.5)
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
