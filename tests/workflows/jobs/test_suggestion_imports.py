"""A job previews and imports boxes that a model suggests, as the command does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import GoldChain, Image, Mention, Project, Suggestion, SuggestionSet
from evaluation.coordinates import smart_resize
from evaluation.predictions.formats import FORMATS
from tests.factories import NOW, make_image, make_project
from tests.judging_models import make_judge
from tests.workflows.jobs.jobs_made import Clock, finished
from workflows.core.models import AuditEntry
from workflows.jobs import suggestion_imports
from workflows.jobs.domain import jobs as rules
from workflows.jobs.domain.jobs import JobError, SuggestionsAsked
from workflows.jobs.job_queue import cancel_job, import_after, resume_job, start_job
from workflows.jobs.models import Job
from workflows.jobs.run_job import run_job
from workflows.jobs.upload_storage import PREDICTIONS, ROOT
from workflows.jobs.uploads import keep_upload
from workflows.suggestions import files, sets
from workflows.suggestions.domain.choice import SUPPRESSION
from workflows.suggestions.files import SuggestionError

pytestmark = pytest.mark.django_db
BOX, OTHER = [10, 20, 110, 220], [200, 20, 300, 90]


@pytest.fixture
def project(media: Path) -> Project:
    """Return a project whose image says *a man a dog*; the man's box is known."""
    project = make_project()
    make_image(project, [["man", "dog"]], name="a.jpg")
    man = Mention.objects.order_by("start").first()
    assert man is not None
    GoldChain.objects.create(image=man.image, number=1, members=[man.pk], boxes=[BOX])
    return project


def line(start: int, *boxes: list[int], **more: object) -> dict[str, object]:
    return {"image": "a.jpg", "caption": 0, "start": start, "end": start + 2, "boxes": boxes, **more}


GIVEN = (line(0, BOX, OTHER, scores=[0.9, 0.3]), line(2, OTHER, scores=[0.5]))


def start(
    project: Project, *lines: Mapping[str, Any], dry_run: bool = True, content: bytes = b"", **asked: Any
) -> Job:
    data = content or "\n".join(map(json.dumps, lines or GIVEN)).encode()
    upload = keep_upload({PREDICTIONS: [SimpleUploadedFile("owl.jsonl", data)]}, now=NOW)
    model = make_judge(project, "owl/1")
    given = SuggestionsAsked(**{"model": model.pk, "upload": upload, "file": "owl.jsonl", **asked})
    return start_job(project=project, asked=given, by="ada", now=NOW, dry_run=dry_run)[0]


def test_a_preview_says_what_the_set_would_be_like_and_writes_nothing(project: Project) -> None:
    preview = finished(start(project, threshold=0.4))
    assert (preview.state, preview.error) == ("done", "")
    report = preview.outcome["report"]
    assert report["boxes"][:3] == [0, 2, 0] and report["left_out"] == {"below the threshold": 1}
    assert report["known"]["people"] == {"mentions": 1, "known": 1, "suggested": 1, "matched": 1}
    assert preview.outcome["model"] == "owl/1" and "set" not in preview.outcome
    assert not SuggestionSet.objects.exists() and not AuditEntry.objects.exists()


def test_the_import_after_a_preview_makes_the_set_of_the_same_upload(project: Project) -> None:
    preview = finished(start(project))
    job, new = import_after(job=preview, by="bob", now=NOW)
    assert new and job.options == preview.options and not job.dry_run
    assert finished(job).outcome["set"] == 1
    made = SuggestionSet.objects.get()
    assert (made.number, made.by, str(made.model)) == (1, "bob", "owl/1") and made.completed_at
    assert made.settings == {"threshold": None, "nms": 0.7, "every_mention": False, "coordinates": None}
    assert made.report == preview.outcome["report"]
    rows = Suggestion.objects.order_by("mention__start").values_list("boxes", flat=True)
    assert list(rows) == [[[*BOX, 0.9], [*OTHER, 0.3]], [[*OTHER, 0.5]]]
    entry = AuditEntry.objects.get(action="suggestions.import")
    assert (entry.by, entry.detail) == ("bob", {"set": 1, "file": "owl.jsonl"})
    assert not default_storage.exists(f"{ROOT}/{preview.options['upload']}"), "the upload is not needed more"
    with pytest.raises(JobError, match="not stored any more"):
        import_after(job=preview, by="bob", now=NOW)


