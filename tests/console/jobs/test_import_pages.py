"""Imports in the browser: a corpus is uploaded, checked first, imported, cancelled, resumed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.formats.captions.spreadsheet import EXAMPLE
from annotation.formats.recognition import SPLIT_LISTS
from annotation.models import Image, Project
from tests.factories import NOW, make_image, make_project
from tests.workflows.jobs.jobs_made import (
    ENTITIES,
    TOKEN,
    finished,
    import_job,
    photographs,
    picture,
    sheet,
    upload,
    zipped,
)
from workflows.core.models import AuditEntry
from workflows.jobs.job_queue import cancel_job
from workflows.jobs.models import Job
from workflows.jobs.run_job import clean_up_files
from workflows.jobs.uploads import MAX_PICTURES, keep_upload
from workflows.review.image_withdrawals import withdraw_image

pytestmark = pytest.mark.django_db

ARCHIVE = zipped(ENTITIES)
ONE = SimpleUploadedFile("a.token", b"x")


@pytest.fixture
def project(media: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr("workflows.tasks._hint", lambda *_, **__: None)
    return make_project()


def acts() -> QuerySet[AuditEntry]:
    """Return the audit log without logins."""
    entries: QuerySet[AuditEntry] = AuditEntry.objects.exclude(action="login")
    return entries.order_by("pk")


def post(client: Client, project: Project, **data: Any) -> Any:
    return client.post(reverse("jobs:import", args=[project.pk]), {"action": "dry-run", **data})


def kept(media: Path) -> list[Path]:
    """Return the files of uploads."""
    return [path for path in (media / ".uploads").rglob("*") if path.is_file()]


def test_a_project_is_made_and_its_corpus_asked_for(manager: Client, project: Project) -> None:
    address = reverse("jobs:new-project")
    for name, says in ((project.name, "There is a project"), ("no name", "It has up to 64 letters")):
        assert says in manager.post(address, {"name": name}).content.decode()
    assert "e-mail" in manager.post(address, {"name": "new", "contact": "nonsense"}).content.decode()
    reply: Any = manager.post(address, {"name": "new", "contact": "ada@example.org"})
    made = Project.objects.get(name="new")
    assert reply.url == reverse("jobs:import", args=[made.pk])
    assert acts().get().action == "project.create"


def test_an_upload_is_looked_at_first_and_then_imported(
    manager: Client, project: Project, media: Path
) -> None:
    reply: Any = post(manager, project, corpus=SimpleUploadedFile("set.zip", ARCHIVE))
    dry = Job.objects.get()
    address = reverse("jobs:job", args=[dry.pk])
    assert reply.url == address and dry.dry_run and len(kept(media)) == 1
    waiting = manager.get(reply.url).content.decode()
    assert "waits for a worker" in waiting and "jobs.js" in waiting
    finished(dry)
    said = manager.get(reply.url).content.decode()
    assert "Import now" in said and "set/Sentences/b.txt:2" in said and "jobs.js" not in said
    assert not Image.objects.exists()
    twice: list[Any] = [manager.post(address, {"action": "import"}) for _ in range(2)]
    reply = twice[0]
    assert twice[1].url == reply.url and Job.objects.count() == 2
    job = Job.objects.latest("pk")
    assert reply.url == reverse("jobs:job", args=[job.pk])
    assert finished(job).state == "done" and Image.objects.count() == 2 and not kept(media)
    assert "Make a batch" in manager.get(reply.url).content.decode()
    looked_at = manager.get(address).content.decode()
    assert "Import now" not in looked_at and "It has been imported" in looked_at
    actions = acts().values_list("action", "object", "detail__dry_run")
    assert list(actions) == [
        ("import.start", f"Dry run {dry.pk}", True),
        ("import.start", f"Import {job.pk}", False),
    ]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "Upload a file or name a location."),
        ({"place": "/etc"}, "GROUNDCREW_IMPORT_FOLDERS"),
        ({"corpus": SimpleUploadedFile("a.zip", zipped({"../a": "x"}))}, "leads out of the archive"),
        ({"corpus": ONE, "place": "/data"}, "not both"),
        (
            {"corpus": SimpleUploadedFile("a", b"x"), "splits": [SimpleUploadedFile("dev.txt", b"a")]},
            "train.txt",
        ),
        ({"corpus": ONE, "format": "docx"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_imported_is_said_at_its_field_and_not_kept(
    manager: Client, project: Project, media: Path, data: dict[str, Any], says: str
) -> None:
    for part in (one for value in data.values() for one in (value if isinstance(value, list) else [value])):
        if isinstance(part, SimpleUploadedFile):
            part.open()
    assert says in post(manager, project, **data).content.decode()
    assert not Job.objects.exists() and not acts().exists() and not kept(media)


def test_too_large_a_request_is_refused_before_it_is_read(
    manager: Client, project: Project, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    reply = post(manager, project, corpus=SimpleUploadedFile("a.token", b"x" * 1_100_000))
    assert reply.status_code == 413 and "at most 10 bytes" in reply.content.decode()


def test_a_spreadsheet_and_photographs_are_imported_without_an_archive(
    manager: Client, project: Project, media: Path
) -> None:
    names = [f"{number}.jpg" for number in range(40)]
    rows = "".join(f"{name};A man with a dog .\n" for name in names)
    sheet = SimpleUploadedFile("captions.csv", f"\ufeffPhoto;Caption\n{rows}".encode())
    pictures = [SimpleUploadedFile(name, picture()) for name in names]
    reply: Any = post(manager, project, corpus=sheet, pictures=pictures, action="import")
    job = finished(Job.objects.get())
    assert (job.state, job.problem_count) == ("done", 0)
    assert Image.objects.exclude(file="").count() == 40
    page = manager.get(reply.url).content.decode()
    assert "Make a batch" in page and "no photograph" not in page and "have no caption" not in page


def test_too_many_files_are_refused_with_what_to_do(
    manager: Client, project: Project, media: Path, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 3
    pictures = [SimpleUploadedFile(f"{number}.jpg", b"x") for number in range(4)]
    reply = post(manager, project, corpus=ONE, pictures=pictures)
    said = reply.content.decode()
    assert reply.status_code == 413 and "at most 300 single files: pack them" in said
    assert not Job.objects.exists() and not kept(media)


def test_the_limit_of_files_leaves_room_beside_the_photographs() -> None:
    assert MAX_PICTURES + 1 + len(SPLIT_LISTS) <= settings.DATA_UPLOAD_MAX_NUMBER_FILES


def test_the_page_takes_dropped_files_and_shows_an_example(manager: Client, project: Project) -> None:
    page = manager.get(reverse("jobs:import", args=[project.pk])).content.decode()
    assert (
        "console/drop.js" in page and 'data-most-pictures="300"' in page and EXAMPLE.splitlines()[1] in page
    )


def test_a_failed_import_says_what_is_wrong_shows_an_example_and_leads_back(
    manager: Client, viewer: Client, project: Project
) -> None:
    name = upload("Foto;Satz\na.jpg;A man .\n", "captions.csv")
    job = finished(import_job(project, upload=name))
    assert job.state == "failed"
    address, back = reverse("jobs:job", args=[job.pk]), reverse("jobs:import", args=[project.pk])
    page = manager.get(address).content.decode()
    assert "captions.csv:1" in page and "name the columns in the first row" in page
    assert EXAMPLE.splitlines()[1] in page
    link = f'<a class="button main" href="{back}">Back to the import</a>'
    assert link in page and link not in viewer.get(address).content.decode()
    assert "the rest is imported" not in page
    fine = finished(import_job(project))
    assert EXAMPLE.splitlines()[1] not in manager.get(reverse("jobs:job", args=[fine.pk])).content.decode()


def test_images_without_a_photograph_are_told_and_named(manager: Client, project: Project) -> None:
    outcome = {"images": 40, "unpictured": 2, "unpictured_names": ["a.jpg", "b.jpg"]}
    job = import_job(project)
    Job.objects.filter(pk=job.pk).update(state="done", outcome=outcome)
    page = " ".join(manager.get(reverse("jobs:job", args=[job.pk])).content.decode().split())
    assert "2 images with captions have no photograph that can be used: <bdi>a.jpg, b.jpg</bdi></p>" in page


def test_an_image_that_a_corrected_name_left_without_a_photograph_is_told(
    manager: Client, project: Project
) -> None:
    wrong = {"corpus": [sheet("tea.jpg", "caat.jpg")], "pictures": photographs("tea.jpg", "cat.jpg")}
    finished(import_job(project, upload=keep_upload(wrong, now=NOW)))
    right = {"corpus": [sheet("tea.jpg", "cat.jpg")], "pictures": photographs("tea.jpg", "cat.jpg")}
    job = finished(import_job(project, upload=keep_upload(right, now=NOW)))
    assert job.outcome["unpictured"] == 0, "this import says nothing of the image of the one before"

    image = Image.objects.get(file="")
    address = reverse("jobs:job", args=[job.pk])
    page = " ".join(manager.get(address).content.decode().split())
    link = f'<a href="{reverse("inspector:image", args=[image.pk])}"><bdi>caat.jpg</bdi></a>'
    told = "1 image of the project has no photograph: "
    assert f"{told}{link}. To add a photograph, import it under the name of its image." in page

    withdraw_image(image_id=image.pk, by="ada", note="", now=NOW)
    assert told not in " ".join(manager.get(address).content.decode().split())


def test_an_import_leads_to_captions_while_photographs_have_none(manager: Client, project: Project) -> None:
    files = {"corpus": [sheet("a.jpg")], "pictures": photographs("a.jpg")}
    job = finished(import_job(project, upload=keep_upload(files, now=NOW)))
    address, collect = reverse("jobs:job", args=[job.pk]), reverse("batches:campaign", args=[project.pk])
    link = f'<a class="button" href="{collect}">Have captions written</a>'
    assert link not in manager.get(address).content.decode()
    make_image(project, [], name="b.jpg")
    page = manager.get(address).content.decode()
    assert link in page and reverse("batches:new", args=[project.pk]) in page


def test_captions_longer_than_detectors_read_are_told(manager: Client, project: Project) -> None:
    job = import_job(project)
    address = reverse("jobs:job", args=[job.pk])
    told = "2 captions have more than 256 tokens, as many as most detectors read; the first is"
    Job.objects.filter(pk=job.pk).update(state="done", outcome={"images": 40})
    assert told not in " ".join(manager.get(address).content.decode().split())
    outcome = {"images": 40, "long_captions": 2, "long_caption": "caption 0 of a.jpg (300 tokens)"}
    Job.objects.filter(pk=job.pk).update(outcome=outcome)
    page = " ".join(manager.get(address).content.decode().split())
    assert f"{told} <bdi>caption 0 of a.jpg (300 tokens)</bdi>." in page


def test_metadata_of_photographs_can_be_kept(manager: Client, project: Project, media: Path) -> None:
    post(manager, project, corpus=SimpleUploadedFile("a.token", TOKEN.encode()))
    assert Job.objects.get().options["keep_metadata"] is False
    Job.objects.update(state="done")
    post(manager, project, corpus=SimpleUploadedFile("a.token", TOKEN.encode()), keep_metadata="on")
    job = Job.objects.latest("pk")
    assert job.options["keep_metadata"] is True
    assert "keep metadata of photographs" in manager.get(reverse("jobs:job", args=[job.pk])).content.decode()


def test_captions_in_any_language_can_be_imported(manager: Client, project: Project, media: Path) -> None:
    post(manager, project, corpus=SimpleUploadedFile("a.token", TOKEN.encode()), any_language="on")
    job = Job.objects.get()
    assert job.options["any_language"] is True
    outcome = {"images": 40, "foreign": 2}
    Job.objects.filter(pk=job.pk).update(state="done", outcome=outcome)
    page = manager.get(reverse("jobs:job", args=[job.pk])).content.decode()
    assert "captions in any language" in page
    assert '<dt>captions in another language, left out</dt><dd class="figure">2</dd>' in page


def test_an_upload_without_the_token_against_forgery_or_by_a_viewer_is_refused(
    viewer: Client, project: Project, media: Path
) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.create_superuser("root"))
    for client in (strict, viewer):
        reply = post(client, project, corpus=SimpleUploadedFile("a.token", TOKEN.encode()))
        assert reply.status_code == 403
    assert not Job.objects.exists() and not kept(media)
    assert (
        "Only managers can import" in viewer.get(reverse("jobs:import", args=[project.pk])).content.decode()
    )


def test_progress_tells_how_far_it_is_and_how_long_it_takes(viewer: Client, project: Project) -> None:
    job = import_job(project)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(
        **{"state": "running", "phase": "importing", "done": 50, "total": 200, "beat_at": now},
        started_at=now - timedelta(seconds=100),
    )
    address = reverse("jobs:progress", args=[job.pk])
    said = viewer.get(address).json()
    assert (said["said"], said["rate"], said["left"]) == (
        "50 of 200 images",
        "0.5 images a second",
        "about 5 min left",
    )
    assert not said["ended"]
    Job.objects.filter(pk=job.pk).update(beat_at=now - timedelta(minutes=2))
    assert "another run will take over" in viewer.get(address).json()["phase"]


def test_a_job_is_cancelled_and_resumed_by_those_who_may(
    manager: Client, reviewer: Client, project: Project
) -> None:
    job = import_job(project)
    address = reverse("jobs:job", args=[job.pk])
    assert reviewer.post(address, {"action": "cancel"}).status_code == 403
    for action, state in (("cancel", "cancelled"), ("cancel", "cancelled"), ("resume", "queued")):
        manager.post(address, {"action": action})
        assert Job.objects.get().state == state
    assert [act.action for act in acts()] == ["job.cancel", "job.resume"]
    assert "Choose what to do" in manager.post(address, {"action": "x"}, follow=True).content.decode()


def test_problems_are_shown_by_the_page(viewer: Client, project: Project) -> None:
    job = finished(import_job(project, upload=upload(TOKEN + "<b>nonsense\n" * 60)))
    address = reverse("jobs:job", args=[job.pk])
    first = viewer.get(address).content.decode()
    assert "1 to 50 of 60" in first and "captions.token:4" in first and "<b>nonsense" not in first
    assert "51 to 60 of 60" in viewer.get(f"{address}?problems=50").content.decode()


def test_what_another_version_made_of_an_import_is_shown_as_far_as_it_is_known(
    viewer: Client, project: Project
) -> None:
    job = import_job(project)
    Job.objects.filter(pk=job.pk).update(state="done", outcome={"captions": 3})
    page = viewer.get(reverse("jobs:job", args=[job.pk])).content.decode()
    assert "new captions" in page and "new images" in page


def test_lists_of_jobs_go_on_by_the_last_one_in_a_few_queries(
    viewer: Client, project: Project, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.jobs.views.jobs.ROWS", 2)
    many = [cancel_job(job=import_job(project), now=timezone.now()) for _ in range(3)]
    address = reverse("jobs:jobs", args=[project.pk])
    with django_assert_max_num_queries(12):
        page = viewer.get(address).content.decode()
    assert f"?before={many[1].pk}" in page and f"Import {many[0].pk}" not in page
    assert f"Import {many[0].pk}" in viewer.get(f"{address}?before={many[1].pk}").content.decode()


def test_pictures_without_a_caption_are_told_and_named(manager: Client, project: Project) -> None:
    outcome = {"images": 40, "uncaptioned": 3, "uncaptioned_names": ["dog.jpg", "cat.jpg"]}
    job = import_job(project)
    Job.objects.filter(pk=job.pk).update(state="done", outcome=outcome)
    page = " ".join(manager.get(reverse("jobs:job", args=[job.pk])).content.decode().split())
    assert "3 pictures have no caption: <bdi>dog.jpg, cat.jpg</bdi>, …" in page


def test_the_list_says_what_was_counted(viewer: Client, project: Project) -> None:
    job = import_job(project)
    for phase, done, total, says in (
        ("unpacking", 19_855, None, "19.4\xa0KB"),
        ("importing", 19_855, 31_783, "19,855 of 31,783 images"),
        ("packing", 7, 7, "7 files"),
        ("", 0, None, "–"),
    ):
        Job.objects.filter(pk=job.pk).update(phase=phase, done=done, total=total)
        page = viewer.get(reverse("jobs:jobs", args=[project.pk])).content.decode()
        assert f'<td class="number" data-label="Done">{says}</td>' in page


def test_photographs_alone_are_imported_when_the_format_says_so(
    manager: Client, project: Project, media: Path
) -> None:
    files = [SimpleUploadedFile(name, picture()) for name in ("a.jpg", "b.jpg")]
    said = post(manager, project, pictures=files).content.decode()
    assert "If workers are to write the captions, choose the format" in said
    for file in files:
        file.open()
    post(manager, project, pictures=files, format="photographs", action="import")
    assert finished(Job.objects.get()).state == "done"
    assert Image.objects.exclude(file="").count() == 2


def test_photographs_can_come_after_their_captions(manager: Client, project: Project, media: Path) -> None:
    rows = b"image;caption\na.jpg;A man .\nb;A dog .\nc.JPG;A cat .\nd.jpg;A cow .\nd;A cow .\n"
    sheet = SimpleUploadedFile("captions.csv", rows)
    post(manager, project, corpus=sheet, action="import")
    finished(Job.objects.get())
    files = [SimpleUploadedFile(f"{letter}.jpg", picture()) for letter in "abcde"]
    post(manager, project, pictures=files, format="photographs", action="import")
    assert finished(Job.objects.latest("pk")).state == "done"
    pictured = sorted(Image.objects.exclude(file="").values_list("name", flat=True))
    assert pictured == ["a.jpg", "b", "c.JPG", "d.jpg", "e.jpg"]


def test_a_photograph_that_may_be_that_of_two_images_keeps_its_name(
    manager: Client, project: Project, media: Path
) -> None:
    """Two photographs may mean the image *a*, and b.JPG has a photograph of its own."""
    sheet = SimpleUploadedFile("captions.csv", b"image;caption\na;A man .\nb.JPG;A cow .\n")
    post(manager, project, corpus=sheet, action="import")
    finished(Job.objects.get())
    names = {"a.jpg": picture(), "a.png": picture(), "b.JPG": picture(), "b.jpg": picture(20, 20)}
    files = [SimpleUploadedFile("photographs.zip", zipped(names))]
    post(manager, project, pictures=files, format="photographs", action="import")
    assert finished(Job.objects.latest("pk")).state == "done"
    pictured = dict(Image.objects.exclude(file="").values_list("name", "width"))
    assert "a" not in pictured and pictured.keys() >= {"a.jpg", "a.png"}
    assert pictured["b.JPG"] == 40


def check_first(manager: Client, project: Project, sheet: bytes, **files: Any) -> Job:
    """Check a spreadsheet with two photographs, and return the finished job."""
    corpus = SimpleUploadedFile("captions.csv", b"image;caption\n" + sheet)
    post(manager, project, corpus=corpus, **files)
    return finished(Job.objects.latest("pk"))


def two_pictures() -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, picture()) for name in ("dog-1.jpg", "dog-2.jpg")]


def test_a_misspelt_name_is_told_with_the_photograph_that_it_may_mean(
    manager: Client, project: Project, media: Path
) -> None:
    job = check_first(manager, project, b"dog-1.jpg;A dog .\ndog_2.jpg;A dog .\n", pictures=two_pictures())
    page = " ".join(manager.get(reverse("jobs:job", args=[job.pk])).content.decode().split())
    assert "<bdi>dog_2.jpg</bdi> may mean <bdi>dog-2.jpg</bdi>. Correct the name" in page


@pytest.mark.parametrize("archived", [False, True])
def test_other_captions_are_chosen_while_the_photographs_are_kept(
    manager: Client, project: Project, media: Path, archived: bool
) -> None:
    files = two_pictures()
    if archived:
        inside = {file.name or "": picture() for file in files}
        files = [SimpleUploadedFile("photographs.zip", zipped(inside))]
    job = check_first(manager, project, b"dog-1.jpg;A dog .\ndog_2.jpg;A dog .\n", pictures=files)
    page = manager.get(reverse("jobs:job", args=[job.pk])).content.decode()
    address = f"{reverse('jobs:import', args=[project.pk])}?pictures_of={job.pk}"
    assert f'href="{address}">Choose other files' in page
    page = manager.get(address).content.decode()
    assert f'name="pictures_of" value="{job.pk}"' in page
    assert ("The photographs in <bdi>photographs.zip</bdi>" if archived else "The 2 photographs") in page

    again = SimpleUploadedFile("captions.csv", b"image;caption\ndog-1.jpg;A dog .\ndog-2.jpg;A dog .\n")
    post(manager, project, corpus=again, pictures_of=job.pk, action="import")
    done = finished(Job.objects.latest("pk"))
    assert (done.state, done.problem_count, done.outcome["pictures"]) == ("done", 0, 2)
    assert done.options["upload"] != job.options["upload"]
    assert Image.objects.exclude(file="").count() == 2
    assert not [path for path in kept(media) if done.options["upload"] in str(path)]
    assert [path for path in kept(media) if job.options["upload"] in str(path)], "they are kept for a day"


def test_photographs_that_are_chosen_take_the_place_of_those_that_are_kept(
    manager: Client, project: Project, media: Path
) -> None:
    job = check_first(manager, project, b"dog-1.jpg;A dog .\n", pictures=two_pictures())
    new = [SimpleUploadedFile("cat.jpg", picture())]
    done = check_first(manager, project, b"cat.jpg;A cat .\n", pictures=new, pictures_of=job.pk)
    assert (done.outcome["pictures"], done.outcome["uncaptioned"]) == (1, 0)


def test_photographs_of_another_project_or_of_another_day_are_not_used(
    manager: Client, project: Project, media: Path
) -> None:
    job = check_first(manager, project, b"dog-1.jpg;A dog .\n", pictures=two_pictures())
    for other in (make_project(), project):
        page = manager.get(reverse("jobs:import", args=[other.pk]), {"pictures_of": job.pk}).content.decode()
        assert ("pictures_of" in page) is (other == project)
    clean_up_files(now=timezone.now() + timedelta(days=2))
    assert "pictures_of" not in manager.get(reverse("jobs:job", args=[job.pk])).content.decode()
    reply = post(manager, project, corpus=SimpleUploadedFile("a.token", b"x"), pictures_of=job.pk)
    assert reply.status_code == 409 and "not kept any more: choose them again" in reply.content.decode()
    assert Job.objects.count() == 1
