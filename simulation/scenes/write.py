"""Writes demo scenes as a Flickr30k Entities data set with its images."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import astuple, replace
from pathlib import Path

import orjson

from annotation.formats.datasets.flickr30k_entities import EntitiesWriter
from simulation.scenes import Scene, draw_scene
from simulation.scenes.captions import reword

JPEG_QUALITY = 90


def write_scenes(
    folder: Path,
    count: int,
    seed: int,
    progress: Callable[[int], object] = lambda images: None,
    splits: Mapping[str, int] | None = None,
    *,
    start: int = 0,
    reworded: bool = False,
    labelled: Path | None = None,
) -> None:
    """Draw `count` scenes into `folder` (made if need be, else empty): Sentences, Annotations and images.

    Chain ids are unique over the data set. `progress` is told of every image (1). With `splits`, the first
    scenes are of the first split, as many as it says, and so on. The first one is number `start` of the
    seed. If `reworded`, each has all the captions that simulated writers write. With `labelled`, that file
    gets the boxes of all that was drawn, for `evaluation selection --labelled`. Raises FileExistsError when
    something lies in the folder already, or if there is such a file.
    """
    if labelled and labelled.exists():
        raise FileExistsError(f"{labelled} exists already; give another name")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty: scenes are written into a folder of their own")
    images = folder / "images"
    images.mkdir()
    split_of = [name for name, number in (splits or {}).items() for _ in range(number)]
    next_id = 1
    with EntitiesWriter(folder) as writer, labelled.open("xb") if labelled else nullcontext() as boxes:
        for number in range(count):
            scene = draw_scene(start + number, seed, first_id=next_id)
            scene.picture.save(images / scene.record.name, quality=JPEG_QUALITY)
            split = split_of[number] if number < len(split_of) else ""
            record = replace(scene.record, split=split)
            writer.add(reword(record) if reworded else record)
            if boxes:
                boxes.write(_line(scene))
            next_id = scene.last_id + 1
            progress(1)


def _line(scene: Scene) -> bytes:
    boxes, labels = zip(*scene.labelled(), strict=True)
    line = {"image": scene.record.name, "boxes": list(map(astuple, boxes)), "labels": labels}
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
