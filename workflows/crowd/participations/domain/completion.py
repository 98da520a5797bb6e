"""How a worker's browser tells the platform that a page is done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

MTURK_PATH = "/mturk/externalSubmit"
"""Below `turkSubmitTo`: Amazon Mechanical Turk API Reference, ExternalQuestion."""


class ReportError(Exception):
    """The address that a browser is to report to is none of the platform's; the message says so."""


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that the browser posts to `action`."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    kind: str = "form"


@dataclass(frozen=True, slots=True)
class Link:
    """An address that the browser goes to."""

    href: str
    kind: str = "link"


def mturk_form(*, submit_to: str, allowed: Collection[str], assignment: str, page: str) -> Form:
    """The form of an assignment. `page` is ours: the platform takes no form without a field beside the id.

    Raises ReportError unless `submit_to` is one of the origins `allowed`, exactly.
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
        raise ReportError("is no address of the platform that this task is on: open it there again")
    return origin
