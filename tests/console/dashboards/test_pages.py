"""The overview and the dashboards: what they say, to whom, and what they cost."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotation.domain.answers import Stage
from annotation.models import Batch, Case, Project, Standing, Worker
from console.dashboards import views
from console.dashboards.throughput import coming, say_end
from tests.console.dashboards.kept_rows import COUNTED_AT, keep
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_controlled,
    make_image,
    make_project,
    make_running,
    make_worker,
    submit_page,
)
from workflows.analysis.counts.selectors import kept
from workflows.analysis.domain.kept_counts import Corpus, Items, Money, StageItems, Sums
from workflows.analysis.models import KeptCounts
from workflows.batches.people import answers_for_somebody_new
from workflows.core.models import AuditEntry
from workflows.money.models import Budget
from workflows.workers.enrolment import enrol_worker

MAX_QUERIES = 32


@pytest.fixture
def busy(db: None) -> Batch:
    """Make a running batch with figures of it and of its project."""
    batch = make_running([["man"], ["man"]])
    make_worker(batch.project)
    keep(batch.project)
    keep(batch.project, batch)
    Case.objects.create(project=batch.project, reason="flag", opened_at=NOW, work=batch.works.first())
    return batch


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:500]
    return response.content.decode()


def test_an_empty_database_says_what_to_do_first(manager: Client) -> None:
    assert "There is no project yet" in text_of(manager, "/admin/")


def test_the_overview_pages_projects_by_key(
    viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    projects = [make_project(f"corpus-{number:02}") for number in range(50)]
    for project in projects[-3:]:
        keep(project)
    Batch.objects.bulk_create(Batch(project=one, name="b", state="running") for one in projects)
    with django_assert_max_num_queries(MAX_QUERIES):
        first = text_of(viewer, "/admin/")
    assert "120 of 200 images done" in first
    assert re.search(r"15 open</a> <small>at \d+ [A-Z][a-z]{2}, \d\d:\d\d UTC</small>", first), (
        "the list that it leads to is as of now"
    )
    assert "1,234.56 USD" in first
    assert "corpus-49" in first
    seen, page = set(re.findall(r"corpus-\d\d", first)), first
    while more := re.search(r'href="(\?before=\d+)"', page):
        page = text_of(viewer, f"/admin/{more.group(1)}")
        seen |= set(re.findall(r"corpus-\d\d", page))
    assert len(seen) == 50


def test_images_of_verification_questions_are_none_to_be_done(viewer: Client) -> None:
    project = make_project()
    keep(
        project, corpus=Corpus(images=230, free_images=10, question_images=20)
    )  # 200 in batches, 120 of them done
    said = "120 of 200 images done, 10 in no batch, 20 kept for verification questions"
    assert said in text_of(viewer, "/admin/"), "so that they add up to the images of the project"
    page = text_of(viewer, reverse("dashboards:project", args=[project.pk]))
    assert "of 200 that batches want; 10 in no batch; 20 kept for verification questions" in page


def test_what_there_is_to_do_does_not_change_with_images_that_no_batch_wants(viewer: Client) -> None:
    project = make_project()
    keep(project, corpus=Corpus(images=40 + 160, free_images=0), items=Items({}, {"done": 40}, 40))
    assert "40 of 40 images done" in text_of(viewer, "/admin/")
    KeptCounts.objects.filter(kind="corpus").update(
        data={"figures": Corpus(images=46 + 160, free_images=6).to_json()}
    )
    assert "40 of 40 images done, 6 in no batch" in text_of(viewer, "/admin/")


def test_the_times_that_stand_beside_figures_are_those_of_all_of_them(viewer: Client) -> None:
    """Figures of an import stood above *As of* a time before the import."""
    project = make_project()
    keep(project)
    address = reverse("dashboards:project", args=[project.pk])

    def said() -> str:
        (line,) = re.findall(r"As of .*?</p>", text_of(viewer, address))
        return re.sub(r"<[^>]+>", "", line)

    assert said() == "As of 20 Nov 2026, 12:30:00 UTC; the steps are as of now."
    KeptCounts.objects.filter(kind="corpus").update(counted_at=COUNTED_AT + timedelta(seconds=20))
    late = "As of 20 Nov 2026, 12:30:00 to 20 Nov 2026, 12:30:20 UTC; the steps are as of now."
    assert said() == late


def test_work_is_not_done_while_cases_are_open(viewer: Client) -> None:
    project = make_project()
    over = Items({str(stage): StageItems(done=9) for stage in Stage}, {"done": 40}, 40)
    keep(project, items=over)
    Case.objects.bulk_create(Case(project=project, reason="flag", opened_at=NOW) for _ in range(171))
    page = text_of(viewer, reverse("dashboards:project", args=[project.pk]))
    assert "Everything is done" not in page
    assert "workers are done" in page and "171 cases wait for a researcher." in page
    Case.objects.update(closed_at=NOW)
    assert "Everything is done." in text_of(viewer, reverse("dashboards:project", args=[project.pk]))


def test_a_batch_is_not_done_while_cases_about_its_images_are_open(viewer: Client) -> None:
    batch = make_running([["man"], ["man"]])
    over = Items({str(stage): StageItems(done=9) for stage in Stage}, {"done": 1}, 1)
    keep(batch.project, batch, items=over)
    address = reverse("dashboards:batch", args=[batch.pk])
    assert "Everything is done." in text_of(viewer, address)
    Case.objects.create(project=batch.project, reason="flag", opened_at=NOW, work=batch.works.get())
    page = text_of(viewer, address)
    assert "Everything is done" not in page and "1 case waits for a researcher." in page


def test_a_project_says_how_far_it_is(
    viewer: Client, busy: Batch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(MAX_QUERIES):
        page = text_of(viewer, reverse("dashboards:project", args=[busy.project_id]))
    assert "As of" in page
    assert "20 Nov 2026, 12:30:00" in page
    assert "box drawing: 900 items (done)" in page  # a bar of the chart
    assert "people: 1.95 (in the paper)" in page
    assert "at the earliest" in page
    assert f"?project={busy.project_id}&amp;reason=flag" in page
    assert reverse("dashboards:batch", args=[busy.pk]) in page
    assert "New batch" not in page
    assert "Count again" not in page


def test_a_project_forecasts_what_its_batches_forecast(manager: Client, busy: Batch) -> None:
    """A project told a day while the page of one of its batches said that none can be told."""
    make_image(busy.project, [["dog"]])
    other = make_batch(busy.project, name="other", launch=False)
    Batch.objects.filter(pk=other.pk).update(state="running")
    home = reverse("dashboards:project", args=[busy.project_id])

    def said() -> tuple[str, str, str]:
        tiles = {one.title: one for one in manager.get(home).context["tiles"]}
        return tiles["Judgments"].note, tiles["Forecast end"].value, tiles["Forecast end"].note

    keep(busy.project, other, items=Items({"link": StageItems(judgments_to_come=7)}, {"queued": 50}, 50))
    (judgments, end, note), of_busy = said(), coming(kept(batch=busy), running=True)
    least = of_busy.rest.least + 7 if of_busy.rest else 0
    assert judgments == f"at least {least:,} to come; besides 1,200 answers to verification questions"
    assert end == "not known" and "no latest day can be told" in note
    KeptCounts.objects.filter(batch=other).delete()
    keep(busy.project, other)
    judgments, end, note = said()
    assert of_busy.rest and of_busy.rest.likely
    asked = "besides 1,200 answers to verification questions"
    assert judgments == f"about {2 * of_busy.rest.likely:,} to come; {asked}"
    assert (end, note) == say_end(of_busy.end), "both end at the same time"
    Batch.objects.filter(pk=other.pk).update(state="paused")
    assert said()[1:] == ("not known", "Not known: a batch is paused.")


def test_answers_for_somebody_new_take_the_place_of_an_end(
    viewer: Client, manager: Client, busy: Batch
) -> None:
    Worker.objects.update(blocked=True)
    for page in ("project", "batch"):
        pk = busy.project_id if page == "project" else busy.pk
        shown = text_of(viewer, reverse(f"dashboards:{page}", args=[pk]))
        assert "1 answer waits for a new worker: those who are there can give no more." in shown
        assert "at the earliest" not in shown
        link = f'<a href="{reverse("invitations:list", args=[busy.project_id])}">not known</a>'
        assert link not in shown, "who cannot invite is not sent there"
        assert link in text_of(manager, reverse(f"dashboards:{page}", args=[pk]))
    said = manager.get(reverse("dashboards:project", args=[busy.project_id])).context["checklist"]
    people = next(one for one in said.steps if one.step.name == "People")
    assert (people.step.says, people.state) == ("1 answer waits for a new worker.", "to do")
    assert people.address == reverse("dashboards:batch", args=[busy.pk])
    assert "Invite a new worker" in text_of(manager, people.address)


def test_a_batch_of_a_platform_whose_workers_lost_trust_says_what_helps(
    manager: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    batch = make_controlled("link", "trusted", images=30, crowd={"provider": "mturk", "cap": 9000})
    worker = enrol_worker(project=batch.project, external_id="A1", provider="mturk")
    keep(batch.project, batch)
    assert answers_for_somebody_new(batch) == 0, "who has come can go on"
    Standing.objects.create(worker=worker, stage="link", state="lost", changed_at=NOW)
    waiting = answers_for_somebody_new(batch)
    assert waiting == batch.items.filter(state="open").count() > 0
    with django_assert_max_num_queries(MAX_QUERIES):
        shown = text_of(manager, reverse("dashboards:batch", args=[batch.pk]))
    assert f"{waiting} answers wait for a new worker: those who are there can give no more." in shown
    assert "Raise the rewards" in shown and "Invite a new worker" not in shown
    enrol_worker(project=batch.project, external_id="A2", provider="mturk")
    assert answers_for_somebody_new(batch) == 0, "somebody new has come"


def test_a_batch_of_images_annotated_by_hand_does_not_speak_of_workers(manager: Client) -> None:
    project = make_project()
    alone = Batch.objects.create(project=project, name="by-hand", by_hand=True, state="finished", settings={})
    page = text_of(manager, reverse("dashboards:batch", args=[alone.pk]))
    assert "Annotated by hand" in page and "Nobody has answered anything" not in page
    assert f"{reverse('inspector:search', args=[project.pk])}?batch={alone.pk}" in page
    assert "no platform, no pay" in page


def test_a_batch_whose_workers_have_used_up_their_questions_says_so(
    viewer: Client, manager: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    batch = make_controlled("link", "verification", images=50, questions=10)
    worker = make_worker(batch.project)
    while (held := claim_maybe(worker, stage="link")) is not None:
        submit_page(held.assignment)
    # Questions need free images.
    make_image(batch.project, [["man"], ["man"]])
    address = reverse("dashboards:batch", args=[batch.pk])
    with django_assert_max_num_queries(MAX_QUERIES):
        shown = text_of(manager, address)
    assert "10 answers wait for more verification questions: 1 of 1 worker of coreference link has" in shown
    assert "purpose=gold&amp;count=" in shown and "Invite a new worker" in shown
    assert "yourself" not in text_of(viewer, address)
    home = reverse("dashboards:project", args=[batch.project_id])
    with django_assert_max_num_queries(MAX_QUERIES):
        said = manager.get(home).context["checklist"].next
    assert (said.step.says, said.address) == ("10 answers wait for more of them.", address)
    batch.project.images.filter(works=None, questions=None).update(withdrawn_at=NOW)
    assert "Import more images" in text_of(manager, reverse("dashboards:batch", args=[batch.pk]))


def test_a_batch_says_how_far_it_is_and_what_may_be_done(
    manager: Client, busy: Batch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(MAX_QUERIES):
        page = text_of(manager, reverse("dashboards:batch", args=[busy.pk]))
    assert "box coverage: 89.2% (in the paper)" in page
    assert "1,234.56 USD" in page
    assert reverse("batches:move", args=[busy.pk, "pause"]) in page
    assert reverse("batches:move", args=[busy.pk, "resume"]) not in page


def test_what_was_spent_is_the_ledgers_everywhere(viewer: Client) -> None:
    batch = make_running([["man"], ["man"]])
    Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "crowd": {"provider": "mturk"}})
    other = Batch.objects.create(project=batch.project, name="other")
    Budget.objects.create(batch=batch, currency="USD", spent=150_000, reserved=4_200)
    keep(batch.project, batch)
    keep(batch.project, other, money=Money({"USD": Sums(1_000)}))
    keep(batch.project, money=Money({"USD": Sums(123_456 + 1_000)}))
    project = text_of(viewer, reverse("dashboards:project", args=[batch.project_id]))
    head, _, rest = project.partition('id="batches"')
    for all_of_it in (text_of(viewer, "/admin/"), head):
        assert re.findall(r"1,[\d.]+ USD", all_of_it) == ["1,510.00 USD"]
    assert re.findall(r"[\d,.]+ USD", rest.partition("</section>")[0]) == ["10.00 USD", "1,500.00 USD"]
    said = text_of(viewer, reverse("dashboards:batch", args=[batch.pk]))
    assert "1,500.00 USD" in said
    assert "by the ledger, fees included, 42.00 USD reserved, at least 987.65 USD of rewards to come" in said


def test_a_batch_of_invited_workers_has_no_fees_in_its_costs(viewer: Client) -> None:
    """Of a batch without a platform, and even of one without pay, the page said *fees included*."""
    batch = make_running([["man"], ["man"]])
    budget = Budget.objects.create(batch=batch, currency="USD")
    keep(batch.project, batch, money=Money())
    said = text_of(viewer, reverse("dashboards:batch", args=[batch.pk]))
    assert "nothing" in said and "by the ledger" not in said and "fees included" not in said
    Budget.objects.filter(pk=budget.pk).update(spent=500)
    said = text_of(viewer, reverse("dashboards:batch", args=[batch.pk]))
    assert "by the ledger" in said and "fees included" not in said


def test_standings_of_a_batch_that_judges_for_itself_are_on_its_page_alone(
    viewer: Client, busy: Batch
) -> None:
    for batch, stage in ((None, "link"), (busy, "quality")):
        worker = make_worker(busy.project)
        Standing.objects.create(worker=worker, stage=stage, batch=batch, changed_at=NOW)
    project = text_of(viewer, reverse("dashboards:project", args=[busy.project_id]))
    assert "coreference link: 1 workers (entering)" in project
    assert "box quality: 1 workers (entering)" not in project
    assert "show them on their own pages" in project
    batch_page = text_of(viewer, reverse("dashboards:batch", args=[busy.pk]))
    assert "box quality: 1 workers (entering)" in batch_page
    assert "and get work, too" in batch_page


@pytest.mark.parametrize("name", ["project", "batch"])
def test_before_the_first_answer_a_dashboard_says_so_once(manager: Client, name: str) -> None:
    batch = make_running([["man"]])
    page = text_of(
        manager, reverse(f"dashboards:{name}", args=[batch.pk if name == "batch" else batch.project_id])
    )
    assert "Nothing has been counted yet" in page
    assert "Nothing to show yet." not in page and 'class="figures"' not in page
    if name == "batch":
        assert page.count("No answers yet") == 1
        assert reverse("batches:links", args=[batch.pk]) in page


@pytest.mark.parametrize("name", ["project", "batch"])
def test_what_is_not_there_is_not_found(viewer: Client, name: str) -> None:
    assert viewer.get(reverse(f"dashboards:{name}", args=[10**9])).status_code == 404


@pytest.mark.parametrize("name", ["project", "batch"])
def test_a_manager_has_figures_counted_again_and_a_reviewer_does_not(
    manager: Client, reviewer: Client, busy: Batch, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(views, "hint_count", asked.append)
    address = reverse(f"dashboards:{name}", args=[busy.pk if name == "batch" else busy.project_id])
    assert reviewer.post(address).status_code == 403
    assert not asked
    assert manager.post(address).status_code == 302
    assert asked == [busy.project_id]
    kept = list(AuditEntry.objects.values_list("action", "by", "project_id"))
    assert [entry for entry in kept if entry[0] != "login"] == [("figures.recount", "mona", busy.project_id)]


def test_a_page_says_that_a_count_is_under_way_and_so_does_counting_again(
    manager: Client, busy: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "hint_count", lambda _: None)
    row = KeptCounts.objects.get(project=busy.project, batch=None, kind="items")
    row.data["claim"] = {"by": "somebody", "at": "2026-11-20T12:31:05+00:00", "lasts": 300}
    row.save()
    address = reverse("dashboards:project", args=[busy.project_id])
    assert text_of(manager, address).count("A count that began at 12:31:05 is still running.") == 1
    manager.post(address)
    assert "A count that began at 12:31:05 UTC has not ended: what it counts" in text_of(manager, address)


def test_names_are_escaped_and_nothing_is_inline(viewer: Client, busy: Batch) -> None:
    Project.objects.filter(pk=busy.project_id).update(name="<b>x</b>")
    for address in ("/admin/", reverse("dashboards:project", args=[busy.project_id])):
        main = text_of(viewer, address).partition("data-refresh")[2]
        assert not re.search(r"<style|<script|style=|<b>x</b>| on\w+=", main.partition("data-refreshing")[0])


def test_only_who_may_look_sees_them(outsider: Client, nobody: Client, busy: Batch) -> None:
    for address, status in (("/admin/", 403), (reverse("dashboards:batch", args=[busy.pk]), 404)):
        assert outsider.get(address).status_code == status
        assert nobody.get(address).status_code == 302
