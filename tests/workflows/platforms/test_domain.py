"""Platforms' ids, as the address of a page has them."""

from __future__ import annotations

import botocore.session
import pytest

from workflows.platforms.domain import strange


@pytest.mark.parametrize(
    ("provider", "assignment", "worker", "wrong"),
    [
        ("mturk", "3QAVNHZ3EM4H5Z1LUGZ8Z4D1TAPLAN", "A2XJMQ6JUN9OAZ", []),
        ("mturk", "A1", "W1", ["worker"]),
        ("mturk", "a1", "A", ["assignment", "worker"]),
        ("mturk", "A" * 64, "A" * 64, []),
        ("mturk", "A" * 65, "A" * 65, ["assignment", "worker"]),
        ("mturk", "A1\n", "A1\n", ["assignment", "worker"]),
        ("prolific", "60d9aadeb86739de712faee0", "5f3ac07f79d1a12b9e0c6d11", []),
        ("prolific", "60d9-1", "a_b", ["assignment", "worker"]),
        ("direct", "-", "_", []),
    ],
)
def test_what_a_platform_never_says_is_found(
    provider: str, assignment: str, worker: str, wrong: list[str]
) -> None:
    assert strange(provider, assignment=assignment, worker=worker) == wrong


def test_mturks_are_those_of_its_model() -> None:
    model = botocore.session.get_session().get_service_model("mturk")
    shape = model.operation_model("SendBonus").input_shape
    assert shape is not None
    asked = shape.members
    assert asked["AssignmentId"].metadata == {"min": 1, "max": 64, "pattern": "^[A-Z0-9]+$"}
    assert asked["WorkerId"].metadata == {"min": 1, "max": 64, "pattern": "^A[A-Z0-9]+$"}
