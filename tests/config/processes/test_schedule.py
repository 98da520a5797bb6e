"""Long work has a queue of its own, and leaves processes for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.celery import app
from config.processes.schedule import COUNTS_AT_ONCE, ROUNDS_AT_ONCE, schedule
from config.serve import ServiceFailed, _commands
from workflows import tasks as tasks  # so that Celery knows them
from workflows.core import record_seals

LONG = {
    "run_queued_job",
    "refresh_counts",
    "count_statistics",
    "crowd_step",
    "crowd_reconcile",
    "write_to_worker",
    "erase_projects",
    "make_renditions",
}


def queue_of(task: str) -> str:
    return str(app.amqp.router.route({}, task)["queue"].name)


def test_what_takes_long_waits_by_itself() -> None:
    ours = [name for name in app.tasks if name.startswith("workflows.tasks.")]
    queues = {name.rpartition(".")[2]: queue_of(name) for name in ours}
    assert {name for name, queue in queues.items() if queue == "long"} == LONG
    assert {"advance", "sweep", "open_batch"} <= {n for n, queue in queues.items() if queue == "celery"}


def test_each_log_is_sealed() -> None:
    sealed = [line["args"][0] for line in schedule(15).values() if line["task"] == tasks.seal.name]
    assert sealed == [*tasks.LOGS, record_seals.NAME]


def test_a_message_is_sent_to_the_queue_of_its_task(tmp_path: Path) -> None:
    with app.connection_for_write() as broker:
        channel = broker.default_channel
        for name, task in (("long", tasks.refresh_counts), ("celery", tasks.advance)):
            queue = app.amqp.queues[name](channel)
            queue.declare()
            queue.purge()
            task.apply_async()
            found = queue.get(no_ack=True)
            assert found is not None and found.headers["task"] == task.name


def test_a_worker_that_names_no_queue_takes_from_both() -> None:
    assert set(app.amqp.queues.consume_from) == {"celery", "long"}


def option(command: list[str], name: str) -> str:
    return command[command.index(name) + 1]


@pytest.mark.parametrize(
    ("given", "processes"),
    [
        ({}, 1 + COUNTS_AT_ONCE + ROUNDS_AT_ONCE + 1),
        ({"GROUNDCREW_JOBS_AT_ONCE": "3"}, 3 + COUNTS_AT_ONCE + ROUNDS_AT_ONCE + 1),
        ({"GROUNDCREW_JOBS_AT_ONCE": " ", "GROUNDCREW_TASK_PROCESSES": "1"}, 1),
    ],
)
def test_make_serve_has_a_process_more_than_long_work_takes(given: dict[str, str], processes: int) -> None:
    worker = _commands("127.0.0.1", 8000, given)["worker"]
    assert set(option(worker, "--queues").split(",")) == {"celery", "long"}
    assert option(worker, "--concurrency") == str(processes)


def test_how_many_jobs_run_at_once_is_a_number() -> None:
    with pytest.raises(ServiceFailed, match="GROUNDCREW_JOBS_AT_ONCE has to be a whole number, not 'few'"):
        _commands("127.0.0.1", 8000, {"GROUNDCREW_JOBS_AT_ONCE": "few"})
