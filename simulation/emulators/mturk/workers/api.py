"""The worker's side as JSON for programs, under /api/worker/.

GET groups?workerId=, GET worker?workerId=; POST accept, submit, return, abandon, preview, request, profile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from http import HTTPStatus
from typing import Any

from simulation.emulators.mturk import lifecycle, money
from simulation.emulators.mturk.api import qualifications
from simulation.emulators.mturk.api.dispatch import Reply
from simulation.emulators.mturk.errors import ApiError, bad_value
from simulation.emulators.mturk.state import Assignment, Worker
from simulation.emulators.mturk.workers import actions as worker_actions
from simulation.emulators.mturk.world import World

Params = Mapping[str, Any]


def answer(world: World, path: str, query: dict[str, str], body: bytes | None) -> Reply:
    asked = _GETS if body is None else _POSTS
    if path not in asked:
        return _reply(HTTPStatus.NOT_FOUND, {"error": f"There is no {path!r}; there is {', '.join(asked)}."})
    try:
        params = query if body is None else json.loads(body)
        if not isinstance(params, dict):
            raise bad_value("The body has to be a JSON object.")
        with world.changed:
            lifecycle.catch_up(world)
            worker = worker_actions.known(str(params.get("workerId", "")))
            return _reply(HTTPStatus.OK, asked[path](world, worker, params))
    except ApiError as error:
        return _reply(error.status, {"error": error.message, "code": error.code})
    except ValueError as error:
        return _reply(HTTPStatus.BAD_REQUEST, {"error": str(error), "code": ""})


def _groups(world: World, worker: str, params: Params) -> object:
    return {
        "groups": [
            {
                "groupId": hit_type.group_id,
                "hitTypeId": hit_type.id,
                "title": hit_type.title,
                "description": hit_type.description,
                "reward": money.to_dollars(hit_type.reward),
                "hits": [hit.id for hit in hits],
            }
            for hit_type, hits in worker_actions.groups(world, worker)
        ]
    }


def _worker(world: World, worker: str, params: Params) -> object:
    return asdict(world.state.worker(worker))


def _profile(world: World, worker: str, params: Params) -> object:
    """Set fields of a worker's record, any of those of `Worker`."""
    found = world.state.worker(worker)
    wants = {one.name: type(getattr(found, one.name)) for one in fields(Worker) if one.name != "id"}
    for name, value in params.items():
        if name != "workerId":
            if name not in wants or type(value) is not wants[name]:
                raise bad_value(f"{name} of a worker cannot be {value!r}.")
            setattr(found, name, value)
    return asdict(found)


def _preview(world: World, worker: str, params: Params) -> object:
    hit = worker_actions.preview(world, worker, str(params.get("hitId", "")))
    return {"hitId": hit.id, "url": worker_actions.preview_address(world, hit)}


def _accept(world: World, worker: str, params: Params) -> object:
    hit_id, group_id = str(params.get("hitId", "")), str(params.get("groupId", ""))
    return _tell(world, worker_actions.accept(world, worker, hit_id=hit_id, group_id=group_id))


def _submit(world: World, worker: str, params: Params) -> object:
    """Submit an assignment. `params` are those of the page's form, besides assignmentId."""
    given = params.get("fields", {})
    if not isinstance(given, dict):
        raise bad_value("params has to be an object.")
    values = [(str(name), str(value)) for name, value in given.items()]
    return _tell(world, worker_actions.submit(world, str(params.get("assignmentId", "")), values))


def _return(world: World, worker: str, params: Params) -> object:
    worker_actions.give_back(world, worker, str(params.get("assignmentId", "")))
    return {}


def _abandon(world: World, worker: str, params: Params) -> object:
    """Abandon an assignment, as if its time were up."""
    worker_actions.give_back(world, worker, str(params.get("assignmentId", "")), how="abandoned")
    return {}


def _request(world: World, worker: str, params: Params) -> object:
    type_id, words = str(params.get("qualificationTypeId", "")), str(params.get("answer", ""))
    return {"qualificationRequestId": qualifications.request(world, type_id, worker, words)}


def _tell(world: World, one: Assignment) -> object:
    return {
        "assignmentId": one.id,
        "hitId": one.hit_id,
        "workerId": one.worker,
        "status": one.status.value,
        "deadline": one.deadline,
        "url": worker_actions.page_address(world, one),
        "turkSubmitTo": world.site,
    }


def _reply(status: int, content: object) -> Reply:
    return Reply(status, "application/json", json.dumps(content).encode())


_GETS: Mapping[str, Callable[[World, str, Params], object]] = {"groups": _groups, "worker": _worker}
_POSTS: Mapping[str, Callable[[World, str, Params], object]] = {
    "profile": _profile,
    "preview": _preview,
    "accept": _accept,
    "submit": _submit,
    "return": _return,
    "abandon": _abandon,
    "request": _request,
}
