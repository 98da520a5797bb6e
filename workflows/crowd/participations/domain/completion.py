"""How a platform is told that a worker is done: their browser posts a form or opens a link, or they take a
code there themselves.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

MTURK_PATH = "/mturk/externalSubmit"
"""The path below `turkSubmitTo` (Amazon Mechanical Turk API Reference, "ExternalQuestion")."""


class ReportError(Exception):
    """The address to which a browser should report is not the platform's; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that the browser posts to the address `action`."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    kind: str = "form"


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the browser opens."""

    href: str
    kind: str = "link"


@dataclass(frozen=True, slots=True)
class Code:
    """A code that the worker types on the platform."""

    code: str
    kind: str = "code"


def mturk_form(*, submit_to: str, allowed: Collection[str], assignment: str, page: str) -> Form:
    """Return the form that submits an assignment.

    `page` is the id of our page: Amazon takes no form without a field beside the assignment's id. Raises
    ReportError unless `submit_to` is exactly one of the `allowed` origins.
    """
    return Form(f"{_origin(submit_to, allowed)}{MTURK_PATH}", {"assignmentId": assignment, "page": page})


def _origin(submit_to: str, allowed: Collection[str]) -> str:
    try:
        parts = urlsplit(submit_to)
        bare = not (parts.query or parts.fragment or parts.path.strip("/"))
        origin = f"{parts.scheme}://{parts.netloc}".lower()
    except ValueError:  # a bracket that is not closed
        bare, origin = False, ""
    if not bare or origin not in allowed:
        raise ReportError("is not an address of the platform that has this task: open the task there again")
    return origin
