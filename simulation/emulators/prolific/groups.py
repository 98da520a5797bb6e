"""Operations on participant groups."""

from __future__ import annotations

from typing import Any

from simulation.emulators.prolific.clock import text
from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.request_checks import ids, texts
from simulation.emulators.prolific.requests import Reply, Request, page_of
from simulation.emulators.prolific.world import Group, World


def every(world: World, request: Request) -> Reply:
    params = request.params
    if params.get("workspace_id") != world.workspace and params.get("project_id") != world.project:
        raise RefusalError(400, "A workspace_id or project_id of yours is required.")
    rows = [_shown(one) for one in world.groups.values() if not one.deleted]
    return page_of(request, "/participant-groups/", rows)


def create(world: World, request: Request) -> Reply:
    workspace, name = texts(request.body, "workspace_id", "name")
    if workspace != world.workspace:
        raise MissingError("The workspace")
    group = Group(world.new_id(), name, str(request.body.get("description") or ""), workspace)
    world.groups[group.id] = group
    _add(world, group, request.body.get("participant_ids") or [])
    return Reply(201, _shown(group))


def members(world: World, request: Request) -> Reply:
    return _members(world.group(request.ids[0]))


def add(world: World, request: Request) -> Reply:
    group = world.group(request.ids[0])
    _add(world, group, ids(request.body, "participant_ids"))
    return _members(group)


def remove(world: World, request: Request) -> Reply:
    group = world.group(request.ids[0])
    for one in ids(request.body, "participant_ids"):
        group.members.pop(one, None)
    return _members(group)


def delete(world: World, request: Request) -> Reply:
    world.group(request.ids[0]).deleted = True
    return Reply(204)


def _add(world: World, group: Group, participants: list[str]) -> None:
    for one in participants:
        group.members.setdefault(one, world.clock.now())


def _members(group: Group) -> Reply:
    rows = [{"participant_id": one, "datetime_created": text(at)} for one, at in group.members.items()]
    return Reply(body={"results": rows})


def _shown(group: Group) -> dict[str, Any]:
    return {
        "id": group.id,
        "name": group.name,
        "project_id": None,
        "workspace_id": group.workspace,
        "organisation_id": None,
        "description": group.description,
        "participant_count": len(group.members),
        "is_deleted": group.deleted,
        "feeder_studies": [],
    }
