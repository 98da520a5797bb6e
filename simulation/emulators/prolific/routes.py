"""The route of each operation, by the operation's name in the reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from simulation.emulators.prolific import account, bonuses, groups, studies, submissions
from simulation.emulators.prolific.errors import RefusalError
from simulation.emulators.prolific.requests import Reply, Request
from simulation.emulators.prolific.webhooks import Hooks
from simulation.emulators.prolific.world import World

Do = Callable[[World, Request], Reply]


@dataclass(frozen=True, slots=True)
class Route:
    operation: str
    method: str
    path: re.Pattern[str]
    do: Do


def routes(hooks: Hooks) -> list[Route]:
    """Return the routes under /api/v1. An asterisk in a path stands for an id."""
    table: list[tuple[str, str, Do]] = [
        ("get-user", "GET /users/me/", account.me),
        ("get-workspaces", "GET /workspaces/", account.workspaces),
        ("get-workspace-balance", "GET /workspaces/*/balance/", account.balance),
        ("get-project", "GET /projects/*/", account.project),
        ("get-project-studies", "GET /projects/*/studies/", studies.every),
        ("get-filters", "GET /filters/", account.filters),
        ("get-studies", "GET /studies/", studies.every),
        ("create-study", "POST /studies/", studies.create),
        ("get-study", "GET /studies/*/", studies.get),
        ("update-study", "PATCH /studies/*/", studies.update),
        ("delete-study", "DELETE /studies/*/", studies.delete),
        ("publish-study", "POST /studies/*/transition/", studies.transition),
        ("count-study-submissions-by-status", "GET /studies/*/submissions/counts/", studies.counts),
        ("get-submissions", "GET /submissions/", submissions.every),
        ("create-bonus-payments", "POST /submissions/bonus-payments/", bonuses.create),
        ("get-submission", "GET /submissions/*/", submissions.get),
        ("transition-submission", "POST /submissions/*/transition/", submissions.transition),
        ("request-submission-return", "POST /submissions/*/request-return/", submissions.request_return),
        ("pay-bonus-payments", "POST /bulk-bonus-payments/*/pay/", bonuses.pay),
        ("get-participant-groups", "GET /participant-groups/", groups.every),
        ("create-participant-group", "POST /participant-groups/", groups.create),
        ("delete-participant-group", "DELETE /participant-groups/*/", groups.delete),
        ("get-participant-group-participants", "GET /participant-groups/*/participants/", groups.members),
        ("add-to-participant-group", "POST /participant-groups/*/participants/", groups.add),
        ("remove-from-participant-group", "DELETE /participant-groups/*/participants/", groups.remove),
        ("send-message", "POST /messages/", account.send_message),
        ("bulk-message-participants", "POST /messages/bulk/", account.send_messages),
        ("get-event-types", "GET /hooks/event-types/", hooks.event_types),
        ("get-secrets", "GET /hooks/secrets/", hooks.secrets),
        ("create-secret", "POST /hooks/secrets/", hooks.make_secret),
        ("get-subscriptions", "GET /hooks/subscriptions/", hooks.every),
        ("create-subscription", "POST /hooks/subscriptions/", hooks.subscribe),
        ("confirm-subscription", "POST /hooks/subscriptions/*/", hooks.confirm),
        ("delete-subscription", "DELETE /hooks/subscriptions/*/", hooks.delete),
    ]
    found = []
    for operation, request, do in table:
        method, path = request.split(" ")
        pattern = re.escape(path).replace(r"\*", "([0-9A-Za-z-]+)")
        found.append(Route(operation, method, re.compile(f"/api/v1{pattern.rstrip('/')}/?"), do))
    return found


def find(table: list[Route], method: str, path: str) -> tuple[Route, tuple[str, ...]]:
    """Return the route of a request and the ids in its path. Raise RefusalError if there is none."""
    here = [(route, match) for route in table if (match := route.path.fullmatch(path))]
    for route, match in here:
        if route.method == method:
            return route, match.groups()
    raise RefusalError(405 if here else 404, "Method not allowed." if here else "Not found.")
