"""`make screenshots`, run as make does, for one page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import PIL.Image
import pytest

from scripts.browser import VARIABLE
from tests.shared import ROOT


@pytest.mark.nightly("the crowd is that of the demo, and other browser tests look at every kind of page")
def test_a_page_is_photographed_with_work_on_it(executable: str, tmp_path: Path) -> None:
    done = _screenshots("--into", str(tmp_path), "link", "review-chain", executable=executable)
    assert done.returncode == 0, done.stdout + done.stderr
    kinds = [f"{device}-{theme}.png" for device in ("desktop", "phone") for theme in ("dark", "light")]
    expected = {f"{page}-{kind}" for page in ("link", "review-chain") for kind in kinds}
    assert {file.name for file in tmp_path.iterdir()} == expected
    with PIL.Image.open(tmp_path / "link-phone-dark.png") as picture:
        assert picture.size == (780, 1688)  # twice 390 by 844
        colours = picture.convert("RGB").getcolors(maxcolors=2**24)
    assert colours and len(colours) > 500, "there is no photograph on it"


def _screenshots(*arguments: str, executable: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scripts.screenshots", *arguments],
        cwd=ROOT,
        env={**os.environ, VARIABLE: executable},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
