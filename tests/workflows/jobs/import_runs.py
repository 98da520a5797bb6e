"""A small corpus in an archive, and the files that remain in the storage."""

from __future__ import annotations

from pathlib import Path

from tests.workflows.jobs.jobs_made import ENTITIES, picture, zipped

CORPUS = zipped(
    {**ENTITIES, "set/images/a.jpg": picture(), "set/images/b.jpg": picture(), "set/val.txt": "b\n"}
)


def left(media: Path) -> list[str]:
    """Return the files in the storage and beside it, except pictures of projects."""
    roots = (media / ".uploads", media.parent / "fetched")
    return sorted(str(path.relative_to(media.parent)) for root in roots for path in root.rglob("*"))
