"""The worker's side of the API."""

import httpx
import pytest

from simulation.client import ApiError, Client, NotAdmitted, NotWelcomeError, NoWork, Page, Receipt
from tests.simulation.pages import Script, link_page, receipt

PAGE = Page("page-1", "link", ())


def client(script: Script, pauses: list[float] | None = None) -> Client:
    kept = [] if pauses is None else pauses
    return Client("http://server/", "secret", script.transport(), kept.append)


def test_it_claims_a_page_with_its_token() -> None:
    script = Script(httpx.Response(201, json=link_page()))
    page = client(script).claim("link")
    assert isinstance(page, Page)
    assert (page.id, page.stage, [item for item, _ in page.items]) == ("page-1", "link", [1, 2])
    assert script.requests == [("/api/v1/assignments", {"stage": "link"})]
    assert script.tokens == ["Bearer secret"]


def test_it_hears_when_there_is_no_work() -> None:
    assert client(Script()).claim() == NoWork(3.0)


def test_it_submits() -> None:
    script = Script(receipt(1, 1))
    assert client(script).submit(PAGE, [{"item": 1}]) == Receipt(1, 1)
    assert script.requests == [("/api/v1/assignments/page-1/submission", {"answers": [{"item": 1}]})]


@pytest.mark.parametrize(
    "trouble",
    [httpx.ReadTimeout("slow"), httpx.ConnectError("refused"), httpx.Response(503), httpx.Response(429)],
)
def test_it_repeats_the_same_body_after_trouble_on_the_way(trouble: httpx.Response | Exception) -> None:
    pauses: list[float] = []
    script = Script(trouble, trouble, receipt())
    assert client(script, pauses).submit(PAGE, [{"item": 1}]) == Receipt(2, 0)
    assert script.requests == [script.requests[0]] * 3
    assert pauses == [0.2, 0.4]


def test_it_gives_up_when_the_trouble_stays() -> None:
    script = Script(*[httpx.ReadTimeout("slow")] * 9)
    with pytest.raises(ApiError, match=r"assignments: ReadTimeout: slow \(tried 6 times\)"):
        client(script).claim()
    assert len(script.requests) == 6


@pytest.mark.parametrize("status", [404, 409])
def test_a_page_that_is_gone_is_no_error(status: int) -> None:
    script = Script(httpx.Response(status, json={"detail": "gone"}), httpx.Response(status))
    assert client(script).submit(PAGE, []) is None
    client(script).give_back(PAGE)
    assert [path.rpartition("/")[2] for path, _ in script.requests] == ["submission", "return"]


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_refused_is_an_error_of_its_own(status: int) -> None:
    with pytest.raises(NotWelcomeError, match=f"{status} .*expired"):
        client(Script(httpx.Response(status, json={"detail": "expired"}))).claim()


def test_a_stage_that_is_not_open_to_the_worker_is_no_error() -> None:
    problem = {"detail": "Pass the test first.", "standing": "waiting", "retry_in": 60.5}
    assert client(Script(httpx.Response(403, json=problem))).claim("link") == NotAdmitted("waiting", 60.5)


def test_it_reads_how_the_worker_stands() -> None:
    assert client(Script()).standings()["link"] == "open"


def test_a_request_the_server_cannot_read_is_an_error_at_once() -> None:
    script = Script(httpx.Response(400, json={"detail": "The answers cannot be taken."}))
    with pytest.raises(ApiError, match="cannot be taken"):
        client(script).submit(PAGE, [])
    assert len(script.requests) == 1
