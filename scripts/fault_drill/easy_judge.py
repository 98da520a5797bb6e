"""A judge for the client of `examples` that calls every box good."""

from __future__ import annotations

from typing import Any


def judge(question: dict[str, Any], _picture: bytes) -> dict[str, Any]:
    """Return the answer, without a look at the photograph."""
    return {"boxes": ["good"] * len(question["new_boxes"]), "missing": False}
