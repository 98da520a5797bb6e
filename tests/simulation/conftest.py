"""Demo scenes on disk, which are drawn once."""

from pathlib import Path

import pytest

from simulation.scenes.write import write_scenes


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data set of eight scenes, one of each kind. Tests must not change it."""
    folder = tmp_path_factory.mktemp("demo") / "scenes"
    write_scenes(folder, 8, seed=4)
    return folder
