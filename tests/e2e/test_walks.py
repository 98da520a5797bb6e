"""Through all six stages, from the page that lists them: with a mouse, on a phone with fingers, by keys.

Exactly what was answered arrives in the database.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.domain.answers import Stage
from annotation.models import Batch, Image, Item, Judgment
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, PHONE
from tests.e2e.hands import CHOICES, Fingers, Hands, Mouse
from tests.e2e.keeping import said
from tests.e2e.keyboard import Keys, Tabbing
from tests.e2e.scenes import FIRST
from tests.e2e.site import Site
from tests.selection import and_nightly
from workflows.batches.lifecycle import move_batch

PAGES = 2, 1
"""How many items the pages of each stage have."""
TWO_STAGES = (Stage.LINK, Stage.DRAWING)
"""A stage whose answers are buttons, as in four others, and the stage in which boxes are drawn."""
two_or_all_stages = pytest.mark.parametrize(
    "stages",
    and_nightly([TWO_STAGES], [(tuple(Stage),)], "the mouse and the keys go through all stages"),
    ids=len,
)
COMMENT = "Is it 1 box? No: y, n, x or 0 ..."
"""Its letters are keys that answer, but not while the field has the focus."""
Record = Callable[[str, object], None]


@dataclass
class Given:
    """What was answered about an item."""

    answer: dict[str, Any]
    comment: str = ""
    flag: bool = False


@pytest.mark.journey
def test_all_stages_with_a_mouse(site: Site, new_context: NewContext, record_property: Record) -> None:
    hands = Mouse(new_context(**DESK).new_page())
    walk(site, hands, record_property)
    assert hands.ways == {"Drag", "Four points"}


@two_or_all_stages
def test_stages_with_fingers(
    site: Site, new_context: NewContext, record_property: Record, stages: Sequence[Stage]
) -> None:
    hands = Fingers(new_context(**PHONE).new_page())
    walk(site, hands, record_property, pages=PAGES[:1], stages=stages)
    assert hands.ways == {"Drag", "Four points", "pinch"}


def test_enter_confirms_a_box_after_the_mouse_was_on_a_button(site: Site, page: Page) -> None:
    site.open("drawing", items=2)
    hands = Mouse(page)
    page.goto(site.worker_link("drawing"))
    hands.close_instructions()
    hands.question(1, 2)
    hands.draw(FIRST)
    page.keyboard.press("Enter")
    hands.question(2, 2)


def test_a_finger_leaves_no_answer_lit(site: Site, new_context: NewContext) -> None:
    """Otherwise the next question would look answered where the finger was."""
    site.open("link", items=2)
    hands = Fingers(new_context(**PHONE).new_page())
    hands.page.goto(site.worker_link("link"))
    hands.close_instructions()
    hands.question(1, 2)
    hands.choose(Stage.LINK, value=True)
    hands.question(2, 2)
    looks = [
        hands.choice(label).evaluate("b => getComputedStyle(b).backgroundColor") for label in ("Yes", "No")
    ]
    assert looks[0] == looks[1]


def test_all_stages_with_keys(site: Site, new_context: NewContext, record_property: Record) -> None:
    walk(site, Keys(new_context(**DESK).new_page()), record_property, pages=PAGES[:1])


@two_or_all_stages
def test_stages_with_tab_and_enter(
    site: Site, new_context: NewContext, record_property: Record, stages: Sequence[Stage]
) -> None:
    """This is as with a screen reader: single keys, which would disturb it, are turned off."""
    storage = {
        "origins": [
            {"origin": site.url, "localStorage": [{"name": "groundcrew-single-keys", "value": "off"}]}
        ]
    }
    context = new_context(storage_state=storage, **DESK)
    walk(site, Tabbing(context.new_page()), record_property, pages=PAGES[:1], stages=stages)


def walk(
    site: Site,
    hands: Hands,
    record: Record,
    pages: Sequence[int] = PAGES,
    stages: Sequence[Stage] = tuple(Stage),
) -> None:
    """Do pages with so many items in each of these stages."""
    batches = site.open(*stages, items=sum(pages), items_a_page=dict.fromkeys(Stage, pages[0]))
    others = Judgment.objects.exclude(worker=site.worker()).count()
    start = time.monotonic()
    hands.page.goto(site.worker_link())
    given: dict[int, Given] = {}
    for stage in stages:
        hands.open_task(stage)
        for number, items in enumerate(pages, start=1):
            given |= work_a_page(site, hands, stage, items)
            if number < len(pages):
                said(hands.page, "Page sent")
        hands.page.get_by_role("heading", name="Page done").wait_for()
        close(batches[stage])
        hands.go_home()
    seconds = time.monotonic() - start
    assert len(given) == sum(pages) * len(stages)
    check(site, given, seconds)
    assert Judgment.objects.exclude(worker=site.worker()).count() == others
    record("figure", f"{len(stages)} stages with {type(hands).__name__.lower()}: {seconds:.0f} s")


def work_a_page(site: Site, hands: Hands, stage: Stage, items: int) -> dict[int, Given]:
    """Answer a page and send it. Return what was answered by item id.

    The first and the last answer are changed.
    """
    given: dict[int, Given] = {}
    for number in range(1, items + 1):
        hands.question(number, items)
        item = shown(site, hands, stage)
        given[item] = Given(site.right_answer(item))
        if number == 2:
            hands.flag()
            given[item].flag = True
            hands.comment(COMMENT)
            given[item].comment = COMMENT
            expect(hands.button("Words cut wrongly")).to_have_attribute("aria-pressed", "true")
        if number in (1, items):
            give(hands, stage, wrong(stage, given[item].answer))
        else:
            given[item].answer = give(hands, stage, given[item].answer)
        if number == 1 and items > 1:
            hands.question(2, items)
            hands.back()
            hands.question(1, items)
            hands.read_instructions()
            given[item].answer = change(hands, stage, given[item].answer)
    overview(hands.page)
    hands.reopen(items)
    hands.question(items, items)
    last = shown(site, hands, stage)
    given[last].answer = change(hands, stage, given[last].answer)
    overview(hands.page)
    expect(hands.page.get_by_text("with a comment")).to_have_count(int(items > 1))
    hands.send()
    return given


def shown(site: Site, hands: Hands, stage: Stage) -> int:
    """Return the id of the item whose picture is shown."""
    image = Image.objects.get(file=hands.picture())
    item = Item.objects.get(work__image=image, stage=stage, pk__in=site.assignments(stage)[-1].items)
    return item.pk


def give(hands: Hands, stage: Stage, answer: dict[str, Any]) -> dict[str, Any]:
    """Answer, and return what the page understood: a box may differ by a pixel."""
    given = hands.give(stage, answer)
    if stage == Stage.DRAWING and answer["box"] is not None:
        drawn = zip(given["box"], answer["box"], strict=True)
        assert all(abs(a - b) <= 1 for a, b in drawn), f"{given}, not {answer}"
    return given


def change(hands: Hands, stage: Stage, answer: dict[str, Any]) -> dict[str, Any]:
    """Change the answer, after checking that the other answer is still there."""
    (before,) = wrong(stage, answer).values()
    for value, label, _ in CHOICES[stage]:
        chosen = "true" if value == before else "false"
        expect(hands.choice(label)).to_have_attribute("aria-pressed", chosen)
    return give(hands, stage, answer)


def wrong(stage: Stage, right: dict[str, Any]) -> dict[str, Any]:
    """Return another answer."""
    ((name, value),) = right.items()
    if stage == Stage.DRAWING:
        return {name: list(FIRST) if value is None else None}
    return {name: next(one for one, _, _ in CHOICES[stage] if one != value)}


def overview(page: Page) -> None:
    page.get_by_role("heading", name="Your answers").wait_for()


def close(batch: Batch) -> None:
    """Pause the batch, so that other stages do not hand out what follows from the answers."""
    move_batch(batch=batch, action="pause")


def check(site: Site, given: dict[int, Given], seconds: float) -> None:
    """Assert that each answer is stored once, for its item and by this worker, and nothing else."""
    judgments = list(Judgment.objects.filter(worker=site.worker()).order_by("item_id"))
    assert [judgment.item_id for judgment in judgments] == sorted(given)
    for judgment in judgments:
        assert judgment.item_id is not None and judgment.item is not None
        # The scale at which a box was drawn depends on the window.
        answer = {name: value for name, value in judgment.answer.items() if name != "scale"}
        as_stored = Given(answer, judgment.comment, judgment.chunk_flag)
        assert as_stored == given[judgment.item_id], judgment.item.stage
        assert judgment.seconds is not None and 0 < judgment.seconds < seconds
    assert sum(judgment.seconds or 0 for judgment in judgments) < seconds
