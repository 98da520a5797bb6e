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
    done = _screenshots("--into", str(tmp_path), "link-phone-dark", executable=executable)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = tmp_path.iterdir()
    assert file.name == "link-phone-dark.png"
    with PIL.Image.open(file) as picture:
        assert picture.size == (780, 1688)  # twice 390 by 844
        colours = picture.convert("RGB").getcolors(maxcolors=2**24)
    assert colours and len(colours) > 500, "there is no photograph on it"


def test_a_name_that_is_none_is_refused(executable: str) -> None:
    refused = _screenshots("home-tablet", executable=executable)
    assert refused.returncode == 2
    assert "there is no home-tablet; there are sign-in-desktop-light" in refused.stderr


def _screenshots(*arguments: str, executable: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scripts.screenshots", *arguments],
        cwd=ROOT,
        env={**os.environ, VARIABLE: executable},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
