"""How studies and submissions change by actions and by the clock."""

from __future__ import annotations

from datetime import timedelta

from simulation.emulators.prolific.world import (
    ACTIVE,
    APPROVED,
    AUTOMATIC,
    AWAITING,
    OPEN,
    RESERVATION,
    RESERVED,
    SCREENED_OUT,
    TIMED_OUT,
    Study,
    Submission,
    World,
)


def move(world: World, submission: Submission, status: str) -> None:
    """Give a submission its next status, send an event, and update its study."""
    if submission.status == status:
        return
    submission.status = status
    if status == APPROVED:
        study = world.studies[submission.study]
        world.books.pay(
            "reward", study.fields["reward"], study=study.id, submission=submission.id, at=world.clock.now()
        )
    if status == SCREENED_OUT:
        _screen_out(world, submission)
    world.events.append(
        (
            "submission.status.change",
            {
                "resource_id": submission.id,
                "participant_id": submission.participant,
                "status": status,
            },
        )
    )
    follow(world, world.studies[submission.study])


def _screen_out(world: World, submission: Submission) -> None:
    """Pay a participant who was screened out. Once the last may be, the study is paused."""
    study = world.studies[submission.study]
    action = world.screen_out(study)
    assert action is not None
    world.books.pay(
        "screen-out",
        action["fixed_screen_out_reward"],
        study=study.id,
        submission=submission.id,
        at=world.clock.now(),
    )
    if not world.screen_outs_left(study) and study.status == "ACTIVE":
        set_status(world, study, "PAUSED")


def set_status(world: World, study: Study, status: str) -> None:
    if study.status != status:
        study.status = status
        payload = {"resource_id": study.id, "metadata": {}, "status": status}
        world.events.append(("study.status.change", payload))


def follow(world: World, study: Study) -> None:
    """Update a study's status: a full study waits for review, and then it is completed.

    If a place becomes free then, the study is paused (researcher-help.prolific.com, "Pausing & stopping a
    study").
    """
    if study.stopped or study.status not in ("ACTIVE", AWAITING, "COMPLETED"):
        return
    mine = world.of_study(study)
    if world.places_taken(study) < study.fields["total_available_places"]:
        if study.status != "ACTIVE":
            set_status(world, study, "PAUSED")
    elif not any(one.status in (RESERVED, ACTIVE) for one in mine):
        waits = any(one.status == AWAITING for one in mine)
        set_status(world, study, AWAITING if waits else "COMPLETED")


def tick(world: World) -> None:
    """Do what is due by now: reservations and work time out, and overdue reviews become approvals."""
    now = world.clock.now()
    for submission in list(world.submissions.values()):
        if submission.status not in OPEN:
            continue
        allowed = timedelta(minutes=world.studies[submission.study].fields["maximum_allowed_time"])
        if (submission.status == RESERVED and now - submission.started > RESERVATION) or (
            submission.status == ACTIVE and now - submission.started > allowed
        ):
            move(world, submission, TIMED_OUT)
        elif (
            submission.status == AWAITING and submission.completed and now - submission.completed > AUTOMATIC
        ):
            move(world, submission, APPROVED)
