"""The MTurk provider against the emulator, every request held against botocore's service model."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from botocore.model import ListShape, OperationModel, Shape, StructureShape
from botocore.validate import ParamValidator

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.call_rate import Bucket, Pace
from workflows.platforms.mturk.provider import MTurk
from workflows.platforms.provider import Environment

OPERATIONS = {
    "publish": "CreateHITWithHITType",
    "approve": "ApproveAssignment",
    "reject": "RejectAssignment",
    "bonus": "SendBonus",
    "extend": "CreateAdditionalAssignmentsForHIT",
}
"""What matters of a method of Provider: one call of the API."""


@dataclass
class MTurkStage:
    provider: MTurk
    turk: Handle
    workers: tuple[str, str, str] = ("A1EXAMPLE", "A2EXAMPLE", "A3EXAMPLE")
    unknown: str = "3UNKNOWN"
    asked: list[str] = field(default_factory=list)  # operations whose requests were validated

    def work(self, publication_id: str, worker: str) -> str:
        somebody = self.turk.worker(worker)
        taken = somebody.accept(hit_id=publication_id)
        somebody.submit(taken["assignmentId"], token="page")
        return str(taken["assignmentId"])

    def break_off(self, operation: str, *, after: bool) -> None:
        kind = "timeout-after" if after else "error-before"
        self.turk.set_faults({"kind": kind, "operation": OPERATIONS[operation], "nth": 1})

    def drain(self) -> None:
        self.turk.add_funds(-self.turk.books()["available"])

    def validate(self, params: dict[str, Any], model: OperationModel, **_: object) -> None:
        """Check a request before botocore builds it: botocore itself validates little."""
        assert model.input_shape is not None
        report = ParamValidator().validate(params, model.input_shape)
        assert not report.has_errors(), report.generate_report()
        check_strictly(params, model.input_shape, model.name)
        self.asked.append(model.name)


def check_strictly(value: Any, shape: Shape, path: str) -> None:
    """Check patterns, maxima and enumerations, too: botocore leaves them to the service."""
    if isinstance(shape, StructureShape):
        for name, part in value.items():
            check_strictly(part, shape.members[name], f"{path}.{name}")
    elif isinstance(shape, ListShape):
        for number, part in enumerate(value):
            check_strictly(part, shape.member, f"{path}[{number}]")
    else:
        rules = shape.metadata
        size = len(value) if isinstance(value, str) else value
        assert "max" not in rules or size <= rules["max"], f"{path} is over {rules['max']}"
        assert "enum" not in rules or value in rules["enum"], f"{path} is {value!r}"
        pattern = rules.get("pattern")
        assert not pattern or re.search(pattern, value), f"{path}: {value!r} does not match {pattern}"


@contextmanager
def mturk_stage(*, tries: int = 1, **world: Any) -> Iterator[MTurkStage]:
    """Yield our provider and the emulator that it calls, which is made with `world`.

    With one try, a lost reply raises UnavailableError.
    """
    with emulator(seed=1, **world) as turk:
        pace = Pace(Bucket(1e6, 10**6), tries=tries, sleep=lambda _: None, rng=random.Random(1))
        account = MTurkAccount(
            endpoint=turk.url,
            environment=Environment.EMULATOR,
            key_id=turk.account.key_id,
            secret=turk.account.secret,
            queue_url=turk.queue_url,
        )
        provider = MTurk(account, pace=pace)
        stage = MTurkStage(provider, turk)
        # The first event hands parameters over, the second is the last chance to change them.
        provider.client.meta.events.register_last("before-parameter-build.mturk", stage.validate)
        provider.client.meta.events.register_last("provide-client-params.mturk", stage.validate)
        yield stage
