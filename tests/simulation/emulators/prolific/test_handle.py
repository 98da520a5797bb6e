"""The emulated Prolific in its own process: participants, switches and books from outside."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from simulation.client import ApiError
from simulation.emulators.prolific.faults import Faults, read_fault
from simulation.emulators.prolific.handle import Handle, RefusedError, process
from simulation.emulators.prolific.world import TOKEN
from simulation.management.commands.compare_books import of_prolific
from simulation.participants import AtProlific, participant_id
from tests.simulation.emulators.prolific.test_emulator import body

WHO = participant_id("ada")


@pytest.fixture
def emulator() -> Iterator[Handle]:
    with process("--seed", "7", "--funds", "10000") as emulator:
        yield emulator


def ask(emulator: Handle, method: str, path: str, **told: object) -> httpx.Response:
    headers = {"Authorization": f"Token {TOKEN}"}
    return httpx.request(
        method, f"{emulator.url}/api/v1{path}", json=told, headers=headers, trust_env=False, timeout=10
    )


def publish(emulator: Handle) -> str:
    made = str(ask(emulator, "POST", "/studies/", **body()).json()["id"])
    assert ask(emulator, "POST", f"/studies/{made}/transition/", action="PUBLISH").status_code == 200
    return made


def test_participants_take_places_and_the_books_say_what_was_paid(emulator: Handle) -> None:
    study = publish(emulator)
    ada, bob = (AtProlific(emulator.participant(participant_id(name))) for name in ("ada", "bob"))
    assert ada.offers() == [study]
    place = ada.take(study)
    assert place is not None and f"p={WHO}&s={place.id}" in place.url
    assert ada.take(study) is None, "everybody takes a study once"
    ada.finish({"href": f"{emulator.url}/submissions/complete?cc=DONE"})
    with pytest.raises(ApiError, match="404"):
        ada.finish({"href": f"{emulator.url}/submissions/complete?cc=DONE"})
    assert emulator.state()["unpaid"] == [place.id]
    ask(emulator, "POST", f"/submissions/{place.id}/transition/", action="APPROVE")
    left = bob.take(study)
    assert left is not None
    bob.give_back(left)
    theirs = of_prolific(emulator.url, {study})
    assert dict(theirs.sums) == {"rewards": 100, "fees": 43, "reserved": 143}
    assert (theirs.publications, theirs.wrong) == ([study], [])


def test_whose_time_is_up_makes_room_for_others(emulator: Handle) -> None:
    study = publish(emulator)
    ada = AtProlific(emulator.participant(WHO))
    place = ada.take(study)
    assert place is not None
    ada.abandon(place)
    assert [one["status"] for one in emulator.state()["submissions"]] == ["TIMED-OUT"]
    with pytest.raises(RefusedError, match="TIMED-OUT"):
        ada.abandon(place)


def test_it_kills_whom_it_is_aimed_at_and_nobody_else(emulator: Handle) -> None:
    emulator.set_faults("kill-after:create-study:each")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as victim:
        emulator.aim(victim.pid)
        with pytest.raises(httpx.RemoteProtocolError):
            ask(emulator, "POST", "/studies/", **body())
        assert victim.wait() == -9
    assert len(emulator.state()["studies"]) == 1
    for pid in (0, 1, -5):
        with pytest.raises(RefusedError, match="400"):
            emulator.aim(pid)
    with pytest.raises(RefusedError, match="is no fault"):
        emulator.set_faults("explode")


def test_ids_of_other_seeds_are_others(emulator: Handle) -> None:
    with process("--seed", "8", "--funds", "10000") as other:
        assert publish(emulator) != publish(other)


def test_each_request_is_struck_once_by_each_fault() -> None:
    faults = Faults([read_fault("break:get-study:each"), read_fault("throttle:get-study:each")])
    found = [faults.of_request("get-study", same) for same in ("a", "a", "a", "b")]
    assert found == ["break", "throttle", None, "break"]
    assert faults.of_request("create-study", "a") is None


def test_no_connection_waits_for_another_request() -> None:
    """Threads share a handle, and one may close a connection that another has just been given."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with Handle(f"http://127.0.0.1:{address[1]}") as handle, ThreadPoolExecutor(1) as other:
            reply = other.submit(handle.state)
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as request:
                headers = b"".join(iter(request.readline, b"\r\n")).lower()
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                assert b"connection: close\r\n" in headers
                assert request.read() == b"", "the connection is closed after the reply"
            assert reply.result() == {}
