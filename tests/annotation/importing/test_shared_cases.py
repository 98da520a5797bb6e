"""Small files that failed once, from the folder beside the project, as they are imported now."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from PIL import Image as Pillow

from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import recognise
from annotation.models import Caption, Image
from tests.annotation.importing.made_corpora import Imported, run
from tests.factories import make_project
from tests.shared import shared
from tests.workflows.jobs.jobs_made import finished, import_job, upload

pytestmark = pytest.mark.django_db


def imported(*parts: str) -> Imported:
    corpus = recognise(shared("cases", *parts))
    return run(read_corpus(corpus), images=corpus.pictures, above=corpus.above)


def sizes() -> dict[str, tuple[int | None, int | None]]:
    """Return width and height of the images that have their photograph, by name."""
    return {image.name: (image.width, image.height) for image in Image.objects.exclude(file="")}


def test_exif_data_that_cannot_be_written_anew_stops_nothing(media: Path) -> None:
    done = imported("F01_exif_breaks_import")
    named = {"good.jpg": (64, 48), "xres_ascii.jpg": (24, 32)}
    assert done.problems == [] and sizes() == named


@pytest.mark.parametrize(
    "name", ["make_rational.jpg", "xres_ascii.jpg", "xres_byte.jpg", "xres_undefined.jpg"]
)
def test_each_picture_with_such_exif_data_is_turned(media: Path, folder: Path, name: str) -> None:
    (folder / name).write_bytes(shared("cases", "F01_exif_breaks_import", name).read_bytes())
    (folder / "captions.csv").write_text(f"image,caption\n{name},A man.\n")
    corpus = recognise(folder)
    assert run(read_corpus(corpus), images=corpus.pictures).problems == []
    assert sizes() == {name: (24, 32)}


def test_different_pictures_of_one_path_are_kept_apart(media: Path) -> None:
    done = imported("F02_parquet_same_path")
    assert done.problems == []
    found = {}
    for caption in Caption.objects.select_related("image"):
        with default_storage.open(str(caption.image.file)) as file, Pillow.open(file) as picture:
            red, green, blue = picture.convert("RGB").resize((1, 1)).getpixel((0, 0))  # type: ignore[misc]
        shown = max((red, "red"), (green, "green"), (blue, "blue"))[1]
        found[caption.text] = shown
    assert len(found) == Image.objects.count() == 3
    assert all(shown in text for text, shown in found.items()), found


@pytest.mark.parametrize(
    "case",
    [
        *("F04_upper_case_suffix", "F06_nfd_names", "F08_narrow_no_break_space"),
        "F10_jfif_left_out_silently",
    ],
)
def test_names_are_found_in_whatever_form(media: Path, case: str) -> None:
    assert imported(case).problems == [] and len(sizes()) == 1


@pytest.mark.parametrize(
    "case", ["F04_upper_case_suffix", "F07_zip_names_without_utf8_flag", "F24_backslashes_in_zip"]
)
def test_names_in_archives_are_found(media: Path, case: str) -> None:
    files = ("captions.csv", "photos.zip")
    captions, photos = (shared("cases", case, name).read_bytes() for name in files)
    job = finished(import_job(make_project(), upload=upload(captions, "captions.csv", pictures=photos)))
    assert (job.state, job.problem_count) == ("done", 0), (job.error, job.problems)
    assert len(sizes()) == 1


def test_what_browsers_show_is_imported_and_an_empty_file_is_called_empty(media: Path) -> None:
    done = imported("F18_refused_though_shown")
    [problem] = done.problems
    assert problem.endswith("empty.jpg: is empty (get it again)")
    assert sizes() == {
        "bad_crc_of_text.png": (64, 48),
        "no_end_marker.jpg": (64, 48),
        "exposure_minus_2_over_0.jpg": (24, 32),
    }


def test_files_of_macos_in_a_corpus_are_no_problem() -> None:
    done = imported("F22_apple_double_in_corpus")
    assert done.problems == [] and list(Image.objects.values_list("name", flat=True)) == ["a.jpg"]


def test_gamma_and_frames_are_kept(media: Path) -> None:
    folder = shared("cases", "F25_turned_picture_loses")
    captions = media.parent / "captions.csv"
    captions.write_text("image,caption\ngamma.png,A wall.\nmoving.webp,A ball.\n")
    done = run(read_corpus(recognise(captions)), images=folder)
    assert done.problems == [] and sizes() == {"gamma.png": (48, 64), "moving.webp": (64, 48)}
    files = dict(Image.objects.values_list("name", "file"))
    with Pillow.open(media / files["gamma.png"]) as after, Pillow.open(folder / "gamma.png") as before:
        assert after.info["gamma"] == before.info["gamma"]
    with Pillow.open(media / files["moving.webp"]) as after, Pillow.open(folder / "moving.webp") as before:
        assert getattr(after, "n_frames", 1) == getattr(before, "n_frames", 1) > 1
