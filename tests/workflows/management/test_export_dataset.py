from __future__ import annotations

import json
import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from annotation.exporting import dataset
from annotation.models import GoldChain, ImageWork, Mention, Project
from tests.annotation.exporting.annotated_projects import Made, files, make_annotated
from tests.factories import make_image, make_project
from tests.workflows.jobs.jobs_made import finished, picture
from workflows import tasks
from workflows.core.models import AuditEntry
from workflows.jobs.domain.jobs import ExportAsked, to_options
from workflows.jobs.models import Job, Snapshot

pytestmark = pytest.mark.django_db


def run(project: Project, out: Path, *options: str) -> str:
    said = StringIO()
    arguments = ("--project", project.name, "--format", "flickr30k-entities", *options)
    call_command("export_dataset", str(out), *arguments, "--include-unresolved", stdout=said)
    return said.getvalue()


@pytest.fixture
def project() -> Project:
    chains = [Made([0], [(0, 0, 100, 100)]), Made([1], [(0, 0, 100, 90)]), Made([2], state="review")]
    found = make_annotated(chains, [["man"], ["woman"], ["dog"]])
    ImageWork.objects.update(state="boxing")
    return found


def test_it_says_what_was_written_and_left_out(project: Project, tmp_path: Path) -> None:
    said = run(project, tmp_path / "out")
    assert "chains:   1 (merging removed 1, 50.0%)" in said
    assert "boxes:    1 (merging removed 1, 50.0%)" in said
    assert "mentions: 2 in chains, 1 not visual or without a chain" in said
    assert "left out: 1 chain in review" in said
    assert "unresolved: 1 mention: waits for review" in said
    manifest = json.loads((tmp_path / "out" / "about" / "manifest.json").read_text())
    assert manifest["content_hash"] in said
    assert manifest["settings"] == {
        "merge": {
            "iou": 0.8,
            "iou_other": 0.9,
            "never": [["clothing", "people"], ["bodyparts", "people"], ["bodyparts", "clothing"]],
        },
        "include_unfinished": False,
        "include_unresolved": True,
    }


@pytest.mark.parametrize(
    ("options", "boxes"),
    [((), 1), (("--no-merge",), 2), (("--merge-iou", "0.95"), 2), (("--merge-iou", ".9"), 1)],
)
def test_merging_can_be_set(project: Project, tmp_path: Path, options: tuple[str, ...], boxes: int) -> None:
    run(project, tmp_path / "out", *options)
    manifest = json.loads((tmp_path / "out" / "about" / "manifest.json").read_text())
    assert manifest["counts"]["boxes"] == boxes


@pytest.fixture
def known() -> Project:
    """Make two known chains that share a box."""
    project = make_project()
    image = make_image(project, [["man", "woman"]])
    for number, mention in enumerate(Mention.objects.filter(image=image), start=1):
        edges = [[0, 0, 100, 100], [0, 0, 100, 90 + number]]
        GoldChain.objects.create(image=image, number=number, members=[mention.pk], boxes=edges)
    return project


def test_boxes_of_several_known_chains_are_shared_not_merged(known: Project, tmp_path: Path) -> None:
    assert "boxes:    3 (shared: 1, 25.0%)" in run(known, tmp_path / "out", "--source", "gold")
    said = run(known, tmp_path / "merged", "--source", "gold", "--merge")
    assert "boxes:    1 (merging removed 3, 75.0%)" in said


