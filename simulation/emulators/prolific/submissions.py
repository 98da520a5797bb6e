"""The researcher's operations on submissions."""

from __future__ import annotations

from typing import Any

from simulation.emulators.prolific.clock import text
from simulation.emulators.prolific.errors import RefusalError
from simulation.emulators.prolific.lifecycle import move
from simulation.emulators.prolific.requests import Reply, Request, page_of
from simulation.emulators.prolific.world import APPROVED, AWAITING, REJECTED, Submission, World

CATEGORIES = (
    "TOO_QUICKLY",
    "TOO_SLOWLY",
    "FAILED_INSTRUCTIONS",
    "INCOMP_LONGITUDINAL",
    "FAILED_CHECK",
    "LOW_EFFORT",
    "MALINGERING",
    "NO_CODE",
    "BAD_CODE",
    "NO_DATA",
    "UNSUPP_DEVICE",
    "OTHER",
)
MIN_MESSAGE = 100
MOVES = {
    "APPROVE": ((AWAITING,), APPROVED),
    "REJECT": ((AWAITING,), REJECTED),
    "UNREJECT": ((REJECTED,), AWAITING),
}


def every(world: World, request: Request) -> Reply:
    study_id = request.params.get("study")
    if not study_id:
        raise RefusalError(400, {"study": ["This field is required."]})
    mine = sorted(world.of_study(world.study(study_id)), key=lambda one: (one.started, one.id))
    status = request.params.get("status", "").replace("_", " ").upper()
    rows = [_short(world, one) for one in mine if not status or one.status == status]
    return page_of(request, "/submissions/", rows)


def get(world: World, request: Request) -> Reply:
    return Reply(body=_whole(world, world.submission(request.ids[0])))


def transition(world: World, request: Request) -> Reply:
    """Approve or reject a submission. To repeat it is ignored, as the reference says."""
    submission, action = world.submission(request.ids[0]), request.body.get("action")
    if action not in MOVES:
        raise RefusalError(400, {"action": [f"{action!r} is not a valid choice."]})
    if action == "REJECT":
        _check_rejection(request.body)
    before, after = MOVES[action]
    if submission.status != after:
        if submission.status not in before:
            raise RefusalError(400, f"A submission that is {submission.status} cannot {action}.")
        move(world, submission, after)
    return Reply(body=_whole(world, submission))


def request_return(world: World, request: Request) -> Reply:
    submission = world.submission(request.ids[0])
    reasons = request.body.get("request_return_reasons")
    if not isinstance(reasons, list) or not reasons:
        raise RefusalError(400, {"request_return_reasons": ["This field is required."]})
    if submission.status != AWAITING:
        raise RefusalError(400, f"A submission that is {submission.status} cannot be asked back.")
    submission.return_requested = world.clock.now()
    message = {"recipient_id": submission.participant, "body": "; ".join(map(str, reasons))}
    world.messages.append({**message, "study_id": submission.study})
    return Reply(body=_whole(world, submission))


def _check_rejection(body: dict[str, Any]) -> None:
    if body.get("rejection_category") not in CATEGORIES:
        raise RefusalError(400, {"rejection_category": ["Not a valid choice."]})
    if not isinstance(body.get("message"), str) or len(body["message"]) < MIN_MESSAGE:
        raise RefusalError(400, {"message": [f"At least {MIN_MESSAGE} characters are required."]})


def _short(world: World, one: Submission) -> dict[str, Any]:
    return {
        "id": one.id,
        "participant_id": one.participant,
        "status": one.status,
        "started_at": text(one.started),
        "completed_at": text(one.completed),
        "has_siblings": len([each for each in world.submissions.values() if each.study == one.study]) > 1,
        "study_code": one.code,
        "return_requested": text(one.return_requested),
    }


def _whole(world: World, one: Submission) -> dict[str, Any]:
    now = world.clock.now()
    return {
        "id": one.id,
        "participant": one.participant,
        "study_id": one.study,
        "status": one.status,
        "started_at": text(one.started),
        "completed_at": text(one.completed),
        "entered_code": one.code,
        "bonus_payments": [float(amount) for amount, shown in one.bonuses if shown <= now],
        "return_requested": text(one.return_requested),
    }
