"""What tests that cut the network, kill servers and close tabs have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext, Page, Request, Route, expect

from annotation.models import Assignment, Judgment
from tests.e2e.site import Site, wait_for
from tests.e2e.working import begin, question
from tests.workflows.pipeline.invariants import check_promises

YES, NO = {"same": True}, {"same": False}

UNREACHED = "Failed to load resource"
"""How the console reports a request that failed, or that got an error."""

SUBMISSION = "**/api/v1/assignments/*/submission"
CLAIM = "**/api/v1/assignments"
API = "**/api/v1/**"

# All that a page needs to be finished without a network is loaded: scripts, their styles, so many
# photographs.
READY = """(photographs) => {
  const come = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const of = (kind) => [...come].filter((name) => kind.test(name)).length;
  const asked = [...document.querySelectorAll("link[rel=modulepreload], link[rel=stylesheet]")];
  return of(/(Overview|Phases)-[^/]*\\.js/) >= 2 && of(/[/]media[/]/) >= photographs
    && asked.every(({ href }) => come.has(href));
}"""


def start(page: Page, site: Site, stage: str = "link", *, items: int = 3, **options: Any) -> None:
    """Open a page of so many items, at the first item, as the worker "ada"."""
    site.open(stage, items=items, **options)
    page.goto(site.worker_link(stage))
    begin(page)
    question(page, 1, items)


def ready_for_no_network(page: Page, photographs: int = 1) -> None:
    wait_for(page, lambda: page.evaluate(READY, photographs))


def press(page: Page, number: int, of: int, key: str) -> None:
    """Press one key, as soon as the question with this number is shown."""
    question(page, number, of)
    page.keyboard.press(key)


def at_overview(page: Page) -> None:
    page.get_by_role("heading", name="Your answers").wait_for()


def answer_all(page: Page, keys: str) -> None:
    """Press one key for each question, up to the overview."""
    for number, key in enumerate(keys, start=1):
        press(page, number, len(keys), key)
    at_overview(page)


def said(page: Page, words: str) -> None:
    """Wait until the page says this where everybody notices it, with a screen reader as well."""
    aloud = page.get_by_role("status").or_(page.get_by_role("alert")).filter(has_text=words)
    expect(aloud.get_by_text(words)).to_be_visible()


def saved(page: Page) -> None:
    """Wait until the page says that everything is saved."""
    page.get_by_title("Saved on this device.").wait_for()


def sending(page: Page) -> None:
    page.get_by_role("heading", name="Sending your answers").wait_for()


def delivered(
    page: Page,
    site: Site,
    answers: Sequence[Mapping[str, Any]],
    stage: str = "link",
    name: str = "ada",
    patience_ms: float | None = None,
) -> list[Judgment]:
    """Wait for the receipt on the page, then check the answers as `arrived` does."""
    page.get_by_role("heading", name="Page done").wait_for(timeout=patience_ms)
    return arrived(site, answers, stage, name)


def arrived(
    site: Site, answers: Sequence[Mapping[str, Any]], stage: str = "link", name: str = "ada"
) -> list[Judgment]:
    """Assert that exactly these answers are stored, one for each item, from one page.

    Return the judgments.
    """
    given = site.judgments(stage, name)
    # The scale at which a box was drawn depends on the window.
    said = [{key: one for key, one in row.answer.items() if key != "scale"} for row in given]
    assert said == list(answers)
    by_this_worker = Judgment.objects.filter(worker=site.worker(name), item__stage=stage)
    assert set(Counter(by_this_worker.values_list("item", flat=True)).values()) == {1}
    assert by_this_worker.count() == len(answers)
    states = [page.state for page in site.assignments(stage, name)]
    assert states == [Assignment.State.SUBMITTED]
    check_promises(site.project)
    return given


class LostReplies:
    """The first request to a route reaches the server, which acts on it, but its reply is lost."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.replies: list[APIResponse] = []
        self._then = then
        """What happens after the server's commit, before the reply is lost."""

    def __call__(self, route: Route) -> None:
        if self.replies:
            route.continue_()
            return
        self.replies.append(route.fetch())
        self._then()
        route.abort("connectionreset")


def requests_to(context: BrowserContext, ending: str) -> list[Request]:
    """Return a list of requests whose address ends like this.

    They are added as they are sent, from now on.
    """
    sent: list[Request] = []
    context.on("request", lambda request: sent.append(request) if request.url.endswith(ending) else None)
    return sent


def requests_over(context: BrowserContext, ending: str) -> list[Request]:
    """Like `requests_to`, but a request is added once the page has its reply, or knows that there is none."""
    over: list[Request] = []

    def keep(request: Request) -> None:
        if request.url.endswith(ending):
            over.append(request)

    context.on("requestfinished", keep)
    context.on("requestfailed", keep)
    return over
