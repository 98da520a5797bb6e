"""Charts show their numbers, escape words, and contain nothing that the policy forbids."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from defusedxml import ElementTree as ET
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from console.common import charts
from evaluation.report import plots

TYPES = ["people", "clothing", "a <b>bold</b> label & a far too long one"]
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def words(svg: str | bytes) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter() if node.text]


def test_bars_carry_their_numbers_and_stand_in_the_order_of_the_labels() -> None:
    chart = charts.bars(
        "Chains", TYPES, {"here": [1234567, None, 3]}, references={"in the paper": [59766, 42380, math.nan]}
    )
    found = words(chart.svg)
    assert "people: 1,234,567 (here)" in found
    assert "clothing: 42,380 (in the paper)" in found
    assert "a <b>bold</b> label & a far too long one: 3 (here)" in found
    assert "a <b>bold</b> label & a…" in found
    high = {node.text: float(node.get("y", "")) for node in ET.fromstring(chart.svg).iter("text")}
    assert high["people"] < high["clothing"]
    assert chart.header == ("", "here", "in the paper")
    assert chart.rows[1] == ("clothing", "–", "42,380")


def test_steps_have_short_labels_on_the_axis_and_whole_ones_in_the_table() -> None:
    chart = charts.steps(
        "Accuracy",
        ["1 to 10", "11 to 20"],
        {"accuracy": [90.0, 80.0], "minimum": [70.0, 70.0]},
        ticks=["10", "20"],
        corner="answers",
        below="questions",
        unit="%",
    )
    assert chart.header == ("answers", "accuracy", "minimum")
    assert chart.rows == (("1 to 10", "90.0%", "70.0%"), ("11 to 20", "80.0%", "70.0%"))
    found = words(chart.svg)
    assert "1 to 10: 90.0% (accuracy)" in found
    on_it = [node.text for node in ET.fromstring(chart.svg).iter("text")]
    assert (on_it.count("10"), on_it.count("20"), on_it.count("questions")) == (1, 1, 1)


def test_numbers_below_one_another_have_as_many_decimals() -> None:
    chart = charts.bars("x", ["a", "b", "c"], {"mean": [3, 3.2, 16.25], "count": [1, 2, 3]})
    assert [row[1:] for row in chart.rows] == [("3.00", "1"), ("3.20", "2"), ("16.25", "3")]


@pytest.mark.parametrize("horizontal", [False, True])
def test_intervals_are_drawn_over_their_bars_and_written_after_numbers(*, horizontal: bool) -> None:
    spans = {"here": [(10.0, 30.0), None]}
    chart = charts.bars("x", ["a", "b"], {"here": [20, 40]}, unit="s", horizontal=horizontal, spans=spans)
    assert [row[1] for row in chart.rows] == ["20 s (10 to 30 s)", "40 s"]
    (span,) = (node for node in ET.fromstring(chart.svg).iter("path") if node.get("class") == "span")
    first = next(node for node in ET.fromstring(chart.svg).iter("rect") if node.findtext("title"))
    numbers = [float(one) for one in re.findall(r"[0-9.]+", span.get("d", ""))]
    along, length = ("x", "width") if horizontal else ("y", "height")
    low, long = float(first.get(along, "")), float(first.get(length, ""))
    # The bar ends at 20, halfway between the ends of its interval, and half of it is 10.
    ends = sorted((numbers[0], numbers[5])) if horizontal else sorted((numbers[1], numbers[5]))
    assert sum(ends) / 2 == pytest.approx(low + long if horizontal else low, abs=0.2)
    assert ends[1] - ends[0] == pytest.approx(long, abs=0.2)


def test_an_interval_beyond_all_bars_fits_on_the_axis() -> None:
    chart = charts.bars("x", ["a"], {"here": [1]}, horizontal=True, spans={"here": [(0.5, 9.5)]})
    assert "10" in words(chart.svg) and ">NaN" not in chart.svg
    with pytest.raises(ValueError, match="here: has 2 values for 1 labels"):
        charts.bars("x", ["a"], {"here": [1]}, spans={"here": [(0, 1), None]})


@pytest.mark.parametrize("horizontal", [False, True])
def test_stacked_bars_lie_end_to_end(*, horizontal: bool) -> None:
    chart = charts.bars(
        "x", ["a", "b"], {"one": [1, 3], "two": [2, None]}, stacked=True, horizontal=horizontal
    )
    bars = [node for node in ET.fromstring(chart.svg).iter("rect") if node.find("title") is not None]
    assert [bar.findtext("title") for bar in bars if "a:" in str(bar.findtext("title"))] == [
        "a: 1 (one)",
        "a: 2 (two)",
    ]
    along, length = ("x", "width") if horizontal else ("y", "height")
    one, two = (bar for bar in bars if "a:" in str(bar.findtext("title")))
    ends = sorted((float(bar.get(along, "")), float(bar.get(length, ""))) for bar in (one, two))
    assert ends[0][0] + ends[0][1] == pytest.approx(ends[1][0], abs=0.3)
    assert float(two.get(length, "")) == pytest.approx(2 * float(one.get(length, "")), rel=0.02)
    assert len(bars) == 3


def test_a_line_is_interrupted_where_nothing_is_known() -> None:
    times = [NOW + timedelta(hours=hour) for hour in range(100)]
    chart = charts.lines("An hour", times, {"a": [None if n == 50 else n for n in range(100)]})
    assert (
        len([node for node in ET.fromstring(chart.svg).iter("path") if node.get("class") == "line s0"]) == 2
    )
    assert chart.rows[51] == ("3 Nov 2026, 03:00", "51")
    assert {"1 Nov", "5 Nov"} <= set(words(chart.svg))


def test_a_single_point_is_drawn() -> None:
    assert "1 Nov 2026: 3 (a)" in words(charts.lines("An hour", [NOW], {"a": [3]}).svg)


def test_nothing_forbidden_is_in_a_picture_and_the_same_numbers_give_the_same_bytes() -> None:
    made = [
        charts.bars('"><script>', ["\x00\x1b"], {"<i onload='x'>": [1.5], "b": [2]}, unit="%")
        for _ in range(2)
    ]
    for text in (str(made[0].svg), render_to_string("console/chart.html", {"chart": made[0]})):
        assert not re.search(r"<script|<style|style=|<[^>]* on\w+=|javascript:|<i ", text)
    assert ET.fromstring(made[0].svg).get("role") == "img"
    drawn = (made[0].svg, made[0].standalone())
    assert (made[1].svg, made[1].standalone()) == drawn
    assert "<style>" in made[0].standalone().decode()
    assert "<script" not in made[0].standalone().decode()


@pytest.mark.parametrize("values", [[], [None], [math.nan], [0]])
def test_without_numbers_it_says_so(values: list[float | None]) -> None:
    chart = charts.bars("Chains", ["a"] * len(values), {"here": values})
    assert chart.svg == ""
    assert "Nothing to show yet." in render_to_string("console/chart.html", {"chart": chart})
    assert "Chains: Nothing to show yet." in words(chart.standalone())


def test_the_admins_script_takes_no_picture_for_a_canvas() -> None:
    script = finders.find("unfold/js/app.js")
    assert isinstance(script, str)
    canvases = re.findall(
        r'const chart of document\.querySelectorAll\("\.([\w-]+)"\)', Path(script).read_text()
    )
    assert canvases, "the script finds its canvases in another way now"
    page = render_to_string("console/chart.html", {"chart": charts.bars("x", ["a"], {"b": [1]})})
    classes = {name for words in re.findall(r'class="([^"]*)"', page) for name in words.split()}
    assert not classes.intersection(canvases)


def test_a_series_of_another_length_is_named() -> None:
    with pytest.raises(ValueError, match="speed: has 1 values for 2 labels"):
        charts.bars("x", ["a", "b"], {"speed": [1]})


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_marks_stand_out_by_day_and_by_night() -> None:
    css = (Path(charts.__file__).parents[1] / "static/console/charts.css").read_text()
    pairs = dict(re.findall(r"--chart-(\S+): light-dark\((#\w+, #\w+)\)", css))
    day, night = pairs.pop("surface").split(", ")
    for name in ("0", "1", "2", "3", "4", "5", "text", "axis"):
        light, dark = pairs[name].split(", ")
        assert _contrast(light, day) >= 3, name
        assert _contrast(dark, night) >= 3, name
    assert tuple(pairs[str(place)].split(", ")[0] for place in range(6)) == plots.COLOURS
