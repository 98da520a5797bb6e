"""`make offline`: an archive with all that a machine without a network needs to run the service.

It contains the code that the image contains (Dockerfile), the workers' pages, and a wheel of each requirement
by requirements.txt, for one processor and one version of Python on Linux. It fails if a wheel is missing.
"""

from __future__ import annotations

import argparse
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = Path("frontend", "dist")
REQUIREMENTS = "requirements.txt"
GLIBC = (17, 24, 26, 27, 28, 31, 34, 35, 36)
"""The minor versions of glibc 2 for which wheels are named. Debian 12 has 2.36."""
NAME = "groundcrew"


class IncompleteError(Exception):
    """The archive cannot be made. The message says what is missing and what to do."""


def code(dockerfile: str) -> list[str]:
    """Return what the image's last stage copies from the checkout."""
    last = dockerfile.rpartition("\nFROM ")[2]
    return [name.rstrip("/") for name in re.findall(r"^COPY ([^-\s]\S*) \./\S*$", last, re.MULTILINE)]


def platforms(machine: str) -> list[str]:
    """Return pip's names of the platforms whose wheels run on Linux on this processor, the newest first."""
    return [f"manylinux_2_{minor}_{machine}" for minor in reversed(GLIBC)] + [f"manylinux2014_{machine}"]


def download(folder: Path, machine: str, python: str) -> None:
    """Fetch a wheel of each requirement, and check its hash. Raise IncompleteError."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--require-hashes", "--only-binary=:all:", "--dest", str(folder)]
    command += ["--implementation", "cp", "--python-version", python]
    for abi in ("cp" + python.replace(".", ""), "abi3", "none"):
        command += ["--abi", abi]
    for name in platforms(machine):
        command += ["--platform", name]
    done = subprocess.run([*command, "--requirement", str(ROOT / REQUIREMENTS)], check=False)
    if done.returncode:
        raise IncompleteError(f"there is no wheel for Python {python} on {machine} of what pip names above")


def pack(out: Path, wheels: Path, requirements: Path, pages: Path) -> None:
    """Write the archive. Raise IncompleteError if the pages were not built, or if there is no wheel."""
    if not (pages / "index.html").is_file():
        raise IncompleteError(f"{pages} has no pages: run `make frontend`")
    if not any(wheels.glob("*.whl")):
        raise IncompleteError(f"{wheels} has no wheels")
    with tarfile.open(out, "w") as archive:
        for name in code((ROOT / "Dockerfile").read_text()):
            archive.add(ROOT / name, f"{NAME}/{name}", filter=_wanted)
        archive.add(pages, f"{NAME}/{PAGES}", filter=_wanted)
        archive.add(requirements, f"{NAME}/{REQUIREMENTS}", filter=_wanted)
        archive.add(wheels, f"{NAME}/wheels", filter=_wanted)


def _wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leave out what Python compiled, and the owner's name."""
    if "__pycache__" in entry.name:
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def main(arguments: list[str] | None = None) -> int:
    """Make the archive. Return 1 if something is missing."""
    parser = argparse.ArgumentParser(prog="scripts.offline", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--machine", choices=("x86_64", "aarch64"), default=platform.machine())
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser.add_argument("--python", default=here, metavar="VERSION", help=f"such as {here}")
    given = parser.parse_args(arguments)
    if not re.fullmatch(r"3\.1[1-9]", given.python):
        parser.error(f"--python: write a version from 3.11 on, not {given.python!r}")
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder, "wheels")
        try:
            download(wheels, given.machine, given.python)
            pack(given.out, wheels, ROOT / REQUIREMENTS, ROOT / PAGES)
        except IncompleteError as error:
            print(f"No archive: {error}.", file=sys.stderr)
            return 1
    print(
        f"{given.out}: {given.out.stat().st_size / 1e6:.0f} MB, for Python {given.python} on {given.machine}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
