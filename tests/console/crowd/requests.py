"""Pages that ask before anything is done, and what their forms send back."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from workflows.workers.models import Participation


def act(found: Participation, verb: str) -> str:
    return reverse("crowd:act", args=[found.pk, verb])


def token(client: Client, url: str) -> dict[str, str]:
    return hidden(client.get(url).content.decode())


def confirmed(client: Client, url: str, typed: dict[str, str]) -> dict[str, str]:
    """Return what to send after the page has shown the amount as it was read, and asks again."""
    reply = client.post(url, typed)
    assert reply.status_code == 200 and "Nothing is done yet" in reply.content.decode()
    return {**typed, **hidden(reply.content.decode())}


def hidden(page: str) -> dict[str, str]:
    return {
        name: value
        for name, value in re.findall(r'type="hidden" name="(\w+)"(?: value="([^"]*)")?', page)
        if name != "csrfmiddlewaretoken"
    }
