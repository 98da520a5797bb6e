from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from annotation.exporting.folder import ExportError, new_folder
from config.serve import ROOT


def write(out: Path, text: str, *, overwrite: bool = False) -> None:
    with new_folder(out, overwrite=overwrite) as folder:
        assert not out.exists() or overwrite
        (folder / "images.jsonl").write_text(text)
        manifest = {"format": "jsonl", "content_hash": "sha256:0", "code_version": "1"}
        (folder / "manifest.json").write_bytes(orjson.dumps(manifest))


def text_of(out: Path) -> str:
    return (out / "images.jsonl").read_text()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    assert names(tmp_path) == ["out"]
    assert text_of(tmp_path / "out") == "one"


def test_it_has_the_permissions_of_any_new_folder(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "out", "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o750


def fail(out: Path, error: BaseException, *, overwrite: bool = False) -> None:
    with new_folder(out, overwrite=overwrite) as folder:
        (folder / "half").write_text("half")
        raise error


def test_an_interrupted_export_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "out", KeyboardInterrupt())
    assert names(tmp_path) == []


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"cannot write .*out: No space left on device"):
        fail(tmp_path / "out", OSError(28, "No space left on device"))
    assert names(tmp_path) == []


def test_what_is_there_is_refused_and_untouched(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    with pytest.raises(ExportError, match="is there already"):
        write(tmp_path / "out", "two")
    assert text_of(tmp_path / "out") == "one"


def test_an_earlier_export_can_be_replaced(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    write(tmp_path / "out", "two", overwrite=True)
    assert text_of(tmp_path / "out") == "two"
    assert names(tmp_path) == ["out"]


def test_a_failed_replacement_keeps_the_earlier_export(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "out", KeyboardInterrupt(), overwrite=True)
    assert text_of(tmp_path / "out") == "one"
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize(
    ("error", "raised"), [(KeyboardInterrupt(), KeyboardInterrupt), (OSError(5, "bad"), ExportError)]
)
@pytest.mark.parametrize("step", [1, 2])
def test_a_failure_between_the_renames_puts_the_earlier_export_back(
    step: int,
    error: BaseException,
    raised: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(tmp_path / "out", "one")
    rename, calls = Path.rename, 0

    def failing(path: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls == step:
            raise error
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(raised):
        write(tmp_path / "out", "two", overwrite=True)
    assert text_of(tmp_path / "out") == "one"
    assert names(tmp_path) == ["out"]


def test_when_the_name_is_taken_between_the_renames_the_earlier_export_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    write(out, "one")
    rename = Path.rename

    def racing(path: Path, target: Path) -> Path:
        done = rename(path, target)
        if path == out:
            out.mkdir()
            (out / "thesis.txt").write_text("theirs")
        return done

    monkeypatch.setattr(Path, "rename", racing)
    with pytest.raises(ExportError, match=r"the earlier export is now .*\.old/out"):
        write(out, "two", overwrite=True)
    (aside,) = tmp_path.glob(".out.*.old")
    assert text_of(aside / "out") == "one"
    assert (out / "thesis.txt").read_text() == "theirs"
    assert names(tmp_path) == [aside.name, "out"]


def test_what_cannot_be_removed_of_the_old_export_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "out", "one")
    monkeypatch.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
    write(tmp_path / "out", "two", overwrite=True)
    assert text_of(tmp_path / "out") == "two"
    assert "could not remove all of" in caplog.text


def test_what_came_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    def race() -> None:
        with new_folder(tmp_path / "out", overwrite=False):
            write(tmp_path / "out", "first")

    with pytest.raises(ExportError, match="is there already"):
        race()
    assert text_of(tmp_path / "out") == "first"
    assert names(tmp_path) == ["out"]


def test_a_missing_parent_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"there is no folder .*none; make it first"):
        write(tmp_path / "none" / "out", "one")


@pytest.mark.parametrize(
    ("number", "left"), [(signal.SIGINT, 0), (signal.SIGKILL, 1)], ids=["interrupted", "killed"]
)
@pytest.mark.parametrize("there", [False, True], ids=["new", "replacing"])
def test_a_stopped_export_is_not_seen_and_the_next_one_works(
    number: signal.Signals, left: int, there: bool, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    if there:
        write(out, "one")
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom annotation.exporting.folder import new_folder\n"
        "with new_folder(Path(sys.argv[1]), overwrite=True) as folder:\n"
        "    (folder / 'half').touch()\n    print('half', flush=True)\n    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(out)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None and process.stdout.readline() == b"half\n"
        process.send_signal(number)
        assert process.wait(30) == -number
    assert len(list(tmp_path.glob(".out.*.partial"))) == left == len(set(names(tmp_path)) - {"out"})
    assert out.exists() == there and (not there or text_of(out) == "one")
    write(out, "two", overwrite=there)
    assert text_of(out) == "two"