def test_known_chains_are_merged_only_when_asked(known: Project, tmp_path: Path) -> None:
    for options, merging in ((("--source", "gold"), False), (("--source", "gold", "--merge"), True)):
        run(known, tmp_path / str(merging), *options)
        manifest = json.loads((tmp_path / str(merging) / "about" / "manifest.json").read_text())
        assert (manifest["settings"]["merge"] is not None) == merging


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--merge-iou", "0"), "iou must be above 0"),
        (("--batch", "none"), "has no batch 'none'"),
        (("--source", "gold", "--batch", "main"), "only the crowd's annotation has batches"),
        (("--project", "none"), "there is no project 'none'"),
    ],
)
def test_what_is_wrong_is_said(
    project: Project, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        run(project, tmp_path / "out", *options)
    assert list(tmp_path.iterdir()) == []


def test_a_second_export_needs_overwrite(project: Project, tmp_path: Path) -> None:
    run(project, tmp_path / "out")
    with pytest.raises(CommandError, match="is there already; choose another name, or give --overwrite"):
        run(project, tmp_path / "out")
    run(project, tmp_path / "out", "--overwrite")


@pytest.mark.parametrize(
    ("out", "options", "message"),
    [
        ("none/out", (), "there is no folder .*none; make it first"),
        ("there", ("--overwrite",), "is no earlier export"),
        ("link", ("--overwrite",), "is no earlier export"),
    ],
)
def test_a_folder_that_cannot_be_made_is_refused(
    project: Project, tmp_path: Path, out: str, options: tuple[str, ...], message: str
) -> None:
    (tmp_path / "there").mkdir()
    run(project, tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(CommandError, match=message):
        run(project, tmp_path / out, *options)


def test_an_empty_export_has_an_exit_code_of_its_own(project: Project, tmp_path: Path) -> None:
    ImageWork.objects.update(state="linking")
    with pytest.raises(
        CommandError, match="nothing was exported: 1 image is not finished; --include"
    ) as error:
        run(project, tmp_path / "out")
    assert error.value.returncode == 3
    assert list(tmp_path.iterdir()) == []
    assert "images:   1" in run(project, tmp_path / "out", "--include-unfinished")


def test_other_errors_have_the_usual_exit_code(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as error:
        run(project, tmp_path / "none" / "out")
    assert error.value.returncode == 1


def queue(project: Project, *options: str) -> str:
    said = StringIO()
    arguments = ("--project", project.name, "--format", "jsonl", "--background", "--by", "mona", *options)
    call_command("export_dataset", *arguments, stdout=said)
    return said.getvalue()


def test_background_makes_the_version_that_the_page_of_exports_makes(
    project: Project, media: Path, tmp_path: Path
) -> None:
    said = queue(project, "--include-unfinished", "--merge-iou", "0.7", "--licence", "cc0-1.0")
    job = Job.objects.get()
    assert f"job {job.pk} is queued" in said and (job.kind, job.state, job.by) == ("export", "queued", "mona")
    assert job.options == to_options(
        ExportAsked("jsonl", merge_iou=0.7, include_unfinished=True, licence="cc0-1.0")
    )
    logged = AuditEntry.objects.get(action="export.start")
    assert (logged.by, logged.object_id, logged.detail) == ("mona", str(job.pk), job.options)
    assert "no other was queued" in queue(
        project, "--include-unfinished", "--merge-iou", "0.7", "--licence", "cc0-1.0"
    )
    assert AuditEntry.objects.count() == 1
    assert finished(job).state == "done"
    out = tmp_path / "command"
    arguments = ["--project", project.name, "--format", "jsonl", "--include-unfinished", "--merge-iou", "0.7"]
    call_command("export_dataset", str(out), *arguments, "--licence", "cc0-1.0", stdout=StringIO())
    with zipfile.ZipFile(media / str(Snapshot.objects.get(job=job).file)) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == files(out)
    manifest = json.loads(packed["about/manifest.json"])
    assert (manifest["licence"], manifest["language"]) == ("cc0-1.0", "en")


def test_images_with_unresolved_mentions_are_left_out_unless_asked_for(
    project: Project, tmp_path: Path
) -> None:
    asked = {"project": project.name, "format": "jsonl"}
    with pytest.raises(CommandError, match="1 image has unresolved mentions; --include-unresolved") as error:
        call_command("export_dataset", tmp_path / "out", **asked)
    assert error.value.returncode == 3
    call_command("export_dataset", tmp_path / "out", **asked, include_unresolved=True)
    queue(project, "--include-unresolved", "--pictures", "copied")
    assert Job.objects.get().options == to_options(
        ExportAsked("jsonl", include_unresolved=True, pictures=True)
    )


def test_pictures_come_with_the_data_set(project: Project, media: Path, tmp_path: Path) -> None:
    image = project.images.get()
    image.file.name = default_storage.save("p/a.jpg", ContentFile(picture()))
    image.width, image.height = 40, 30
    image.save()
    for how in ("copied", "linked"):
        said = run(project, tmp_path / how, "--pictures", how)
        assert "pictures: 1" in said
        assert (tmp_path / how / "images" / image.name).read_bytes() == picture()
    assert "pictures" not in run(project, tmp_path / "plain")


def test_known_chains_are_merged_in_the_background_only_when_asked(known: Project) -> None:
    queue(known, "--source", "gold")
    queue(known, "--source", "gold", "--merge")
    assert [job.options["merge"] for job in Job.objects.order_by("pk")] == [False, True]


def test_a_worker_is_told_of_the_job(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks.run_queued_job, "apply_async", lambda arguments, **_: sent.append(arguments))
    queue(project)
    assert sent == [(Job.objects.get().pk,)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("out",), "leave out the folder"),
        (("--overwrite",), "leave out the folder and --overwrite"),
        (("--pictures", "linked"), "a version has copies of the pictures"),
        (("--batch", "none"), "no batch 'none'"),
        (("--merge-iou", "0"), "iou must be above 0"),
    ],
)
def test_what_cannot_be_exported_is_not_queued(
    project: Project, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        queue(project, *options)
    assert not Job.objects.exists() and not AuditEntry.objects.exists()


def test_without_a_folder_it_says_what_is_missing(project: Project) -> None:
    with pytest.raises(CommandError, match="name the folder to make, or give --background"):
        call_command("export_dataset", "--project", project.name, "--format", "jsonl")


def test_ctrl_c_leaves_nothing_behind(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        assert [path.suffix for path in tmp_path.iterdir()] == [".partial"]
        raise KeyboardInterrupt

    monkeypatch.setattr(dataset, "merge", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(project, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
