"""What other engines do otherwise: keys of input methods, pointers that are lost, Ctrl on a Mac."""

from __future__ import annotations

import pytest

from tests.e2e.engines.engine import Engine, Source, in_each_engine
from tests.e2e.engines.hands import DOWN, FIELD, SPECIAL, UP, Keyboard, Pointer, until
from tests.e2e.engines.test_stages import make_work
from tests.e2e.scenes import FIRST
from tests.e2e.site import Site
from tests.e2e.test_caption_campaigns import TEXTS

pytestmark = pytest.mark.nightly("one stage of each kind says that the engine works")

# The Enter that ends a word of an input method, as Safari reports it.
ENDS_A_WORD = """() => document.querySelector("textarea").dispatchEvent(new KeyboardEvent(
  "keydown", { key: "Enter", keyCode: 229, isComposing: false, bubbles: true, cancelable: true }))"""
AT = "() => document.querySelector('section[aria-label^=Question]')?.getAttribute('aria-label')"
# No driver can do this, so the page is told of it.
CANCEL = """() => document.querySelector("svg[data-phase]").dispatchEvent(
  new PointerEvent("pointercancel", { pointerId: window.pointer, bubbles: true }))"""
NOTE = """() => addEventListener("pointerdown", ({ pointerId }) => { window.pointer = pointerId; }, true)"""


@in_each_engine
def test_the_enter_that_ends_a_word_of_an_input_method_sends_nothing(engine: Engine, site: Site) -> None:
    items = make_work(site, "writing")
    hands = Pointer(engine, "mouse")
    hands.go(site.worker_link("writing"))
    hands.question(1, items)
    hands.press("Your sentence", "", kind=FIELD)
    hands.type(*TEXTS[0])
    assert engine.run(ENDS_A_WORD) is True, "nothing has used the key"
    assert engine.run(AT) == f"Question 1 of {items}"
    hands.type("Enter", reading=True)
    hands.question(2, items)


@in_each_engine
def test_a_press_that_is_cancelled_draws_nothing(engine: Engine, site: Site) -> None:
    hands = _drawing(engine, site)
    hands.act(hands.to(*hands.place(50, 50)), DOWN, hands.to(*hands.place(150, 150)))
    hands.box()
    engine.run(CANCEL)
    hands.count("[data-box]", 0)
    hands.act(UP)
    _draw_and_send(engine, site, hands)


@in_each_engine
def test_a_press_with_ctrl_which_opens_a_menu_on_a_mac_draws_nothing(engine: Engine, site: Site) -> None:
    hands = _drawing(engine, site)
    control: Source = {"type": "keyDown", "value": SPECIAL["Control"]}
    engine.act({"type": "key", "id": "keyboard", "actions": [control]})
    hands.act(hands.to(*hands.place(50, 50)), DOWN, hands.to(*hands.place(150, 150)), UP)
    engine.act({"type": "key", "id": "keyboard", "actions": [{**control, "type": "keyUp"}]})
    hands.count("[data-box]", 0)
    _draw_and_send(engine, site, hands)


def _drawing(engine: Engine, site: Site) -> Pointer:
    site.open("drawing", items=1)
    hands = Pointer(engine, "mouse")
    hands.go(site.worker_link("drawing"))
    hands.question(1, 1)
    engine.run(NOTE)
    hands.draws_by("Drag")
    return hands


def _draw_and_send(engine: Engine, site: Site, hands: Pointer) -> None:
    hands.drag(hands.place(*FIRST[:2]), hands.place(*FIRST[2:]))
    assert hands.box() == FIRST
    Keyboard(engine).press("Confirm this box", "Enter")
    hands.send()
    (given,) = until(lambda: site.judgments("drawing"), "a judgment")
    assert tuple(given.answer["box"]) == FIRST
