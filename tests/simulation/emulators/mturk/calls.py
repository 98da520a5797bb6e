"""Calls that most tests of the emulator make."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.question import QUESTION

START = 1_790_000_000.0
HOUR = 3600
REASON = "The page was left empty."


def question(url: str = "https://crowd.example/work", height: int = 0) -> str:
    return (
        f'<ExternalQuestion xmlns="{QUESTION}"><ExternalURL>{url}</ExternalURL>'
        f"<FrameHeight>{height}</FrameHeight></ExternalQuestion>"
    )


def make_type(turk: Handle, **changed: Any) -> str:
    values = {
        "Title": "Link phrases",
        "Description": "Say which phrases mean the same.",
        "Reward": "0.10",
        "AssignmentDurationInSeconds": 600,
        "AutoApprovalDelayInSeconds": 5 * HOUR,
    }
    return str(turk.client().create_hit_type(**{**values, **changed})["HITTypeId"])


def make_hit(turk: Handle, places: int = 1, *, type_id: str = "", **changed: Any) -> str:
    values = {"LifetimeInSeconds": HOUR, "Question": question(), **changed}
    made = turk.client().create_hit_with_hit_type(
        HITTypeId=type_id or make_type(turk), MaxAssignments=places, **values
    )
    return str(made["HIT"]["HITId"])


def submitted(turk: Handle, hit_id: str, worker: str = "A1") -> str:
    """Accept and submit an assignment. Return its id."""
    taken = turk.worker(worker).accept(hit_id=hit_id)
    turk.worker(worker).submit(taken["assignmentId"])
    return str(taken["assignmentId"])


def status(turk: Handle, hit_id: str) -> str:
    return str(turk.client().get_hit(HITId=hit_id)["HIT"]["HITStatus"])


def counts(turk: Handle, hit_id: str) -> tuple[int, int, int]:
    """Return the HIT's counts: available, pending, completed."""
    hit = turk.client().get_hit(HITId=hit_id)["HIT"]
    free, pending, done = (
        hit[f"NumberOfAssignments{name}"] for name in ("Available", "Pending", "Completed")
    )
    return free, pending, done


class refused:
    """Assert that the call in the block is refused with this TurkErrorCode, or with this kind of error."""

    def __init__(self, code: str = "", *, kind: str = "RequestError", http: int = 400) -> None:
        self.code, self.kind, self.http = code, kind, http
        self.message = ""

    def __enter__(self) -> refused:
        self._raises = pytest.raises(ClientError)
        self._found = self._raises.__enter__()
        return self

    def __exit__(self, *about: Any) -> bool:
        silenced = bool(self._raises.__exit__(*about))
        response: Any = self._found.value.response
        self.message = response["Error"]["Message"]
        told = (response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"])
        assert told == (self.kind, self.http), response
        if self.code:
            assert response["TurkErrorCode"] == f"AWS.MechanicalTurk.{self.code}", response
        return silenced
