"""The emulator in its own process, and how it continues from where it stopped."""

from __future__ import annotations

from pathlib import Path

from simulation.emulators.mturk.run import Saved, make_world, process, serving
from tests.simulation.emulators.mturk.calls import START, make_hit, status, submitted


def test_a_process_of_its_own_is_the_same_emulator(tmp_path: Path) -> None:
    data = tmp_path / "mturk.json"
    arguments = ("--stand", str(START), "--funds", "500", "--data", str(data), "--fault", "throttle,nth=99")
    with process(*arguments) as turk:
        hit = make_hit(turk, UniqueRequestToken="t")
        turk.client().approve_assignment(AssignmentId=submitted(turk, hit))
        assert turk.books()["available"] == 488 and status(turk, hit) == "Reviewable"
    assert data.exists()


def test_a_saved_state_goes_on_with_every_row_and_every_cent(tmp_path: Path) -> None:
    saved, world = Saved(tmp_path / "mturk.json"), make_world(seed=3, stand=START)
    assert saved.load() is None
    with serving(world) as turk:
        one = submitted(turk, make_hit(turk, 2, UniqueRequestToken="t"))
        client = turk.client()
        client.send_bonus(WorkerId="A1", AssignmentId=one, BonusAmount="0.05", Reason="r")
        made = client.create_qualification_type(Name="Q", Description="d", QualificationTypeStatus="Active")
        ours = made["QualificationType"]["QualificationTypeId"]
        turk.worker("A1").request(ours)
        client.associate_qualification_with_worker(QualificationTypeId=ours, WorkerId="A1")
        turk.client("sqs").send_message(QueueUrl=turk.queue_url, MessageBody="x")
        taken = turk.worker("A2").accept(hit_id=turk.state()["hits"][0]["id"])["assignmentId"]
        turk.worker("A2").give_back(taken)
    saved.save(world)
    assert saved.load() == world.state
