"""The names of `--predictions-format`: what the numbers of boxes are, and how models write them in answers.

A `Form` says what four numbers mean: their order and their unit. The names `pixels`, `fractions` and
`thousandths`, alone or with an order such as `pixels-xywh`, are forms. The other names are models: an
`PredictionsFormat` also says how boxes are found in a text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from evaluation.arrays import Floats
from evaluation.coordinates import (
    MAX_PIXELS,
    MIN_PIXELS,
    ORDERS,
    Order,
    Size,
    edges_of,
    from_resized,
    from_shares,
    from_square,
    smart_resize,
)
from evaluation.predictions.answer_texts import (
    boxes_of_brackets,
    boxes_of_gemini,
    boxes_of_internvl,
    boxes_of_json,
    boxes_of_qwen,
    boxes_of_qwen2,
    points,
)
from evaluation.predictions.answer_tokens import boxes_of_florence, boxes_of_kosmos, boxes_of_paligemma
from evaluation.predictions.answers import Found

Unit = Literal["pixels", "fractions", "thousandths", "resized", "middles", "steps", "square"]
_PER: Mapping[str, tuple[float, float]] = {
    "fractions": (1, 0),
    "thousandths": (1000, 0),
    "middles": (1000, 0.5),
    "steps": (1023, 0),
}
"""For units that are parts of the sides: how many are a side, and what is added first."""
UNITS: tuple[Unit, ...] = ("pixels", "fractions", "thousandths")
"""The units that files may have, without a model's name."""
_ORDERS: Mapping[Order, str] = {
    "xyxy": "",
    "xywh": " as left, top, width, height",
    "yxyx": " as top, left, bottom, right",
    "cxcywh": " as the middle, width, height",
}
_UNITS = {
    "pixels": "pixels",
    "fractions": "fractions of the sides",
    "thousandths": "thousandths of the sides",
}


@dataclass(frozen=True, slots=True)
class Form:
    """What the four numbers of a box are. `min_pixels` and `max_pixels` are for the unit `resized` alone.

    `resized`: pixels of the image as Qwen2.5-VL sees it. `middles`: the middles of 1000 bins a side.
    `steps`: 1024 places from 0 to 1023, which are both ends of a side. `square`: fractions of a square, in
    the middle of which the image was put.
    """

    unit: Unit = "pixels"
    order: Order = "xyxy"
    min_pixels: int = MIN_PIXELS
    max_pixels: int = MAX_PIXELS

    @property
    def name(self) -> str:
        """Return its name for `--predictions-format`, such as `pixels` or `fractions-xywh`."""
        return self.unit if self.order == "xyxy" else f"{self.unit}-{self.order}"

    @property
    def words(self) -> str:
        """Return what the numbers are, in words. The unit is one of UNITS."""
        return _UNITS[self.unit] + _ORDERS[self.order]

    @property
    def needs_size(self) -> bool:
        """Return whether the size of an image has to be known, even if nothing else is said."""
        return self.unit != "pixels"

    def pixels(self, numbers: Floats, size: Size, seen: Size | None = None) -> Floats:
        """Return the boxes in pixel edges, of shape (n, 4).

        `size` is that of the image. `seen` is the size of the copy that a model saw, if that is known: pixels
        are pixels of it.
        """
        edges = edges_of(numbers, self.order)
        if self.unit in _PER:
            return from_shares(edges, size, *_PER[self.unit])
        if self.unit == "square":
            return from_square(edges, size)
        if self.unit == "resized" and seen is None:
            seen = smart_resize(*size, min_pixels=self.min_pixels, max_pixels=self.max_pixels)
        return edges if seen is None else from_resized(edges, size, seen)


PIXELS = Form()
FORMS: Mapping[str, Form] = MappingProxyType(
    {form.name: form for form in (Form(unit, order) for unit in UNITS for order in ORDERS)}
)
"""The forms that need no model's name, by their names."""


@dataclass(frozen=True, slots=True)
class PredictionsFormat:
    """What the numbers of predicted boxes are, and how `find` finds them in the text of an answer.

    A model's format is for answers alone.
    """

    name: str
    form: Form
    find: Callable[[str], Found]
    is_model: bool = True


_MODELS = (
    PredictionsFormat("qwen2.5-vl", Form("resized"), boxes_of_qwen),
    PredictionsFormat("qwen3-vl", Form("thousandths"), boxes_of_qwen),
    PredictionsFormat("qwen2-vl", Form("thousandths"), boxes_of_qwen2),
    PredictionsFormat("internvl", Form("thousandths"), boxes_of_internvl),
    PredictionsFormat("florence-2", Form("middles"), boxes_of_florence),
    PredictionsFormat("paligemma", Form("steps", "yxyx"), boxes_of_paligemma),
    PredictionsFormat("kosmos-2", Form("fractions"), boxes_of_kosmos),
    PredictionsFormat("shikra", Form("square"), boxes_of_brackets),
    PredictionsFormat("gemini", Form("thousandths", "yxyx"), boxes_of_gemini),
    PredictionsFormat("molmo", Form("fractions"), points),
)
MODELS: Mapping[str, PredictionsFormat] = MappingProxyType({one.name: one for one in _MODELS})
"""How models write boxes, by the names of `--predictions-format`."""
FORMATS: tuple[str, ...] = (*FORMS, *MODELS)
"""All names of `--predictions-format`."""


def boxes_of_json_or_tokens(text: str) -> Found:
    """Find boxes in an answer in thousandths: tokens such as `<loc_24>` if there are some, else JSON.

    Suggestions that were imported before formats had the names of models are read in this way.
    """
    return boxes_of_florence(text) if "<loc_" in text else boxes_of_json(text)


def format_named(name: str, min_pixels: int = MIN_PIXELS, max_pixels: int = MAX_PIXELS) -> PredictionsFormat:
    """Return the format of one of FORMATS. The numbers of pixels are those of images that Qwen2.5-VL saw."""
    if name in FORMS:
        find = boxes_of_json_or_tokens if name == "thousandths" else boxes_of_json
        return PredictionsFormat(name, FORMS[name], find, is_model=False)
    found = MODELS[name]
    if found.form.unit != "resized":
        return found
    return replace(found, form=replace(found.form, min_pixels=min_pixels, max_pixels=max_pixels))
