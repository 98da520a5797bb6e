"""A chain on one page: everything that happened to it, and no scripts in what people wrote."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Box, Caption, Case, Chain, Decision, Judgment
from tests.console.review.review_rows import SCRIPT, make_finished, make_flagged, remark
from tests.factories import (
    NOW,
    answer_page,
    make_at_stage,
    make_running,
    make_worker,
)
from workflows.pipeline.advance import advance_pending


def _page(client: Client, chain: Chain, query: str = "") -> str:
    reply = client.get(reverse("review:chain", args=[chain.pk]) + query)
    assert reply.status_code == 200
    return reply.content.decode()


def test_the_history_is_there_in_order(viewer: Client) -> None:
    text = _page(viewer, make_finished())
    told = [
        "Box drawing",
        "box 10, 20 to 110, 220 (100 × 200)",
        "a box was drawn → waits for box quality",
        "the box is good → waits for box coverage",
        "all boxes are here",
        "all boxes are there → done",
    ]
    places = [text.index(words) for words in told]
    assert places == sorted(places)


def test_links_are_part_of_the_history_of_their_chain(viewer: Client) -> None:
    batch = make_at_stage("verification")
    text = _page(viewer, Chain.objects.get(work__batch=batch))
    assert "Coreference link" in text
    assert "the same" in text


def test_a_chain_that_was_split_off_tells_what_came_before(viewer: Client) -> None:
    batch = make_at_stage("verification")
    answer_page(make_worker(batch.project), answering=lambda *_: {"same": False})
    advance_pending(now=NOW)
    child = Chain.objects.exclude(state="split").order_by("pk")[0]
    text = _page(viewer, child)
    assert "not all the same" in text
    assert "not verified: split by head noun" in text


def test_a_judgment_that_was_set_aside_says_by_whom(viewer: Client) -> None:
    chain = make_finished()
    decision = Decision.objects.create(
        project=chain.work.batch.project, kind="set-aside", by="ada", note="careless", created_at=NOW
    )
    Judgment.objects.filter(item__chain=chain, item__stage="coverage").update(set_aside=decision)
    assert "set aside by ada" in _page(viewer, chain)


def test_boxes_are_told_apart_by_more_than_colour(viewer: Client) -> None:
    chain = make_finished()
    box = Box.objects.get()
    for place, state in enumerate(("rejected", "proposed", "withdrawn")):
        Box.objects.create(
            chain=chain,
            judgment=box.judgment,
            ordinal=place + 1,
            left=0,
            top=0,
            right=9,
            bottom=9,
            state=state,
        )
    text = _page(viewer, chain)
    for state in ("accepted", "rejected", "proposed", "withdrawn"):
        assert f'class="shape {state}"' in text
        assert f"</b> {state}" in text


def test_the_boxes_a_chain_has_are_numbered_first(viewer: Client) -> None:
    chain = make_finished()
    box = Box.objects.get()
    Box.objects.create(chain=chain, judgment=box.judgment, ordinal=1, left=0, top=0, right=9, bottom=9)
    Box.objects.filter(pk=box.pk).update(state="rejected")
    Box.objects.exclude(pk=box.pk).update(state="accepted")
    shown = viewer.get(reverse("review:chain", args=[chain.pk])).context["found"].boxes
    assert [(one.label, one.box.state) for one in shown] == [("1", "accepted"), ("2", "rejected")]


def test_captions_and_comments_are_text(viewer: Client) -> None:
    chain, _ = make_flagged(SCRIPT)
    remark(chain, SCRIPT)
    caption = Caption.objects.get()
    caption.text, caption.tokens = f"a man {SCRIPT}", f"a man {SCRIPT}"
    caption.save()
    text = _page(viewer, chain)
    assert SCRIPT not in text
    assert text.count("&lt;script&gt;") >= 3


def test_a_caption_runs_as_its_script_does(viewer: Client) -> None:
    chain, _ = make_flagged("flagged")
    assert '<li value="1"><bdi lang="en">' in _page(viewer, chain)


def test_the_own_mentions_stand_out_and_those_of_others_are_named(viewer: Client) -> None:
    make_running([["man", "dog"]])
    chain = Chain.objects.get(representative__text="a man")
    text = _page(viewer, chain)
    assert '<mark class="own" title="chain A">a man<sub>A</sub></mark>' in text
    assert '<mark class="other" title="chain B">a dog<sub>B</sub></mark>' in text


def test_the_page_costs_the_same_however_long_its_history(
    viewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    batch = make_at_stage("drawing")
    chain = Chain.objects.get()
    bad = {"quality": {"good": False}}
    for _ in range(4):
        for stage in ("drawing", "quality"):
            answer = bad.get(stage, {"box": [10, 20, 110, 220]})
            answer_page(make_worker(batch.project), stage=stage, answering=lambda *_, a=answer: a)
            advance_pending(now=NOW)
    with django_assert_max_num_queries(21):  # type: ignore[operator]  # pytest-django's fixture has no type
        text = _page(viewer, chain)
    assert text.count("the box is bad: draw again") == 4


def test_a_case_shows_why_it_is_here_and_its_neighbours(reviewer: Client) -> None:
    chain, case = make_flagged("two people?")
    later = Case.objects.create(
        project=case.project, reason="sample", chain=chain, work=chain.work, opened_at=NOW
    )
    text = _page(reviewer, chain, f"?case={case.pk}")
    assert "flagged: two people? (ada)" in text
    assert f"case={later.pk}" in text


def test_a_chain_is_flagged_with_a_note(reviewer: Client) -> None:
    chain = make_finished()
    reviewer.post(reverse("review:flag", args=[chain.pk]), {"note": "is this the same dog?"})
    assert Case.objects.get().detail == {"by": "rita", "note": "is this the same dog?"}


def test_a_chain_that_is_not_there_is_not_found(viewer: Client) -> None:
    assert viewer.get(reverse("review:chain", args=[1])).status_code == 404
