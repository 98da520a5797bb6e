"""Writes demo scenes as a Flickr30k Entities data set with its images."""

from collections.abc import Callable
from pathlib import Path

from annotation.formats.flickr30k_entities import EntitiesWriter
from simulation.scenes import draw_scene

JPEG_QUALITY = 90


def write_scenes(
    folder: Path, count: int, seed: int, progress: Callable[[int], object] = lambda images: None
) -> None:
    """Draw `count` scenes into `folder` (made if need be, else empty): Sentences, Annotations and images.

    Chain ids are unique over the data set. `progress` is told of every image (1). Raises FileExistsError when
    something lies in the folder already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty: scenes are written into a folder of their own")
    images = folder / "images"
    images.mkdir()
    next_id = 1
    with EntitiesWriter(folder) as writer:
        for number in range(count):
            scene = draw_scene(number, seed, first_id=next_id)
            scene.picture.save(images / scene.record.name, quality=JPEG_QUALITY)
            writer.add(scene.record)
            next_id = scene.last_id + 1
            progress(1)
