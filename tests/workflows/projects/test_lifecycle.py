"""A project can be renamed, archived, restored and deleted, and only while nothing of it is under way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.models import Batch, Image, Project
from tests.factories import LATER, NOW, make_batch, make_image, make_project, make_running
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.lifecycle import BatchError, create_batch, move_batch
from workflows.core.contacts import ContactError
from workflows.jobs.domain.jobs import ImportAsked, JobError
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.projects.lifecycle import (
    ProjectError,
    archive_project,
    change_project,
    create_project,
    delete_project,
    restore_project,
)

pytestmark = pytest.mark.django_db


def archive(project: Project) -> Project:
    return archive_project(project_id=project.pk, now=NOW)


def delete(project: Project, typed: str | None = None) -> None:
    delete_project(project_id=project.pk, typed=project.name if typed is None else typed, now=NOW)


def test_name_and_contact_change_together_or_not_at_all() -> None:
    project = create_project(name="birds")
    change_project(project_id=project.pk, name="fish", contact="ada@example.org")
    project.refresh_from_db()
    assert (project.name, project.contact) == ("fish", "ada@example.org")
    with pytest.raises(ContactError):
        change_project(project_id=project.pk, name="cats", contact="nowhere")
    with pytest.raises(ProjectError, match="up to 64 letters"):
        change_project(project_id=project.pk, name="my cats", contact="")
    project.refresh_from_db()
    assert (project.name, project.contact) == ("fish", "ada@example.org")


def test_the_language_of_the_captions_is_a_code() -> None:
    project = create_project(name="birds", language="pt-BR")
    change_project(project_id=project.pk, name="birds", contact="")
    project.refresh_from_db()
    assert project.language == "pt-BR"
    change_project(project_id=project.pk, name="birds", contact="", language="de")
    project.refresh_from_db()
    assert (project.language, create_project(name="fish").language) == ("de", "en")
    for wrong in ("", "German", "de_DE", "d", '"><script>', "en-" + "x" * 8 + "-y" * 20):
        with pytest.raises(ProjectError, match="a code such as") as error:
            change_project(project_id=project.pk, name="birds", contact="", language=wrong)
        assert error.value.field == "language"


def test_no_two_projects_have_one_name() -> None:
    create_project(name="birds")
    other = create_project(name="fish")
    with pytest.raises(ProjectError, match="There is a project birds already") as error:
        create_project(name="birds")
    assert error.value.field == "name"
    with pytest.raises(ProjectError, match="There is a project birds already") as error:
        change_project(project_id=other.pk, name="birds", contact="")
    assert error.value.field == "name"


def test_the_photographs_of_a_renamed_project_are_safe_from_a_project_with_its_old_name() -> None:
    project = create_project(name="birds")
    image = make_image(project, [["man"]])
    Image.objects.filter(pk=image.pk).update(file="birds/1.jpg")
    change_project(project_id=project.pk, name="fish", contact="")
    with pytest.raises(ProjectError, match="another project, fish, lie in a folder"):
        create_project(name="birds")
    change_project(project_id=project.pk, name="birds", contact="")


def test_an_archived_project_stays_as_it_is_until_it_is_restored() -> None:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    archive(project)
    assert Project.objects.get(pk=project.pk).archived_at == NOW
    archive_project(project_id=project.pk, now=LATER)
    assert Project.objects.get(pk=project.pk).archived_at == NOW
    batch = Batch.objects.get(pk=batch.pk)
    with pytest.raises(BatchError, match="is archived: restore the project first"):
        move_batch(batch=batch, action="launch")
    restore_project(project_id=project.pk)
    assert Project.objects.get(pk=project.pk).archived_at is None
    moved = move_batch(batch=Batch.objects.get(pk=batch.pk), action="launch", without_pictures=True)
    assert moved.state == Batch.State.RUNNING


def test_nothing_is_imported_into_an_archived_project() -> None:
    project = archive(make_project())
    with pytest.raises(JobError, match="The project is archived"):
        start_job(project=project, asked=ImportAsked(place="/nowhere"), by="ada", now=NOW)


@pytest.mark.parametrize("end", [archive, delete])
@pytest.mark.parametrize("state", [Batch.State.RUNNING, Batch.State.PAUSED])
def test_a_project_whose_batch_goes_on_can_end_in_no_way(
    end: Callable[[Project], object], state: str
) -> None:
    batch = make_running([["man"], ["man"]])
    Batch.objects.update(state=state)
    with pytest.raises(ProjectError, match=f"Its batch main is {state}"):
        end(batch.project)
    move_batch(batch=batch, action="cancel")
    end(batch.project)


@pytest.mark.parametrize("end", [archive, delete])
def test_a_project_with_an_unfinished_job_can_end_in_no_way(end: Callable[[Project], object]) -> None:
    project = make_project()
    job = Job.objects.create(project=project, kind="import", state="queued", created_at=NOW)
    with pytest.raises(ProjectError, match=f"Its import {job.pk} is queued"):
        end(project)


def test_a_deleted_project_is_gone_and_its_name_is_free() -> None:
    project = create_project(name="birds")
    with pytest.raises(ProjectError, match="Type the name of the project, birds"):
        delete(project, "bird")
    told: list[str] = []
    delete_project(project_id=project.pk, typed=" birds ", now=NOW, also=lambda: told.append("gone"))
    assert told == ["gone"]
    assert not Project.objects.exists()
    assert Project.everything.get().name == f"deleted-{project.pk}"
    with pytest.raises(ProjectError, match="There is no project"):
        delete(project)
    assert create_project(name="birds").pk != project.pk


def test_nobody_takes_the_name_of_a_deleted_project() -> None:
    with pytest.raises(ProjectError, match="begin with deleted-"):
        create_project(name="deleted-5")


def test_a_draft_does_not_keep_a_project_from_ending() -> None:
    project = make_project()
    make_image(project, [["man"]])
    create_batch(project=project, name="draft", settings=BatchSettings())
    delete(project)
    assert not Project.objects.exists()
