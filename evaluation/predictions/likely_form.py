"""Whether the numbers of predicted boxes look as if they were read in a wrong way. Nothing is changed by it.

The first box of each query is read in every way that FORMS has, and as pixels of resized images. A way is
named if it explains the numbers, and the way in which they were read does not: most boxes would be outside of
their images, inverted or smaller than a pixel; or they would hardly overlap the true boxes, which the other
way fits well. Of several ways, the one with the best overlap is named. The limits are ours, and were chosen
so that random boxes in pixels are never named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.arrays import Floats
from evaluation.boxes import paired_iou
from evaluation.coordinates import MAX_PIXELS, MIN_PIXELS, edges_of, smart_resize
from evaluation.predictions.formats import FORMS, Form

LOOKED_AT = 2000
"""Queries of a file whose first boxes are looked at."""
BEYOND = 0.1
"""A box fits an image if it reaches no further outside of it than this share of a side."""
MISFIT = 0.8
"""If less than this share of the boxes fits, they are read in a wrong way, if another one explains them."""
FITTING = 0.98
"""A way explains boxes if at least this share of them fits."""
MANY = 20
"""Boxes that tell by themselves that they are in thousandths, or in another order."""
REACH = 0.7
"""Boxes in thousandths reach further than this share of a side, in a twentieth of the images."""
OUTSIDE = 0.2
"""A share of boxes outside of their images that is worth a finding."""
SQUARES = (224, 336, 384, 448, 512, 560, 640, 672, 768, 896, 1024, 1120, 1280, 1344)
"""Sides of the squares to which models resize images."""
TAUGHT_PIXELS = 1_003_520
"""Most pixels of an image in Qwen's own script for training, and so in our exports."""
LIMITED = f"boxes that look like pixels of images with at most {TAUGHT_PIXELS:,} pixels"
CLEARLY = 1.3
"""A size that is fitted to the boxes needs an overlap that is so many times that of a form."""
RESIZED = "boxes that look like pixels of a resized image"
REACHING = "boxes that reach far outside of their images"
_UNITS = {"pixels", "fractions", "thousandths", "resized"}
"""Units that files confuse. Others have tokens of their own."""


def look_of(form: Form) -> str:
    """Return the kind of finding for boxes that look like this form, which is one of FORMS."""
    return f"boxes that look like {form.words}"


@dataclass(frozen=True, slots=True)
class Sample:
    """The first boxes of some queries: numbers as they are written, and as they were read, of shape (n, 4).

    `sizes` are widths and heights of their images, of shape (n, 2), all above 0. `truth` has the true boxes,
    of shape (n, 4), or is None.
    """

    form: Form
    numbers: Floats
    read: Floats
    sizes: Floats
    truth: Floats | None


@dataclass(frozen=True, slots=True)
class _Evidence:
    fits: float
    overlap: float
    """The mean IoU with the true boxes; 0 if these are not known."""


def likely_form(sample: Sample) -> tuple[str, str] | None:
    """Return the kind of finding for numbers that look as if they were read in a wrong way, and an example.

    None: they do not. The kinds are those of `look_of`, RESIZED, LIMITED and REACHING.
    """
    if (large := _of_large_images(sample)) and (found := _likely(large)) and found[0] == LIMITED:
        return found
    return _likely(sample)


def _of_large_images(sample: Sample) -> Sample | None:
    """Return the boxes of images whose size depends on the most pixels that Qwen2.5-VL takes, if any."""
    if sample.form.unit != "resized" or sample.truth is None:
        return None
    form, sizes = sample.form, sample.sizes
    usual = _seen_by_qwen(sizes, form.max_pixels, form.min_pixels)
    at = (usual != _seen_by_qwen(sizes, TAUGHT_PIXELS, form.min_pixels)).any(axis=1)
    if not at.any():
        return None
    return Sample(form, sample.numbers[at], sample.read[at], sizes[at], sample.truth[at])


def _seen_by_qwen(sizes: Floats, max_pixels: int, min_pixels: int = MIN_PIXELS) -> Floats:
    seen = [smart_resize(*size, min_pixels=min_pixels, max_pixels=max_pixels) for size in sizes.tolist()]
    return np.array(seen, dtype=np.float64)


def _likely(sample: Sample) -> tuple[str, str] | None:
    if not len(sample.numbers) or sample.form.unit not in _UNITS:
        return None
    read = _evidence(sample.read, sample)
    # One box has to fit almost exactly to tell something, and many have to fit a little.
    least = max(0.2 + 0.7 / np.sqrt(len(sample.numbers)), 1.6 * read.overlap, read.overlap + 0.1)
    others = dict(_others(sample))
    clear = {name: one for name, one in others.items() if one.fits >= 0.95 and one.overlap >= least}
    if not clear and read.fits < MISFIT:
        clear = {name: one for name, one in others.items() if _tells(FORMS[name], one, sample)}
    if clear:
        name = _best(clear)
        return _resized(sample, least, clear[name].overlap) or (
            look_of(FORMS[name]),
            _shown(sample.numbers[0]),
        )
    if sample.form.unit in ("pixels", "resized") and (resized := _resized(sample, least)):
        return resized
    if (_reaching(sample.read, sample.sizes)).mean() >= OUTSIDE:
        return REACHING, _shown(sample.numbers[0])
    return None


