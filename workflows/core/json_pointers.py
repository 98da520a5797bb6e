"""JSON pointers (RFC 6901): how a problem names the field it is about."""

from __future__ import annotations


def pointer(*path: object) -> str:
    """The pointer to the value at the end of `path`: keys and indexes from the whole body down."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
