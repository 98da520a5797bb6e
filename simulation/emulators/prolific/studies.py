"""Operations on studies."""

from __future__ import annotations

from collections import Counter
from typing import Any

from simulation.emulators.prolific.clock import text
from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.lifecycle import set_status
from simulation.emulators.prolific.request_checks import MAX_MINUTES, check_study
from simulation.emulators.prolific.requests import Reply, Request, page_of
from simulation.emulators.prolific.world import Study, World

AFTERWARDS = ("internal_name", "total_available_places", "submissions_config")
MOVES = {
    "PUBLISH": (("UNPUBLISHED",), "ACTIVE"),
    "PAUSE": (("ACTIVE",), "PAUSED"),
    "START": (("PAUSED",), "ACTIVE"),
    "STOP": (("ACTIVE", "PAUSED"), "COMPLETED"),
}


def create(world: World, request: Request) -> Reply:
    fields = check_study(world, request.body)
    study = Study(world.new_id(), {**fields, "project": world.project}, world.clock.now())
    study.fields.setdefault("maximum_allowed_time", MAX_MINUTES)
    world.studies[study.id] = study
    return Reply(201, whole(world, study))


def get(world: World, request: Request) -> Reply:
    return Reply(body=whole(world, world.study(request.ids[0])))


def every(world: World, request: Request) -> Reply:
    """Return the studies of a project, or all."""
    if request.ids and request.ids[0] != world.project:
        raise MissingError("The project")
    path = f"/projects/{request.ids[0]}/studies/" if request.ids else "/studies/"
    rows = [short(world, study) for study in world.studies.values()]
    if request.params.get("ordering") == "-date_created":
        rows.reverse()
    return page_of(request, path, rows)


def update(world: World, request: Request) -> Reply:
    study = world.study(request.ids[0])
    fields = check_study(world, request.body, partly=True)
    if study.status != "UNPUBLISHED":
        for field in fields:
            if field not in AFTERWARDS:
                raise RefusalError(400, {field: ["Cannot be changed once the study is published."]})
        _check_more(world, study, fields)
    study.fields.update(fields)
    return Reply(body=whole(world, study))


def delete(world: World, request: Request) -> Reply:
    study = world.study(request.ids[0])
    if study.status != "UNPUBLISHED":
        raise RefusalError(400, "Published studies cannot be deleted.")
    del world.studies[study.id]
    return Reply(204)


def transition(world: World, request: Request) -> Reply:
    study, action = world.study(request.ids[0]), request.body.get("action")
    if action not in MOVES:
        raise RefusalError(400, {"action": [f"{action!r} is not a valid choice."]})
    before, after = MOVES[action]
    if study.status not in before:
        raise RefusalError(400, f"A study that is {study.status} cannot {action}.")
    if action == "PUBLISH":
        _check_funds(world, world.whole_cost(study))
        study.published_at = world.clock.now()
    study.stopped = action == "STOP"
    set_status(world, study, after)
    return Reply(body=whole(world, study))


def counts(world: World, request: Request) -> Reply:
    study = world.study(request.ids[0])
    found = Counter(one.status for one in world.of_study(study))
    return Reply(body={**found, "TOTAL": found.total()})


def _check_more(world: World, study: Study, fields: dict[str, Any]) -> None:
    """Check that places are only added. A completed study continues then."""
    more = fields.get("total_available_places", 0) - study.fields["total_available_places"]
    if "total_available_places" not in fields or not more:
        return
    if more < 0:
        raise RefusalError(400, {"total_available_places": ["Can only be increased."]})
    _check_funds(world, more * world.cost(study) + world.screen_outs_anew(study))
    study.stopped = False
    set_status(world, study, "ACTIVE")


def _check_funds(world: World, cost: int) -> None:
    if cost > world.available:
        raise RefusalError(400, "You do not have enough funds in your balance. Top up your account.")


def short(world: World, study: Study) -> dict[str, Any]:
    fields, places = study.fields, study.fields["total_available_places"]
    return {
        "id": study.id,
        "name": fields["name"],
        "internal_name": fields.get("internal_name"),
        "status": study.status,
        "study_type": "SINGLE",
        "estimated_completion_time": fields["estimated_completion_time"],
        "total_available_places": places,
        "places_taken": world.places_taken(study),
        "number_of_submissions": len(world.of_study(study)),
        "reward": fields["reward"],
        "total_cost": places * world.cost(study),
        "published_at": text(study.published_at),
        "publish_at": None,
        "date_created": text(study.created),
        "is_ready_to_publish": study.status == "UNPUBLISHED",
    }


def whole(world: World, study: Study) -> dict[str, Any]:
    return {
        **study.fields,
        **short(world, study),
        "currency_code": world.books.currency,
        "presentment_currency_code": world.books.currency,
        "researcher": {"id": world.researcher},
    }
