"""What the pages about crowd and money show, and what they cost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.crowd.labels import problem_words
from tests.console.crowd.crowd_rows import (
    make_crowd_batch,
    make_full_batch,
    make_participation,
    make_publication,
    with_account,
)
from tests.factories import make_batch, make_image, make_project
from workflows.crowd.models import Problem
from workflows.platforms.provider import Environment

pytestmark = pytest.mark.django_db


def _see(client: Client, name: str, pk: int, query: str = "") -> str:
    reply = client.get(reverse(name, args=[pk]) + query)
    assert reply.status_code == 200
    return reply.content.decode()


def test_the_page_says_everything_at_once_in_few_queries(
    viewer: Client, django_assert_max_num_queries: Any
) -> None:
    batch, found, _ = make_full_batch()
    with with_account(), django_assert_max_num_queries(30):
        page = _see(viewer, "crowd:batch", batch.pk)
    for says in (
        *("Mechanical Turk", "sandbox: no real money", "10,000.00 USD"),
        *("500.00 USD", "0.30 USD", "0.90 USD", "498.80 USD"),  # cap, spent, reserved, left
        *("A1WORKER", "none here", "No answers here", "This worker cannot be paid."),
        *("ParameterValidationError", "waits for the cap"),
    ):
        assert says in page, says
    assert "Approve<" not in page and "Reconcile" not in page, "a viewer only looks"
    assert reverse("crowd:participation", args=[found.pk]) in page


@pytest.mark.parametrize("reward", [0, 20])
def test_of_invited_workers_nothing_is_said_of_a_platform(viewer: Client, reward: int) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    page = _see(viewer, "crowd:batch", make_batch(project, reward={"link": reward}).pk)
    assert "from the platform" not in page and "published places" not in page
    assert ("earn the reward of each page" in page) == (reward > 0)
    assert ("No stage pays a reward." in page) == (reward == 0)


def test_rows_more_cost_no_more_queries(manager: Client, django_assert_max_num_queries: Any) -> None:
    batch, found, _ = make_full_batch()
    for number in range(25):
        publication = make_publication(batch, f"more-{number}")
        make_participation(publication, f"A{number}")
    with with_account(), django_assert_max_num_queries(30):
        page = _see(manager, "crowd:batch", batch.pk)
    assert "There are more. These end first." in page and "Older" in page
    for name, pk in (
        ("crowd:publications", batch.pk),
        ("crowd:publication", found.publication_id),
        ("crowd:participation", found.pk),
    ):
        with with_account(), django_assert_max_num_queries(15):
            _see(manager, name, pk)


@pytest.mark.parametrize(
    ("environment", "says", "look"),
    [
        (Environment.LIVE, "LIVE: real money", "crowd-strip live"),
        (Environment.SANDBOX, "sandbox: no real money", "crowd-strip sandbox"),
        (Environment.EMULATOR, "emulator: nothing leaves this machine", "crowd-strip "),
    ],
)
def test_every_page_of_a_batch_says_whether_its_money_is_real(
    viewer: Client, environment: Environment, says: str, look: str
) -> None:
    batch = make_crowd_batch(launch=False)
    with with_account(environment):
        for name in ("crowd:batch", "batches:settings", "batches:forecast", "dashboards:batch"):
            page = _see(viewer, name, batch.pk)
            assert says in page and look in page, name


def test_direct_workers_have_no_platform(viewer: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    page = _see(viewer, "crowd:batch", make_batch(project).pk)
    assert "no platform" in page and "Ask now" not in page and "On the platform" not in page


def test_the_ledger_goes_on_where_a_page_ends(viewer: Client) -> None:
    batch = make_crowd_batch()
    for number in range(25):
        make_publication(batch, f"p{number}")
    newest = batch.ledger.order_by("-pk").values_list("pk", flat=True)[19]
    first = _see(viewer, "crowd:batch", batch.pk)
    assert f"?before={newest}#ledger" in first and first.count(">Reserved</th>") == 20
    assert _see(viewer, "crowd:batch", batch.pk, f"?before={newest}").count(">Reserved</th>") == 5


def test_who_is_not_confirmed_stands_apart(viewer: Client) -> None:
    batch = make_crowd_batch()
    publication = make_publication(batch)
    for name, confirmed in (("A1SURE", True), ("A2MAYBE", False), ("A3MAYBE", False)):
        make_participation(publication, name, state="opened", confirmed=confirmed)
    reply = viewer.get(reverse("crowd:batch", args=[batch.pk]))
    link = next(row for row in reply.context["going"].rows if row.places)
    assert (link.working, link.unconfirmed) == (1, 2)
    sure, others = _see(viewer, "crowd:publication", publication.pk).split("Not confirmed by the platform", 1)
    assert "A1SURE" in sure and "MAYBE" not in sure
    assert "A2MAYBE" in others and "A1SURE" not in others


def test_a_bonus_that_nobody_asked_for_is_said_to_be_no_publication() -> None:
    bonus = Problem(kind=Problem.Kind.ORPHAN, key="orphan:bonus:1:A1:t")
    publication = Problem(kind=Problem.Kind.ORPHAN, key="orphan:mturk:sandbox:H1")
    assert "cannot be taken back" in problem_words(bonus)[1] and "expire" not in problem_words(bonus)[1]
    assert "expire" in problem_words(publication)[1]
    assert "closes once it is paid" in problem_words(Problem(kind=Problem.Kind.UNPAID, key="unpaid:t"))[1]


def test_tables_name_their_cells_for_a_phone(manager: Client) -> None:
    """On a phone each row is a list. A cell without a name would be cut off at the edge."""
    batch, found, _ = make_full_batch()
    pages = [("crowd:batch", batch.pk), ("crowd:publication", found.publication_id)]
    for name, pk in (*pages, ("crowd:publications", batch.pk), ("crowd:participation", found.pk)):
        for table in re.findall("<table.*?</table>", _see(manager, name, pk), re.DOTALL):
            assert 'class="stacked' in table.split(">")[0], name
            assert not re.findall("<td(?![^>]*(?:data-label|acts))[^>]*>", table), name
