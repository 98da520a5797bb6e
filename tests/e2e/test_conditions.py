"""Workers do the same under unusual conditions. tests/e2e/conditions.py has the tables."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from annotation.domain.answers import CampaignStage, JointStage, Stage
from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord, Problem
from annotation.importing.corpus import import_corpus
from annotation.models import Abstention, Assignment, Image
from tests.campaigns import make_captions
from tests.e2e.axe import COLOURS, check_accessible
from tests.e2e.conditions import (
    ARRIVALS,
    CAPTIONS,
    LOOKS,
    OTHER_STAGES,
    PHOTOGRAPHS,
    SLEEPS,
    STORAGES,
    WRITTEN,
    Arrival,
    Caption,
    Condition,
    Look,
    Photograph,
    Sleep,
    Storage,
    Written,
)
from tests.e2e.conftest import NewContext
from tests.e2e.crowd import bring
from tests.e2e.hands import Mouse
from tests.e2e.hard_pages import keeping, open_hard_page
from tests.e2e.keeping import (
    NO,
    UNREACHED,
    YES,
    at_overview,
    delivered,
    press,
    ready_for_no_network,
    said,
    saved,
    sending,
    start,
)
from tests.e2e.looks import STICKING_OUT
from tests.e2e.scenes import Scene, picture
from tests.e2e.seeing import NotSeenError, take_shot
from tests.e2e.site import Site, wait_for
from tests.e2e.targets import FITTED
from tests.e2e.test_lost_leases import OVER
from tests.e2e.usual_pages import usual_page
from tests.e2e.watch import Watch
from tests.e2e.working import UNREAD_MS, begin, question
from tests.factories import make_batch
from workflows.assignments.leases import expire_leases

PAINTED_SECONDS = 20
"""After this, a busy machine has painted what was done."""
LEGIBLE = 4.5
"""The least contrast of text (WCAG 1.4.3)."""
ALIKE = 12
"""By how much a colour may differ, of 255. JPEG and CMYK change it a little."""
HOUR_MS = 60 * 60_000
MAX_CAPTIONS = 10
CUT = "one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"
HIDE = "all => all.forEach((one) => one.style.setProperty('visibility', 'hidden'))"
SENTENCE = "A man in a hat waves at a girl ."
MARKED = """(mark) => [...mark.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE)
  .map((one) => one.textContent).join("")"""


def each(conditions: Iterable[Condition]) -> list[Any]:
    """Return the conditions as values of a parameter. Some are for the nightly suite alone."""
    return [
        pytest.param(one, id=one.name, marks=[pytest.mark.nightly(one.nightly)] if one.nightly else [])
        for one in conditions
    ]


@pytest.mark.parametrize("look", each(LOOKS))
def test_a_box_is_stored_as_drawn_however_the_page_looks(
    site: Site, new_context: NewContext, look: Look
) -> None:
    site.open("drawing", items=1, scenes=[FITTED.scene()])
    page = new_context(**look.options).new_page()
    look.prepare(page)
    page.goto(site.worker_link("drawing"))
    begin(page)
    hands = Mouse(page)
    draw_fitted(hands)
    check_painted(page)
    check_shown(page, look, hands.button("Confirm this box"))
    assert not page.locator(".next").evaluate(CUT), "what to do next"
    send_box(hands)
    assert stored_box(site, page) == list(FITTED.edges)


@pytest.mark.parametrize(
    ("look", "stages"),
    [
        *(
            pytest.param(*one.values, [one.values[0].other], id=one.id, marks=one.marks)
            for one in each(LOOKS)
        ),
        *(
            pytest.param(
                one,
                [stage for stage in OTHER_STAGES if stage != one.other],
                id=f"{one.name}, other stages",
                marks=pytest.mark.nightly("one stage of each look is tried"),
            )
            for one in LOOKS
        ),
    ],
)
def test_the_main_action_is_in_view_however_the_page_looks(
    new_context: NewContext, look: Look, stages: list[str]
) -> None:
    for stage in stages:
        sent: list[Any] = []
        context = new_context(storage_state=keeping({}), **look.options)
        new_page = context.new_page

        def prepared() -> Page:
            page = new_page()  # noqa: B023  (called at once)
            look.prepare(page)
            return page

        context.new_page = prepared  # type: ignore[method-assign]
        page = open_hard_page(context, stage, usual_page(stage, items=1), sent)  # type: ignore[arg-type]
        answer, right = answer_of(page, stage)
        check_shown(page, look, answer)
        page.wait_for_timeout(UNREAD_MS)
        read_on(page)
        answer.click()
        with page.expect_response("**/submission"):
            page.get_by_role("button", name="Send this page").click()
        assert [one["answer"] for one in sent] == [right], stage
        context.close()


def read_on(page: Page) -> None:
    """Bring all captions into sight, as somebody has to whose window is too small for them."""
    further = page.get_by_role("button", name="Next caption")
    for _ in range(MAX_CAPTIONS):
        if not further.count():
            return
        further.click()
        page.wait_for_timeout(UNREAD_MS)
    expect(further).to_have_count(0)


@pytest.mark.parametrize("sleep", each(SLEEPS))
def test_a_box_that_was_begun_before_a_tab_slept_is_finished(
    site: Site, page: Page, watch: Watch, sleep: Sleep
) -> None:
    watch.allow(UNREACHED)
    come: list[str] = []
    page.on("requestfinished", lambda request: come.append(request.url))
    page.clock.install()
    start(page, site, "drawing", items=1, scenes=[FITTED.scene()], drawing="extreme")
    if sleep.offline:
        wait_for(page, lambda: all(any(name in url for url in come) for name in ("/Overview-", "/Phases-")))
    hands = Mouse(page)
    hands.size = FITTED.size
    left, top, right, bottom = FITTED.edges
    x, y = (left + right) / 2, (top + bottom) / 2
    for side in (top, bottom):
        hands.point(*hands.place(x, side))
    expect(page.get_by_text("2 of 4")).to_be_visible()
    page.context.set_offline(sleep.offline)
    if sleep.expired:
        held = Assignment.objects.filter(worker=site.worker())
        held.update(expires_at=datetime.now(UTC))
        expire_leases(now=datetime.now(UTC))
    protocol = page.context.new_cdp_session(page)
    if sleep.frozen:
        protocol.send("Page.setWebLifecycleState", {"state": "frozen"})
    page.clock.fast_forward(HOUR_MS)
    if sleep.frozen:
        protocol.send("Page.setWebLifecycleState", {"state": "active"})
    said(page, OVER)
    expect(page.get_by_text("2 of 4")).to_be_visible()
    for side in (left, right):
        hands.point(*hands.place(side, y))
    assert hands.box() == FITTED.edges
    if not sleep.offline:
        page.clock.fast_forward(2_000)
        expect(page.get_by_text(OVER)).to_have_count(1 if sleep.expired else 0)
    page.wait_for_timeout(UNREAD_MS)
    page.keyboard.press("Enter")
    at_overview(page)
    page.keyboard.press("Enter")
    if sleep.offline:
        sending(page)
        page.context.set_offline(offline=False)
    (judgment,) = delivered(page, site, [{"box": list(FITTED.edges)}], "drawing")
    assert judgment.seconds is not None and judgment.seconds < HOUR_MS / 1000 / 2, "sleep is no work"


@pytest.mark.parametrize("storage", each(STORAGES))
def test_nothing_is_lost_whatever_the_browser_keeps(
    site: Site, new_context: NewContext, watch: Watch, storage: Storage
) -> None:
    watch.allow(UNREACHED)
    context = new_context()
    context.add_init_script(storage.script)
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    if storage.full:
        protocol.send("Storage.overrideQuotaForOrigin", {"origin": site.url, "quotaSize": 1})
    start(page, site, items=3)
    press(page, 1, 3, "y")
    question(page, 2, 3)
    if storage.said:
        said(page, storage.said)
    if storage.full:
        protocol.send("Storage.overrideQuotaForOrigin", {"origin": site.url})
    if storage.evicted and not storage.waiting:
        evict(protocol, site)
    press(page, 2, 3, "n")
    question(page, 3, 3)
    if storage.reloaded:
        saved(page)
        load_again(page, site, storage)
    press(page, 3, 3, "y")
    at_overview(page)
    if storage.waiting:
        ready_for_no_network(page)
        context.set_offline(offline=True)
    page.keyboard.press("Enter")
    if storage.waiting:
        sending(page)
        evict(protocol, site)
        context.set_offline(offline=False)
    delivered(page, site, [YES, NO, YES])


def load_again(page: Page, site: Site, storage: Storage) -> None:
    if storage.reloaded == "reload":
        page.reload()
    else:
        page.goto("about:blank")
        page.goto(site.worker_link("link"))
    if storage.script or storage.evicted:
        begin(page)  # that the instructions were seen is forgotten


def evict(protocol: CDPSession, site: Site) -> None:
    """Delete what the browser keeps for the site, as it does if the disk is full, or its user tells it to."""
    protocol.send("Storage.clearDataForOrigin", {"origin": site.url, "storageTypes": "all"})


@pytest.mark.parametrize("caption", each(CAPTIONS))
def test_a_caption_is_shown_as_it_is(site: Site, page: Page, tmp_path: Path, caption: Caption) -> None:
    tokens, mention = tuple(caption.text.split()), caption.mention.split()
    begins = next(n for n in range(len(tokens)) if list(tokens[n : n + len(mention)]) == mention)
    marked = MentionRecord(begins, begins + len(mention), ("other",))
    record = CaptionRecord(0, caption.text, tokens, (marked,), line=1)
    (tmp_path / "a.jpg").write_bytes(picture())
    if caption.problem:
        (problem,) = imported(site, tmp_path / "a.jpg", record)
        assert caption.problem in problem.message
        return
    bring_photograph(site, tmp_path / "a.jpg", record)
    page.goto(site.worker_link("requirement"))
    begin(page)
    question(page, 1, 1)
    mark = page.locator("mark")
    assert mark.evaluate(MARKED).replace("\u00a0", " ") == caption.mention
    assert page.locator(".caption").evaluate("one => getComputedStyle(one).direction") == caption.direction
    for window in ({"width": 360, "height": 740}, {"width": 1280, "height": 800}):
        page.set_viewport_size(window)  # type: ignore[arg-type]
        assert not page.evaluate(STICKING_OUT), window
    page.reload()  # a long caption is scrolled to its mention when it is shown
    question(page, 1, 1)
    expect(mark).to_be_in_viewport(ratio=1)
    check_accessible(page)
    answer = page.get_by_role("button", name="A box can be drawn")
    expect(answer).to_be_in_viewport(ratio=1)
    answer.click()
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [{"requirement": "box"}], "requirement")


@pytest.mark.parametrize("written", each(WRITTEN))
def test_a_caption_is_stored_as_it_was_written(site: Site, page: Page, written: Written) -> None:
    make_captions(project=site.project, images=1, captions={"wanted": 1})
    image = Image.objects.get(project=site.project)
    Path(image.file.path).parent.mkdir(parents=True, exist_ok=True)
    Path(image.file.path).write_bytes(picture())
    page.goto(site.worker_link("writing"))
    begin(page)
    question(page, 1, 1)
    page.get_by_label("Your sentence").fill(written.typed)
    check_accessible(page)
    page.keyboard.press("Enter")
    at_overview(page)
    page.keyboard.press("Enter")
    (judgment,) = wait_for(page, lambda: site.judgments("writing"))
    assert judgment.answer == {"caption": written.stored or written.typed}


@pytest.mark.parametrize("photograph", each(PHOTOGRAPHS))
def test_a_photograph_of_an_unusual_kind(
    site: Site, page: Page, tmp_path: Path, photograph: Photograph
) -> None:
    (tmp_path / photograph.file).write_bytes(photograph.content())
    man = MentionRecord(0, 2, ("people",))
    caption = CaptionRecord(0, SENTENCE, tuple(SENTENCE.split()), (man,), line=1)
    if photograph.problem:
        (problem,) = imported(site, tmp_path / photograph.file, caption)
        assert photograph.problem in problem.message
        assert not Image.objects.filter(project=site.project).exclude(file="").exists()
        return
    bring_photograph(site, tmp_path / photograph.file, caption)
    (image,) = Image.objects.filter(project=site.project)
    assert (image.width, image.height) == photograph.size
    page.goto(site.worker_link("drawing"))
    begin(page)
    question(page, 1, 1)
    hands = Mouse(page)
    hands.size = photograph.size
    colours = [photograph.paper, photograph.ink] if not photograph.too_small else []
    left, top, right, bottom = photograph.edges
    for places in zip([(left / 2, top / 2), ((left + right) / 2, (top + bottom) / 2)], colours, strict=False):
        for scheme in ("dark", "light"):
            check_colour(page, hands, *places, scheme)
    hands.draw_by("Drag", photograph.edges)
    if photograph.too_small:
        expect(page.get_by_text("That box is too small: each side needs 3 pixels or more.")).to_be_visible()
        expect(hands.button("Confirm this box")).to_be_disabled()
        page.get_by_role("button", name="Photograph unusable").click()
        expect(page.get_by_text("Is the photograph unusable?")).to_be_visible()
        page.wait_for_timeout(2 * UNREAD_MS)
        page.get_by_role("button", name="Yes, unusable").click()
        at_overview(page)
        page.keyboard.press("Enter")
        wait_for(page, lambda: Abstention.objects.filter(kind="unusable", broken=False).exists())
        return
    assert hands.box() == photograph.edges
    send_box(hands)
    assert stored_box(site, page) == list(photograph.edges)


@pytest.mark.parametrize("arrival", each(ARRIVALS))
def test_a_photograph_that_is_not_there_yet(site: Site, page: Page, arrival: Arrival) -> None:
    site.open("drawing", items=1, scenes=[FITTED.scene()])
    let = arrival.hold(page)
    page.goto(site.worker_link("drawing"))
    begin(page)
    expect(page.get_by_text(arrival.said)).to_be_visible()
    check_accessible(page)
    hands = Mouse(page)
    expect(hands.button("Confirm this box")).to_be_disabled()
    page.wait_for_timeout(UNREAD_MS)
    page.keyboard.press("0")
    expect(page.get_by_label("Question 1 of 1", exact=True).and_(page.get_by_role("region"))).to_be_visible()
    let()
    draw_fitted(hands)
    check_painted(page)
    send_box(hands)
    assert stored_box(site, page) == list(FITTED.edges)


def imported(site: Site, file: Path, caption: CaptionRecord) -> list[Problem]:
    """Import one photograph with one caption. Return the problems."""
    problems: list[Problem] = []
    record = ImageRecord(file.name, (caption,), file="corpus.txt", line=1)
    import_corpus(project=site.project, records=[record], images=file.parent, report=problems.append)
    return problems


def bring_photograph(site: Site, file: Path, caption: CaptionRecord) -> None:
    """Import one photograph with one caption, and let it wait in box requirement, or in box drawing."""
    assert not imported(site, file, caption)
    image = Image.objects.get(project=site.project)
    site.scenes = {image.pk: Scene(("a man",), {})}
    make_batch(site.project)
    bring(site.scenes, Stage.DRAWING if caption.text == SENTENCE else Stage.REQUIREMENT)


def draw_fitted(hands: Mouse) -> None:
    question(hands.page, 1, 1)
    hands.size = FITTED.size
    if hands.page.viewport_size and hands.page.viewport_size["width"] < 500:
        # Where everything scrolls, the photograph is out of view once the way of drawing is chosen.
        hands.draws_by("Drag")
        hands.page.locator(".stage").evaluate("one => one.scrollTo(0, 0)")
    hands.draw_by("Drag", FITTED.edges)
    assert hands.box() == FITTED.edges


def send_box(hands: Mouse) -> None:
    hands.page.wait_for_timeout(UNREAD_MS)
    hands.confirm_box()
    hands.send()


def stored_box(site: Site, page: Page) -> list[int]:
    (judgment,) = wait_for(page, lambda: site.judgments("drawing"))
    box: list[int] = judgment.answer["box"]
    return box


def answer_of(page: Page, stage: str) -> tuple[Locator, dict[str, Any]]:
    """Return the button that answers, once it can be pressed, and the answer that it gives."""
    answers = page.get_by_role("group", name="Your answer")
    match stage:
        case Stage.LINK:
            return answers.get_by_role("button", name="Yes, the same"), {"same": True}
        case Stage.QUALITY:
            return answers.get_by_role("button", name="Good"), {"good": True}
        case JointStage.CHECK:
            right = {"boxes": ["good", "good"], "missing": False}
            return answers.get_by_role("button", name="nothing is missing"), right
    assert stage == CampaignStage.WRITING
    page.get_by_label("Your sentence").fill(SENTENCE)
    return answers.get_by_role("button", name="Done"), {"caption": SENTENCE}


def check_shown(page: Page, look: Look, action: Locator) -> None:
    """Fail unless the page is accessible, nothing of it sticks out, and the main action is in view."""
    if look.scrolls:
        action.scroll_into_view_if_needed()
    expect(action).to_be_in_viewport(ratio=1)
    assert not action.evaluate(CUT), "the main action"
    assert not page.evaluate(STICKING_OUT)
    forced = look.options.get("forced_colors") == "active"
    # The browser paints other colours then than axe reads.
    check_accessible(page, without=COLOURS if forced else ())
    if forced:
        for text in (action, *page.locator("mark").all()):
            assert contrast(text) >= LEGIBLE, text


def contrast(shown: Locator) -> float:
    """Return the contrast of the lightest and the darkest pixel of something, as WCAG defines it."""
    png = PIL.Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    colours = png.getcolors(png.width * png.height) or []
    lights = sorted(_luminance(colour) for _, colour in colours)  # type: ignore[arg-type]
    return (lights[-1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: tuple[int, ...]) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def check_painted(page: Page) -> None:
    """Fail unless the box's line is painted round the target, within a pixel of the screen.

    Both places are read from the screen, as tests.e2e.aiming does.
    """
    ratio = float(page.evaluate("devicePixelRatio"))
    page.mouse.move(1, 1)
    page.locator(".zoom").evaluate_all(HIDE)  # on a phone, these buttons lie over the photograph
    bounds = page.locator("svg[data-phase=ready]").bounding_box()
    assert bounds
    left, top = bounds["x"] * ratio, bounds["y"] * ratio
    area = left, top, left + bounds["width"] * ratio, top + bounds["height"] * ratio
    until = time.monotonic() + PAINTED_SECONDS
    while True:
        try:
            shot = take_shot(page, area)
            west, north, east, south = shot.outline()
            inside = west + ratio, north + ratio, east - ratio, south - ratio
            off = max(abs(a - b) for a, b in zip(shot.target(), inside, strict=True))
        except NotSeenError:
            off = float("inf")
        if off <= 1:
            return
        assert time.monotonic() < until, f"painted {off} pixels of the screen off"


def check_colour(
    page: Page, hands: Mouse, place: tuple[float, float], colour: tuple[int, ...] | None, scheme: Any
) -> None:
    """Fail unless the photograph has this colour at a place, in pixels of the image."""
    if colour is None:
        return
    page.emulate_media(color_scheme=scheme)
    page.mouse.move(1, 1)
    x, y = hands.place(*place)
    until = time.monotonic() + PAINTED_SECONDS
    while True:
        clip: Any = {"x": round(x), "y": round(y), "width": 1, "height": 1}
        png = PIL.Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")
        seen = png.getpixel((0, 0))
        assert isinstance(seen, tuple)
        if all(abs(a - b) <= ALIKE for a, b in zip(seen, colour, strict=True)):
            return
        assert time.monotonic() < until, f"{scheme}: {seen} at {place}, not {colour}"
