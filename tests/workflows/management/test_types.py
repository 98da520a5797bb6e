"""`manage.py types`: a TOML file becomes the next version of a project's own types."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from textwrap import dedent

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project, TypesVersion
from annotation.selectors import project_types
from tests.factories import make_project
from tests.shared import ROOT
from workflows.core.models import AuditEntry
from workflows.mention_types import files

pytestmark = pytest.mark.django_db

FILE = """
[food]
label = "Food and drink"
words = '''
pizza
hot dog   # as a compound
'''

[toys]
words = ["ball", "kite"]
"""


def types(*arguments: str, project: str = "flowers") -> str:
    out = StringIO()
    call_command("types", project, *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "types.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_file_becomes_the_next_version_and_is_printed_as_one(file: Path) -> None:
    project = make_project("flowers")
    assert types() == "# Project flowers has the eight types alone.\n"
    assert types(str(file)) == (
        "version 1 of the types of project flowers is saved: food (2 words), toys (2 words)\n"
    )
    assert "is the same as before" in types(str(file), "--by", "bo")
    own = project_types(project.pk).own
    file.write_text(types(), encoding="utf-8")
    assert files.read_types(file) == own and own[0].words == ("pizza", "hot dog")
    assert "is the same as before" in types(str(file))
    entry = AuditEntry.objects.get(action="types.save")
    assert (entry.by, entry.detail, entry.project) == ("command line", {"version": 1}, project)


def test_the_file_of_the_documentation_can_be_read(file: Path) -> None:
    page = (ROOT / "docs" / "types.md").read_text(encoding="utf-8")
    file.write_text(dedent(page.split("```toml\n")[1].split("```")[0]), encoding="utf-8")
    food, furniture = files.read_types(file)
    assert (food.key, food.label, food.words) == ("food", "Food and drink", ("pizza", "hot dog", "orange"))
    assert (furniture.label, furniture.words) == ("street furniture", ("bench", "lamp post"))


def test_an_earlier_version_is_restored(file: Path) -> None:
    make_project("flowers")
    types(str(file))
    file.write_text("", encoding="utf-8")
    assert "version 2 of the types of project flowers is saved: the eight alone" in types(str(file))
    assert "version 3" in types("--restore", "1")
    with pytest.raises(CommandError, match="project flowers has no version 7 of its types"):
        types("--restore", "7")
    with pytest.raises(CommandError, match="give a file or --restore, not both"):
        types(str(file), "--restore", "1")


def test_a_project_can_have_types_before_its_first_import(file: Path) -> None:
    with pytest.raises(CommandError, match="there is no project 'new': import a corpus into it first, or"):
        types(str(file), project="new")
    assert "is saved" in types(str(file), "--create", project="new")
    assert Project.objects.get(name="new").types_versions.count() == 1
    with pytest.raises(CommandError, match="'no name' is no name of a project: "):
        types(str(file), "--create", project="no name")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[food]\nwords = ['pizza'\n[toys]", "is no TOML: .*line 3"),
        (b"[food]\nwords = '''\npizza\n1 2 3 4\n'''", "food.words, line 2: '1 2 3 4' has more than 3 words"),
        (b"[Food]\nwords = ['pizza']", "Food.key: must be 1 to 24 lower-case letters"),
        (b"food = 3", "food: must be a table with label and words"),
        (b"\xff", "is not UTF-8"),
        (b"#" * 2_000_001, "has more than 2,000,000 bytes"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong_and_changes_nothing(
    file: Path, content: bytes, message: str
) -> None:
    make_project("flowers")
    file.write_bytes(content)
    with pytest.raises(CommandError, match=rf"types\.toml: {message}"):
        types(str(file))
    assert not TypesVersion.objects.exists()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match=r"none\.toml: cannot be read: No such file"):
        types(str(tmp_path / "none.toml"))
