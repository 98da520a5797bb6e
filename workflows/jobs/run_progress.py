"""One run of a job: it writes its progress, learns whether it should stop, and collects problems."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from django.db.models import F

from annotation.domain.records import Problem
from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.jobs.domain.jobs import (
    BEAT,
    MAX_PROBLEMS,
)
from workflows.jobs.models import Job

MAX_MESSAGE = 500  # characters of a problem
_T = TypeVar("_T")


class RunStopped(Exception):
    """Somebody cancelled the job."""


class Run:
    """A run, as the work of a job sees it. Call `pulse` often, and never within a transaction."""

    def __init__(self, job: Job, runner: str, clock: Callable[[], datetime]) -> None:
        self.job, self.runner, self.clock = job, runner, clock
        self.done, self.total, self.phase = 0, job.total, job.phase
        self.problems: list[dict[str, str]] = []
        self.problem_count = 0
        self._folders: list[str] = []
        self._written = 0  # problems that are in the database
        self._last = clock()

    @property
    def project(self) -> Project:
        """The job's project."""
        return self.job.project

    def begin(self, phase: str, total: int | None = None) -> None:
        """Begin the next part of the work, with `total` steps if the number is known."""
        self.phase, self.done, self.total = phase, 0, total
        self.tell()

    def advance(self, steps: int = 1) -> None:
        """Count further steps as done."""
        self.done += steps
        self.pulse()

    def pulse(self) -> None:
        """Write the progress if BEAT has passed since the last time; else do nothing.

        Raises RunStopped if the job was cancelled, and RunLost if another run has it.
        """
        if abs(self.clock() - self._last) >= BEAT:  # also if the clock was set back
            self.tell()

    def result(self, future: Future[_T]) -> _T:
        """Wait for a thread with a pulse meanwhile, and return its result or raise its error."""
        while not wait([future], timeout=BEAT.total_seconds()).done:
            self.pulse()
        return future.result()

    def tell(self, ahead: timedelta = timedelta()) -> None:
        """Write the progress now. `ahead` is how long the run will be silent, in a part without a pulse.

        Raises RunStopped or RunLost.
        """
        self._last = self.clock()
        if beat(job_id=self.job.pk, runner=self.runner, values=self._values(self._last + ahead)):
            raise RunStopped

    def problem(self, problem: Problem) -> None:
        """Count the problem, and keep it if it is one of the first MAX_PROBLEMS."""
        place = problem.file if problem.line is None else f"{problem.file}:{problem.line}"
        self.name_problem(place, f"{problem.message} ({problem.hint})" if problem.hint else problem.message)

    def name_problem(self, where: str, message: str) -> None:
        """Count a problem, and keep it if it is one of the first MAX_PROBLEMS."""
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append({"where": self.say(where), "message": self.say(message)[:MAX_MESSAGE]})

    def hide(self, folder: Path) -> None:
        """Leave this folder out of paths in problems and errors."""
        self._folders.append(str(folder))

    def say(self, text: str) -> str:
        """Return the text without the hidden folders of this machine."""
        for folder in self._folders:
            text = text.replace(f"{folder}/", "").replace(folder, "the corpus")
        return text

    def end(self, state: str, **values: Any) -> None:
        """End the job in `state`, with `values` for its columns. Raises RunLost.

        Runs in the caller's transaction if there is one.
        """
        now = self.clock()
        columns = self._values(now) | {"problems": self.problems} | values
        del columns["beat_at"]  # `end_job` sets it
        end_job(job_id=self.job.pk, runner=self.runner, state=state, now=now, values=columns)

    def _values(self, beat_at: datetime) -> dict[str, Any]:
        values: dict[str, Any] = {"beat_at": beat_at, "done": self.done, "total": self.total}
        values |= {"phase": self.phase[:80], "problem_count": self.problem_count}
        if len(self.problems) > self._written:
            values["problems"] = self.problems
            self._written = len(self.problems)
        return values


class RunLost(Exception):
    """Another run has the job, or the job has ended: this run must not write anything more."""


def beat(*, job_id: int, runner: str, values: dict[str, Any]) -> bool:
    """Write `values` into the job that `runner` runs; return whether the job is to stop. Raises RunLost."""
    with write_transaction():
        ours = Job.objects.filter(pk=job_id, runner=runner, state=Job.State.RUNNING)
        if not ours.update(**values):
            raise RunLost(f"job {job_id} is not {runner}'s any more")
        return bool(ours.values_list("cancel_asked", flat=True).get())


def end_job(*, job_id: int, runner: str, state: str, now: datetime, values: dict[str, Any]) -> None:
    """End the job that `runner` runs, in the caller's transaction if there is one. Raises RunLost."""
    with write_transaction():
        ours = Job.objects.filter(pk=job_id, runner=runner, state=Job.State.RUNNING)
        if not ours.update(state=state, ended_at=now, beat_at=now, runner="", **values):
            raise RunLost(f"job {job_id} is not {runner}'s any more")
        # All steps were done, also if their number was not known before.
        if state == Job.State.DONE:
            Job.objects.filter(pk=job_id).update(total=F("done"))
