"""Boxes that a model writes in its format are read back, within the rounding of that format."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box as PixelBox
from annotation.formats.datasets import coordinates as exported
from evaluation.coordinates import smart_resize
from evaluation.errors import Place
from evaluation.predictions.chat import boxes_said
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import MODELS, format_named
from tests.evaluation.predictions.models_writing import WRITINGS, Box, Labelled

SIDES = st.integers(min_value=60, max_value=3000)
LABELS = st.sampled_from(["a man", "Two dogs", "a red-and-white sign", "the man 's hat", "it"])


@st.composite
def boxes_in(draw: st.DrawFn, width: int, height: int) -> Box:
    """Draw a box that is a twentieth of each side or more, so that grids do not swallow it."""
    across, down = draw(st.floats(0.1, 1)), draw(st.floats(0.1, 1))
    left, top = draw(st.floats(0, 1)) * (1 - across), draw(st.floats(0, 1)) * (1 - down)
    return left * width, top * height, (left + across) * width, (top + down) * height


@pytest.mark.parametrize("name", [name for name in MODELS if name != "molmo"])
@given(data=st.data(), width=SIDES, height=SIDES)
def test_what_a_model_writes_is_read_back(name: str, data: st.DataObject, width: int, height: int) -> None:
    found: Labelled = [
        (data.draw(LABELS), data.draw(boxes_in(width, height))) for _ in range(data.draw(st.integers(1, 3)))
    ]
    writing, written, findings = WRITINGS[name], format_named(name), Findings()
    said = boxes_said(writing.write(found, width, height), Place("p.jsonl", 1), findings, written)
    assert not findings.counts and [one.label for one in said] == [label for label, _ in found]
    for (_, box), one in zip(found, said, strict=True):
        back = written.form.pixels(np.array([one.numbers]), (width, height))[0].tolist()
        side = max(width, height) if name == "shikra" else 0
        for at, (was, now) in enumerate(zip(box, back, strict=True)):
            assert abs(was - now) <= writing.rounding * (side or (width, height)[at % 2]) + 1e-6


@given(data=st.data(), width=SIDES, height=SIDES)
def test_paligemma_is_read_as_our_export_writes_it(data: st.DataObject, width: int, height: int) -> None:
    """No edge is off by more than half of a 1023rd, the export's rounding."""
    left, top, right, bottom = map(round, data.draw(boxes_in(width, height)))
    across, up, far, down = exported.steps_of_1023(PixelBox(left, top, right, bottom), width, height)
    form = format_named("paligemma").form
    back = form.pixels(np.array([[up, across, down, far]], dtype=float), (width, height))[0]
    sides = np.array([width, height, width, height])
    assert (np.abs(back - [left, top, right, bottom]) <= sides * 0.5 / 1023 + 1e-6).all()


def test_every_model_that_writes_boxes_is_tried() -> None:
    assert {*WRITINGS, "molmo"} == set(MODELS)


@pytest.mark.parametrize(
    ("size", "limits", "seen"),
    [
        # By hand: each side is the nearest multiple of 28, and then the limits hold.
        ((500, 375), {}, (504, 364)),
        ((64, 48), {}, (56, 56)),
        ((10, 10), {}, (56, 56)),
        ((500, 375), {"min_pixels": 256 * 784}, (532, 392)),
        ((4000, 3000), {"max_pixels": 1280 * 784}, (1148, 840)),
        ((14, 2000), {}, (28, 1988)),
    ],
)
def test_images_are_resized_as_qwen_does(
    size: tuple[int, int], limits: dict[str, int], seen: tuple[int, int]
) -> None:
    assert smart_resize(*size, **limits) == seen


@given(width=SIDES, height=SIDES, least=st.integers(4, 200), more=st.integers(600, 4000))
def test_a_resized_image_has_the_pixels_that_were_asked_for(
    width: int, height: int, least: int, more: int
) -> None:
    across, down = smart_resize(width, height, min_pixels=least * 784, max_pixels=more * 784)
    assert across % 28 == down % 28 == 0
    assert across * down >= least * 784 and across * down <= max(more * 784, 28 * max(width, height))


def test_limits_of_pixels_change_what_the_numbers_mean() -> None:

    numbers = np.array([[266.0, 196.0, 532.0, 392.0]])
    usual = format_named("qwen2.5-vl").form.pixels(numbers, (500, 375))
    set_by_hand = format_named("qwen2.5-vl", min_pixels=256 * 784).form.pixels(numbers, (500, 375))
    assert set_by_hand.tolist() == [[250, 187.5, 500, 375]] and usual[0, 2] > 500
