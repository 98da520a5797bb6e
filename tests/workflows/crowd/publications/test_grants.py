from __future__ import annotations

import pytest

from annotation.models import Batch, Standing
from tests.factories import NOW, make_worker
from tests.workflows.crowd.rounds.test_due_publications import Slow
from tests.workflows.crowd.scene import Scene, make_crowd_batch
from workflows.crowd.models import Grant
from workflows.crowd.rounds.step import round_of
from workflows.platforms.provider import RefusedError
from workflows.workers.enrolment import block_worker, enrol_worker, unblock_worker

pytestmark = pytest.mark.django_db
TRUSTED, LOST = Standing.State.TRUSTED, Standing.State.LOST


@pytest.fixture
def batch(scene: Scene) -> Batch:
    batch = make_crowd_batch(regime={"link": "trusted"})
    scene.round()
    return batch


def stand(batch: Batch, name: str, state: str) -> None:
    worker = enrol_worker(project=batch.project, external_id=name, provider="mturk")
    Standing.objects.update_or_create(
        worker=worker, stage="link", batch=None, defaults={"state": state, "changed_at": NOW}
    )


def holders(scene: Scene) -> dict[str, list[str]]:
    return {
        name.rpartition(" ")[2]: sorted(scene.fake.held[external_id])
        for external_id, name in scene.fake.qualifications.items()
    }


def test_those_who_lost_trust_are_kept_out_by_what_is_published(scene: Scene, batch: Batch) -> None:
    (order,) = [one.order for one in scene.fake.publications.values()]
    names = [scene.fake.qualifications[one] for one in order.requirements.lacking]
    assert names == [f"{batch.project.name} link closed"] and not order.requirements.holding


def test_work_can_be_for_trusted_workers_alone(scene: Scene) -> None:
    make_crowd_batch(regime={"link": "trusted"}, crowd={"only_trusted": True})
    scene.round()
    (order,) = [one.order for one in scene.fake.publications.values()]
    assert [scene.fake.qualifications[one][-7:] for one in order.requirements.holding] == ["trusted"]


def test_qualifications_follow_standings(scene: Scene, batch: Batch) -> None:
    stand(batch, "W1", TRUSTED)
    stand(batch, "W2", LOST)
    make_worker(batch.project)  # came by a link: the platform does not know them
    assert scene.round().grants == 2
    assert holders(scene) == {"trusted": ["W1"], "closed": ["W2"]}
    assert scene.round().grants == 0
    stand(batch, "W1", LOST)
    stand(batch, "W2", TRUSTED)
    scene.round()
    assert holders(scene) == {"trusted": ["W2"], "closed": ["W1"]}


def test_a_change_while_the_platform_is_told_is_told_again(scene: Scene, batch: Batch) -> None:
    stand(batch, "W1", TRUSTED)
    grant = scene.fake.grant

    def change_meanwhile(qualification_id: str, worker: str, *, value: int = 1) -> None:
        grant(qualification_id, worker, value=value)
        Grant.objects.filter(wanted=True).update(wanted=False)

    scene.fake.grant = change_meanwhile  # type: ignore[method-assign]
    scene.round()
    assert not Grant.objects.get().known


def test_blocked_workers_are_blocked_there_until_they_are_not(scene: Scene, batch: Batch) -> None:
    worker = enrol_worker(project=batch.project, external_id="W1", provider="mturk")
    block_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    scene.round()
    assert set(scene.fake.blocked) == {"W1"}
    unblock_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    scene.round()
    assert not scene.fake.blocked
    assert scene.fake.called("block") == ["W1"] == scene.fake.called("unblock")


def test_those_whom_the_platform_refuses_hold_up_nobody_behind_them(scene: Scene, batch: Batch) -> None:
    """The platform never takes them, and they are more than a round has time for."""
    for number in range(50):
        worker = enrol_worker(project=batch.project, external_id=f"W{number}", provider="mturk")
        block_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    does = scene.fake.block

    def block_the_last(worker: str, *, reason: str = "") -> None:
        if worker == "W49":
            return does(worker, reason=reason)
        scene.fake.calls.append(("block", worker))
        raise RefusedError("There is no such worker.")

    scene.fake.block = block_the_last  # type: ignore[method-assign]
    for _ in range(12):
        scene.wait(seconds=30)
        round_of(provider=scene.fake, now=scene.now, clock=Slow(scene))
    assert set(scene.fake.blocked) == {"W49"}


def test_a_worker_whom_another_project_blocks_stays_blocked(scene: Scene, batch: Batch) -> None:
    other = make_crowd_batch()
    scene.round()
    here, there = (
        enrol_worker(project=one.project, external_id="W1", provider="mturk") for one in (batch, other)
    )
    for worker in (here, there):
        block_worker(worker_id=worker.pk, by="ada", note="", now=NOW)
    scene.round()
    unblock_worker(worker_id=here.pk, by="ada", note="", now=NOW)
    scene.round()
    assert set(scene.fake.blocked) == {"W1"}
    unblock_worker(worker_id=there.pk, by="ada", note="", now=NOW)
    scene.round()
    assert not scene.fake.blocked