def test_lines_that_match_nothing_are_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestion_imports, "LINES", 2)
    wrong = [{**line(0, BOX, scores=[1]), "image": f"{name}.jpg"} for name in "xyz"]
    job = finished(start(project, GIVEN[0], *wrong))
    assert job.problem_count == 3 and [one["where"] for one in job.problems] == ["owl.jsonl:2", "owl.jsonl:3"]
    assert job.problems[0]["message"] == ("x.jpg caption 0 tokens 0 to 2: boxes for no phrase of the project")
    (finding,) = job.outcome["report"]["findings"].values()
    assert finding["count"] == 3


@pytest.mark.parametrize(
    ("content", "asked", "error"),
    [
        (b"x", {}, "owl.jsonl, line 1: is not JSON"),
        (b'{"image": "a.jpg", "phrase": "a man", "boxes": [[1, 2]]}', {}, "owl.jsonl, line 1: boxes"),
        (b'{"image": "a.jpg", "answer": "a man"}', {}, "say how boxes are written in it with Format: pixels"),
        (
            json.dumps({"image": "a.jpg", "phrase": "a man", "boxes": [BOX]}).encode(),
            {"threshold": 0.5},
            "has no scores, which a threshold needs",
        ),
        (
            b'{"image": "a.jpg", "phrase": "a man", "boxes": [[1, 2, 30, 40]], "scores": [NaN]}',
            {},
            "owl.jsonl, line 1: scores: has NaN or infinity",
        ),
        (json.dumps({**line(0, BOX), "image": "z.jpg"}).encode(), {}, "owl.jsonl has no box for a mention"),
    ],
)
def test_a_bad_file_fails_with_its_name_line_and_field(
    project: Project, content: bytes, asked: dict[str, Any], error: str
) -> None:
    job = finished(start(project, content=content, **asked))
    assert job.state == "failed" and error in job.error
    assert "/" not in job.error, "the folders of the machine are nobody's business"
    assert not SuggestionSet.objects.exists()


def test_a_file_that_is_too_large_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE", 10)
    assert "has more than 10 bytes" in finished(start(project)).error


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"predictions_format": "inches"}, "predictions_format"),
        ({"max_pixels": 1_003_520}, "max_pixels"),
        ({"max_pixels": 3_135, "predictions_format": "qwen2.5-vl"}, "max_pixels"),
        ({"threshold": float("nan")}, "threshold"),
        ({"nms": 0.0}, "nms"),
        ({"nms": 1.5}, "nms"),
        ({"model": 10**9}, "model"),
        ({"upload": "20260101000000-0123456789abcdef"}, "upload"),
    ],
)
def test_options_that_cannot_be_are_refused_by_field(
    project: Project, asked: dict[str, Any], field: str
) -> None:
    with pytest.raises(JobError) as refused:
        start(project, **asked)
    assert refused.value.field == field and not Job.objects.exists()


def test_the_most_pixels_that_a_model_saw_are_chosen_and_kept(project: Project) -> None:
    image = Image.objects.get(name="a.jpg")
    size = image.width or 0, image.height or 0
    seen = smart_resize(*size, max_pixels=20_000)
    edges = [round(edge * seen[at % 2] / size[at % 2]) for at, edge in enumerate(BOX)]
    answer = json.dumps({"bbox_2d": edges})
    content = json.dumps({"image": "a.jpg", "caption": 0, "start": 0, "end": 2, "answer": answer}).encode()
    matched = []
    for most in (0, 20_000):
        job = start(
            project,
            dry_run=most == 0,
            content=content,
            predictions_format="qwen2.5-vl",
            max_pixels=most,
        )
        matched.append(finished(job).outcome["report"]["known"]["people"]["matched"])
    assert matched == [0, 1]
    made = SuggestionSet.objects.get()
    assert made.settings["coordinates"] == "qwen2.5-vl" and made.settings["max_pixels"] == 20_000


