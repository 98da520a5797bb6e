"""A box arrives where it was drawn, to the pixel of the image: on every screen, at every zoom.

These tests do not use the page's own geometry. The pictures are made here (tests.e2e.targets), the
rectangle's place is read from a screenshot (tests.e2e.seeing), the mouse is moved there, and the stored box
is read from the database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.aiming import Hand
from tests.e2e.site import Site
from tests.e2e.targets import FITTED, HANDLES, MAGNIFIED, POINTS, Drawn, check_all, draw_all, open_all
from tests.e2e.watch import Watch
from tests.e2e.zoomed import HOSTS, ZOOMS, address, check_zoom, zoomed_context
from tests.selection import and_nightly

SCREENS = {1.5: (67, 200), 2: (125,)}
"""Zooms by ratio, between them each way to draw."""
OTHERS = {
    ratio: tuple(zoom for zoom in ZOOMS if zoom not in SCREENS.get(ratio, ())) for ratio in (1, 1.5, 2, 3)
}


@pytest.mark.full_chromium
@pytest.mark.parametrize(
    ("ratio", "zooms"),
    and_nightly(SCREENS.items(), OTHERS.items(), "other pairs of a screen and a zoom"),
)
def test_a_box_arrives_where_it_was_drawn(
    site: Site,
    browser: Browser,
    executable: str,
    watch: Watch,
    tmp_path: Path,
    ratio: float,
    zooms: Sequence[int],
    record_property: Callable[[str, object], None],
) -> None:
    drawn: dict[int, list[Drawn]] = {}
    with zoomed_context(browser, executable, tmp_path / "profile", ratio) as context:
        watch.attach(context)
        watch.hosts |= {*HOSTS.values()}
        for percent in zooms:
            at = Site(site.server)
            kind = (ZOOMS.index(percent) + round(ratio)) % 3
            targets = MAGNIFIED, (FITTED, POINTS, HANDLES)[kind]
            open_all(at, targets)
            page = context.new_page()
            page.goto(address(at.worker_link("drawing"), percent))
            check_zoom(page, ratio, percent)
            drawn[percent] = draw_all(Hand(page, page), at, targets)
            page.close()
    for percent, boxes in drawn.items():
        record_property("figure", f"boxes off at ratio {ratio:g}, {percent:3} %: {check_all(boxes)}")
