"""Demo scenes: pictures of our own, drawn so that every chain and box is known exactly."""

import random
from contextlib import suppress

from simulation.scenes.canvas import NothingSeenError
from simulation.scenes.recipes import RECIPES
from simulation.scenes.sketch import Scene, Sketch

__all__ = ["Scene", "draw_scene"]

ATTEMPTS = 10


def draw_scene(number: int, seed: int, first_id: int = 1, hidden: str = "") -> Scene:
    """Return the `number`-th scene (from 0) of a seed; the same arguments always give the same scene.

    Kinds of scenes take turns. If something that a caption names is covered by other things, the scene is
    drawn anew. `first_id` is the id of its first chain; see Canvas for `hidden`.
    """
    kinds = list(RECIPES)
    kind = kinds[number % len(kinds)]
    recipe, sizes = RECIPES[kind]
    width, height = sizes[number // len(kinds) % len(sizes)]
    for attempt in range(ATTEMPTS):
        rng = random.Random(f"{seed}/{number}" + f"/{attempt}" * bool(attempt))
        sketch = Sketch(rng, width, height, first_id, hidden)
        templates = recipe(sketch)
        with suppress(NothingSeenError):
            return sketch.finish(f"{kind}-{number + 1:04d}.jpg", templates)
    raise NothingSeenError(f"scene {number} of seed {seed}: in {ATTEMPTS} drawings, something is covered")
