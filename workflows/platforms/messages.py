"""Messages to workers on a platform."""

from __future__ import annotations

from collections.abc import Sequence

from workflows.platforms.provider import Provider

MAX_SUBJECT, MAX_TEXT = 200, 4096  # characters
AT_ONCE = 100  # workers of one call


class MessageError(Exception):
    """The message cannot be sent like this; the text says why."""


def message(*, provider: Provider, workers: Sequence[str], subject: str, text: str) -> list[str]:
    """Write to workers, given by the platform's ids, and return those who could not be reached.

    A message that is sent again arrives twice, so nothing repeats it. Raises MessageError if the subject or
    text is empty or too long, and ProviderError.
    """
    subject, text = subject.strip(), text.strip()
    if not subject or len(subject) > MAX_SUBJECT:
        raise MessageError(f"The subject has to have 1 to {MAX_SUBJECT} characters.")
    if not text or len(text) > MAX_TEXT:
        raise MessageError(f"The text has to have 1 to {MAX_TEXT} characters.")
    unreached = []
    for start in range(0, len(workers), AT_ONCE):
        unreached += provider.message(workers[start : start + AT_ONCE], subject=subject, text=text)
    return unreached
