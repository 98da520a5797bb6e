"""The platform in memory keeps the contract, and fails where it is told to."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.workflows.platforms.contract import ProviderContract
from tests.workflows.platforms.fake import FakeProvider
from tests.workflows.platforms.orders import make_order
from workflows.platforms.provider import UnavailableError


class KilledError(BaseException):
    pass


@dataclass
class FakeStage:
    provider: FakeProvider = field(default_factory=FakeProvider)
    workers: tuple[str, str, str] = ("A1", "A2", "A3")
    unknown: str = "Z0"

    def work(self, publication_id: str, worker: str) -> str:
        return self.provider.work(publication_id, worker)

    def break_off(self, operation: str, *, after: bool) -> None:
        self.provider.fail_next(operation, UnavailableError("no answer"), after=after)

    def drain(self) -> None:
        self.provider.funds = 0


class TestFakeProvider(ProviderContract):
    @pytest.fixture
    def stage(self) -> FakeStage:
        return FakeStage()


@pytest.mark.parametrize("after", [False, True])
def test_any_call_can_be_the_last(after: bool) -> None:
    fake = FakeProvider()
    fake.fail_at(2, KilledError(), after=after)
    one = fake.publish(make_order())
    with pytest.raises(KilledError):
        fake.expire(one.external_id)
    seen = fake.look(one.external_id)
    assert seen is not None and seen.free == (0 if after else 2)
    assert [name for name, _ in fake.calls] == ["publish", "expire", "look"]


def test_the_id_of_a_returned_assignment_goes_to_the_next_worker() -> None:
    fake = FakeProvider()
    one = fake.publish(make_order(places=1))
    given = fake.accept(one.external_id, "A1")
    fake.give_back(given)
    assert fake.work(one.external_id, "A2") == given
    assert [each.worker for each in fake.submissions(one.external_id)] == ["A2"]


def test_places_that_nobody_used_are_free_again_in_the_balance() -> None:
    fake = FakeProvider(funds=200)
    one = fake.publish(make_order())
    assert fake.bound == 2 * 60
    fake.approve(fake.work(one.external_id, "A1"))
    fake.expire(one.external_id)
    assert (fake.bound, fake.spent) == (0, 60)
