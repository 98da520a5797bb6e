"""Tampering with any derived row is found and named, and untouched work has no differences."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from annotation.models import Assignment, Batch, Box, Chain, ImageWork, Item, Judgment, Mention
from tests.factories import (
    NOW,
    answer_page,
    claim_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
)
from tests.made_once import made_once
from workflows.core.guards import remove_guards
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.verify_state import differences, verify

pytestmark = pytest.mark.django_db


def found() -> list[str]:
    return verify(list(ImageWork.objects.values_list("pk", flat=True)))


@made_once
def make_at_coverage() -> Batch:
    batch = make_running([["man"], ["woman"]])
    for _ in range(4):
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    assert Chain.objects.get().state == "coverage"
    return batch


def at_coverage() -> Batch:
    """Make a chain that has been through link, verification, drawing and quality. Its coverage is open.

    After that, the test may change rows of append-only tables, which is rolled back.
    """
    batch = make_at_coverage()
    remove_guards()
    return batch


def of_stage(stage: str) -> Item:
    return Item.objects.get(stage=stage)


Tampering = Callable[[], object]
TAMPERINGS: dict[str, tuple[Tampering, str]] = {
    "image state": (lambda: ImageWork.objects.update(state="done"), "state is done"),
    "box moved": (lambda: Box.objects.update(left=F("left") + 1), "chain"),
    "box state": (lambda: Box.objects.update(state="rejected"), "chain"),
    "chain state": (lambda: Chain.objects.update(state="done"), "chain"),
    "chain flag": (lambda: Chain.objects.update(flag="scene"), "chain"),
    "chain reason": (lambda: Chain.objects.update(reason="made up"), "chain"),
    "boxes counted": (lambda: Chain.objects.update(boxes_accepted=2), "chain"),
    "returns counted": (lambda: Chain.objects.update(returns=1), "chain"),
    "visits counted": (lambda: Chain.objects.update(visits=9), "chain"),
    "generation": (lambda: Chain.objects.update(generation=1), "missing"),
    "types": (lambda: Chain.objects.update(types="scene"), "types are scene"),
    "representative": (
        lambda: Chain.objects.update(representative=Mention.objects.earliest("pk")),
        "representative is mention",
    ),
    "first mention": (lambda: Chain.objects.update(first=Mention.objects.latest("pk")), "first is mention"),
    "members": (lambda: Chain.objects.update(members=[Mention.objects.earliest("pk").pk]), "missing"),
    "members unknown": (lambda: Chain.objects.update(members=[10**9]), "not its image's"),
    "item judged": (lambda: Item.objects.filter(stage="coverage").update(judged=1), "chain"),
    "item needed": (lambda: Item.objects.filter(stage="coverage").update(needed=2), "chain"),
    "item done": (lambda: Item.objects.filter(stage="coverage").update(state="done"), "chain"),
    "item gone": (lambda: Item.objects.filter(stage="coverage").delete(), "chain"),
    "item stage": (lambda: Item.objects.filter(stage="coverage").update(stage="drawing"), "chain"),
    "item leased": (lambda: Item.objects.filter(stage="coverage").update(leased=1), "leased 1 times, 0 live"),
    "link settling": (lambda: Item.objects.filter(stage="link").update(settling=True), "link"),
    "link gone": (
        lambda: (Judgment.objects.filter(item__stage="link").delete(), of_stage("link").delete()),
        "link",
    ),
    "author gone": (lambda: Item.objects.filter(stage="quality").update(author=None), "author"),
    "box of item": (lambda: Item.objects.filter(stage="quality").update(box=None), "box, counted"),
    "counted": (
        lambda: Item.objects.filter(stage="coverage").update(counted=Judgment.objects.earliest("pk")),
        "counted judgment",
    ),
    "answer": (
        lambda: Judgment.objects.filter(item__stage="drawing").update(answer={"box": [1, 2, 30, 40]}),
        "chain",
    ),
    "log gone": (lambda: Transition.objects.filter(chain__isnull=False).delete(), "chain"),
    "log of the image gone": (lambda: Transition.objects.filter(chain=None).delete(), "log is ()"),
    "rule": (lambda: Transition.objects.filter(rule="kept").update(rule="broken"), "chain"),
    "unreadable": (
        lambda: Judgment.objects.filter(item__stage="drawing").update(answer={"box": "here"}),
        "cannot be replayed",
    ),
    "answer turned": (
        lambda: Judgment.objects.filter(item__stage="link").update(answer={"same": False}),
        "chain",
    ),
}


def test_honest_work_is_clean() -> None:
    at_coverage()
    assert found() == []


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found(name: str) -> None:
    at_coverage()
    tamper, says = TAMPERINGS[name]
    tamper()
    lines = found()
    assert lines
    assert any(says in line for line in lines), lines


def test_a_judgment_by_the_items_author_is_found() -> None:
    at_coverage()
    quality = of_stage("quality")
    Judgment.objects.filter(item=quality).update(worker=quality.author)
    assert any("judged by its author" in line for line in found())


def test_a_lease_that_nobody_holds_and_a_page_without_its_lease_are_found() -> None:
    batch = make_running([["man"], ["man"]])
    page = claim_page(make_worker(batch.project))
    assert found() == []
    Assignment.objects.update(state="returned")
    assert found() == [f"item {page.items[0]}: leased 1 times, 0 live pages hold it"]
    Assignment.objects.update(state="live")
    Item.objects.update(leased=0)
    assert found() == [f"item {page.items[0]}: leased 0 times, 1 live pages hold it"]


def test_a_second_chain_of_the_same_mentions_is_found() -> None:
    at_coverage()
    chain = Chain.objects.get()
    chain.pk, chain.generation = None, 1
    chain.save()
    assert any("judgments say missing" in line for line in found())


def test_images_with_unread_judgments_are_left_until_they_are_read() -> None:
    batch = at_coverage()
    answer_page(make_worker(batch.project))
    assert found() == []
    advance_pending(now=NOW)
    assert found() == []


def test_the_statements_do_not_depend_on_the_number_of_images() -> None:
    counts = []
    for images in (1, 6):
        batch = make_at_stage("coverage", images=images)
        works = list(ImageWork.objects.filter(batch=batch))
        with CaptureQueriesContext(connection) as captured:
            assert list(differences(works)) == []
        counts.append(len(captured))
    assert counts[0] == counts[1] <= 10


def run(**options: object) -> str:
    out = StringIO()
    call_command("verify_state", stdout=out, **options)
    return out.getvalue()


def test_the_command_advances_first_and_says_that_all_is_well() -> None:
    batch = at_coverage()
    answer_page(make_worker(batch.project))
    assert "1 images replayed: no difference" in run(project=batch.project.name)
    assert not Item.objects.filter(unread=True).exists()


def test_the_command_prints_every_difference_and_fails() -> None:
    at_coverage()
    Box.objects.update(left=F("left") + 1)
    out = StringIO()
    with pytest.raises(CommandError, match="1 differences"):
        call_command("verify_state", stdout=out)
    assert out.getvalue().startswith("image work ")


def test_the_command_looks_at_one_project_if_told() -> None:
    at_coverage()
    Box.objects.update(left=F("left") + 1)
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_batch(project)
    assert "no difference" in run(project=project.name)
    with pytest.raises(CommandError, match="has no batch, or does not exist"):
        run(project="nobody")


@pytest.mark.usefixtures("unguarded")
def test_the_command_says_what_cannot_be_advanced_and_looks_at_the_rest() -> None:
    batch = make_at_stage("quality", images=2)
    answer_page(make_worker(batch.project))
    bad = Item.objects.filter(stage="quality").earliest("pk")
    Judgment.objects.filter(item=bad).update(answer={"good": "perhaps"})
    errors = StringIO()
    with pytest.raises(CommandError, match="0 differences, 1 items with unread judgments"):
        call_command("verify_state", stderr=errors)
    assert "cannot be advanced" in errors.getvalue()
    assert Item.objects.filter(unread=True).get() == bad


def test_the_command_does_not_look_at_other_projects() -> None:
    mine, other = at_coverage(), at_quality_with_unread_judgments()
    assert "no difference" in run(project=mine.project.name)
    assert Item.objects.filter(batch=other, unread=True).exists()


def at_quality_with_unread_judgments() -> Batch:
    batch = make_at_stage("quality")
    answer_page(make_worker(batch.project))
    Judgment.objects.filter(item__batch=batch, item__stage="quality").update(answer={"good": "perhaps"})
    return batch
