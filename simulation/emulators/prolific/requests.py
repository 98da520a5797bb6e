"""Requests and replies, as the operations see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simulation.emulators.prolific.errors import RefusalError

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class Request:
    ids: tuple[str, ...] = ()  # from the path
    params: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    status: int = 200
    body: Any = None  # None: no content
    headers: dict[str, str] = field(default_factory=dict)


def page_of(request: Request, path: str, rows: Sequence[dict[str, Any]], *, size: int = 20) -> Reply:
    """Return a page of a list, with links and a count as in Prolific's."""
    number = _whole(request, "page", 1)
    length = min(MAX_PAGE, _whole(request, "page_size", size))
    last = max(1, -(-len(rows) // length))
    if number > last:
        raise RefusalError(404, "Invalid page.")

    def link(page: int | None) -> dict[str, Any]:
        found = f"/api/v1{path}?page={page}&page_size={length}" if page else None
        return {"href": found, "title": ""}

    links = {
        "self": link(number),
        "next": link(number + 1 if number < last else None),
        "previous": link(number - 1 or None),
        "last": link(last),
    }
    start = (number - 1) * length
    return Reply(
        body={"results": list(rows[start : start + length]), "_links": links, "meta": {"count": len(rows)}}
    )


def _whole(request: Request, name: str, default: int) -> int:
    text = request.params.get(name, str(default))
    if not text.isdigit() or not int(text):
        raise RefusalError(400, {name: ["A valid number is required."]})
    return int(text)
