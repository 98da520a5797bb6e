"""One module a kind of scene: draws it on a sketch and returns the caption templates that fit."""

from collections.abc import Callable, Mapping

from simulation.scenes.recipes.beach import beach
from simulation.scenes.recipes.concert import concert
from simulation.scenes.recipes.field import field
from simulation.scenes.recipes.kitchen import kitchen
from simulation.scenes.recipes.lake import lake
from simulation.scenes.recipes.match import match
from simulation.scenes.recipes.park import park
from simulation.scenes.recipes.street import street
from simulation.scenes.sketch import Sketch

Recipe = Callable[[Sketch], list[str]]
LANDSCAPE, PORTRAIT = (640, 480), (480, 640)

RECIPES: Mapping[str, tuple[Recipe, tuple[tuple[int, int], ...]]] = {
    "beach": (beach, (LANDSCAPE,)),
    "park": (park, (LANDSCAPE, PORTRAIT)),
    "street": (street, (LANDSCAPE,)),
    "field": (field, (LANDSCAPE,)),
    "concert": (concert, (LANDSCAPE,)),
    "kitchen": (kitchen, (LANDSCAPE, PORTRAIT)),
    "lake": (lake, (LANDSCAPE, PORTRAIT)),
    "match": (match, (LANDSCAPE,)),
}
"""Name -> recipe and the sizes (width, height in pixels) it is made for."""
