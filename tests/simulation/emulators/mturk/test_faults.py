"""Each switch does what it says, and no more."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from botocore.exceptions import ConnectionClosedError

from simulation.emulators.mturk.__main__ import main
from simulation.emulators.mturk.faults import FaultError, Kind, parse_fault, read_fault
from simulation.emulators.mturk.handle import Handle, RefusedError
from tests.simulation.emulators.mturk.calls import make_hit, make_type, question, refused

TOKEN = "order-1"


def publish(turk: Handle, type_id: str) -> str:
    return make_hit(turk, type_id=type_id, UniqueRequestToken=TOKEN)


def test_a_timeout_after_success_has_done_it(turk: Handle) -> None:
    type_id = make_type(turk)
    turk.set_faults({"kind": "timeout-after", "operation": "CreateHITWithHITType", "times": 1})
    with pytest.raises(ConnectionClosedError):
        publish(turk, type_id)
    with refused("HITAlreadyExists"):
        publish(turk, type_id)
    assert [call["outcome"] for call in turk.calls("CreateHITWithHITType")] == [
        "timeout-after",
        "AWS.MechanicalTurk.HITAlreadyExists",
    ]
    assert len(turk.state()["hits"]) == 1


@pytest.mark.parametrize(
    ("fault", "kind", "http"),
    [
        ({"kind": "error-before"}, "ServiceFault", 500),
        ({"kind": "throttle"}, "ThrottlingException", 400),
        ({"kind": "refuse", "code": "InsufficientFunds"}, "RequestError", 400),
    ],
)
def test_an_error_has_done_nothing(turk: Handle, fault: dict[str, str], kind: str, http: int) -> None:
    type_id = make_type(turk)
    turk.set_faults({**fault, "nth": 1})
    with refused(fault.get("code", ""), kind=kind, http=http):
        publish(turk, type_id)
    assert turk.state()["hits"] == [] and not turk.calls()[-1]["performed"]
    assert publish(turk, type_id)


def test_every_third_call_is_throttled(turk: Handle) -> None:
    turk.set_faults({"kind": "throttle", "every": 3, "operation": "GetAccountBalance"})
    for number in range(1, 7):
        if number % 3:
            turk.client().get_account_balance()
        else:
            with refused(kind="ThrottlingException"):
                turk.client().get_account_balance()


@pytest.mark.parametrize(("kind", "hits"), [(Kind.KILL_BEFORE, 0), (Kind.KILL_AFTER, 1)])
def test_the_caller_is_killed_before_or_after_its_call(turk: Handle, kind: Kind, hits: int) -> None:
    type_id = make_type(turk)
    ready, go = os.pipe()
    child = os.fork()
    if not child:
        os.read(ready, 1)  # the fault is set, and it has to kill the child before it sees a reply
        try:
            publish(turk, type_id)
        finally:
            os._exit(1)
    turk.set_faults({"kind": kind.value, "operation": "CreateHITWithHITType", "pid": child})
    os.write(go, b"!")
    os.close(go)
    os.close(ready)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    turk.set_faults()
    assert len(turk.state()["hits"]) == hits
    assert turk.calls()[-1]["outcome"] == kind.value


def test_every_call_is_struck_once_before_and_once_after_it_is_done(turk: Handle) -> None:
    type_id = make_type(turk)
    turk.set_faults({"kind": "error-before", "once": True}, {"kind": "timeout-after", "once": True})
    for token in ("a", "b"):
        with refused(kind="ServiceFault", http=500):
            make_hit(turk, type_id=type_id, UniqueRequestToken=token)
        with pytest.raises(ConnectionClosedError):
            make_hit(turk, type_id=type_id, UniqueRequestToken=token)
        with refused("HITAlreadyExists"):
            make_hit(turk, type_id=type_id, UniqueRequestToken=token)
    assert len(turk.state()["hits"]) == 2


def test_a_clock_that_is_wrong_is_wrong_in_every_time_it_tells(turk: Handle) -> None:
    type_id = make_type(turk)
    turk.set_clock(skew=-90)
    made = turk.client().create_hit_with_hit_type(
        HITTypeId=type_id, LifetimeInSeconds=60, Question=question()
    )["HIT"]
    assert made["CreationTime"].timestamp() == turk.now()
    turk.set_clock(skew=0)
    assert turk.client().get_hit(HITId=made["HITId"])["HIT"]["HITStatus"] == "Reviewable"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("explode", "kind"),
        ("kill-before", "pid"),
        ("kill-after,pid=1", "pid"),
        ("throttle,every=-1", "every"),
        ("throttle,often=1", "often"),
        ("delay,seconds=soon", "seconds"),
        ("throttle,once=2", "once"),
    ],
)
def test_a_fault_that_is_none_says_why(text: str, says: str) -> None:
    with pytest.raises(FaultError, match=says):
        parse_fault(text)


def test_the_emulator_is_not_killed_by_its_own_fault(turk: Handle) -> None:
    with pytest.raises(FaultError, match="pid"):
        read_fault({"kind": "kill-after", "pid": os.getpid()})
    with pytest.raises(RefusedError, match="often"):
        turk.set_faults({"kind": "throttle", "often": 2})


def test_a_wrong_fault_on_the_command_line_is_an_error_that_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["mturk", "--fault", "explode"])
    with pytest.raises(SystemExit) as raised:
        main()
    assert raised.value.code == 2 and "kind of a fault has to be one of" in capsys.readouterr().err
