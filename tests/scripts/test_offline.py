from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts import offline
from tests.config.test_backup import commands

WHEEL = "shown_offline-1.0-py3-none-any.whl"


def make_wheel(folder: Path) -> Path:
    """Make a wheel of one module, and a requirements file with its hash. Return that file."""
    folder.mkdir()
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        info = "shown_offline-1.0.dist-info"
        wheel.writestr("shown_offline.py", "WORDS = 'installed without a network'\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: shown-offline\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    digest = hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()
    requirements = folder.parent / "requirements.txt"
    requirements.write_text(f"shown-offline==1.0 --hash=sha256:{digest}\n")
    return requirements


def test_the_archive_has_all_that_the_image_has_and_installs_by_the_commands(tmp_path: Path) -> None:
    """docs/operations.md, "Without a network", with one small wheel in place of the real ones."""
    requirements = make_wheel(tmp_path / "wheels")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text("the workers' pages")
    offline.pack(tmp_path / "groundcrew-offline.tar", tmp_path / "wheels", requirements, pages)
    with tarfile.open(tmp_path / "groundcrew-offline.tar") as archive:
        names = archive.getnames()
    folders = {name.split("/")[1] for name in names if "/" in name}
    code = {"annotation", "config", "console", "evaluation", "simulation", "workflows", "manage.py"}
    assert folders == {*code, "frontend", "requirements.txt", "wheels"}
    assert not [name for name in names if "__pycache__" in name]
    script = commands("offline") + 'python -c "import shown_offline; print(shown_offline.WORDS)"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/"}
    done = subprocess.run(
        ["bash", "-euc", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["installed without a network"]), (
        done.stderr
    )


def test_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(offline.IncompleteError, match="has no pages: run `make frontend`"):
        offline.pack(tmp_path / "out.tar", tmp_path, tmp_path / "requirements.txt", tmp_path)
    (tmp_path / "index.html").touch()
    with pytest.raises(offline.IncompleteError, match="has no wheels"):
        offline.pack(tmp_path / "out.tar", tmp_path, tmp_path / "requirements.txt", tmp_path)
    monkeypatch.setattr("scripts.offline.subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 1))
    assert offline.main([str(tmp_path / "out.tar"), "--machine", "aarch64"]) == 1
    assert not (tmp_path / "out.tar").exists()


def test_wheels_are_for_the_processor_and_all_versions_of_glibc_up_to_debian_s() -> None:
    assert offline.platforms("aarch64")[0] == "manylinux_2_36_aarch64"
    assert {"manylinux_2_17_aarch64", "manylinux2014_aarch64"} <= set(offline.platforms("aarch64"))


@pytest.mark.parametrize("version", ["3.10", "3.2", "4.11", "3.11.7", "³.11"])
def test_a_version_of_python_that_the_service_cannot_use_is_refused(version: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        offline.main([str(tmp_path / "out.tar"), "--python", version])
