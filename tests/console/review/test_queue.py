"""The review queue: what waits, with filters and in pages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Case, Decision, Mention, Worker
from console.common import case_list
from console.dashboards.selectors import open_cases
from tests.campaigns import make_captions
from tests.console.review.review_rows import (
    SCRIPT,
    ask_for_trust,
    make_finished,
    make_flagged,
    remark,
    work_in,
)
from tests.factories import NOW, make_project, make_worker
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import open_case, open_remarks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

QUEUE = "/admin/review/"


def test_a_case_says_what_it_is_about_and_leads_to_its_chain(reviewer: Client) -> None:
    chain, case = make_flagged("one person or two?")
    text = reviewer.get(QUEUE).content.decode()
    assert "“a man”" in text
    assert "one person or two? (ada)" in text
    assert f"/admin/review/chain/{chain.pk}/?case={case.pk}" in text


def test_a_comment_is_text_and_no_markup(reviewer: Client) -> None:
    chain = make_finished()
    judgment = remark(chain, SCRIPT)
    open_remarks(judgments=[judgment], project_id=chain.work.batch.project_id, now=NOW)
    text = reviewer.get(QUEUE).content.decode()
    assert SCRIPT not in text
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;" in text


def test_a_phrase_is_text_and_no_markup(reviewer: Client) -> None:
    chain, _ = make_flagged()
    Mention.objects.filter(pk=chain.representative_id).update(text=SCRIPT)
    text = reviewer.get(QUEUE).content.decode()
    assert SCRIPT not in text
    assert "“&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;”</bdi>" in text


def test_closed_cases_do_not_wait(reviewer: Client) -> None:
    _, case = make_flagged()
    url = reverse("review:close", args=[case.pk])
    reply = reviewer.post(url, {"note": "it is right"}, follow=True)
    assert "Nothing waits for a researcher" in reply.content.decode()
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("close", "rita", "it is right")


def test_a_case_is_not_closed_by_a_link(reviewer: Client) -> None:
    _, case = make_flagged()
    reviewer.get(reverse("review:close", args=[case.pk]))
    case.refresh_from_db()
    assert case.closed_at is None


@pytest.mark.parametrize(
    "query", ["?reason=flag", "?project={project}", "?batch={batch}", "?reason=nonsense&batch=x"]
)
def test_a_filter_lets_its_own_through(reviewer: Client, query: str) -> None:
    chain, _ = make_flagged()
    known = {"project": chain.work.batch.project_id, "batch": chain.work.batch_id}
    assert "“a man”" in reviewer.get(QUEUE + query.format(**known)).content.decode()


@pytest.mark.parametrize("query", ["?reason=cycle", "?project=999", "?batch=999"])
def test_a_filter_keeps_others_out(reviewer: Client, query: str) -> None:
    make_flagged()
    assert "No open case matches this filter" in reviewer.get(QUEUE + query).content.decode()


def test_a_batch_has_no_cases_of_workers_who_never_worked_in_it(reviewer: Client) -> None:
    """*Waits for you* of a batch led to a worker of another batch with the same stages."""
    batch = make_finished().work.batch
    worker = make_worker(batch.project, "of-another-batch")
    open_case(project_id=batch.project_id, reason="pace", now=NOW, worker_id=worker.pk, stage="link")
    assert open_cases(batch.project, batch) == {}
    work_in(batch, worker)
    assert open_cases(batch.project, batch) == {"pace": 1}


def test_a_batch_does_not_hide_what_has_no_image(reviewer: Client) -> None:
    chain, _ = make_flagged()
    batch = chain.work.batch
    for project in (batch.project, make_project("elsewhere")):
        worker = make_worker(project, f"of-{project.name}")
        open_case(project_id=project.pk, reason="pace", now=NOW, worker_id=worker.pk, stage="link")
        work_in(batch, worker)
    # If the project has another batch, no row appears twice.
    batch.pk, batch.name = None, "another"
    batch.save()
    work_in(batch, Worker.objects.get(external_id=f"of-{batch.project.name}"))
    found = reviewer.get(f"{QUEUE}?batch={chain.work.batch_id}").context["page"].rows
    assert [row.case.reason for row in found] == ["flag", "pace"]
    found = reviewer.get(f"{QUEUE}?batch={batch.pk}").context["page"].rows
    assert [row.case.reason for row in found] == ["pace"]


def test_a_batch_has_the_cases_of_workers_in_the_stages_that_it_asks(reviewer: Client) -> None:
    grounding = make_finished().work.batch
    captions = make_captions(project=grounding.project)
    ask_for_trust(grounding, captions)
    for stage in ("drawing", "writing"):
        worker = make_worker(grounding.project, f"worker-in-{stage}")
        open_case(project_id=worker.project_id, reason="trust", now=NOW, worker_id=worker.pk, stage=stage)
        work_in(grounding, worker)
        work_in(captions, worker)
    for batch, stages in ((grounding, ["drawing"]), (captions, ["writing"])):
        shown = reviewer.get(f"{QUEUE}?batch={batch.pk}").context["page"]
        assert [row.case.stage for row in shown.rows] == stages
        assert open_cases(grounding.project, batch) == {"trust": 1}
    assert open_cases(grounding.project) == {"trust": 2}


def test_a_batch_in_which_all_answers_count_has_no_lost_trust(reviewer: Client) -> None:
    """Four cases of another batch waited beside a batch that needs no trust."""
    batch = make_finished().work.batch
    worker = make_worker(batch.project)
    work_in(batch, worker)
    for reason in ("trust", "pace"):
        open_case(project_id=worker.project_id, reason=reason, now=NOW, worker_id=worker.pk, stage="link")
    assert open_cases(batch.project, batch) == {"pace": 1}
    found = reviewer.get(f"{QUEUE}?batch={batch.pk}").context["page"].rows
    assert [row.case.reason for row in found] == ["pace"]
    regime = settings_of(batch).to_json()["regime"] | {"drawing": "trusted"}
    batch.settings = settings_of(batch).to_json() | {"regime": regime}
    batch.save()
    assert open_cases(batch.project, batch) == {"pace": 1}
    open_case(project_id=worker.project_id, reason="trust", now=NOW, worker_id=worker.pk, stage="drawing")
    assert open_cases(batch.project, batch) == {"pace": 1, "trust": 1}, "its first stage hides it nowhere"


def _fill(number: int) -> None:
    chain = make_finished()
    project = chain.work.batch.project
    for place in range(number):
        worker = make_worker(project, f"worker-no-{place}")
        open_case(project_id=project.pk, reason="trust", now=NOW, worker_id=worker.pk, stage="link")


def test_pages_show_every_case_once_and_in_order(reviewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_list, "ROWS", 3)
    _fill(8)
    seen, query = [], ""
    for _ in range(5):
        found = reviewer.get(QUEUE + query).context["page"]
        seen += [row.case.pk for row in found.rows]
        query = found.more
        if not query:
            break
    assert seen == sorted(Case.objects.values_list("pk", flat=True))
    assert len(seen) == 8


def test_the_queue_costs_the_same_however_much_waits(
    reviewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    _fill(25)
    with django_assert_max_num_queries(26):  # type: ignore[operator]  # pytest-django's fixture has no type
        assert len(reviewer.get(QUEUE).context["page"].rows) == 25


def test_counting_stops(reviewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_list, "MAX_COUNTED", 3)
    _fill(5)
    counts = {reason["name"]: reason["count"] for reason in reviewer.get(QUEUE).context["page"].reasons}
    assert counts["Lost trust"] == "3+"
    assert counts["Comments"] == "0"


def test_a_sample_of_a_batch_is_drawn_once(reviewer: Client) -> None:
    batch = make_finished().work.batch_id
    for _ in range(2):
        reviewer.post(f"{QUEUE}?batch={batch}", {"batch": batch, "number": 10})
    assert Case.objects.get().reason == "sample"


@pytest.mark.parametrize("number", ["0", "x", "1000000"])
def test_a_sample_of_a_senseless_size_is_refused_at_its_field(reviewer: Client, number: str) -> None:
    batch = make_finished().work.batch_id
    reply = reviewer.post(f"{QUEUE}?batch={batch}", {"batch": batch, "number": number})
    assert reply.context["sample"].errors["number"]
    assert not Case.objects.exists()


@pytest.mark.parametrize(
    ("name", "mark"), [("ada", "AD"), ("worker-12", "W1"), ("Zoë Ångström", "ZÅ"), ("x", "X"), ("…", "?")]
)
def test_a_case_without_an_image_shows_the_workers_letters(viewer: Client, name: str, mark: str) -> None:
    worker = make_worker(make_project(), name)
    open_case(project_id=worker.project_id, reason="trust", now=NOW, worker_id=worker.pk, stage="link")
    assert f"<span>{mark}</span>" in viewer.get(QUEUE).content.decode()
