"""Operations on the account: the user, workspace, project and balance, filters, and messages."""

from __future__ import annotations

from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.filters import LIST
from simulation.emulators.prolific.request_checks import ids, texts
from simulation.emulators.prolific.requests import Reply, Request
from simulation.emulators.prolific.world import World


def me(world: World, request: Request) -> Reply:
    return Reply(
        body={
            "id": world.researcher,
            "email": "researcher@example.org",
            "currency_code": world.books.currency,
            "balance": world.books.total,
            "available_balance": world.available,
        }
    )


def workspaces(world: World, request: Request) -> Reply:
    return Reply(body={"results": [{"id": world.workspace, "title": "Emulated", "owner": world.researcher}]})


def project(world: World, request: Request) -> Reply:
    if request.ids[0] != world.project:
        raise MissingError("The project")
    return Reply(
        body={"id": world.project, "title": "Emulated", "workspace": world.workspace, "type": "PRIVATE"}
    )


def balance(world: World, request: Request) -> Reply:
    if request.ids[0] != world.workspace:
        raise MissingError("The workspace")
    return Reply(
        body={
            "currency_code": world.books.currency,
            "total_balance": world.books.total,
            "balance_breakdown": _parts(world, world.books.total),
            "available_balance": world.available,
            "available_balance_breakdown": _parts(world, world.available),
        }
    )


def _parts(world: World, cents: int) -> dict[str, int]:
    """Return how an amount is kept: so much for rewards that the fees on them are paid of the rest."""
    rewards = cents * 1000 // (1000 + world.books.fee_per_mille)
    return {"rewards": rewards, "fees": cents - rewards, "vat": 0}


def filters(world: World, request: Request) -> Reply:
    return Reply(body={"results": LIST, "meta": {"count": len(LIST)}})


def send_message(world: World, request: Request) -> Reply:
    recipient, body, study_id = texts(request.body, "recipient_id", "body", "study_id")
    _send(world, [recipient], body, study_id)
    return Reply(204)


def send_messages(world: World, request: Request) -> Reply:
    body, study_id = texts(request.body, "body", "study_id")
    _send(world, ids(request.body, "ids"), body, study_id)
    return Reply(204)


def _send(world: World, recipients: list[str], body: str, study_id: str) -> None:
    study = world.study(study_id)
    took_part = {one.participant for one in world.of_study(study)}
    for one in recipients:
        if one not in took_part:
            raise RefusalError(400, f"{one} did not take part in this study.")
    world.messages += [{"recipient_id": one, "body": body, "study_id": study_id} for one in recipients]
