"""What a browser would send of a page's form."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.db.models import QuerySet
from django.test import Client

from workflows.core.models import AuditEntry


def filled(client: Client, url: str, **typed: Any) -> dict[str, Any]:
    """Return the form's fields as the page shows them, replaced by those in `typed`.

    A dot in a field's name is written as `__`.
    """
    reply = client.get(url)
    assert reply.status_code == 200, reply.status_code
    return filled_again(reply) | {name.replace("__", "."): value for name, value in typed.items()}


def filled_again(reply: Any) -> dict[str, Any]:
    """Return the fields of a page that was shown again, with what was typed into them."""
    data: dict[str, Any] = {}
    for key in ("which", "form"):
        form = reply.context.get(key)
        for bound in form if form is not None else ():
            value = bound.value()
            if value not in (None, False):
                data[bound.html_name] = value
    stamp = re.search(r'name="stamp" value="([^"]*)"', reply.content.decode())
    if stamp:
        data["stamp"] = unescape(stamp[1])
    return data


def acts() -> QuerySet[AuditEntry]:
    """Return the audit log without logins, in its order."""
    return AuditEntry.objects.exclude(action__startswith="log").order_by("pk")
