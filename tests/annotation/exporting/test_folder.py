from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from annotation.exporting.folder import ExportError, new_folder


def write(out: Path, text: str, *, overwrite: bool = False) -> None:
    with new_folder(out, overwrite=overwrite) as folder:
        assert not out.exists() or overwrite
        (folder / "manifest.json").write_text(text)


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "manifest.json").read_text() == "one"


def test_it_has_the_permissions_of_any_new_folder(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "out", "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o750


def fail(out: Path, *, overwrite: bool = False) -> None:
    with new_folder(out, overwrite=overwrite) as folder:
        (folder / "half").write_text("half")
        raise KeyboardInterrupt


def test_an_interrupted_export_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_refused_and_untouched(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    with pytest.raises(ExportError, match="is there already"):
        write(tmp_path / "out", "two")
    assert (tmp_path / "out" / "manifest.json").read_text() == "one"


def test_an_earlier_export_can_be_replaced(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    (tmp_path / "out" / "old").touch()
    write(tmp_path / "out", "two", overwrite=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["manifest.json"]
    assert (tmp_path / "out" / "manifest.json").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_failed_replacement_keeps_the_earlier_export(tmp_path: Path) -> None:
    write(tmp_path / "out", "one")
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "out", overwrite=True)
    assert (tmp_path / "out" / "manifest.json").read_text() == "one"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_no_export_is_never_overwritten(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if kind == "folder":
        out.mkdir()
        (out / "thesis.txt").touch()
    elif kind == "file":
        out.touch()
    else:
        write(tmp_path / "real", "one")
        out.symlink_to(tmp_path / "real")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ExportError, match="is no earlier export"):
        write(out, "two", overwrite=True)
    assert sorted(tmp_path.rglob("*")) == before


def test_what_came_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    def race() -> None:
        with new_folder(tmp_path / "out", overwrite=False):
            write(tmp_path / "out", "first")

    with pytest.raises(ExportError, match="is there already"):
        race()
    assert (tmp_path / "out" / "manifest.json").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_missing_parent_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="there is no folder"):
        write(tmp_path / "none" / "out", "one")
