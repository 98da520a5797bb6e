"""Caption files as they are published: by command and in the browser, they give what a token file gives."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import recognise
from annotation.formats.registry import READERS
from annotation.models import Caption, Image, Mention, Project
from tests.annotation.formats.published_shapes import (
    CAPTIONS,
    READ_IN_PART,
    SHAPES,
    SPLITS,
    WRONG,
    photograph,
    put,
    token_file,
    width_of,
)
from tests.factories import make_project
from tests.workflows.jobs.jobs_made import finished, zipped
from workflows.jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _media(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows.tasks._hint", lambda *_, **__: None)


def by_command(path: Path, *options: object) -> tuple[int, list[str]]:
    """Import with the command into the project `ours`. Return its exit code and what it says."""
    err = StringIO()
    arguments = ["--project", "ours", "--processes", "1", *map(str, options), str(path)]
    try:
        call_command("import_corpus", *arguments, stdout=StringIO(), stderr=err)
    except CommandError as error:
        lines = [*err.getvalue().splitlines(), *str(error).splitlines()]
        said = [line.replace(f"{path}/", "").replace(f"{path.parent}/", "") for line in lines]
        return error.returncode, [line for line in said if "see above" not in line]
    return 0, err.getvalue().splitlines()


def in_browser(client: Client, project: Project, path: Path, **data: object) -> Job:
    """Upload the file, or the folder as an archive, and let it be imported."""
    name, content = path.name, b""
    if path.is_dir():
        files = {
            str(one.relative_to(path.parent)): one.read_bytes() for one in path.rglob("*") if one.is_file()
        }
        name, content = f"{path.name}.zip", zipped(files)
    else:
        content = path.read_bytes()
    posted = {"action": "import", "corpus": SimpleUploadedFile(name, content), **data}
    client.post(reverse("jobs:import", args=[project.pk]), posted)
    return finished(Job.objects.latest("pk"))


def stored(project: Project) -> list[object]:
    """Return all captions of a project with their mentions."""
    mentions = Mention.objects.filter(caption__image__project=project).order_by("start")
    by_caption: dict[int, list[object]] = {}
    for one in mentions:
        by_caption.setdefault(one.caption_id, []).append((one.start, one.end, one.text, one.types))
    captions = Caption.objects.filter(image__project=project).select_related("image")
    return [
        (one.image.name, one.index, one.text, one.tokens, by_caption.get(one.pk))
        for one in captions.order_by("image__name", "index")
    ]


def expected(folder: Path) -> list[object]:
    """Return what the token file gives."""
    path = token_file(folder / "expected")
    call_command("import_corpus", str(path), project="expected", processes=1, stdout=StringIO())
    found = stored(Project.objects.get(name="expected"))
    assert len(found) == sum(map(len, CAPTIONS.values()))
    return found


def check_images(project: Project, shape: str) -> None:
    """Check the splits and pictures of what was imported."""
    images = Image.objects.filter(project=project)
    splits = SPLITS if SHAPES[shape].splits else dict.fromkeys(CAPTIONS, "")
    assert dict(images.values_list("name", "split")) == splits
    widths = {name: width_of(name) for name in CAPTIONS} if SHAPES[shape].pictures else {}
    assert {image.name: image.width for image in images if image.file} == widths


@pytest.mark.parametrize("shape", SHAPES)
def test_the_reader_gives_what_it_gives_for_a_token_file(tmp_path: Path, shape: str) -> None:
    found = list(read_corpus(recognise(SHAPES[shape].write(tmp_path))))
    texts: dict[str, list[tuple[int, str]]] = {}
    for record in found:
        name, captions = getattr(record, "name", str(record)), getattr(record, "captions", ())
        texts.setdefault(name, []).extend((caption.index, caption.text) for caption in captions)
    assert texts == {name: list(enumerate(texts)) for name, texts in CAPTIONS.items()}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_command_imports_it_as_it_imports_a_token_file(tmp_path: Path, shape: str) -> None:
    wanted = expected(tmp_path)
    assert by_command(SHAPES[shape].write(tmp_path)) == (0, [])
    ours = Project.objects.get(name="ours")
    assert stored(ours) == wanted
    check_images(ours, shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_upload_is_imported_as_a_token_file_is(tmp_path: Path, manager: Client, shape: str) -> None:
    wanted, ours = expected(tmp_path), make_project()
    job = in_browser(manager, ours, SHAPES[shape].write(tmp_path))
    assert (job.state, job.error, job.problems) == ("done", "", [])
    assert stored(ours) == wanted
    check_images(ours, shape)


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_file_gives_one_message_by_command_and_in_the_browser(
    tmp_path: Path, manager: Client, kind: str
) -> None:
    write, message = WRONG[kind]
    path = write(tmp_path)
    code, said = by_command(path)
    assert said == [message]
    job = in_browser(manager, make_project(), path)
    if kind in READ_IN_PART:
        assert code == 3
        assert [f"{one['where']}: {one['message']}" for one in job.problems] == [message]
        return
    assert (code, job.state) == (1, "failed") and not Image.objects.exists()
    assert job.error.replace(f"{path.name}/", "").endswith(message) or f"{message}." in job.error
    assert job.problem_count <= 1


@pytest.mark.parametrize("kind", [kind for kind in WRONG if not kind.startswith(("aligned", "two files"))])
def test_a_wrong_file_gives_one_message_also_if_its_format_is_given(tmp_path: Path, kind: str) -> None:
    path = WRONG[kind][0](tmp_path)
    for format in READERS:
        if format in ("flickr30k-entities", "aligned-text", "photographs"):
            continue
        code, said = by_command(path, "--format", format)
        assert code in (1, 3) and len(said) == 1, (format, said)


def test_a_format_that_does_not_fit_names_the_one_that_does(tmp_path: Path, manager: Client) -> None:
    path = SHAPES["Karpathy's Flickr30k"].write(tmp_path)
    says = (
        "dataset_flickr30k.json does not look like coco-captions, but like json-captions: leave the "
        "format out, or name json-captions"
    )
    assert by_command(path, "--format", "coco-captions") == (1, [says])
    assert in_browser(manager, make_project(), path, format="coco-captions").error == says


def test_photographs_beside_an_upload_are_found_by_their_names(tmp_path: Path, manager: Client) -> None:
    """The names in the file have folders, and the uploaded photographs have none."""
    ours = make_project()
    pictures = [SimpleUploadedFile(name, photograph(name)) for name in CAPTIONS]
    path = SHAPES["ALBEF's and BLIP's list, a text each"].write(tmp_path)
    assert in_browser(manager, ours, path, pictures=pictures).problems == []
    assert {image.name: image.width for image in ours.images.all()} == {
        name: width_of(name) for name in CAPTIONS
    }


def test_the_folder_of_a_name_tells_pictures_of_the_same_name_apart(tmp_path: Path) -> None:
    for folder, name in (("train", "1000001.jpg"), ("test", "1000002.jpg")):
        put(tmp_path / "set" / folder / "1.jpg", photograph(name))
    put(tmp_path / "set" / "train" / "2.jpg", photograph("1000003.jpg"))
    put(tmp_path / "set" / "metadata.csv", "file_name,text\ntest/1.jpg,A man .\n")
    assert by_command(tmp_path / "set") == (0, [])
    assert Image.objects.get().width == width_of("1000002.jpg")


def test_photographs_without_captions_are_imported_by_command_and_in_the_browser(
    tmp_path: Path, manager: Client
) -> None:
    """As a folder, as a ZIP archive, and as single files whose names are kept."""
    folder = tmp_path / "photos"
    for name in CAPTIONS:
        put(folder / name, photograph(name))
    widths = {name: width_of(name) for name in CAPTIONS}
    assert by_command(folder, "--format", "photographs") == (0, [])
    assert dict(Image.objects.values_list("name", "width")) == widths
    archived, single = make_project(), make_project()
    assert in_browser(manager, archived, folder, format="photographs").problems == []
    assert dict(archived.images.values_list("name", "width")) == widths
    pictures = [SimpleUploadedFile(name, photograph(name)) for name in CAPTIONS]
    posted = {"action": "import", "pictures": pictures, "format": "photographs"}
    manager.post(reverse("jobs:import", args=[single.pk]), posted)
    job = finished(Job.objects.latest("pk"))
    assert (job.state, job.error, job.problems) == ("done", "", [])
    assert dict(single.images.values_list("name", "width")) == widths
    assert not Caption.objects.exists()


def test_photographs_without_captions_say_what_to_do(tmp_path: Path, manager: Client) -> None:
    project, before = make_project(), Job.objects.count()
    pictures = [SimpleUploadedFile("a.jpg", photograph("1000001.jpg"))]
    shown = manager.post(
        reverse("jobs:import", args=[project.pk]), {"action": "import", "pictures": pictures}
    )
    assert "If workers are to write the captions, choose the format Photographs" in shown.content.decode()
    assert Job.objects.count() == before
