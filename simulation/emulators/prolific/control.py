"""The switches of the emulator as JSON, for tests, demonstrations and simulated participants.

GET  /emulator/books                                 sums, what is set aside by study, and every entry
GET  /emulator/state                                 studies, submissions, requests; unpaid, paid twice
GET  /emulator/studies?participant=<id>              those that this participant could take
POST /emulator/start {"participant", "study"}        takes a place
POST /emulator/return|abandon {"submission"}         gives it back, or lets its time run out
POST /emulator/clock {"seconds"}                     moves the clock, also back
POST /emulator/faults {"faults"}                     plans these instead of those there were
POST /emulator/aim {"pid"}                           faults that kill mean this process
POST /emulator/deliver                               sends the events that wait
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.faults import FaultError, read_fault
from simulation.emulators.prolific.participants import Participants
from simulation.emulators.prolific.requests import Reply
from simulation.emulators.prolific.webhooks import Hooks
from simulation.emulators.prolific.world import AWAITING, World


def control(
    participants: Participants,
    hooks: Hooks,
    requests: Sequence[str],
    method: str,
    what: str,
    params: dict[str, str],
    content: bytes,
) -> Reply:
    """Return the reply to a request; `requests` are the operations so far. Raise RefusalError."""
    world = hooks.world
    try:
        given: Any = json.loads(content) if content else {}
        with world.lock:
            match method, what:
                case "GET", "books":
                    return Reply(body=_books(world))
                case "GET", "state":
                    return Reply(body={**_state(world), "requests": list(requests)})
                case "GET", "studies":
                    found = participants.studies(params["participant"])
                    return Reply(body={"studies": [study.id for study in found]})
                case "POST", "start":
                    started = participants.start(given["study"], given["participant"])
                    return Reply(body={"submission": started.submission_id, "url": started.url})
                case "POST", "return":
                    participants.give_back(given["submission"])
                    return Reply(204)
                case "POST", "abandon":
                    participants.abandon(given["submission"])
                    return Reply(204)
                case "POST", "clock":
                    world.clock.advance(float(given["seconds"]))
                    return Reply(204)
                case "POST", "faults":
                    world.faults.planned = [read_fault(text) for text in given["faults"]]
                    return Reply(204)
                case "POST", "aim":
                    world.faults.aim(given["pid"])
                    return Reply(204)
        if (method, what) == ("POST", "deliver"):  # our side may ask back: not under the lock
            return Reply(body={"taken": hooks.deliver()})
    except (FaultError, KeyError, TypeError, ValueError) as error:
        raise RefusalError(400, f"{type(error).__name__}: {error}") from error
    raise MissingError("The page")


def _books(world: World) -> dict[str, Any]:
    books = world.books
    return {
        "total": books.total,
        "available": world.available,
        "reserved": world.reserved(),
        "reserved_by_study": {study: world.reserved(study) for study in world.studies},
        "reward": books.paid("reward"),
        "bonus": books.paid("bonus"),
        "fees": sum(one.fee for one in books.entries),
        "currency": books.currency,
        "entries": [{**asdict(one), "at": one.at.isoformat()} for one in books.entries],
    }


def _state(world: World) -> dict[str, Any]:
    paid = (one for one in world.books.entries if one.kind in ("reward", "screen-out"))
    rewarded = Counter(one.submission for one in paid)
    return {
        "studies": [
            {"id": one.id, "internal_name": one.fields.get("internal_name", ""), "status": one.status}
            for one in world.studies.values()
        ],
        "submissions": [
            {"id": one.id, "study": one.study, "participant": one.participant, "status": one.status}
            for one in world.submissions.values()
        ],
        "groups": {one.name: sorted(one.members) for one in world.groups.values() if not one.deleted},
        "messages": list(world.messages),
        "struck": list(world.faults.struck),
        "unpaid": [one.id for one in world.submissions.values() if one.status == AWAITING],
        "paid_twice": [submission for submission, times in rewarded.items() if times > 1],
    }
