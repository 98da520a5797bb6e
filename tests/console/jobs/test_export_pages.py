"""Exports in the browser: versions of the data set."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from annotation.formats.registry import WRITERS
from annotation.models import Image, ImageWork, Project
from tests.annotation.exporting.annotated_projects import Made, make_annotated
from tests.factories import make_image, make_project, make_running
from tests.workflows.jobs.jobs_made import export_job, finished
from workflows.core.models import AuditEntry
from workflows.jobs.models import Job, Snapshot

pytestmark = pytest.mark.django_db

ASKED = {"format": "coco", "source": "crowd", "merge_iou": "0.8", "merge_iou_other": "0.9"}


@pytest.fixture
def project(media: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setattr("workflows.tasks._hint", lambda *_, **__: None)
    project = make_project("corpus")
    make_image(project, [["man"]])
    return project


def test_a_version_is_asked_for_made_and_shown_with_what_changed(
    manager: Client, project: Project, django_assert_max_num_queries: Any
) -> None:
    address = reverse("jobs:exports", args=[project.pk])
    for _ in range(2):
        reply: Any = manager.post(address, {**ASKED, "include_unfinished": "on", "merge": "on"})
        job = Job.objects.latest("pk")
        assert reply.url == reverse("jobs:job", args=[job.pk])
        assert f"Export {job.pk}" in manager.get(address).content.decode()
        assert finished(job).state == "done"
        make_image(project, [["dog"]], name="new.jpg")
        project.images.filter(name="new.jpg").update(name=f"new{job.pk}.jpg")
    with django_assert_max_num_queries(12):
        listed = manager.get(address).content.decode()
    assert "Version 2" in listed and listed.count("everything, with unfinished work") == 2
    version = Snapshot.objects.get(version=2)
    page = manager.get(reverse("jobs:snapshot", args=[version.pk])).content.decode()
    assert "Since version 1" in page and version.sha256 in page and "content_hash" in page
    assert f"new{Snapshot.objects.get(version=1).job_id}.jpg" in page
    assert AuditEntry.objects.filter(action="export.start").count() == 2


def test_formats_are_grouped_by_what_they_are_for(manager: Client, project: Project) -> None:
    page = manager.get(reverse("jobs:exports", args=[project.pk])).content.decode()
    groups = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', page, re.DOTALL)
    assert [label for label, _ in groups] == [
        "Data sets",
        "Detection and grounding",
        "Vision-language models",
    ]
    formats = [re.findall('<option value="(.*?)"', options) for _, options in groups]
    assert "jsonl" in formats[0] and "yolo" in formats[1] and "ms-swift" in formats[2]
    assert sorted(name for names in formats for name in names) == sorted(WRITERS)


def test_a_version_says_what_its_format_has_no_place_for(manager: Client, media: Path) -> None:
    project = make_annotated([Made([0], [(0, 0, 9, 9)]), Made([1], state="nonvisual")], [["man", "dog"]])
    manager.post(reverse("jobs:exports", args=[project.pk]), {**ASKED, "format": "qwen3-vl"})
    assert finished(Job.objects.get()).state == "done"
    page = manager.get(reverse("jobs:snapshot", args=[Snapshot.objects.get().pk])).content.decode()
    assert "Not in this format" in page and "<dt>phrases without boxes</dt>" in page
    assert "Written, but" not in page


def test_a_version_says_what_is_written_and_needs_care(manager: Client, media: Path) -> None:
    """The box of a pixel is less than a thousandth of the image."""
    project = make_annotated([Made([0], [(0, 0, 1, 1)])], [["man"]])
    Image.objects.update(width=5000)
    manager.post(reverse("jobs:exports", args=[project.pk]), {**ASKED, "format": "qwen3-vl"})
    assert finished(Job.objects.get()).state == "done"
    page = manager.get(reverse("jobs:snapshot", args=[Snapshot.objects.get().pk])).content.decode()
    assert "Written, but" in page and "<dt>boxes that rounding leaves without area</dt>" in page


def test_the_form_says_how_many_images_are_left_out(manager: Client, viewer: Client) -> None:
    batch = make_running([["man"]], images=3)
    address = reverse("jobs:exports", args=[batch.project_id])
    ImageWork.objects.filter(pk=batch.works.order_by("pk")[0].pk).update(state="done")
    assert "1 of 3 images are done." in manager.get(address).content.decode()
    assert "are done." not in viewer.get(address).content.decode(), "who exports nothing has no form"
    batch.works.update(state="done")
    assert "are done." not in manager.get(address).content.decode()


def test_pictures_and_unresolved_mentions_can_be_asked_for(
    manager: Client, viewer: Client, media: Path
) -> None:
    project = make_annotated([Made([0], [(0, 0, 9, 9)]), Made([1], state="review")], [["man", "dog"]])
    ImageWork.objects.update(state="boxing")
    address = reverse("jobs:exports", args=[project.pk])
    manager.post(address, {**ASKED, "include_unresolved": "on", "pictures": "on"})
    finished(Job.objects.get())
    assert "everything, with unresolved mentions, with pictures, not merged" in (
        viewer.get(address).content.decode()
    )
    page = viewer.get(reverse("jobs:snapshot", args=[Snapshot.objects.get().pk])).content.decode()
    assert "pictures gone from the storage" in page and "as not visual" in page
    assert '<dt>waits for review</dt><dd class="figure">1</dd>' in page


def test_a_version_says_how_many_mentions_have_no_result_and_why(viewer: Client, media: Path) -> None:
    batch = make_running([["man", "dog"]], images=2)
    version = finished(export_job(batch.project)).snapshot
    page = viewer.get(reverse("jobs:snapshot", args=[version.pk])).content.decode()
    assert "Mentions without a result" in page and "unresolved.jsonl" in page
    (reason,) = version.manifest["unresolved"]
    assert f'<dt>{reason}</dt><dd class="figure">4</dd>' in page


def test_export_clicked_twice_is_one_job_and_one_act(manager: Client, project: Project) -> None:
    address = reverse("jobs:exports", args=[project.pk])
    replies: list[Any] = [manager.post(address, ASKED) for _ in range(2)]
    assert {reply.url for reply in replies} == {reverse("jobs:job", args=[Job.objects.get().pk])}
    assert AuditEntry.objects.filter(action="export.start").count() == 1


def test_a_version_that_could_not_be_compared_says_so(viewer: Client, project: Project) -> None:
    finished(export_job(project))
    Snapshot.objects.update(changes={"since": 7, "problem": "It is damaged."})
    page = viewer.get(reverse("jobs:snapshot", args=[Snapshot.objects.get().pk])).content.decode()
    assert "could not be compared with version 7" in page and "It is damaged." in page
    assert "the first version with its source" not in page


def test_a_download_is_the_archive_with_its_name_and_digest_and_is_kept_in_the_log(
    viewer: Client, project: Project
) -> None:
    version = finished(export_job(project)).snapshot
    reply = viewer.get(reverse("jobs:download", args=[version.pk]))
    content = b"".join(reply.streaming_content)  # type: ignore[attr-defined]
    for close in reply._resource_closers:  # type: ignore[attr-defined]
        close()
    assert reply["Content-Disposition"] == 'attachment; filename="corpus-v1-jsonl.zip"'
    assert int(reply["Content-Length"]) == len(content) == version.size
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    assert reply["Repr-Digest"] == f"sha-256=:{digest}:"
    assert "images.jsonl" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    entry = AuditEntry.objects.exclude(action="login").get()
    assert (entry.action, entry.by, entry.object) == ("snapshot.download", "vic", "version 1")


def test_a_download_that_broke_off_goes_on(viewer: Client, project: Project) -> None:
    version = finished(export_job(project)).snapshot
    address = reverse("jobs:download", args=[version.pk])
    whole: Any = viewer.get(address)
    content = whole.getvalue()
    for close in whole._resource_closers:
        close()
    rest: Any = viewer.get(address, headers={"Range": "bytes=20-", "If-Range": whole["ETag"]})
    assert (rest.status_code, rest.getvalue()) == (206, content[20:])
    for name in ("Repr-Digest", "Cache-Control", "Content-Disposition"):
        assert rest[name] == whole[name]
    assert AuditEntry.objects.filter(action="snapshot.download").count() == 2, "each part is kept in the log"


def test_from_a_bucket_it_is_a_link_of_a_few_minutes(
    viewer: Client, project: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = finished(export_job(project)).snapshot
    settings.IMAGES_ARE_LOCAL = False

    def url(name: str, *, parameters: dict[str, str], expire: int) -> str:
        assert name == str(version.file) and expire <= 600
        return f"https://bucket.example/{parameters['ResponseContentDisposition']}"

    monkeypatch.setattr(default_storage._wrapped, "url", url)  # type: ignore[attr-defined]
    address = reverse("jobs:download", args=[version.pk])
    looked = viewer.head(address)
    assert looked.status_code == 200 and "Location" not in looked, "a link without an entry in the audit log"
    reply = viewer.get(address)
    assert reply.status_code == 302 and "corpus-v1-jsonl.zip" in reply["Location"]
    assert AuditEntry.objects.filter(action="snapshot.download").count() == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"batch": "none"}, "Select a valid choice"),
        ({"merge_iou": "1.5"}, "above 0 and at most 1"),
        ({"format": ""}, "This field is required"),
    ],
)
def test_what_cannot_be_exported_is_said_at_its_field(
    manager: Client, project: Project, wrong: dict[str, str], says: str
) -> None:
    reply = manager.post(reverse("jobs:exports", args=[project.pk]), {**ASKED, **wrong})
    assert says in reply.content.decode() and not Job.objects.exists()


def test_a_viewer_sees_versions_and_no_form(viewer: Client, project: Project) -> None:
    address = reverse("jobs:exports", args=[project.pk])
    assert "A new version" not in viewer.get(address).content.decode()
    assert viewer.post(address, ASKED).status_code == 403
