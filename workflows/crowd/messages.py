"""Writes to workers on a platform."""

from __future__ import annotations

from collections.abc import Sequence

from workflows.crowd.provider import Provider

MOST_SUBJECT, MOST_TEXT, AT_ONCE = 200, 4096, 100


class MessageError(Exception):
    """The message cannot be sent like this; says why."""


def message(*, provider: Provider, workers: Sequence[str], subject: str, text: str) -> list[str]:
    """Write to workers, by the platform's names of them; returns those who could not be reached.

    Raises MessageError, ProviderError. A message that is sent again comes twice: nothing repeats it.
    """
    subject, text = subject.strip(), text.strip()
    if not subject or len(subject) > MOST_SUBJECT:
        raise MessageError(f"The subject has to have 1 to {MOST_SUBJECT} characters.")
    if not text or len(text) > MOST_TEXT:
        raise MessageError(f"The text has to have 1 to {MOST_TEXT} characters.")
    unreached = []
    for start in range(0, len(workers), AT_ONCE):
        unreached += provider.message(workers[start : start + AT_ONCE], subject=subject, text=text)
    return unreached
