"""Many workers at once."""

import threading
import time
from collections.abc import Callable

import httpx
import pytest

from simulation.characters import Character
from simulation.client import NotWelcomeError
from simulation.crowd import Crowd, CrowdStalledError, Progress
from simulation.truth import Truth
from simulation.workers import Manners
from tests.simulation.pages import account, link_page, receipt

HASTY = Manners(haste=0.001)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[httpx.Request], httpx.Response]], None]:
    """Let clients call a function instead of the network."""
    real = httpx.Client

    def install(handler: Callable[[httpx.Request], httpx.Response]) -> None:
        def make(**options: object) -> httpx.Client:
            return real(**{**options, "transport": httpx.MockTransport(handler)})  # type: ignore[arg-type]  # as given

        monkeypatch.setattr(httpx, "Client", make)

    return install


def crowd(workers: int = 3, tokens: int = 3, manners: Manners = HASTY) -> Crowd:
    names = [f"t{number}" for number in range(tokens)]
    return Crowd("http://server", names, workers, Truth(), [Character()], seed=1, manners=manners)


class Shelf:
    """Hands out `pages` pages and counts who took them."""

    def __init__(self, pages: int) -> None:
        self.left, self.submitted = pages, 0
        self.names: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/me"):
            return httpx.Response(200, json=account())
        with self._lock:
            if request.url.path.endswith("submission"):
                self.submitted += 1
                self.names.add(request.headers["Authorization"])
                return receipt()
            if not self.left:
                return httpx.Response(204, headers={"Retry-After": "1"})
            self.left -= 1
            return httpx.Response(201, json=link_page(self.left))

    def progress(self, total: int) -> Callable[[], Progress]:
        return lambda: Progress(self.submitted, total, self.submitted >= total)


def test_it_works_until_the_work_is_finished(serve: Callable[..., None]) -> None:
    shelf = Shelf(40)
    serve(shelf)
    tally = crowd().run(shelf.progress(40), bar=False)
    assert (tally.pages, tally.answers["link"], shelf.submitted) == (40, 80, 40)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("worker")]


def test_who_walks_away_is_replaced_while_tokens_last(serve: Callable[..., None]) -> None:
    shelf = Shelf(1000)
    serve(shelf)
    team = crowd(workers=2, tokens=9, manners=Manners(dropout=0.5, haste=0.001))
    with pytest.raises(CrowdStalledError):
        team.run(shelf.progress(1000), bar=False)
    assert team.tally.abandoned == 9
    assert len(shelf.names) > 2


def test_a_worker_s_error_ends_the_run(serve: Callable[..., None]) -> None:
    serve(lambda request: httpx.Response(401, json={"detail": "expired"}))
    with pytest.raises(NotWelcomeError, match="expired"):
        crowd().run(lambda: Progress(0, 1, False), bar=False)


def test_it_says_so_when_nobody_gets_work(serve: Callable[..., None]) -> None:
    serve(Shelf(0))
    team = crowd()
    team.stalled_after = 0.2
    with pytest.raises(CrowdStalledError, match=r"3 of 8 images are done.*Celery worker"):
        team.run(lambda: Progress(3, 8, False), bar=False)


def test_it_waits_longer_while_judgments_are_read(serve: Callable[..., None]) -> None:
    """A slow machine reads judgments late, and there may be more work after it."""
    serve(Shelf(0))
    team = crowd()
    team.stalled_after, begun = 0.5, time.monotonic()
    with pytest.raises(CrowdStalledError, match="judgments wait to be read: does a Celery worker run"):
        team.run(lambda: Progress(3, 8, False, unread=True), bar=False)
    assert time.monotonic() - begun > 5 * 0.5


def test_it_waits_for_sweeps_while_judgments_are_read(serve: Callable[..., None]) -> None:
    """A machine may be so slow that few sweeps run in the time. If they do run, something else is wrong."""
    serve(Shelf(0))
    team, sweeps = crowd(), [0, 0, 1, 2, 3, 4, 4, 4, 4, 5]
    team.stalled_after, looks = 0.01, iter(sweeps)
    with pytest.raises(CrowdStalledError, match="though sweeps run: the log of the Celery worker"):
        team.run(lambda: Progress(3, 8, False, unread=True, sweeps=next(looks)), bar=False)
    assert next(looks, None) is None, "it looked as long as there were too few sweeps"


def test_a_page_that_takes_long_is_not_taken_for_a_stall(serve: Callable[..., None]) -> None:
    """The others are told that there is no work. What is answered last may bring work for them."""
    shelf, begun = Shelf(1), time.monotonic()

    def slow(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("submission"):
            time.sleep(3)
        return shelf(request)

    serve(slow)
    team = crowd()
    team.stalled_after = 0.1
    assert team.run(shelf.progress(1), bar=False).pages == 1
    assert time.monotonic() - begun >= 3


def test_nobody_loses_patience_while_judgments_are_read(serve: Callable[..., None]) -> None:
    serve(Shelf(0))
    team, looks = crowd(manners=Manners(haste=0.001, patience=2)), iter([*[True] * 4, *[False] * 100])
    with pytest.raises(CrowdStalledError, match="everybody left"):
        team.run(lambda: Progress(3, 8, False, unread=next(looks)), bar=False)
    assert len(list(looks)) < 100 and team.tally.idle == 3


def test_a_look_that_takes_long_is_not_taken_for_a_stall(serve: Callable[..., None]) -> None:
    """A look may do a round with a platform, which publishes the work that the crowd waits for."""
    serve(Shelf(0))
    team = crowd()
    team.stalled_after, looks = 0.01, 0

    def progress() -> Progress:
        nonlocal looks
        looks += 1
        time.sleep(0.02)
        return Progress(0, 1, finished=looks == 4)

    team.run(progress, bar=False)
    assert looks == 4


def test_it_says_why_where_that_is_known(serve: Callable[..., None]) -> None:
    serve(Shelf(0))
    team = crowd(manners=Manners(haste=0.001, patience=2))
    team.stalled_after = 0.2
    team.explain = lambda: "all lost trust"
    with pytest.raises(CrowdStalledError, match=r"nobody answered( and everybody left)?: all lost trust"):
        team.run(lambda: Progress(3, 8, False), bar=False)
    assert team.tally.idle <= 3
