from __future__ import annotations

import pytest

from workflows.pipeline.domain.photograph_reports import Report, rests, untold_items


@pytest.mark.parametrize(
    ("reports", "dismissed", "expected"),
    [
        ([], [], False),
        ([Report(1, 7, False)], [], False),
        ([Report(1, 7, False), Report(2, 7, False)], [], False),
        ([Report(1, 7, False), Report(2, 8, False)], [], True),
        ([Report(1, 7, True)], [], True),
        ([Report(1, 7, False), Report(2, 8, False)], [2], False),
        ([Report(1, 7, True), Report(2, 8, False)], [1], False),
        ([Report(1, 7, True), Report(2, 8, False), Report(3, 9, False)], [1], True),
    ],
)
def test_an_image_rests_once_two_workers_or_the_server_say_so(
    reports: list[Report], dismissed: list[int], expected: bool
) -> None:
    assert rests(reports, dismissed) == expected
    assert rests(reports[::-1], dismissed) == expected


@pytest.mark.parametrize(
    ("workers", "dismissed", "expected"),
    [([7], [], False), ([7, 7], [], False), ([7, 8], [], True), ([7, 8], [1], False), ([7, 8, 9], [1], True)],
)
def test_an_item_waits_once_two_workers_cannot_tell(
    workers: list[int], dismissed: list[int], expected: bool
) -> None:
    reports = [Report(pk, worker, False, unsure=50) for pk, worker in enumerate(workers, start=1)]
    others = [Report(8, 7, False, unsure=51), Report(9, 10, False)]
    assert untold_items([*reports, *others], dismissed) == ({50} if expected else set())
    assert not rests([*reports, *others], dismissed)
