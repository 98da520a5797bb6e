"""The folder `shared` beside the project: papers and data that are not ours to ship."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared(*parts: str) -> Path:
    """A file or folder of `../shared` (or GROUNDCREW_SHARED); without it the test is left out, saying why."""
    root = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is missing; put the shared data there or set GROUNDCREW_SHARED to its folder")
    return path