@pytest.mark.parametrize(
    "answer",
    [
        '{"bbox_2d": [100, 200, 300, 400], "label": "a man"}',
        "a man<loc_100><loc_200><loc_300><loc_400>",
    ],
)
def test_a_job_that_was_stored_before_formats_had_names_reads_the_same(project: Project, answer: str) -> None:
    """The option was called coordinates, and `thousandths` were those of JSON and of Florence-2's tokens."""
    content = json.dumps({"image": "a.jpg", "answer": answer}).encode()
    job = start(project, dry_run=False, content=content, predictions_format="thousandths")
    job.options["coordinates"] = job.options.pop("predictions_format")
    job.save()
    assert finished(job).state == "done"
    image = Mention.objects.order_by("start")[0].image
    assert image.width and image.height
    shares = (0.1 * image.width, 0.2 * image.height, 0.3 * image.width, 0.4 * image.height)
    ((box,),) = Suggestion.objects.values_list("boxes", flat=True)
    assert box[:4] == [pytest.approx(share, abs=1) for share in shares]


def test_the_model_of_another_project_is_none_of_this_one(project: Project) -> None:
    other = make_judge(make_project(), "owl/9")
    with pytest.raises(JobError, match="no such model"):
        start(project, model=other.pk)


def test_options_are_those_of_the_command() -> None:
    assert SuggestionsAsked(1, "").nms == SUPPRESSION
    assert tuple(filter(None, rules.PREDICTIONS_FORMATS)) == FORMATS


def test_an_import_that_is_cancelled_leaves_a_set_that_nobody_is_shown(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "ROWS_AT_ONCE", 1)
    job = start(project, dry_run=False)
    lock = sets.lock_project

    def cancel(pk: int) -> None:
        lock(pk)
        if Suggestion.objects.count() == 1:
            Job.objects.filter(pk=job.pk).update(cancel_asked=True)

    monkeypatch.setattr(sets, "lock_project", cancel)
    assert run_job(job_id=job.pk, clock=Clock(step=2)) == "cancelled"
    assert SuggestionSet.objects.get().completed_at is None
    assert not AuditEntry.objects.filter(action="suggestions.import").exists()
    monkeypatch.setattr(sets, "lock_project", lock)
    resumed = finished(resume_job(job=job))
    assert resumed.outcome["set"] == 2 and SuggestionSet.objects.get(number=2).completed_at


@pytest.mark.both_databases
def test_a_set_is_complete_exactly_if_its_job_is_done(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was given up finds this out in the transaction that would complete the set."""
    job = start(project, dry_run=False)
    lock = sets.lock_project

    def lose(pk: int) -> None:
        lock(pk)
        if Suggestion.objects.count() == 2:
            Job.objects.filter(pk=job.pk).update(runner="another")

    monkeypatch.setattr(sets, "lock_project", lose)
    assert run_job(job_id=job.pk, clock=Clock()) is None
    assert SuggestionSet.objects.get().completed_at is None
    assert not AuditEntry.objects.filter(action="suggestions.import").exists()


def test_a_project_that_is_deleted_meanwhile_gets_no_set(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: int) -> None:
        raise SuggestionError("the project was deleted meanwhile")

    monkeypatch.setattr(sets, "lock_project", gone)
    job = finished(start(project, dry_run=False))
    assert (job.state, job.error) == ("failed", "the project was deleted meanwhile")


def test_only_a_preview_that_is_done_is_imported(project: Project) -> None:
    preview = start(project)
    with pytest.raises(JobError, match="only a dry run that is done"):
        import_after(job=preview, by="ada", now=NOW)
    cancel_job(job=preview, now=NOW)
    project.archived_at = NOW
    project.save()
    with pytest.raises(JobError, match="archived"):
        resume_job(job=preview)
