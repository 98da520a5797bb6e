"""A researcher makes invitations, sees who joined, and revokes them. Links and passcodes are shown once."""

from __future__ import annotations

import csv
import re
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch, Project, Worker
from console.common.work_order import work_order
from tests.factories import make_batch, make_image, make_project, make_running
from workflows.batches.lifecycle import delete_batch, move_batch
from workflows.core.models import AuditEntry
from workflows.crowd.invitations.invite import Made, invite
from workflows.crowd.invitations.join import join
from workflows.crowd.invitations.models import Invitation

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def make(client: Client, project: Project, **more: Any) -> Any:
    usual = {"label": "lab", "number": "1", "uses": "1", "days": "14", "passcode": "", "note": ""}
    return client.post(reverse("invitations:new", args=[project.pk]), {**usual, **more})


def joined(made: Made, name: str) -> Worker:
    now = timezone.now()
    device = f"a-device-of-{name}"
    return join(code=made.code, passcode="", name=name, device=device, address=None, now=now).worker


def test_links_are_shown_once_and_lead_to_their_invitations(manager: Client, project: Project) -> None:
    reply = make(manager, project, number="3")
    assert "no-store" in reply["Cache-Control"]
    lines = re.findall(r"lab-\d\thttp://testserver/work/join/#([\w-]{22})", reply.content.decode())
    assert len(set(lines)) == 3
    shown = manager.get(reverse("invitations:list", args=[project.pk])).content.decode()
    assert "lab-3" in shown
    assert not [code for code in lines if code in shown]
    entry = AuditEntry.objects.get(action="invitation.create")
    assert (entry.by, entry.project, entry.detail["invitations"]) == ("mona", project, 3)
    assert not [code for code in lines if code in str(entry.detail)]
    worker = join(
        code=lines[0], passcode="", name="ada", device="a-device-of-ada", address=None, now=timezone.now()
    ).worker
    assert worker.project == project


def test_pages_of_links_say_which_batch_comes_first_if_only_some_pay(manager: Client) -> None:
    """Who was invited for a paid batch got pages of an older one without pay, and no page said so."""
    first = make_running([["man"], ["man"]])
    project = first.project
    make_image(project, [["dog"], ["dog"]])
    said = "Workers get pages of the oldest one first"
    addresses = [reverse(name, args=[project.pk]) for name in ("invitations:list", "invitations:new")]
    paid = make_batch(project, name="paid", reward={"link": 20})
    addresses.append(reverse("batches:links", args=[paid.pk]))
    move_batch(batch=first, action="pause")
    for address in addresses:
        assert said not in manager.get(address).content.decode(), "one batch runs"
    move_batch(batch=first, action="resume")
    for address in addresses:
        content = manager.get(address).content.decode()
        shown = re.sub(r"<[^>]+>", "", content[content.index(said) :])
        assert re.match(rf".*: {first.name} \(unpaid\), then paid \(paid\)\.", shown)


def test_a_launch_and_a_resume_say_which_pages_come_first_where_only_some_pay(manager: Client) -> None:
    """Only pages of invitations and links said it, which nobody opens again for a second batch."""
    first = make_running([["man"], ["man"]])
    project = first.project
    said = "Batches with and without pay then run at once"
    for name, settings in (("paid", {"reward": {"link": 20}}), ("unpaid", {})):
        make_image(project, [["dog"], ["dog"]])
        draft = make_batch(project, name=name, launch=False, **settings)
        content = manager.get(reverse("batches:move", args=[draft.pk, "launch"])).content.decode()
        assert (said in content) == (name == "paid"), "two batches without pay have one pay"
    paid = project.batches.get(name="paid")
    content = manager.get(reverse("batches:move", args=[paid.pk, "launch"])).content.decode()
    shown = re.sub(r"<[^>]+>", "", content[content.index(said) :])
    assert re.match(
        rf"[^:]*by a link or an invitation[^:]*: {first.name} \(unpaid\), then paid \(paid\)\.", shown
    )
    move_batch(batch=first, action="pause")
    assert said not in manager.get(reverse("batches:move", args=[paid.pk, "launch"])).content.decode()
    Batch.objects.filter(pk=paid.pk).update(state="running")
    assert said in manager.get(reverse("batches:move", args=[first.pk, "resume"])).content.decode()
    assert said not in manager.get(reverse("batches:move", args=[first.pk, "cancel"])).content.decode()


