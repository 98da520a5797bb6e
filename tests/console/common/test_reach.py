"""Members find the rows of their projects in every list, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse
from pytest_django import DjangoAssertNumQueries

from annotation.models import Case, Chain, Project, VerificationQuestion, Worker
from console.common.reach import PROJECT_OF, Reach, check_words, first_id, project_of
from console.urls import urlpatterns
from tests.console.conftest import client_of, join_as
from tests.console.review.review_rows import make_flagged, make_question
from tests.factories import NOW, make_running, make_worker, protocol_with
from workflows.analysis.models import WorkerCounts
from workflows.cases.review_queue import flag_chain
from workflows.core.audit_log import record_action
from workflows.core.models import AuditEntry
from workflows.pipeline.advance import advance_pending
from workflows.review.models import SavedFilter

pytestmark = pytest.mark.django_db

Two = tuple[tuple[Chain, Case], tuple[Chain, Case]]


@pytest.fixture
def two() -> Two:
    """Make a flagged chain and its case in each of two projects: the first is `mine`."""
    made = make_flagged(), _others()
    for (chain, _), name in zip(made, ("mine", "theirs"), strict=True):
        project = _project(chain)
        Project.objects.filter(pk=project.pk).update(name=name)
        for worker in Worker.objects.filter(project=project):
            worker.external_id = f"worker-{worker.pk}-of-{name}"
            worker.save(update_fields=["external_id"])
            WorkerCounts.objects.create(worker=worker, project=project, last_at=NOW, counted_at=NOW)
        make_question(chain)
        record_action(by=f"ada-of-{name}", action="batch.launch", now=NOW, project=project, object=name)
    return made


def _others() -> tuple[Chain, Case]:
    batch = make_running([["dog"]], protocol=protocol_with("requirement"))
    make_worker(batch.project)
    advance_pending(now=NOW)
    chain = Chain.objects.get(work__batch=batch)
    flag_chain(chain_id=chain.pk, by="ada", note="look again", now=NOW)
    return chain, Case.objects.get(chain=chain)


def _project(chain: Chain) -> Project:
    return chain.work.batch.project


def _member(chain: Chain, role: str = "manager") -> Client:
    client = client_of("mina")
    join_as("mina", _project(chain), role)
    return client


LISTS = [
    "admin:index",
    "batches:all",
    "review:queue",
    "questions:list",
    "workers:list",
    "audit:log",
    "audit:download",
]


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("query", ["", "?project={theirs}"])
def test_a_list_has_the_rows_of_ones_projects_alone(two: Two, name: str, query: str) -> None:
    mine, theirs = two
    client = _member(mine[0])
    text = _text(client, reverse(name) + query.format(theirs=_project(theirs[0]).pk))
    question = VerificationQuestion.objects.get(project=_project(theirs[0]))
    assert reverse("questions:question", args=[question.pk]) not in text
    for secret in ("theirs", f"/review/chain/{theirs[0].pk}/", f"/batches/{theirs[0].work.batch_id}/"):
        assert secret not in text
    if not query:
        assert "mine" in text


def _text(client: Client, address: str) -> str:
    reply: Any = client.get(address)
    assert reply.status_code == 200
    return str(reply.getvalue().decode())


def test_who_has_a_role_of_the_installation_finds_all(two: Two, viewer: Client) -> None:
    for name in LISTS:
        text = _text(viewer, reverse(name))
        assert "mine" in text and "theirs" in text, name


def test_a_viewer_of_the_installation_manages_the_project_of_their_membership(two: Two) -> None:
    client = client_of("vic", "viewer")
    mine, theirs = (_project(chain) for chain, _ in two)
    join_as("vic", mine, "manager")
    settings = [reverse("projects:settings", args=[one.pk]) for one in (mine, theirs)]
    assert [client.get(one).status_code for one in settings] == [200, 403]
    assert client.get(reverse("dashboards:project", args=[theirs.pk])).status_code == 200


@pytest.mark.parametrize("query", ["worker={theirs}", "batch={batch}", "to=mina"])
def test_a_filter_by_a_row_of_others_finds_nothing(two: Two, query: str) -> None:
    mine, theirs = two
    client = _member(mine[0])
    Case.objects.update(assigned_to="mina")
    other = Worker.objects.filter(project=_project(theirs[0])).earliest("pk")
    filled = query.format(theirs=other.pk, batch=theirs[0].work.batch_id)
    rows = client.get(f"{reverse('review:queue')}?{filled}").context["page"].rows
    assert [row.case for row in rows] == ([mine[1]] if query == "to=mina" else [])


@pytest.mark.parametrize("name", ["review:queue", "questions:list", "workers:list"])
def test_a_list_of_a_project_offers_what_one_manages_there(two: Two, name: str) -> None:
    """A manager of one project, who only looks at another one."""
    mine, theirs = (_project(chain) for chain, _ in two)
    client = _member(two[0][0])
    join_as("mina", theirs, "viewer")
    for project, managed in ((mine, True), (theirs, False)):
        settings = f'href="{reverse("projects:settings", args=[project.pk])}"'
        assert (settings in _text(client, f"{reverse(name)}?project={project.pk}")) is managed


def test_the_queue_is_not_filtered_by_batches_of_others(two: Two) -> None:
    offered = _member(two[0][0]).get(reverse("review:queue")).context["page"]
    assert [pk for pk, _ in offered.batches] == [two[0][0].work.batch_id]
    assert [name for _, name in offered.projects] == ["mine"]


def test_archived_projects_of_others_are_not_listed(two: Two) -> None:
    client = _member(two[0][0])
    Project.objects.update(archived_at=NOW)
    text = _text(client, reverse("projects:archived"))
    assert "mine" in text and "theirs" not in text


def test_chains_lead_to_ones_own_project(two: Two) -> None:
    client = _member(two[0][0])
    reply = client.get(reverse("boxes:newest-chains"))
    assert reply["Location"] == reverse("boxes:chains", args=[_project(two[0][0]).pk])


def test_workers_of_others_are_not_compared(two: Two) -> None:
    client = _member(two[0][0])
    own, other = (Worker.objects.filter(project=_project(one)).earliest("pk") for one, _ in two)
    address = reverse("workers:compare")
    assert client.get(f"{address}?worker={own.pk}&worker={other.pk}").status_code == 404
    assert client.get(f"{address}?worker={own.pk}").status_code == 302
    beside = client.get(f"{reverse('workers:list')}?beside={other.pk}").context
    assert beside["beside"] is None


def test_a_question_is_written_for_ones_own_project(two: Two) -> None:
    client = _member(two[0][0])
    join_as("mina", _project(two[1][0]), "viewer")
    image = two[1][0].work.image
    before = VerificationQuestion.objects.count()
    query = f"?project={_project(two[1][0]).pk}&image={image.name}&stage=link"
    reply = client.post(reverse("questions:write") + query, {})
    assert "theirs" not in reply.content.decode()
    assert reply.context["start"].errors["project"]
    assert VerificationQuestion.objects.count() == before


def _close_several(client: Client, chain: Chain, case: Case) -> HttpResponse:
    body = {"action": "close", "case": [str(case.pk)], "note": "no"}
    return client.post(reverse("review:queue"), body)  # type: ignore[return-value]


def _assign(client: Client, chain: Chain, case: Case) -> HttpResponse:
    body = {"action": "assign", "case": [str(case.pk)], "assign": "mina"}
    return client.post(reverse("review:queue"), body)  # type: ignore[return-value]


def _sample(client: Client, chain: Chain, case: Case) -> HttpResponse:
    body = {"batch": str(chain.work.batch_id), "number": "1"}
    return client.post(reverse("review:queue"), body)  # type: ignore[return-value]


@pytest.mark.parametrize("act", [_close_several, _assign, _sample])
@pytest.mark.parametrize("role", ["reviewer", "viewer", "viewer of all"])
def test_ids_in_a_body_are_of_projects_where_one_decides(
    two: Two, act: Callable[[Client, Chain, Case], HttpResponse], role: str
) -> None:
    """A reviewer of one project, who only looks at another one, changes nothing there."""
    mine, theirs = two
    client = _member(mine[0], "reviewer")
    if role == "viewer":
        join_as("mina", _project(theirs[0]), "viewer")
    if role == "viewer of all":
        User.objects.get(username="mina").groups.add(Group.objects.get(name="viewer"))
    before = list(Case.objects.order_by("pk").values())
    reply = act(client, *theirs)
    assert reply.status_code == (404 if act is _sample else 302)
    assert list(Case.objects.order_by("pk").values()) == before
    act(client, *mine)
    if act is not _sample:
        assert AuditEntry.objects.latest("pk").project == _project(mine[0])
        assert list(Case.objects.order_by("pk").values()) != before


def test_stages_of_a_case_of_others_stay_open(two: Two) -> None:
    mine, theirs = two
    client = _member(mine[0])
    body = {"several": "1", "of": [str(theirs[1].pk)], "note": "no"}
    client.post(reverse("review:close", args=[mine[1].pk]), body)
    assert not Case.objects.filter(closed_at__isnull=False).exists()


def test_members_of_others_are_not_named(two: Two) -> None:
    mine, theirs = two
    client = _member(mine[0])
    client_of("otto")
    join_as("otto", _project(theirs[0]), "manager")
    client_of("rita", "reviewer")
    assert client.get(reverse("review:queue")).context["researchers"] == ["mina", "rita"]


def test_closed_cases_of_others_are_not_listed(two: Two, manager: Client) -> None:
    for _, case in two:
        manager.post(reverse("review:close", args=[case.pk]), {"note": "no"})
    rows = _member(two[0][0]).get(reverse("review:closed")).context["rows"]
    assert {row.case.project.name for row in rows} <= {"mine"}


def test_two_queries_say_what_a_member_may(
    two: Two, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The others are the session, the user, and the permissions of the user and of their groups."""
    plain, member = client_of("vic", "viewer"), _member(two[0][0])
    address = reverse("filters:change", args=[_project(two[0][0]).pk])
    assert plain.get(address).status_code == 403
    with django_assert_num_queries(5):
        assert member.get(address).status_code == 405
    assert not SavedFilter.objects.exists()


def test_every_address_of_a_row_leads_to_a_project(two: Two) -> None:
    chain = two[0][0]
    assert project_of("projects", 7) == 7
    assert project_of("chain", chain.pk) == project_of("image", chain.work_id) == _project(chain).pk
    assert project_of("chain", 10**9) is None
    for model, way in PROJECT_OF.values():
        assert not model._default_manager.filter(**{f"{way}__in": [0]}).exists()
    check_words(urlpatterns)


def test_an_unknown_word_is_refused_at_the_start() -> None:
    with pytest.raises(ImproperlyConfigured, match="of which project 'things' is"):
        check_words([path("things/<int:pk>/", lambda request, pk: HttpResponse())])
    assert first_id("projects/<int:pk>/suggestions/<int:number>/") == ("projects", "pk")
    assert first_id("review/queue/") is None


def test_a_reach_knows_its_projects() -> None:
    assert 3 in Reach(None) and 3 in Reach(frozenset({3})) and 4 not in Reach(frozenset({3}))
