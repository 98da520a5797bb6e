"""On a phone, what to do is in view without scrolling, in every stage."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page, Route, expect

from annotation.domain.answers import CampaignStage, JointStage, Stage
from tests.e2e.axe import check_accessible
from tests.e2e.devices import TABLET
from tests.e2e.hard_pages import PAGE_ID, keeping, open_hard_page
from tests.e2e.usual_pages import STAGES, usual_page
from tests.e2e.watch import Watch
from tests.e2e.working import UNREAD_MS
from tests.selection import and_nightly

MAX_WINDOWS = 2.1
"""How many windows high the instructions of a stage may be."""
MAX_PRESSES = 5
"""The presses of *Next caption* until ten captions were in view."""
INSTRUCTIONS = re.compile(r"/pages/[Ii]nstructions-[^/]*\.js$")
LANGUAGES = ("de", "es", "fr", "pt", "zh")

# For each answer, whether all of it is in the window, and the place of its upper edge. For each mention, the
# place of its lower edge.
SEEN = """() => {
  const places = (which) => [...document.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
  return {
    answers: places(".answers button:not(.more)").map(({ top, bottom, left, right }) =>
      ({ top, whole: top >= 0 && left >= 0 && bottom <= innerHeight + 0.5 && right <= innerWidth + 0.5 })),
    mentions: places(".caption mark").map((one) => one.bottom),
    cut: [...document.querySelectorAll(".answers button, header h1")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim()),
    across: document.scrollingElement.scrollWidth - innerWidth,
  };
}"""
KEYS = "() => [...document.querySelectorAll('kbd')].filter((one) => one.checkVisibility()).length"
HEIGHTS = """() => {
  const words = document.querySelector("dialog[open] .words");
  return words.scrollHeight / words.clientHeight;
}"""


@pytest.fixture
def phone(browser: Browser, watch: Watch) -> Any:
    """Return a function that opens a stage on a phone of this size, in a language."""
    opened: list[BrowserContext] = []

    def show(
        stage: str,
        width: int,
        height: int,
        language: str = "en",
        captions: int | None = None,
        hold: Callable[[Route], object] | None = None,
        **more: Any,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=True,
            service_workers="block",
            storage_state=keeping({"groundcrew-language": language}),
            reduced_motion="reduce",
        )
        context.set_default_timeout(30_000)
        watch.attach(context)
        opened.append(context)
        if hold:  # the page fetches them ahead, so this is set as it opens
            context.on("page", partial(_hold_instructions, hold=hold))
        shown = usual_page(stage, captions=captions) | more
        return open_hard_page(context, stage, shown)  # type: ignore[arg-type]

    yield show
    for context in opened:
        context.close()


Show = Callable[..., Page]


def _hold_instructions(page: Page, *, hold: Callable[[Route], object]) -> None:
    page.route(INSTRUCTIONS, hold)


@pytest.mark.parametrize(
    "device",
    and_nightly(
        [{"width": 360, "height": 620}],
        [({"width": 360, "height": 740},), (dict(TABLET["viewport"]),)],
        "there is more room",
    ),
    ids=lambda device: f"{device['width']}x{device['height']}",
)
def test_the_answers_and_the_mention_are_in_view(phone: Show, device: Mapping[str, int]) -> None:
    for stage in STAGES:
        page = phone(stage, **device)
        seen = page.evaluate(SEEN)
        assert seen["answers"] and all(one["whole"] for one in seen["answers"]), f"{stage}: {seen}"
        bar = min(one["top"] for one in seen["answers"])
        first = seen["mentions"][: 2 if stage == Stage.LINK else 1]
        assert all(mention <= bar for mention in first), f"{stage}: {seen}"
        assert not seen["cut"] and seen["across"] <= 0, f"{stage}: {seen}"
        check_accessible(page)
        page.context.close()


@pytest.mark.parametrize(
    "language",
    and_nightly(["fr"], [(one,) for one in LANGUAGES if one != "fr"], "French words are the longest"),
)
def test_answers_fit_in_every_language(phone: Show, language: str) -> None:
    for stage in STAGES:
        page = phone(stage, 360, 740, language)
        seen = page.evaluate(SEEN)
        assert all(one["whole"] for one in seen["answers"]), f"{stage}: {seen}"
        assert not seen["cut"] and seen["across"] <= 0, f"{stage}: {seen}"
        if stage in (Stage.DRAWING, JointStage.BOXES):
            _stays_when_the_words_change(page)
        page.context.close()


def _stays_when_the_words_change(page: Page) -> None:
    photograph = page.locator("svg[data-phase=ready]")
    before, said = photograph.bounding_box(), page.locator(".next").inner_text()
    assert before
    page.touchscreen.tap(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
    expect(page.locator(".next")).not_to_have_text(said)
    assert photograph.bounding_box() == before, said


@pytest.mark.parametrize("stage", [Stage.DRAWING, JointStage.BOXES])
def test_what_to_do_next_stands_beside_the_photograph(phone: Show, stage: str) -> None:
    page = phone(stage, 360, 620)
    first = page.get_by_text("Tap the top, bottom, left and right ends of one thing: 0 of 4.")
    expect(first).to_be_in_viewport(ratio=1)
    photograph = page.locator("svg[data-phase=ready]").bounding_box()
    assert photograph
    for number, (x, y) in enumerate([(0.5, 0.2), (0.5, 0.8), (0.2, 0.5)], start=1):
        page.touchscreen.tap(
            photograph["x"] + x * photograph["width"], photograph["y"] + y * photograph["height"]
        )
        expect(page.get_by_text(f"point: {number} of 4.")).to_be_in_viewport(ratio=1)


def test_instructions_are_two_windows_high(
    phone: Show, record_property: Callable[[str, object], None]
) -> None:
    heights = {}
    for stage in STAGES:
        page = phone(stage, 360, 740)
        page.get_by_role("button", name="Instructions").tap()
        page.locator(".guide").wait_for()
        heights[str(stage)] = page.evaluate(HEIGHTS)
        expect(page.locator("dialog table")).to_have_count(0)
        page.context.close()
    record_property("figure", f"instructions: {max(heights.values()):.1f} windows of 360 x 740 at most")
    assert max(heights.values()) <= MAX_WINDOWS, heights


def test_the_button_stays_when_the_instructions_come(phone: Show) -> None:
    held: list[Route] = []
    released = False

    def hold(route: Route) -> None:
        if released:
            route.fallback()
        else:
            held.append(route)

    page = phone(Stage.DRAWING, 360, 740, hold=hold)
    page.get_by_role("button", name="Instructions").tap()
    begin = page.get_by_role("button", name="To the questions")
    expect(page.get_by_role("dialog").get_by_text("Loading")).to_be_visible()
    before = begin.bounding_box()
    released = True
    for one in held:
        one.fallback()
    page.locator(".guide").wait_for()
    assert begin.bounding_box() == before


def test_ten_captions_are_shown_by_few_presses(
    phone: Show, record_property: Callable[[str, object], None]
) -> None:
    page = phone(CampaignStage.RELEVANCE, 360, 620)
    none, further = page.get_by_role("button", name="None of them"), page.get_by_text("Next caption")
    presses = 0
    while further.is_visible() and presses <= MAX_PRESSES:
        shown = page.locator("label").evaluate_all(
            "all => all.filter((one) => one.getBoundingClientRect().top < innerHeight).length"
        )
        further.tap()
        presses += 1
        assert shown >= presses, "each press shows more"
        page.wait_for_timeout(UNREAD_MS)
    record_property("figure", f"ten captions on a phone: {presses} presses")
    assert presses <= MAX_PRESSES
    expect(none).not_to_have_attribute("aria-disabled", "true")


def test_a_link_is_one_press(phone: Show) -> None:
    page = phone(Stage.LINK, 360, 620)
    page.wait_for_timeout(UNREAD_MS)
    page.get_by_role("button", name="Yes, the same").tap()
    page.get_by_role("region", name="Question 2 of 2").wait_for()


@pytest.mark.parametrize("captions", [3, 4, 5])
def test_nobody_answers_about_captions_that_were_not_in_sight(phone: Show, captions: int) -> None:
    page = phone(Stage.VERIFICATION, 360, 620, captions=captions)
    same, further = page.get_by_role("button", name="Yes, all the same"), page.get_by_text("Next caption")
    first = page.get_by_role("region", name="Question 1 of 2")
    for _ in range(MAX_PRESSES):
        page.wait_for_timeout(UNREAD_MS)
        if not further.is_visible():
            break
        place = same.bounding_box()
        assert place
        page.touchscreen.tap(place["x"] + 30, place["y"] + 20)  # it says that it cannot be pressed yet
        expect(first).to_be_visible()
    end, bar = page.locator(".captions").bounding_box(), page.locator(".answers").bounding_box()
    assert end and bar and end["y"] + end["height"] <= bar["y"] + 1
    same.tap()
    page.get_by_role("region", name="Question 2 of 2").wait_for()


def test_a_tick_moves_nothing(phone: Show) -> None:
    page = phone(CampaignStage.RELEVANCE, 360, 620)
    page.get_by_text("Next caption").tap()
    labels, ticked = page.locator(".captions label"), 0
    for label in labels.all():
        place, bar = label.bounding_box(), page.locator(".answers").bounding_box()
        photograph = page.locator(".picture").bounding_box()
        assert place and bar and photograph
        if place["y"] < photograph["y"] + photograph["height"] or place["y"] + place["height"] > bar["y"]:
            continue
        page.touchscreen.tap(place["x"] + 60, place["y"] + place["height"] / 2)
        expect(label.get_by_role("checkbox")).to_be_checked()
        assert label.bounding_box() == place
        ticked += 1
    assert ticked >= 2


def test_the_photograph_stays_when_page_sent_goes(phone: Show) -> None:
    page = phone(Stage.QUALITY, 360, 740)
    following = usual_page(Stage.QUALITY) | {"id": "8b1f0d52-0a53-4c0c-8f0e-2a7d7a3a9d11"}
    receipt = {"id": PAGE_ID, "accepted": 2, "acknowledged": 0, "reward": following["reward"]}
    page.route("**/submission", lambda route: route.fulfill(status=201, json={**receipt, "next": following}))
    for number in (1, 2):
        page.get_by_role("region", name=f"Question {number} of 2").wait_for()
        page.wait_for_timeout(UNREAD_MS)
        page.get_by_role("button", name="Good").tap()
    page.get_by_role("button", name="Send this page").tap()
    sent = page.get_by_text("Page sent: $0.25")
    sent.wait_for()
    photograph = page.locator("svg[data-phase=ready]")
    photograph.wait_for()
    before = photograph.bounding_box()
    page.wait_for_timeout(UNREAD_MS)
    page.get_by_role("button", name="Good").tap()
    page.get_by_role("region", name="Question 2 of 2").wait_for()
    expect(sent).to_have_count(0)
    assert photograph.bounding_box() == before


@pytest.mark.parametrize(
    "language", and_nightly(["de"], [(one,) for one in ("en", *LANGUAGES) if one != "de"], "shorter words")
)
def test_no_judgment_of_a_box_lies_where_the_answers_were(phone: Show, language: str) -> None:
    page = phone(JointStage.CHECK, 360, 620, language)
    before = [place for one in page.locator(".joint-answers button").all() if (place := one.bounding_box())]
    assert len(before) == 2
    page.locator(".fresh button").first.tap()
    judgments = page.locator(".held [aria-pressed]:visible")
    expect(judgments).to_have_count(5)
    for one in judgments.all():
        place = one.bounding_box()
        assert place and not any(_overlap(place, other) for other in before)
    seen = page.evaluate(SEEN)
    assert all(one["whole"] for one in seen["answers"]) and not seen["cut"], seen


def _overlap(a: FloatRect, b: FloatRect) -> bool:
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not beside and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def test_the_marked_words_stand_beside_the_question_why_no_box_is_needed(phone: Show) -> None:
    page = phone(JointStage.BOXES, 360, 620)
    page.get_by_role("button", name="No box is needed").tap()
    expect(page.get_by_text("Why is no box needed?")).to_be_in_viewport(ratio=1)
    words = page.locator(".answers").get_by_text("a ladder")
    expect(words).to_be_in_viewport(ratio=1)
    assert page.evaluate(SEEN)["cut"] == []


@pytest.mark.parametrize(("language", "height"), [("fr", 740), ("en", 620)])
def test_all_reasons_are_in_view_below_a_message(phone: Show, language: str, height: int) -> None:
    page = phone(JointStage.BOXES, 360, height, language)
    page.locator(".joint-answers button").last.tap()
    page.context.set_offline(True)
    expect(page.locator("header .strip")).to_be_visible()
    expect(page.locator(".asking button")).to_have_count(4)
    for one in page.locator(".asking button").all():
        expect(one).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("stage", [Stage.DRAWING, Stage.LINK])
def test_nothing_moves_when_the_network_goes_away(phone: Show, stage: str) -> None:
    page = phone(stage, 360, 740)
    photograph = page.locator("svg[data-phase=ready]")
    before = photograph.bounding_box()
    page.context.set_offline(True)
    notice = page.locator("header .strip")
    expect(notice).to_be_visible()
    assert photograph.bounding_box() == before
    for one in page.locator("header a, header button, header summary").all():
        if one.bounding_box():
            assert not _overlap(_box_of(notice), _box_of(one)), one.inner_html()


@pytest.mark.parametrize("stage", [Stage.DRAWING, Stage.QUALITY, JointStage.BOXES, JointStage.CHECK])
@pytest.mark.parametrize("height", [740, 620])
def test_the_zoom_buttons_lie_beside_the_photograph(phone: Show, stage: str, height: int) -> None:
    page = phone(stage, 360, height)
    photograph = _box_of(page.locator(".pane img.seen"))
    for one in page.locator(".viewer .zoom button:visible").all():
        assert not _overlap(photograph, _box_of(one))
    assert photograph["width"] >= 295  # of 336 if it had all the room
    closer = page.locator(".viewer .zoom").get_by_role("button", name="Closer")
    before = _box_of(closer)
    closer.tap()
    after = _box_of(closer)
    assert abs(after["x"] - before["x"]) <= 1 and abs(after["y"] - before["y"]) <= 1, (
        "tapped again in its place"
    )
    pane = _box_of(page.locator(".pane"))
    for one in page.locator(".viewer .zoom button:visible").all():
        over = _box_of(one)  # it may reach into the margin
        beside = over["x"] + 12 >= pane["x"] + pane["width"]
        assert beside or over["y"] + 12 >= pane["y"] + pane["height"]


def test_the_photograph_stays_above_the_field_of_a_caption(phone: Show) -> None:
    """With the keyboard of a phone, a window is about 430 pixels high."""
    page = phone(CampaignStage.WRITING, 360, 430)
    field = page.get_by_role("textbox")
    field.tap()
    field.fill("A man in a blue shirt is standing on a ladder, and cleans a window.")
    photograph = page.locator(".pane img.seen")
    expect(photograph).to_be_in_viewport(ratio=1)
    expect(field).to_be_in_viewport(ratio=1)
    expect(page.locator(".answers .primary")).to_be_in_viewport(ratio=1)
    assert not _overlap(_box_of(photograph), _box_of(field)) and _box_of(photograph)["height"] >= 90


def _box_of(one: Locator) -> FloatRect:
    box = one.bounding_box()
    assert box
    return box


@pytest.mark.parametrize(("preset", "width", "height"), [("none", 360, 620), ("good", 1280, 720)])
def test_no_judgment_lies_where_the_answers_about_all_are(
    phone: Show, preset: str, width: int, height: int
) -> None:
    page = phone(JointStage.CHECK, width, height, check={"preset": preset})
    if preset == "good":
        page.locator(".fresh button").first.tap()
    judgments = page.locator(".held [aria-pressed]:visible")
    expect(judgments).to_have_count(5)
    before = [place for one in judgments.all() if (place := one.bounding_box())]
    assert all(one["whole"] for one in page.evaluate(SEEN)["answers"])
    page.get_by_role("button", name="Back").last.tap()
    after = page.locator(".joint-answers button:visible")
    expect(after).to_have_count(3 if preset == "none" else 2)
    for one in after.all():
        place = one.bounding_box()
        assert place and not any(_overlap(place, other) for other in before)


@pytest.mark.parametrize("stage", [Stage.DRAWING, Stage.LINK, JointStage.BOXES])
def test_an_unusable_photograph_is_asked_about_and_shown_again_in_view(phone: Show, stage: str) -> None:
    page = phone(stage, 360, 620)
    page.wait_for_timeout(UNREAD_MS)
    usable = page.evaluate(SEEN)
    page.get_by_role("button", name="Photograph unusable").tap()
    expect(page.get_by_text("Is the photograph unusable?")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("The page is paid all the same.")).to_be_in_viewport(ratio=1)
    check_accessible(page)
    page.wait_for_timeout(2 * UNREAD_MS)
    page.get_by_role("button", name="Yes, unusable").tap()
    page.get_by_role("region", name="Question 2 of 2").wait_for()
    page.locator("header .back").tap()
    page.get_by_role("region", name="Question 1 of 2").wait_for()
    said = page.get_by_role("button", name="Photograph unusable")
    expect(said).to_have_attribute("aria-pressed", "true")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        check_accessible(page)
    seen = page.evaluate(SEEN)
    assert all(one["whole"] for one in seen["answers"]) and not seen["cut"], seen
    assert min(one["top"] for one in seen["answers"]) >= min(one["top"] for one in usable["answers"]) - 1
    assert seen["mentions"] == usable["mentions"]
    page.get_by_role("button", name="Another answer").tap()
    assert page.evaluate(SEEN)["answers"] == usable["answers"]


def test_a_second_tap_moves_the_mark_of_something_missing(phone: Show) -> None:
    page = phone(JointStage.CHECK, 360, 620)
    page.wait_for_timeout(UNREAD_MS)
    page.get_by_role("button", name="Something is missing").tap()
    photograph = page.locator("svg[data-phase=ready]").bounding_box()
    assert photograph
    for share in (0.8, 0.9):  # beside the boxes
        x = photograph["x"] + share * photograph["width"]
        page.touchscreen.tap(x, photograph["y"] + photograph["height"] / 2)
        mark = page.locator("[data-point] circle").last
        mark.wait_for()
        page.wait_for_timeout(UNREAD_MS)
        place = mark.bounding_box()
        assert place and abs(place["x"] + place["width"] / 2 - x) < 3
    expect(page.get_by_text("The mark is here now. An answer has one mark.")).to_be_in_viewport(ratio=1)


def test_a_tap_on_its_number_takes_a_box_and_one_in_it_begins_another(phone: Show) -> None:
    page = phone(JointStage.BOXES, 360, 740)
    surface = page.locator("svg[data-phase=ready]")
    area = _box_of(surface)

    def tap(across: float, down: float) -> None:
        page.touchscreen.tap(area["x"] + across * area["width"], area["y"] + down * area["height"])

    numbers, grips = page.locator(".box-new text"), surface.locator(".grip")
    for number, left in enumerate((0.2, 0.6), start=1):
        for across, down in ((left + 0.1, 0.3), (left + 0.1, 0.7), (left, 0.5), (left + 0.2, 0.5)):
            tap(across, down)
        expect(numbers).to_have_count(number)
        expect(grips).to_have_count(0)

    def take(number: int) -> None:
        tag = _box_of(surface.locator(".box.box-new text").get_by_text(str(number)))
        page.touchscreen.tap(tag["x"] + tag["width"] / 2, tag["y"] + tag["height"] / 2)
        expect(page.get_by_role("button", name=f"Box {number} is right")).to_be_visible()
        expect(grips).to_have_count(8)

    take(2)
    take(1)
    first = surface.locator("[data-box]").get_attribute("data-box")
    # A tap in the box in hand begins another box there, and leaves this one as it is.
    tap(0.3, 0.5)
    expect(page.get_by_text("point: 1 of 4.")).to_be_visible()
    tap(0.7, 0.5)
    expect(page.get_by_text("point: 2 of 4.")).to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="Undo").tap()
    take(1)
    assert surface.locator("[data-box]").get_attribute("data-box") == first


@pytest.mark.parametrize(
    "language", and_nightly(["de"], [(one,) for one in ("en", *LANGUAGES) if one != "de"], "shorter words")
)
def test_what_to_do_with_a_box_in_hand_fits_its_two_lines(phone: Show, language: str) -> None:
    page = phone(JointStage.BOXES, 360, 620, language)
    before = page.locator(".next").inner_text()
    surface = page.locator("svg[data-phase=ready]")
    area = _box_of(surface)
    for across, down in ((0.3, 0.3), (0.3, 0.7), (0.2, 0.5), (0.4, 0.5)):
        page.touchscreen.tap(area["x"] + across * area["width"], area["y"] + down * area["height"])
    tag = _box_of(page.locator(".box-new text"))
    page.touchscreen.tap(tag["x"] + tag["width"] / 2, tag["y"] + tag["height"] / 2)
    expect(surface.locator(".grip")).to_have_count(8)
    expect(page.locator(".next")).not_to_have_text(before)
    high, room = page.locator(".next").evaluate("(next) => [next.scrollHeight, next.clientHeight]")
    assert high <= room


@pytest.mark.parametrize("stage", [Stage.QUALITY, JointStage.BOXES])
def test_a_tap_beside_the_menu_only_closes_it(phone: Show, stage: str) -> None:
    page = phone(stage, 360, 740)
    page.wait_for_timeout(UNREAD_MS)
    menu = page.locator("header details")
    last = _box_of(page.locator(".answers button:not(.more)").last)
    photograph = _box_of(page.locator("svg[data-phase=ready]"))
    answers = page.locator(".answers").inner_text()
    for x, y in (
        (last["x"] + last["width"] / 2, last["y"] + last["height"] / 2),
        (photograph["x"] + 8, photograph["y"] + photograph["height"] / 2),
    ):
        page.get_by_label("More").tap()
        expect(menu.locator("select").first).to_be_visible()
        page.touchscreen.tap(x, y)
        expect(menu).not_to_have_attribute("open", "")
        page.wait_for_timeout(2 * UNREAD_MS)
        expect(page.get_by_role("region", name="Question 1 of 2")).to_be_visible()
        assert page.locator(".answers").inner_text() == answers
    if stage == JointStage.BOXES:
        expect(page.get_by_text("0 of 4")).to_be_visible()
    page.touchscreen.tap(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2)
    if stage == Stage.QUALITY:
        page.get_by_role("region", name="Question 2 of 2").wait_for()
    else:
        expect(page.get_by_text("Why is no box needed?")).to_be_visible()


def test_no_key_is_named_on_a_touch_screen(phone: Show) -> None:
    for stage in STAGES:
        page = phone(stage, *TABLET["viewport"].values())
        assert page.evaluate(KEYS) == 0, stage
        page.get_by_role("button", name="Instructions").tap()
        page.get_by_role("dialog").get_by_role("heading", level=3).first.wait_for()
        assert page.evaluate(KEYS) == 0, stage
        page.context.close()
