"""Who runs a job, and what happens if its run is cancelled, killed or given up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Image, Project
from tests.factories import NOW, make_project
from tests.workflows.jobs.jobs_made import Clock, finished, import_job
from tests.workflows.threads import at_once
from workflows.jobs import imports, job_queue
from workflows.jobs.domain.jobs import MAX_ATTEMPTS, STALE, ExportAsked, ImportAsked, JobError
from workflows.jobs.job_queue import cancel_job, import_after, next_job, resume_job, start_job, take_job
from workflows.jobs.models import Job
from workflows.jobs.run_job import run_job
from workflows.jobs.run_progress import Run, RunLost, beat, end_job

pytestmark = pytest.mark.both_databases

DEAD = NOW + STALE + timedelta(seconds=1)


@pytest.fixture
def project(db: None, media: Path) -> Project:
    return make_project()


def test_one_run_has_a_job_until_it_is_not_heard_of_for_a_minute(project: Project) -> None:
    job = import_job(project)
    assert next_job(now=NOW) == job.pk
    assert take_job(job_id=job.pk, runner="first", now=NOW) is not None
    assert next_job(now=NOW) is None and take_job(job_id=job.pk, runner="second", now=NOW + STALE) is None
    assert next_job(now=DEAD) == job.pk
    taken = take_job(job_id=job.pk, runner="second", now=DEAD)
    assert taken is not None and taken.attempts == 2
    with pytest.raises(RunLost):
        beat(job_id=job.pk, runner="first", values={"done": 5})
    with pytest.raises(RunLost):
        end_job(job_id=job.pk, runner="first", state=Job.State.DONE, now=DEAD, values={})
    job.refresh_from_db()
    assert (job.state, job.runner, job.done) == ("running", "second", 0)


def test_no_more_run_at_once_than_the_installation_allows(project: Project, settings: Any) -> None:
    first, second = import_job(project), import_job(project)
    assert take_job(job_id=first.pk, runner="a", now=NOW) is not None
    assert take_job(job_id=second.pk, runner="b", now=NOW) is None and next_job(now=NOW) is None
    settings.JOBS_AT_ONCE = 2
    assert next_job(now=NOW) == second.pk


@pytest.mark.django_db(transaction=True)
def test_of_runs_that_come_at_once_one_gets_the_job_and_the_others_nothing(media: Path) -> None:
    project = make_project()
    jobs = [import_job(project) for _ in range(2)]
    calls = [
        lambda pk=job.pk, name=f"r{number}": take_job(job_id=pk, runner=name, now=NOW)
        for number, job in enumerate(jobs * 3)
    ]
    taken = [found for found in at_once(calls) if found is not None]
    assert len(taken) == 1
    assert Job.objects.filter(state="running").values_list("runner", flat=True).get() == taken[0].runner


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_for_twice_at_once_is_started_once(media: Path) -> None:
    project = make_project()
    dry = finished(import_job(project, dry_run=True))
    calls = [lambda: import_after(job=dry, by="mona", now=NOW)] * 3
    calls += [lambda: start_job(project=project, asked=ExportAsked("jsonl"), by="mona", now=NOW)] * 3
    started = at_once(calls)
    for answers in (started[:3], started[3:]):
        assert len({job.pk for job, _ in answers}) == 1
        assert sorted(new for _, new in answers) == [False, False, True]
    cancelled = started[3][0]
    Job.objects.filter(pk=cancelled.pk).update(cancel_asked=True)
    job, new = start_job(project=project, asked=ExportAsked("jsonl"), by="mona", now=NOW)
    assert new and job != cancelled


def test_a_job_nobody_runs_is_cancelled_at_once_and_a_running_one_when_it_looks(project: Project) -> None:
    waiting = cancel_job(job=import_job(project), now=NOW)
    assert (waiting.state, waiting.ended_at) == ("cancelled", NOW)
    job = import_job(project)
    take_job(job_id=job.pk, runner="a", now=NOW)
    assert cancel_job(job=job, now=NOW).state == "running"
    assert beat(job_id=job.pk, runner="a", values={"done": 1})
    assert cancel_job(job=job, now=DEAD).state == "cancelled"
    with pytest.raises(JobError, match="cancelled already"):
        cancel_job(job=job, now=DEAD)


def test_cancelled_between_two_chunks_it_keeps_what_it_has_and_resumed_it_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotation.importing.stream.IMAGES_AT_ONCE", 1)
    job = import_job(project)
    begin = Run.advance

    def cancelled_after_the_first(run: Run, steps: int = 1) -> None:
        if run.phase == "importing" and not Job.objects.get(pk=job.pk).cancel_asked:
            cancel_job(job=job, now=NOW)
        begin(run, steps)

    monkeypatch.setattr(Run, "advance", cancelled_after_the_first)
    assert finished(job, Clock(step=2)).state == "cancelled"
    assert job.done == 1 and Image.objects.count() == 1
    resumed = finished(resume_job(job=job))
    assert (resumed.state, resumed.outcome["images"], resumed.outcome["images_known"]) == ("done", 1, 1)


def test_a_killed_run_is_followed_by_one_that_goes_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def dies(*_: object, **__: object) -> None:
        raise Killed

    job = import_job(project)
    with monkeypatch.context() as patched:
        patched.setattr(imports, "read_splits", dies)
        with pytest.raises(Killed):
            run_job(job_id=job.pk, clock=Clock())
    assert Job.objects.get(pk=job.pk).state == "running"
    assert run_job(job_id=job.pk, clock=lambda: NOW) is None
    assert run_job(job_id=job.pk, clock=lambda: DEAD) == "done"


def test_a_job_that_kills_every_run_is_given_up_and_can_be_resumed(project: Project) -> None:
    job = import_job(project)
    now = NOW
    for _ in range(MAX_ATTEMPTS):
        assert take_job(job_id=job.pk, runner="a", now=now) is not None
        now += 2 * STALE
    assert take_job(job_id=job.pk, runner="a", now=now) is None
    job.refresh_from_db()
    assert job.state == "failed" and "interrupted 5 times" in job.error
    assert (resume_job(job=job).state, resume_state(job)) == ("queued", 0)


def resume_state(job: Job) -> int:
    return Job.objects.get(pk=job.pk).attempts


def test_what_nobody_has_foreseen_fails_the_job_and_tells_no_secret(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("password=1234")

    monkeypatch.setattr(imports, "import_corpus", breaks)
    job = finished(import_job(project))
    assert job.state == "failed" and "RuntimeError" in job.error and "1234" not in job.error


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"upload": "20260301120000-0123456789abcdef"}, "upload"),
        ({"upload": "../../etc"}, "upload"),
        ({"place": "/data", "format": "docx"}, "format"),
        ({"place": "/data"}, "place"),
    ],
)
def test_what_cannot_begin_is_refused_at_once(project: Project, asked: dict[str, Any], field: str) -> None:
    with pytest.raises(JobError) as refused:
        start_job(project=project, asked=ImportAsked(**asked), by="mona", now=NOW)
    assert refused.value.field == field and not Job.objects.exists()


def test_a_project_has_so_many_jobs_waiting_and_no_more(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_queue, "MAX_WAITING", 1)
    import_job(project)
    with pytest.raises(JobError, match="are unfinished: wait"):
        import_job(project)
    Job.objects.update(state="cancelled")
    first, second = Job.objects.order_by("pk")[0], import_job(project)
    with pytest.raises(JobError, match="are unfinished: wait"):
        resume_job(job=first)
    assert (second.state, Job.objects.get(pk=first.pk).state) == ("queued", "cancelled")


def test_a_job_is_not_resumed_beside_one_that_does_the_same(project: Project) -> None:
    """Both would import the same upload, which is deleted when the first of them is done."""
    dry = finished(import_job(project, dry_run=True))
    cancelled, _ = import_after(job=dry, by="mona", now=NOW)
    cancel_job(job=cancelled, now=NOW)
    again, _ = import_after(job=dry, by="mona", now=NOW)
    with pytest.raises(JobError, match=f"Job {again.pk} does the same, and is queued"):
        resume_job(job=cancelled)
    assert finished(again).state == "done" and Job.objects.get(pk=cancelled.pk).state == "cancelled"
