"""What the list of cases says about each."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Case, Chain, Judgment
from console.common import case_list
from console.common.labels import REASONS
from tests.console.review.review_rows import make_finished, make_flagged, remark
from tests.factories import NOW, make_worker
from workflows.cases.review_queue import flag_chain, open_case, open_remarks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

QUEUE = "/admin/review/"


def test_the_neighbours_of_a_case_are_those_of_the_filter() -> None:
    chain, first = make_flagged()
    judgment = remark(chain, "hm")
    open_remarks(judgments=[judgment], project_id=first.project_id, now=NOW)
    worker = make_worker(chain.work.batch.project)
    open_case(project_id=first.project_id, reason="pace", now=NOW, worker_id=worker.pk, stage="link")
    middle = Case.objects.get(reason="comment")
    found = case_list.neighbours(middle.pk, case_list.Filter())
    assert found.before.endswith(f"case={first.pk}")
    assert f"/worker/{worker.pk}/" in found.after
    assert case_list.neighbours(middle.pk, case_list.Filter(reason="comment")) == case_list.Neighbours("", "")


def test_every_reason_leads_somewhere() -> None:
    chain = make_finished()
    judgment = Judgment.objects.filter(item__chain=chain).order_by("pk")[0]
    flag_chain(chain_id=chain.pk, by="ada", note="", now=NOW)
    for reason in Case.Reason.values:
        case = Case(reason=reason, project=chain.work.batch.project, work=chain.work, judgment=judgment)
        assert case_list.address(case) == reverse("review:work", args=[chain.work_id])
    assert set(REASONS) == set(Case.Reason.values)
    assert Chain.objects.count() == 1


def test_suggestions_that_are_off_lead_to_the_worker_or_to_the_dashboard_of_the_batch() -> None:
    batch = make_finished().work.batch
    worker = make_worker(batch.project)
    detail = {"note": "it shows no suggestions any more", "batch": batch.pk}
    about = {"reason": "suggestions", "project": batch.project, "stage": "boxes", "opened_at": NOW}
    of_batch, of_worker = Case(**about, detail=detail), Case(**about, worker=worker, detail={"note": "off"})
    assert case_list.address(of_batch) == reverse("dashboards:batch", args=[batch.pk])
    assert case_list.address(of_worker) == reverse("workers:worker", args=[worker.pk])
    said = [case_list.describe(case, case_list.Filter(), now=NOW) for case in (of_batch, of_worker)]
    assert said[0].about.startswith("a batch in ") and worker.external_id in said[1].about
    assert [one.said for one in said] == ["it shows no suggestions any more", "off"]


@pytest.mark.parametrize(
    ("age", "words"),
    [(0, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"), (86400 * 9, "9 days ago")],
)
def test_an_age_is_said_in_its_largest_unit(age: int, words: str) -> None:
    assert case_list.say_age(timedelta(seconds=age)) == words


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ({}, ""),
        ({"note": "two?", "by": "ada"}, "two? (ada)"),
        ({"median_seconds": 0.8123}, "median seconds: 0.812"),
        (
            {"asked": 42, "right": 30, "recent_asked": 30, "recent_right": 19, "minimum": 0.7},
            "30 of 42 verification questions right (71.4%); of the latest 30, 19 (63.3%); 70% needed",
        ),
        (
            {
                "losses": [
                    {"asked": 20, "right": 10, "minimum": 0.8},
                    {"asked": 40, "right": 20, "minimum": 0.8, "batch": 7},
                ],
                "policy": "set-aside",
            },
            "10 of 20 verification questions right (50.0%); 80% needed; "
            "batch 7: 20 of 40 verification questions right (50.0%); 80% needed",
        ),
        (
            {
                "flags": [
                    {"kind": "fast", "figures": {"answers": 84, "too_fast": 84, "median_seconds": 0.02}},
                    {
                        "kind": "straight",
                        "figures": {
                            "answers": 84,
                            "in_a_row": 60,
                            "answer": "same",
                            "rate": 0.41,
                            "chance": 1e-9,
                        },
                    },
                    {
                        "kind": "one-box",
                        "figures": {"boxes": 14, "images": 12, "box": [0, 0, 1, 1], "rate": 0.01},
                    },
                ]
            },
            "84 of 84 answers faster than they can be read; median 0.02 s; "
            "the same answer (same) 60 times in a row; others give it 41% of the time; "
            "one box on 12 images, of 14 boxes drawn",
        ),
        ({"flags": [{"kind": "odd", "figures": {"too_many": 3}}]}, "odd: too many 3"),
        ({"flags": ["odd"]}, "odd"),
    ],
)
def test_the_figures_of_a_case_are_said(detail: dict[str, object], words: str) -> None:
    assert case_list.say_detail(detail) == words
