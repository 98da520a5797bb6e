"""The folder `shared` beside the project: papers and data that we may not ship."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def shared(*parts: str) -> Path:
    """Return a file or folder of `../shared` (or GROUNDCREW_SHARED).

    If it is missing, skip the test and say why.
    """
    root = Path(os.environ.get("GROUNDCREW_SHARED") or ROOT.parent / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path} is missing; put the shared data there or set GROUNDCREW_SHARED to its folder")
    return path
