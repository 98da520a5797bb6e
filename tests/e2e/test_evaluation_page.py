"""The page of an evaluation: accessible, and whole in every window, in light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page

from evaluation.report.files import write_report
from evaluation.tasks import localization
from evaluation.tasks.common import Inputs
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DEVICES
from tests.e2e.looks import check_looks
from tests.e2e.watch import Watch
from tests.evaluation.small_set import mention, small_set, write_lines


@pytest.fixture
def report(tmp_path: Path) -> Path:
    for name in ("a.jpg", "b.jpg"):
        Image.new("RGB", (100, 100), "teal").save(tmp_path / name)
    boxes = [(0.0, 0.0, 100.0, 90.0), (10.0, 10.0, 60.0, 90.0)]
    paths = {
        "a system with quite a long name": write_lines(tmp_path / "p.jsonl", mention("a", 0, 0, 2, *boxes)),
        "another": write_lines(tmp_path / "q.jsonl", mention("b", 1, 0, 2, *boxes), mention("x", 0, 0, 1)),
    }
    settings = localization.Settings(images=tmp_path)
    found = localization.evaluate(Inputs(small_set(), paths, resamples=20), settings)
    return write_report(found, tmp_path / "out")


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_the_page_looks_right(report: Path, new_context: NewContext, device: str, watch: Watch) -> None:
    watch.allow("request: file:///")
    page = new_context(**DEVICES[device]).new_page()
    page.goto(report.as_uri())
    page.get_by_role("heading", name="Phrase localization on small").wait_for()
    assert page.locator("figure").count() == 4
    for summary in page.locator("summary").all():
        summary.click()
    check_looks(page)


@pytest.mark.journey
def test_pictures_and_links_work_without_scripts_and_network(report: Path, page: Page, watch: Watch) -> None:
    watch.allow(f"request: {report.as_uri()}")
    page.goto(report.as_uri())
    page.get_by_role("link", name="Worst examples").click()
    shown = page.get_by_role("img", name="“a man”: a.jpg").first
    shown.scroll_into_view_if_needed()
    assert shown.is_visible()
    assert page.evaluate("document.scripts.length") == 0
