from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Item, Worker
from tests.factories import answer_page, claim_page, make_project, make_running, make_worker
from tests.workflows.http import Api
from workflows.batches.lifecycle import move_batch
from workflows.batches.people import invited_people

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


def links(*arguments: str) -> dict[str, str]:
    """Return the link of each project."""
    out = StringIO()
    call_command("work_links", "http://127.0.0.1:8000", *arguments, stdout=out)
    return dict(re.findall("^To work on (.+): (http.+)$", out.getvalue(), re.MULTILINE))


def test_each_project_with_open_work_has_a_link_that_works() -> None:
    older, newer = make_running(LINK), make_running(LINK)
    make_project("empty")
    found = links()
    assert list(found) == [newer.project.name, older.project.name], "the newest first"
    page, _, token = found[newer.project.name].partition("#token=")
    assert page == "http://127.0.0.1:8000/work/"
    assert Api(None, token).claim().status_code == 201


def test_below_a_prefix_links_are_below_it(settings: Any) -> None:
    project = make_running(LINK).project
    settings.PREFIX = "/groundcrew"
    assert links()[project.name].startswith("http://127.0.0.1:8000/groundcrew/work/#token=")


def test_the_worker_is_enrolled_once() -> None:
    make_running(LINK)
    links()
    links()
    assert [str(worker) for worker in Worker.objects.all()] == ["direct:me"]
    links("--worker", "ada")
    assert Worker.objects.count() == 2


def test_a_paused_batch_is_no_work_and_old_projects_are_left_out() -> None:
    first, second, third = (make_running(LINK) for _ in range(3))
    move_batch(batch=third, action="pause")
    assert list(links("--projects", "1")) == [second.project.name]
    assert list(links()) == [second.project.name, first.project.name]


def test_without_work_nothing_is_printed() -> None:
    make_project()
    Item.objects.filter(batch=make_running(LINK)).update(state=Item.State.DONE)
    assert links() == {}
    assert not Worker.objects.exists()


def test_a_server_of_others_gives_none_unless_asked(settings: Any) -> None:
    make_running(LINK)
    settings.EMBEDDED = False
    assert links("--only-embedded") == {}
    assert len(links()) == 1
    settings.EMBEDDED = True
    assert len(links("--only-embedded")) == 1


def test_a_page_in_hand_is_work() -> None:
    batch = make_running(LINK)
    claim_page(make_worker(batch.project))
    assert list(links()) == [batch.project.name]


def test_the_researcher_who_tries_the_tasks_counts_as_nobody_until_they_answer() -> None:
    batch = make_running(LINK)
    links()
    assert invited_people(batch) == 0
    make_worker(batch.project, "ada")
    assert invited_people(batch) == 1
    answer_page(Worker.objects.get(external_id="me"))
    assert invited_people(batch) == 2
