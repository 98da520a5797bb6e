"""In Firefox and WebKit: in a frame of another site, and on plain http."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import StartSite
from tests.e2e.engines.answering import choose
from tests.e2e.engines.engine import Engine, in_each_engine
from tests.e2e.engines.hands import Keyboard, Pointer, until
from tests.e2e.platform import platform

pytestmark = pytest.mark.nightly("one stage of each kind says that the engine works")

KEPT = "() => Object.keys(localStorage).filter((key) => key.includes('token'))"


@in_each_engine
def test_a_page_in_a_frame_of_another_site_stores_apart(engine: Engine, shared_site: StartSite) -> None:
    with platform() as outside:
        site = shared_site(GROUNDCREW_FRAME_ANCESTORS=outside.origin)
        site.open("link", items=2)
        outside.framed = site.worker_link("link")
        engine.open(outside.origin)
        engine.enter_frame()
        hands = Keyboard(engine)
        hands.begin()
        hands.question(1, 2)
        right = site.right_answers("link")
        choose(hands, "link", right[0])
        hands.question(2, 2)
        choose(Pointer(engine, "mouse"), "link", right[1])
        hands.send()
        given = until(lambda: site.judgments("link"), "judgments")
        assert [one.answer for one in given] == right
        assert engine.run(KEPT), "the frame stores its worker"
        engine.open(f"{site.url}/work/")
        hands.heading("")
        assert engine.run(KEPT) == [], "another site's frame has a storage of its own"


@pytest.mark.parametrize("engine", ["firefox"], indirect=True)
def test_a_page_on_plain_http(engine: Engine, start_site: StartSite) -> None:
    """Browsers take every address but that of this machine for one of a network, where https is missing.

    WebKit opens no page at 0.0.0.0, the only address of this machine that is one of those.
    """
    site = start_site(GROUNDCREW_HOSTS="127.0.0.1,0.0.0.0")
    site.open("link", items=2)
    hands = Pointer(engine, "mouse")
    hands.go(site.worker_link("link").replace("127.0.0.1", "0.0.0.0"))  # noqa: S104
    assert engine.run("() => [isSecureContext, typeof crypto.randomUUID]") == [False, "undefined"]
    hands.question(1, 2)
    right = site.right_answers("link")
    for number, one in enumerate(right, start=1):
        hands.question(number, 2)
        choose(hands, "link", one)
    hands.send()
    given = until(lambda: site.judgments("link"), "judgments")
    assert [one.answer for one in given] == right
