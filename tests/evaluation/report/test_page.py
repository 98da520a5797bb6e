"""The page is one file that needs nothing else, and shows every number."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from PIL import Image as Pillow

from evaluation.errors import InputError
from evaluation.report.charts import chart_svg
from evaluation.report.model import Bars, Gallery, Lines, Outline, Report, Section
from evaluation.report.page import body, page
from evaluation.report.pictures import find_image, picture
from tests.evaluation.report.test_files import REPORT

VOID = {"meta"}


class Tags(HTMLParser):
    """Checks that elements nest, and keeps their names and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(html)
    assert not parser.open
    return parser.seen


def test_the_page_is_well_formed_and_loads_nothing() -> None:
    seen = tags(page(REPORT))
    assert {"script", "link", "iframe", "object"}.isdisjoint(tag for tag, _ in seen)
    for _, attributes in seen:
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/jpeg;base64,"))
    assert not re.search(r"url\((?!#)", page(REPORT)) and "@import" not in page(REPORT)


def test_the_body_has_no_styles_of_its_own_so_that_a_strict_policy_allows_it() -> None:
    assert all("style" not in attributes and tag != "style" for tag, attributes in tags(body(REPORT)))
    assert not any(name.startswith("on") for _, attributes in tags(body(REPORT)) for name in attributes)


def test_words_from_files_are_text_and_never_markup() -> None:
    html = page(REPORT)
    assert "other, &lt;b&gt;" in html and "<b>" not in html and "Words &amp; more." in html


def test_every_number_of_a_table_is_shown() -> None:
    html = body(REPORT)
    for words in ("5,656", "64.73%", "61.0 to 66.5", "&lt; 0.001", "A note."):
        assert words in html


def test_links_lead_to_the_parts() -> None:
    seen = tags(body(REPORT))
    ids = {attributes.get("id") for _, attributes in seen}
    links = [attributes["href"] for tag, attributes in seen if tag == "a"]
    assert links == ["#part-0", "#part-1"] and {link[1:] for link in links if link} <= ids


def test_ids_are_unique() -> None:
    ids = re.findall(r' id="([^"]+)"', page(REPORT))
    assert len(ids) == len(set(ids))


def test_bars_are_as_long_as_their_values() -> None:
    svg = fromstring(chart_svg(Bars("B", ("x", "y"), {"one": [1.0, 0.25], "two": [None, 0.0]})))
    said = {bar.findtext("title"): float(bar.get("width", "")) for bar in svg.iter("rect") if len(bar)}
    assert said["x: 100.00% (one)"] == pytest.approx(4 * said["y: 25.00% (one)"], abs=0.2) and len(said) == 2
    assert [text.text for text in svg.iter("text") if "%" in str(text.text) or text.text == "–"] == [
        "100.00%",
        "–",
        "25.00%",
        "0.00%",
    ]


def test_lines_rise_with_their_values_and_leave_out_what_is_not_known() -> None:
    chart = Lines("L", "K", (1.0, 2.0, 3.0), {"one": [0.0, float("nan"), 0.4], "a <b>": [None, None, None]})
    svg = fromstring(chart_svg(chart))
    lines = [node.get("d", "") for node in svg.iter("path") if node.get("class") == "line s0"]
    first, last = (tuple(map(float, path[1:].split())) for path in lines if "h" not in path)
    assert last[0] > first[0] and last[1] < first[1]
    assert "3: 40.00% (one)" in [node.text for node in svg.iter("title")]


def test_long_labels_are_cut_and_whole_in_their_title() -> None:
    label = "a very long phrase that fits nowhere"
    svg = fromstring(chart_svg(Bars("B", (label,), {"one": [0.5]})))
    title = next(text.find("title") for text in svg.iter("text"))
    assert title is not None and title.text == label


# Pictures ---------------------------------------------------------------------------------------------------


def test_a_picture_is_small_upright_and_has_its_boxes(tmp_path: Path) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    Pillow.new("RGB", (1200, 800), "red").save(tmp_path / "a.jpg", exif=exif)
    outline = Outline((1.0, 2.0, 3.0, 5.0), "truth")
    found = picture(tmp_path / "a.jpg", (0, 0), [outline], "“a man”", "IoU 0.1")
    assert (found.width, found.height) == (800, 1200)
    (tmp_path / "small.jpg").write_bytes(found.jpeg)
    with Pillow.open(tmp_path / "small.jpg") as small:
        assert small.size == (320, 480)
    html = body(Report("t", "T", (), (Section("S", "", (Gallery("G", (found,)),)),)))
    tags(html)
    assert '<rect class="truth" x="1" y="2" width="2" height="3"/>' in html
    assert 'viewBox="0 0 800 1200"' in html and 'href="data:image/jpeg;base64,' in html


def test_a_file_that_is_no_image_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"a\.jpg cannot be read as an image"):
        picture(tmp_path / "a.jpg", (0, 0), [], "", "")


def test_an_image_is_found_with_another_suffix_and_never_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").touch()
    (tmp_path / "b.jpg").touch()
    assert find_image(tmp_path / "in", "a.jpg") == tmp_path / "in" / "a.png"
    assert find_image(tmp_path / "in", "../b.jpg") is None and find_image(tmp_path / "in", "..") is None