def _others(sample: Sample) -> Iterator[tuple[str, _Evidence]]:
    for name, form in FORMS.items():
        if (form.unit, form.order) != (sample.form.unit, sample.form.order):
            yield name, _evidence(_as(form, sample), sample)


def _as(form: Form, sample: Sample) -> Floats:
    edges = edges_of(sample.numbers, form.order)
    if form.unit == "pixels":
        return edges
    found: Floats = edges * np.tile(sample.sizes, 2) / (1000 if form.unit == "thousandths" else 1)
    return found


def _tells(form: Form, evidence: _Evidence, sample: Sample) -> bool:
    """Return whether boxes that fit in this form, and not as they were read, are boxes of this form."""
    if evidence.fits < FITTING:
        return False
    if form.unit == "fractions":
        return True
    if len(sample.numbers) < MANY:
        return False
    if form.unit == "pixels":
        return True
    ends = edges_of(sample.numbers, form.order)[:, 2:].max(axis=1) / 1000
    return bool(np.quantile(ends, 0.95) >= REACH)


def _best(found: Mapping[str, _Evidence]) -> str:
    """Return the form with the best overlap, or if none is clearly better, the first of them."""
    names = sorted(found, key=lambda name: ("fractions", "pixels", "thousandths").index(FORMS[name].unit))
    best = max(names, key=lambda name: found[name].overlap)
    is_clear = found[best].overlap >= max(0.15, 1.3 * found[names[0]].overlap)
    return best if is_clear else names[0]


def _resized(sample: Sample, least: float, of_form: float = 0) -> tuple[str, str] | None:
    """Return the kind of finding for a size of images that explains the numbers, and an example.

    None: no size explains them with a mean overlap of at least `least`, and better than the best form, whose
    overlap is `of_form`. Boxes that are said to be Qwen2.5-VL's are likelier to have its sizes.
    """
    if sample.truth is None:
        return None
    best = 0.0
    found: tuple[str, str] | None = None
    for limit, words, seen in _sizes(sample):
        boxes = edges_of(sample.numbers, sample.form.order) * np.tile(sample.sizes / seen, 2)
        evidence = _evidence(boxes, sample)
        is_asked = sample.form.unit == "resized" and limit > 0
        needed = max(least, of_form * (1 if is_asked else CLEARLY), best + 0.02 if found else 0)
        if evidence.fits >= 0.95 and evidence.overlap >= needed:
            best, found = evidence.overlap, (RESIZED, words)
            if is_asked and limit == TAUGHT_PIXELS:
                found = LIMITED, _shown(sample.numbers[0])
    return found


def _sizes(sample: Sample) -> Iterator[tuple[int, str, Floats]]:
    """Yield sizes that images may have been seen in, in words and as widths and heights, of shape (n, 2).

    First is the most pixels that an image has, for the sizes of Qwen2.5-VL, and else 0.
    """
    sizes = sample.sizes
    for limit, option in ((MAX_PIXELS, ""), (TAUGHT_PIXELS, f", --max-pixels {TAUGHT_PIXELS}")):
        yield limit, f"as Qwen2.5-VL sees it (format qwen2.5-vl{option})", _seen_by_qwen(sizes, limit)
    for words, seen in _other_sizes(sample):
        yield 0, words, seen


def _other_sizes(sample: Sample) -> Iterator[tuple[str, Floats]]:
    sizes = sample.sizes
    for side in SQUARES:
        yield f"of {side} x {side} pixels", np.full_like(sizes, side)
    if len(sizes) < 5 or sample.truth is None:
        return
    edges = edges_of(sample.numbers, sample.form.order)
    with np.errstate(divide="ignore", invalid="ignore"):
        scales = (edges[:, :2] + edges[:, 2:]) / (sample.truth[:, :2] + sample.truth[:, 2:])
    known = (np.isfinite(scales) & (scales > 0)).all(axis=1)
    if known.sum() < 5:
        return
    scales, own = scales[known], sizes[known]
    times = float(np.median(scales))
    yield f"of {times:.2f} times the size", sizes * times
    for words, sides in (("longer", sizes.max(axis=1)), ("shorter", sizes.min(axis=1))):
        pixels = float(np.median(scales.mean(axis=1) * sides[known]))
        yield f"whose {words} side has about {pixels:.0f} pixels", sizes * (pixels / sides)[:, None]
    both = np.median(scales * own, axis=0)
    yield f"of about {both[0]:.0f} x {both[1]:.0f} pixels", np.tile(both, (len(sizes), 1))


def _evidence(boxes: Floats, sample: Sample) -> _Evidence:
    with np.errstate(invalid="ignore", over="ignore"):
        inside = ~_reaching(boxes, sample.sizes)
        fits = inside & ((boxes[:, 2:] - boxes[:, :2]) >= 1).all(axis=1)
        overlap = 0.0 if sample.truth is None else float(paired_iou(boxes, sample.truth).mean())
    return _Evidence(float(fits.mean()), overlap)


def _reaching(boxes: Floats, sizes: Floats) -> NDArray[np.bool_]:
    """Return which boxes reach further outside of their images than BEYOND."""
    beyond = sizes * BEYOND
    ends = np.concatenate([boxes[:, 2:] - sizes, boxes[:, :2] - sizes, -boxes[:, :2]], axis=1)
    return np.asarray((ends > np.tile(beyond, 3)).any(axis=1))


def _shown(numbers: Floats) -> str:
    return f"such as [{', '.join(f'{one:g}' for one in numbers.tolist())}]"
