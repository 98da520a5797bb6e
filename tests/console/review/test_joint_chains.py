"""Chains of the protocol `entities-fast` on the pages of the review."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Box, Case, Chain, ImageWork
from console.workers.answers import given
from tests.entities_fast import ONE, TWO, answer, drawn, make_fast, said
from workflows.pipeline.replay.verify_state import verify
from workflows.review.decide import version_of

pytestmark = pytest.mark.django_db


def test_a_case_opens_with_the_boxes_that_nobody_could_judge(reviewer: Client) -> None:
    batch = make_fast(unsure_share=0.5)
    drawer = answer(batch, drawn(ONE, TWO))
    for _ in range(2):
        answer(batch, {"unsure": True})
    chain, case = Chain.objects.get(), Case.objects.get()
    assert (chain.state, case.reason) == ("review", "unsure")
    url = reverse("review:chain", args=[chain.pk]) + f"?case={case.pk}"
    page = reviewer.get(url)
    form = page.context["decide"]
    assert form["boxes"].value() == "10 20 110 220\n200 20 300 220"
    stages = ["verification", "requirement", "boxes", "check"]
    assert [value for value, _ in form.fields["state"].choices] == ["done", "nonvisual", *stages, "review"]
    text = page.content.decode()
    assert "Joint drawing" in text and "2 boxes. 1: box 10, 20 to 110, 220" in text
    assert "boxes were drawn → waits for joint check" in text
    typed = {"boxes": "10 20 110 220", "flag": "", "note": "", "version": version_of(chain.work)}
    assert reviewer.post(url, {**typed, "state": "check"}).status_code == 302
    (kept,) = Box.objects.filter(state="accepted")
    assert (kept.judgment.worker, kept.left) == (drawer, 10)  # type: ignore[union-attr]
    answer(batch, said())
    chain.refresh_from_db()
    assert chain.state == "done"
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []


def test_a_workers_judgments_show_all_boxes_that_they_drew_or_checked(viewer: Client) -> None:
    batch = make_fast()
    drawer = answer(batch, drawn(ONE, TWO))
    checker = answer(batch, said("good", "loose"))
    answer(batch, said("good", "loose"))
    (mine,) = given(drawer.pk).tiles
    assert (mine.stage, mine.outcome) == ("joint drawing", "not agreed")
    assert {shape.kind for shape in mine.picture.shapes} == {"accepted", "rejected"}
    (theirs,) = given(checker.pk).tiles
    assert (theirs.outcome, theirs.answer) == ("agreed", "1 good box; box 2 is loose; nothing is missing")
    assert {(shape.label, shape.kind) for shape in theirs.picture.shapes} == {
        ("1", "accepted"),
        ("2", "rejected"),
    }
    assert "joint check" in viewer.get(reverse("workers:worker", args=[checker.pk])).content.decode()
