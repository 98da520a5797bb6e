"""A worker who lost trust in several stages is one case: in the queue, on its page, and when it is undone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Case, Decision, Standing, Worker
from console.common import case_list
from console.dashboards.selectors import open_cases
from tests.campaigns import make_captions
from tests.console.review.review_rows import ask_for_trust, make_finished, work_in
from tests.factories import NOW, make_project, make_running, make_worker
from workflows.cases.review_queue import close_of_worker, open_case
from workflows.core.models import AuditEntry
from workflows.quality.standings import restore_worker

pytestmark = pytest.mark.django_db

QUEUE = "/admin/review/"
SCORES = {"link": 12, "drawing": 9, "quality": 5}


def lose(worker: Worker, *stages: str) -> list[Case]:
    """Open a case about lost trust for each of these stages."""
    for stage in stages:
        detail = {"asked": 20, "right": SCORES.get(stage, 1), "minimum": 0.8}
        open_case(
            project_id=worker.project_id,
            reason="trust",
            now=NOW,
            worker_id=worker.pk,
            stage=stage,
            detail=detail,
        )
    return list(Case.objects.filter(worker=worker, closed_at=None).order_by("pk"))


def text(reply: Any) -> str:
    assert reply.status_code == 200
    return unescape(str(reply.content.decode()))


def page_of(case: Case) -> str:
    return reverse("workers:worker", args=[case.worker_id]) + f"?case={case.pk}"


def close(client: Client, case: Case, *chosen: Case, note: str = "bad luck") -> Any:
    """Press the button on the page of the case, with these stages chosen."""
    data = {"several": "1", "of": [one.pk for one in chosen], "note": note}
    return client.post(reverse("review:close", args=[case.pk]), data)


def open_stages() -> list[str]:
    return list(Case.objects.filter(closed_at=None).order_by("pk").values_list("stage", flat=True))


def test_the_queue_has_one_row_with_the_figures_of_each_stage(reviewer: Client) -> None:
    project = make_project()
    cases = lose(make_worker(project, "ann"), "link", "drawing")
    lose(make_worker(project, "bob"), "quality")
    reply = reviewer.get(QUEUE)
    first, second = reply.context["page"].rows
    assert (first.about, second.about) == (
        "worker ann in 2 stages",
        "worker bob in box quality",
    )
    assert first.ids == f"{cases[0].pk} {cases[1].pk}"
    said = text(reply)
    assert "12 of 20 verification questions right" in said
    assert "9 of 20 verification questions and own boxes right" in said
    assert next(one for one in reply.context["page"].reasons if one["name"] == "Lost trust")["count"] == "2"
    assert open_cases(project) == {"trust": 2}
    assert "Alike" not in said


def test_a_batch_shows_the_case_of_a_worker_whose_first_stage_it_does_not_ask(reviewer: Client) -> None:
    grounding = make_finished().work.batch
    captions = make_captions(project=grounding.project)
    ask_for_trust(grounding, captions)
    cases = lose(make_worker(grounding.project), "writing", "link", "drawing")
    work_in(captions, cases[0].worker)
    work_in(grounding, cases[0].worker)
    for batch, stage in ((captions, "writing"), (grounding, "link")):
        (row,) = reviewer.get(f"{QUEUE}?batch={batch.pk}").context["page"].rows
        assert row.case.stage == stage
        assert [one.case for one in row.stages] == cases
        assert open_cases(grounding.project, batch) == {"trust": 1}


def test_a_case_is_of_the_researcher_whom_its_row_names(reviewer: Client, manager: Client) -> None:
    worker = make_worker(make_project(), "ann")
    lose(worker, "link", "drawing")
    (row,) = reviewer.get(QUEUE).context["page"].rows
    sent = {"case": [row.ids], "action": "assign", "assign": "mona"}
    assert "1 case was assigned to mona." in text(reviewer.post(QUEUE, sent, follow=True))
    assert set(Case.objects.values_list("assigned_to", flat=True)) == {"mona"}
    lose(worker, "quality")
    (row,) = reviewer.get(QUEUE, {"to": "mona"}).context["page"].rows
    assert len(row.stages) == 3
    assert not reviewer.get(QUEUE, {"to": "-"}).context["page"].rows


def test_a_chosen_case_is_closed_in_the_stages_that_were_shown(reviewer: Client) -> None:
    worker = make_worker(make_project(), "ann")
    lose(worker, "link", "drawing")
    (row,) = reviewer.get(QUEUE).context["page"].rows
    lose(worker, "quality")
    sent = {"case": [row.ids], "action": "close", "note": "bad luck"}
    assert "1 case was closed without a change." in text(reviewer.post(QUEUE, sent, follow=True))
    assert Decision.objects.get().content["stages"] == ["link", "drawing"]
    assert open_stages() == ["quality"]


def test_the_page_of_a_case_has_its_stages_and_one_press_closes_them(reviewer: Client) -> None:
    project = make_project()
    link, drawing = lose(make_worker(project, "ann"), "link", "drawing")
    following = lose(make_worker(project, "bob"), "link")[0]
    content = text(reviewer.get(page_of(link)))
    assert "lost trust in 2 stages" in content
    assert "12 of 20 verification questions right" in content
    for case in (link, drawing):
        assert f'name="of" value="{case.pk}" form="close-case" checked' in content
    assert '<option value="link,drawing" selected>those of the case</option>' in content
    for _ in range(2):
        reply = close(reviewer, link, link, drawing)
        assert reply.headers["Location"] == page_of(following)
    decision = Decision.objects.get()
    assert (decision.note, decision.worker) == ("bad luck", link.worker)
    assert set(Case.objects.filter(worker=link.worker).values_list("decision", flat=True)) == {decision.pk}
    assert AuditEntry.objects.get(action="case.close").detail["stages"] == 2
    assert "coreference link, box drawing" in text(reviewer.get(page_of(link))), "among the decisions"


def test_a_viewer_sees_the_stages_and_cannot_choose(viewer: Client) -> None:
    link, _ = lose(make_worker(make_project()), "link", "drawing")
    content = text(viewer.get(page_of(link)))
    assert "9 of 20 verification questions and own boxes right" in content
    assert 'name="of"' not in content
    assert close(viewer, link, link).status_code == 403


def test_a_chosen_stage_is_closed_and_the_rest_is_shown(reviewer: Client) -> None:
    link, drawing, quality = lose(make_worker(make_project()), "link", "drawing", "quality")
    reply = close(reviewer, link, link)
    assert reply.headers["Location"] == page_of(drawing)
    content = text(reviewer.get(reply.headers["Location"]))
    assert "The case is closed in the chosen stages." in content
    assert "lost trust in 2 stages" in content
    assert text(reviewer.get(page_of(link))).count('name="of"') == 2, "an earlier address shows the rest, too"
    assert open_stages() == ["drawing", "quality"]
    assert quality.worker == drawing.worker


def test_the_log_counts_the_stages_that_were_still_open(reviewer: Client) -> None:
    link, drawing, quality = lose(make_worker(make_project()), "link", "drawing", "quality")
    close(reviewer, link, link)
    close(reviewer, drawing, link, drawing, quality)
    closed = AuditEntry.objects.filter(action="case.close").order_by("pk")
    assert [one.detail.get("stages") for one in closed] == [None, 2]


def test_from_any_stage_of_a_case_the_one_before_is_another(reviewer: Client) -> None:
    """An undo may open a stage that stands before the one in the address."""
    batch = make_finished().work.batch
    ask_for_trust(batch)
    (before,) = lose(make_worker(batch.project, "bob"), "link")
    writing, link, drawing = lose(make_worker(batch.project, "ann"), "writing", "link", "drawing")
    for case in (before, drawing):
        work_in(batch, case.worker)
    for more, first in (("", writing), (f"&batch={batch.pk}", link)):
        shown = reviewer.get(page_of(drawing) + more).context
        assert shown["case"] == first
        assert f"case={before.pk}" in shown["neighbours"].before
        assert [row.case for row in shown["beside"]] == [before, first]


def test_without_a_stage_nothing_is_closed(reviewer: Client) -> None:
    link, _ = lose(make_worker(make_project()), "link", "drawing")
    reply = reviewer.post(reverse("review:close", args=[link.pk]), {"several": "1"}, follow=True)
    assert "choose a stage first" in text(reply)
    assert open_stages() == ["link", "drawing"]


def test_restoring_a_stage_leaves_the_others_in_the_queue(reviewer: Client) -> None:
    worker = make_worker(make_project())
    link, drawing = lose(worker, "link", "drawing")
    Standing.objects.create(worker=worker, stage="link", state="lost", changed_at=NOW)
    sent = {"action": "restore", "stage": "link", "note": ""}
    content = text(reviewer.post(page_of(link), sent, follow=True))
    assert "9 of 20 verification questions and own boxes right" in content
    assert f'action="{reverse("review:close", args=[drawing.pk])}?case={drawing.pk}"' in content
    assert open_stages() == ["drawing"]


def test_the_closing_of_all_stages_is_undone_as_one(reviewer: Client) -> None:
    worker = make_worker(make_project(), "ann")
    cases = lose(worker, "link", "drawing")
    close(reviewer, cases[0], *cases)
    closed = reviewer.get(reverse("review:closed"))
    assert [row.about for row in closed.context["rows"]] == ["worker ann in 2 stages"]
    (address,) = set(re.findall(r'href="([^"]+/undo/)"', text(closed)))
    content = text(reviewer.get(address))
    for stage in ("coreference link", "box drawing"):
        assert f"in the review queue again, in {stage}: lost trust:" in content
    (told,) = re.findall(r'name="told" value="([^"]+)"', content)
    for _ in range(2):
        reviewer.post(address, {"told": told, "note": ""})
    assert open_stages() == ["link", "drawing"]
    assert Decision.objects.filter(kind="undo").count() == 1
    assert not reviewer.get(reverse("review:closed")).context["rows"]


def test_what_stays_closed_is_told_before(reviewer: Client) -> None:
    worker = make_worker(make_project())
    cases = lose(worker, "link", "drawing")
    decision = close_of_worker(cases=[case.pk for case in cases], by="ada", note="", now=NOW)
    assert decision is not None
    Standing.objects.create(worker=worker, stage="link", state="lost", changed_at=NOW)
    restore_worker(worker_id=worker.pk, stage="link", by="ada", note="", now=NOW)
    content = text(reviewer.get(reverse("review:undo", args=[decision.pk])))
    assert "in the review queue again, in box drawing" in content
    assert "It stays closed in coreference link, as it is settled: the worker was restored since." in content


def test_the_list_of_closed_cases_is_not_cut_within_a_case(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("console.review.views.undo.CLOSED", 9)
    project = make_project()
    for place in range(10):
        cases = lose(make_worker(project, f"w{place}"), "link", "drawing", "quality")
        close(reviewer, cases[0], *cases)
    rows = reviewer.get(reverse("review:closed")).context["rows"]
    assert [row.case.worker.external_id for row in rows] == [f"w{place}" for place in range(9, 0, -1)]
    assert [len(row.stages) for row in rows] == [3] * 9


def test_pages_and_neighbours_pass_a_workers_other_stages(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_list, "ROWS", 2)
    project = make_project()
    workers = [make_worker(project, f"w{place}") for place in range(3)]
    for stage in ("link", "drawing"):
        for worker in workers:
            lose(worker, stage)
    firsts = list(Case.objects.filter(stage="link").order_by("pk"))
    shown = reviewer.get(QUEUE).context["page"]
    rest = reviewer.get(QUEUE + shown.more).context["page"]
    assert [row.case for row in (*shown.rows, *rest.rows)] == firsts
    assert not rest.more
    assert case_list.neighbours(firsts[2].pk, case_list.Filter()).after == ""
    assert f"case={firsts[1].pk}" in case_list.neighbours(firsts[2].pk, case_list.Filter()).before
    beside = case_list.beside(firsts[0].pk, case_list.Filter(), now=NOW)
    assert [row.case for row in beside] == firsts


def test_a_worker_who_waits_for_questions_is_said_by_the_state_of_the_batches(
    manager: Client, reviewer: Client
) -> None:
    batch = make_running([["man"]])
    worker = make_worker(batch.project, "ann")
    open_case(
        project_id=batch.project_id,
        reason="question",
        now=NOW,
        worker_id=worker.pk,
        stage="link",
        detail={"note": "workers wait: too few", "left": 0, "needed": 1},
    )
    case = Case.objects.get()
    says = f"{case_list.SHORT} left: 0; needed: 1"
    assert says in text(manager.get(QUEUE))
    address = reverse("batches:questions", args=[batch.project_id])
    assert address in text(manager.get(page_of(case)))
    assert address not in text(reviewer.get(page_of(case))), "only managers make questions"
    assert "No batch asks this stage now" not in text(manager.get(page_of(case)))
    Batch.objects.update(state="finished")
    for page in (QUEUE, page_of(case)):
        assert f"{says}. No batch asks this stage now: nobody waits" in text(manager.get(page))
        assert "workers wait" not in text(manager.get(page))
