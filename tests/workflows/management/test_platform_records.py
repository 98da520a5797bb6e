from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Worker
from tests.factories import make_project, make_worker

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("platform_records", "--project", "flowers", *arguments, stdout=out)
    return out.getvalue()


def kept(provider: str = "direct") -> dict[str, tuple[int | None, float | None]]:
    rows = Worker.objects.filter(provider=provider).values_list("external_id", "completed", "approval")
    return {name: (completed, approval) for name, completed, approval in rows}


def write(folder: Path, text: str) -> str:
    path = folder / "figures.csv"
    path.write_bytes(text.encode("utf-8-sig"))
    return str(path)


def test_figures_of_one_are_kept_changed_shown_and_taken_back() -> None:
    make_project("flowers")
    assert run("--worker", "ada", "--completed", "812", "--approval", "0.97") == (
        "set for 1 workers, 1 of them new\n"
    )
    run("--worker", "ada", "--completed", "900")
    assert kept() == {"ada": (900, 0.97)}
    assert run("--worker", "ada") == "completed: 900\napproval: 0.97\n"
    run("--worker", "ada", "--approval", "")
    assert kept() == {"ada": (900, None)}


def test_a_file_sets_many_of_one_platform_and_enrols_who_did_not_come_yet(tmp_path: Path) -> None:
    project = make_project("flowers")
    make_worker(project, "ada")
    other = make_worker(make_project("weeds"), "ada")
    path = write(tmp_path, "approval,worker,completed\n0.97,ada,812\n,Zoë,3\n")
    assert run("--csv", path) == "set for 2 workers, 1 of them new\n"
    assert run("--csv", path) == "set for 2 workers, 0 of them new\n"
    run("--csv", path, "--provider", "mturk")
    other.refresh_from_db()
    assert (other.completed, other.approval) == (None, None)
    here = {"ada": (812, 0.97), "Zoë": (3, None)}
    Worker.objects.filter(pk=other.pk).delete()
    assert kept() == here
    assert kept("mturk") == here


def test_a_mistake_in_a_file_names_it_and_the_line_and_nothing_is_written(tmp_path: Path) -> None:
    make_project("flowers")
    path = write(tmp_path, "worker,completed,approval\nada,812,0.97\nbob,5,97\n")
    with pytest.raises(CommandError, match=r"figures\.csv: line 3: approval: must be a share"):
        run("--csv", path)
    assert kept() == {}


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match=r"none\.csv: cannot be read: No such file"):
        run("--csv", str(tmp_path / "none.csv"))
    strange = tmp_path / "strange.csv"
    strange.write_bytes(b"worker,completed,approval\nZo\xeb,1,1\n")
    with pytest.raises(CommandError, match=r"strange\.csv: not UTF-8"):
        run("--csv", str(strange))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--worker", "ada"], "there is no worker 'ada' yet"),
        (["--worker", "", "--completed", "3"], "--worker: needs 1 to 128"),
        (["--worker", "ada", "--completed", "x"], "--completed: must be a whole number"),
        (["--worker", "ada", "--approval", "97"], "--approval: must be a share"),
        (["--worker", "ada", "--completed", "1", "--provider", "x" * 33], "--provider needs 1 to 32"),
        (["--csv", "figures.csv", "--completed", "3"], "need --worker"),
        ([], "one of the arguments --worker --csv is required"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(arguments: list[str], says: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError) as error:
        run(*arguments)
    assert says in str(error.value)
    assert kept() == {}


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="'flowers'"):
        run("--worker", "ada")