def test_a_platforms_batch_does_not_change_the_order_of_invited_workers() -> None:
    first = make_running([["man"], ["man"]])
    make_image(first.project, [["dog"], ["dog"]])
    for provider, names in (("mturk", []), ("direct", [first.name, "paid"])):
        crowd = {"provider": provider}
        draft = make_batch(first.project, name="paid", launch=False, reward={"link": 20}, crowd=crowd)
        assert [one.batch.name for one in work_order(first.project, soon=draft)] == names
        delete_batch(batch=draft)


def test_a_table_for_a_spreadsheet_has_no_formula(manager: Client, project: Project, settings: Any) -> None:
    settings.SITE = "https://annotate.example.org"
    reply = make(manager, project, label="=1+1", number="2", **{"as": "csv"})
    assert reply["Content-Type"].startswith("text/csv")
    assert "attachment" in reply["Content-Disposition"]
    rows = list(csv.reader(StringIO(reply.content.decode())))
    assert rows[0] == ["label", "link"]
    assert [row[0] for row in rows[1:]] == ["'=1+1-1", "'=1+1-2"]
    assert all(row[1].startswith("https://annotate.example.org/work/join/#") for row in rows[1:])
    assert "\n=1+1" not in make(manager, project, label="=1+1", number="2").context["text"]


def test_open_sign_up_has_neither_number_nor_end(manager: Client, project: Project) -> None:
    make(manager, project, uses="", days="")
    one = Invitation.objects.get()
    assert (one.uses, one.expires_at) == (None, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [("label", ""), ("number", "501"), ("uses", "0"), ("days", "366"), ("passcode", "12345")],
)
def test_what_cannot_be_made_is_said_at_its_field(
    manager: Client, project: Project, field: str, value: str
) -> None:
    reply = make(manager, project, **{field: value})
    assert reply.status_code == 422
    assert list(reply.context["form"].errors) == [field]
    assert not Invitation.objects.exists()


def test_the_list_says_who_came_and_what_is_over(manager: Client, project: Project) -> None:
    now = timezone.now()
    for label, uses in (("one", 1), ("many", None)):
        (made,) = invite(project=project, label=label, uses=uses, by="mona", now=now)
        for place in range(5 if uses is None else 1):
            joined(made, f"{label}-worker-{place}")
    page = manager.get(reverse("invitations:list", args=[project.pk]))
    many, one = page.context["rows"]
    assert (one.state[0], many.state[0]) == ("used up", "open")
    assert [worker.external_id for worker in one.workers] == ["one-worker-0"]
    assert (len(many.workers), many.more) == (3, 2)
    assert "and 2 more" in page.content.decode()


def test_ticked_invitations_are_revoked_those_of_others_are_not(manager: Client, project: Project) -> None:
    now = timezone.now()
    (mine,) = invite(project=project, label="mine", by="mona", now=now)
    (other,) = invite(project=make_project(), label="other", by="mona", now=now)
    ticked = {"invitation": [mine.invitation.pk, other.invitation.pk, "x", "9" * 30]}
    reply = manager.post(reverse("invitations:revoke", args=[project.pk]), ticked, follow=True)
    assert "The invitation mine is revoked." in reply.content.decode()
    assert reply.context["rows"][0].state[0] == "revoked"
    other.invitation.refresh_from_db()
    assert other.invitation.revoked_at is None
    again = manager.post(reverse("invitations:revoke", args=[project.pk]), follow=True)
    assert "Nothing was revoked" in again.content.decode()


def test_only_who_manages_is_shown_the_way(manager: Client, viewer: Client, project: Project) -> None:
    address = reverse("invitations:list", args=[project.pk])
    there = f"{reverse('workers:list')}?project={project.pk}"
    assert address in manager.get(there).content.decode()
    assert address not in viewer.get(there).content.decode()


def test_older_ones_are_on_further_pages(manager: Client, project: Project) -> None:
    invite(project=project, label="lab", number=60, by="mona", now=timezone.now())
    first = manager.get(reverse("invitations:list", args=[project.pk]))
    assert len(first.context["rows"]) == 50
    rest = manager.get(first.wsgi_request.path + f"?before={first.context['more']}")
    assert [row.invitation.label for row in rest.context["rows"]] == [f"lab-{n}" for n in range(10, 0, -1)]


def test_a_required_field_that_is_empty_is_marked(manager: Client, project: Project) -> None:
    page = " ".join(manager.get(reverse("invitations:new", args=[project.pk])).content.decode().split())
    assert '<label for="id_label">For whom</label> <small class="must">required</small>' in page
    assert page.count('class="must"') == 1, "the others can be empty, or have a value"
