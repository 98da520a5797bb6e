"""Screening: what a platform says of a worker, before the first page (section 3.3)."""

from __future__ import annotations

from workflows.batch_settings.domain.quality_control import Screening


def passes(*, completed: int | None, approval: float | None, screening: Screening) -> bool:
    """Whether the platform's figures let the worker in: tasks finished, and the share of them approved.

    A platform that says nothing of the worker (None) holds nobody up: the qualification test does.
    """
    enough = completed is None or completed >= screening.completed
    return enough and (approval is None or approval >= screening.approval)
