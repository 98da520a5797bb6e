"""The workers' pages with the hardest things to show: twelve boxes, long captions, long answers.

No server runs. The browser's requests are answered here: by the built pages, one photograph, and a page of
items that was never claimed.
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route

from annotation.domain.answers import CampaignStage, JointStage, Stage
from tests.e2e.scenes import picture
from tests.shared import ROOT

ORIGIN = "http://127.0.0.1"
DIST = ROOT / "frontend" / "dist"
PAGE_ID = "3f8a2f6e-55c4-4e0c-9d3c-5b6f0c1d2e3f"
SIZE = (1600, 1200)
CORNERS = [(100 + 350 * (n % 4), 100 + 350 * (n // 4)) for n in range(12)]
BOXES = [[left, top, left + 280, top + 280] for left, top in CORNERS]
CAPTIONS: Mapping[str, int] = {Stage.LINK: 2, Stage.VERIFICATION: 5}
"""How many captions a question has, where it is not one."""
LONG = (
    "On a crowded square in front of the old town hall , just before it begins to rain , ",
    "twelve members of a brass band in dark blue uniforms",
    " are tuning their instruments while a small dog , two children with balloons and an elderly couple on a "
    "bench look on and wait for the concert to begin .",
)
"""A caption of 40 words: before the mention, the mention, and after it."""


def hard_page(stage: Stage | JointStage, items: int = 2) -> dict[str, Any]:
    """Return a page of the API with the longest texts and the most boxes that its stage shows."""
    before, mention, after = LONG
    words = [{"text": before, "mention": False}, {"text": mention, "mention": True}]
    segments = [*words, {"text": after, "mention": False}]
    captions = [{"index": index, "segments": segments} for index in range(CAPTIONS.get(stage, 1))]
    width, height = SIZE
    image = {"id": "hard", "url": "/media/hard.jpg", "width": width, "height": height}
    question: dict[str, Any] = {"image": image, "captions": captions}
    if stage in (Stage.DRAWING, Stage.QUALITY, Stage.COVERAGE):
        question["boxes"] = BOXES
    if stage == Stage.QUALITY:
        question["box"] = [620, 460, 900, 800]
    return {
        "id": PAGE_ID,
        "stage": str(stage),
        "state": "live",
        "expires_at": "2030-01-01T00:00:00Z",
        "expires_in": 900,
        "reward": {"amount": 125, "currency": "USD"},
        "usual_seconds": 375,
        "drawing": {"method": "either", "minimum_side": 3},
        "items": [{"item": number, "question": question} for number in range(1, items + 1)],
    }


def keeping(storage: Mapping[str, str]) -> Any:
    """Return the storage state of a worker who has read the instructions and has chosen this."""
    read = {f"groundcrew-seen-{stage}": "yes" for stage in (*Stage, *JointStage, *CampaignStage)}
    kept = [{"name": name, "value": value} for name, value in (read | dict(storage)).items()]
    return {"origins": [{"origin": ORIGIN, "localStorage": kept}]}


def open_hard_page(
    context: BrowserContext,
    stage: Stage | JointStage | CampaignStage,
    shown: Mapping[str, Any] | None = None,
    sent: list[Any] | None = None,
    lost: str = "",
) -> Page:
    """Open the page at its first question. `keeping` returns the storage state that the context needs.

    It is the hardest page of the stage, or `shown`. What is submitted is added to `sent`. Files whose address
    begins with `lost` cannot be fetched.
    """
    if shown is None:
        assert not isinstance(stage, CampaignStage), "captions have no hard page"
        given: Mapping[str, Any] = hard_page(stage)
    else:
        given = shown
    size = _size_of(given)
    photograph = picture(size, [(620, 460, 900, 800), (100, 100, 380, 380)])

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN).split("?")[0].split("#")[0]
        if lost and path.startswith(lost):
            route.abort()
        elif path.startswith("/static/"):
            file = DIST / path.removeprefix("/static/")
            route.fulfill(body=file.read_bytes(), content_type=_type_of(file))
        elif path.startswith("/media/"):
            route.fulfill(body=photograph, content_type="image/jpeg")
        elif path == "/api/v1/assignments":
            route.fulfill(status=201, json=given)
        elif path.endswith("/submission"):
            answers = json.loads(route.request.post_data or "")["answers"]
            if sent is not None:
                sent.extend(answers)
            receipt = {"id": PAGE_ID, "accepted": len(answers), "acknowledged": 0, "reward": None}
            route.fulfill(status=201, json=receipt)
        elif path == "/work/reload.js":
            route.fulfill(body=(DIST / "reload.js").read_bytes(), content_type="text/javascript")
        elif path.startswith("/work/"):
            route.fulfill(body=(DIST / "index.html").read_bytes(), content_type="text/html; charset=utf-8")
        else:
            route.fulfill(json={"token": "somebody:1:x"})

    context.route(f"{ORIGIN}/**", answer)
    page = context.new_page()
    page.goto(f"{ORIGIN}/work/{stage}/#token=somebody:1:x")
    page.locator("svg[data-phase=ready]").wait_for()
    return page


def _size_of(shown: Mapping[str, Any]) -> tuple[int, int]:
    image = shown["items"][0]["question"]["image"]
    return image["width"], image["height"]


def _type_of(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"
