"""JSON pointers (RFC 6901), by which an error of the API names the field it is about."""

from __future__ import annotations


def json_pointer(*path: object) -> str:
    """Return the pointer to the value at the end of `path`: the keys and indexes from the whole body down."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
