"""A page of visits: the photograph stays on the screen while only the captions change."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from annotation.models import Judgment
from tests.e2e.keeping import at_overview
from tests.e2e.scenes import Scene, make_image, picture
from tests.e2e.site import Site, wait_for
from tests.e2e.working import begin, question
from tests.factories import make_batch

MEN = Scene(("a man", "a young man", "a man"), {"same": True})
# Looks at every frame until `ended`: what is seen of the photograph, and how it lies.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const shown = [...document.querySelectorAll(".viewer img")]
      .filter((one) => one.style.visibility !== "hidden" && one.complete && one.naturalWidth > 0);
    window.seen.push(shown.map((one) => one.style.transform).join());
    if (!window.ended) requestAnimationFrame(look);
  };
  look();
}"""


def test_a_photograph_stays_as_it_is_until_the_visit_is_over(site: Site, page: Page) -> None:
    for place in range(2):
        image = make_image(site.project, MEN, f"visit-{place}.jpg")
        Path(image.file.path).parent.mkdir(parents=True, exist_ok=True)
        Path(image.file.path).write_bytes(picture())
    make_batch(site.project, page="visit", strategy="exhaustive")
    page.goto(site.worker_link("link"))
    begin(page)
    question(page, 1, 6)
    for _ in range(2):
        page.keyboard.press("+")
    fit = page.get_by_role("button", name="Show all of it")
    assert fit.is_visible()
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/media/" in request.url else None)
    page.evaluate(WATCH)
    for number in (1, 2):
        page.keyboard.press("y")
        question(page, number + 1, 6)
    page.evaluate("window.ended = true")
    seen = page.evaluate("window.seen")
    assert len(seen) > 10 and len(set(seen)) == 1 and seen[0], "it was gone for a frame, or it moved"
    assert asked == [], "it was loaded again"
    page.keyboard.press("y")
    question(page, 4, 6)
    assert not fit.is_visible(), "another photograph is shown whole"
    for number in (4, 5, 6):
        question(page, number, 6)
        page.keyboard.press("y")
    at_overview(page)
    page.keyboard.press("Enter")
    given = wait_for(page, lambda: list(Judgment.objects.order_by("pk")))
    assert [one.further for one in given] == [False, True, True, False, True, True]
    assert all(one.seconds and one.seconds < 60 for one in given)
