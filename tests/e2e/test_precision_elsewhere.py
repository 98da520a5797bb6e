"""A box arrives where it was drawn: by fingers, in scrolled frames, in resized windows, on turned pictures.

These tests are like test_precision, but most of them use screens that Playwright emulates.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from playwright.sync_api import Browser, Page

from annotation.domain.answers import Stage
from annotation.domain.records import CaptionRecord, ImageRecord
from annotation.importing.corpus import import_corpus
from annotation.models import Image
from tests.e2e.aiming import Finger, Hand, Reaching
from tests.e2e.conftest import NewContext, StartSite
from tests.e2e.crowd import bring
from tests.e2e.platform import platform
from tests.e2e.site import Site, wait_for
from tests.e2e.targets import EVERYWHERE, FITTED, MAGNIFIED, POINTS, RESIZED, check_all, draw_all, open_all
from tests.e2e.watch import Watch
from tests.e2e.zoomed import HOSTS, address, check_zoom, zoomed_context
from tests.factories import make_batch
from tests.selection import and_nightly

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 760}, "device_scale_factor": 1.5}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
ORIENTATION = 0x0112
TURNS = {
    3: PIL.Image.Transpose.ROTATE_180,
    5: PIL.Image.Transpose.TRANSPOSE,
    6: PIL.Image.Transpose.ROTATE_90,
    8: PIL.Image.Transpose.ROTATE_270,
}
"""How a camera has turned what it stored, by EXIF's orientation (EXIF 2.32, table 6)."""


def test_with_fingers(site: Site, new_context: NewContext) -> None:
    """The box is dragged, made by points, resized by handles, and drawn after a pinch."""
    open_all(site, EVERYWHERE)
    page = _page(site, new_context, PHONE)
    check_all(draw_all(Finger(page, page), site, EVERYWHERE))


def test_in_a_window_that_changes_its_size(site: Site, new_context: NewContext) -> None:
    open_all(site, (RESIZED, FITTED))
    page = _page(site, new_context, LAPTOP)
    check_all(draw_all(Hand(page, page), site, (RESIZED, FITTED)))


@pytest.mark.full_chromium
def test_in_a_frame_that_scrolls(
    start_site: StartSite, browser: Browser, executable: str, watch: Watch, tmp_path: Path
) -> None:
    """The frame is of another site and higher than the window.

    It lies between pixels, on a page that is scrolled and zoomed. The screen is not emulated, since Chromium
    does not emulate the mouse's place in frames of other sites.
    """
    watch.hosts.add(HOSTS[125])
    with platform() as outside, zoomed_context(browser, executable, tmp_path / "profile", 1.5) as context:
        watch.attach(context)
        origin = address(outside.origin, 125)
        site = start_site(GROUNDCREW_FRAME_ANCESTORS=origin)
        open_all(site, (POINTS, MAGNIFIED))
        outside.framed = site.worker_link("drawing")
        page = context.new_page()
        page.goto(origin)
        page.locator("iframe").evaluate(
            "node => node.style.cssText = 'margin: 333.4px 11.7px 900px; border: 0.6px solid; height: 900px'"
        )
        check_zoom(page, 1.5, 125)
        # A frame of another site may get its name only after the page round it is loaded.
        frame = wait_for(page, lambda: page.frame("work"))
        assert frame
        check_all(draw_all(Reaching(page, frame), site, (POINTS, MAGNIFIED)))


@pytest.mark.parametrize("orientation", and_nightly([6], [3, 5, 8], "tests of the import hold every turn"))
def test_on_a_picture_that_was_turned_at_the_import(
    site: Site, new_context: NewContext, tmp_path: Path, orientation: int
) -> None:
    exif = PIL.Image.Exif()
    exif[ORIENTATION] = orientation
    targets = (POINTS, MAGNIFIED)
    for place, target in enumerate(targets):
        upright = PIL.Image.open(io.BytesIO(target.picture()))
        upright.transpose(TURNS[orientation]).save(
            tmp_path / f"{place}.jpg", quality=98, subsampling=0, exif=exif
        )
    captions = (CaptionRecord(0, "A man stands there.", line=1),)
    names = [f"{place}.jpg" for place in range(len(targets))]
    import_corpus(
        project=site.project,
        records=[ImageRecord(name, captions, file="corpus.txt", line=1) for name in names],
        images=tmp_path,
    )
    pictures = Image.objects.filter(project=site.project).order_by("name")
    assert [(picture.width, picture.height) for picture in pictures] == [target.size for target in targets]
    site.scenes = {picture.pk: target.scene() for picture, target in zip(pictures, targets, strict=True)}
    make_batch(site.project)
    bring(site.scenes, Stage.DRAWING)
    page = _page(site, new_context, LAPTOP)
    check_all(draw_all(Hand(page, page), site, targets))


def _page(site: Site, new_context: NewContext, options: dict[str, Any]) -> Page:
    page = new_context(**options).new_page()
    page.goto(site.worker_link("drawing"))
    return page
