"""A researcher undoes a decision in the browser, and is told first what follows."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Case, Chain, Decision, Image, ImageWork
from console.common.history import image_history
from console.common.labels import DECIDED
from console.review.undo_effects import say_undo
from tests.console.review.review_rows import make_finished, make_flagged
from tests.factories import NOW, claim_page, make_at_stage, make_image, make_project, make_worker
from tests.workflows.review.annotating import drawn, store
from workflows.cases.review_queue import close_case
from workflows.core.models import AuditEntry
from workflows.review.decide import version_of
from workflows.review.undo import undo_decision
from workflows.review.undo_effects import UndoEffect, effect_of_undo

pytestmark = pytest.mark.django_db


def decide(client: Client, chain: Chain, **typed: Any) -> str:
    data = {"boxes": "12 24 100 200", "state": "done", "flag": "", "note": "cut off", **typed}
    data["version"] = version_of(chain.work)
    return told(client.post(reverse("review:chain", args=[chain.pk]), data, follow=True))


def told(reply: Any, status: int = 200) -> str:
    assert reply.status_code == status
    return unescape(str(reply.content.decode()))


def link(content: str) -> str:
    """Return the address of the first link Undo of a page."""
    found: list[str] = re.findall(r'href="([^"]+/undo/)"', content)
    return found[0]


def press(client: Client, address: str) -> str:
    """Look at what follows, press the button, and return the page after it."""
    (shown,) = re.findall(r'name="told" value="(\w+)"', told(client.get(address)))
    return told(client.post(address, {"told": shown, "note": "a slip"}, follow=True))


def test_a_decision_is_undone_from_the_message_after_it(reviewer: Client) -> None:
    chain = make_finished()
    content = decide(reviewer, chain)
    assert "Decided about “" in content
    address = link(content)
    content = told(reviewer.get(address))
    assert "1 box counts again." in content and "1 box is withdrawn." in content
    assert "All judgments are kept, and no pay changes." in content
    assert Decision.objects.count() == 1, "looking undoes nothing"
    content = press(reviewer, address)
    assert "The decision was undone." in content and "A decision was undone" in content
    assert [box.rectangle.edges for box in chain.boxes.filter(state="accepted")] == [(10, 20, 110, 220)]
    entry = AuditEntry.objects.get(action="decision.undo")
    assert (entry.by, entry.detail["kind"], entry.detail["note"]) == ("rita", "chain", "a slip")
    assert "was undone already" in told(reviewer.get(address))


def test_what_was_not_told_is_not_done(reviewer: Client) -> None:
    address = link(decide(reviewer, make_finished()))
    content = told(reviewer.post(address, {"told": "0" * 16}), 409)
    assert "It does something else now" in content
    assert Decision.objects.count() == 1


def test_only_what_can_be_undone_has_a_link_in_the_history(reviewer: Client, viewer: Client) -> None:
    chain = make_finished()
    decide(reviewer, chain)
    decide(reviewer, chain, boxes="1 1 90 90")
    first, second = (reverse("review:undo", args=[one.pk]) for one in Decision.objects.order_by("pk"))
    for page in (
        reverse("review:chain", args=[chain.pk]),
        reverse("review:history", args=[chain.work.image_id]),
    ):
        content = told(reviewer.get(page))
        assert second in content and first not in content
        assert second not in told(viewer.get(page)), "a viewer may not undo"
    assert "there is a later decision about this chain. Undo that one first" in told(reviewer.get(first))


def test_a_closed_case_is_opened_again_from_its_message_the_history_and_the_list(reviewer: Client) -> None:
    chain, case = make_flagged("look again")
    closing = reverse("review:close", args=[case.pk])
    address = link(told(reviewer.post(closing, {"note": "it is fine"}, follow=True)))
    assert address in told(reviewer.get(reverse("review:closed")))
    assert address in told(reviewer.get(reverse("review:chain", args=[chain.pk])))
    assert "in the review queue again: flagged: look again" in told(reviewer.get(address))
    press(reviewer, address)
    case.refresh_from_db()
    assert case.closed_at is None
    assert address not in told(reviewer.get(reverse("review:closed")))


def test_a_closed_case_about_a_worker_is_opened_again(reviewer: Client) -> None:
    project = make_project()
    case = Case.objects.create(
        project=project, reason="pace", worker=make_worker(project), stage="drawing", opened_at=NOW
    )
    close_case(case_id=case.pk, by="ada", note="", now=NOW)
    press(reviewer, link(told(reviewer.get(reverse("review:closed") + f"?project={project.pk}"))))
    case.refresh_from_db()
    assert case.closed_at is None


def test_an_annotation_is_undone_from_the_address_that_its_reply_has(reviewer: Client) -> None:
    image = make_image(make_project(), [["man", "dog"]])
    reply = reviewer.post(
        reverse("expert-image", args=[image.pk]), json.dumps(drawn(image)), content_type="application/json"
    )
    address = reply.json()["undo"]
    assert address in told(reviewer.get(reply.json()["next"])), "the message has it, too"
    assert "The image is in no batch again" in told(reviewer.get(address))
    press(reviewer, address)
    assert not ImageWork.objects.filter(active=True).exists()


@pytest.mark.parametrize("name", ["inspector:image", "review:work"])
def test_inspector_and_review_link_to_one_history_with_the_same_numbers(reviewer: Client, name: str) -> None:
    chain = make_finished()
    decide(reviewer, chain)
    press(reviewer, link(decide(reviewer, chain, boxes="1 1 90 90")))
    address = reverse("review:history", args=[chain.work.image_id])
    pk = chain.work.image_id if name == "inspector:image" else chain.work_id
    page, history = told(reviewer.get(reverse(name, args=[pk]))), told(reviewer.get(address))
    assert f'href="{address}"' in page
    (numbers,) = re.findall(r"\d+ judgments, 3 decisions", page)
    assert numbers in history


def test_the_history_has_everything_in_order(reviewer: Client) -> None:
    make_at_stage("coverage")
    chain = Chain.objects.get()
    decide(reviewer, chain, state="coverage")
    press(reviewer, link(told(reviewer.get(reverse("review:chain", args=[chain.pk])))))
    image = Image.objects.get()
    note = {"action": "withdraw", "note": "blurred"}
    reviewer.post(reverse("inspector:change", args=[image.pk]), note, follow=True)
    content = told(reviewer.get(reverse("review:history", args=[image.pk])))
    said = ("Box drawing", "A researcher decided", "A decision was undone", "The image was withdrawn")
    places = [content.index(one) for one in said]
    assert places == sorted(places)
    assert any(one.title[0].islower() for one in image_history(image.pk))
    assert not re.search(r'class="line"><strong>[a-z]', content), "each entry begins with a capital"
    assert reverse("review:chain", args=[chain.pk]) in content


def test_in_one_moment_a_decision_stands_before_what_follows_from_it() -> None:
    """*Recomputed* stood above the annotation by which the image was recomputed."""
    make_at_stage("coverage")
    image = Image.objects.get()
    store(image, drawn(image))
    decision = Decision.objects.get(kind=Decision.Kind.ANNOTATE)
    entries = image_history(image.pk)
    place = next(place for place, one in enumerate(entries) if one.title == DECIDED[decision.kind])
    before, after = (
        {one.kind for one in some if one.at == decision.created_at}
        for some in (entries[:place], entries[place + 1 :])
    )
    assert "move" in after and "move" not in before


def test_the_history_has_the_withdrawal_of_an_image_in_no_batch(reviewer: Client) -> None:
    image = make_image(make_project(), [["man"]])
    note = {"action": "withdraw", "note": "blurred"}
    reviewer.post(reverse("inspector:change", args=[image.pk]), note, follow=True)
    content = told(reviewer.get(reverse("review:history", args=[image.pk])))
    assert "The image was withdrawn" in content and "0 judgments, 1 decision" in content


def test_a_history_costs_a_fixed_number_of_queries(
    reviewer: Client, django_assert_max_num_queries: Any
) -> None:
    chain = make_finished()
    decide(reviewer, chain)
    address = reverse("review:history", args=[chain.work.image_id])
    told(reviewer.get(address))
    with django_assert_max_num_queries(24):
        told(reviewer.get(address))


def test_saying_what_follows_costs_a_fixed_number_of_queries(
    reviewer: Client, django_assert_max_num_queries: Any
) -> None:
    address = link(decide(reviewer, make_finished(), state="drawing"))
    told(reviewer.get(address))
    with django_assert_max_num_queries(30):
        told(reviewer.get(address))


def test_after_its_first_annotation_is_undone_an_image_is_in_no_batch_on_every_page(
    reviewer: Client,
) -> None:
    image = make_image(make_project(), [["man", "dog"], ["man"]])
    undo_decision(decision_id=store(image, drawn(image)).pk, by="ada", note="", now=NOW)
    work = ImageWork.objects.get()
    annotate = reverse("expert-image", args=[image.pk])

    inspector = told(reviewer.get(reverse("inspector:image", args=[image.pk])))
    assert "No worker has worked on it yet" in inspector and "links in progress" not in inspector
    assert annotate in inspector

    history = told(reviewer.get(reverse("review:history", args=[image.pk])))
    assert annotate in history and "A decision was undone" in history
    for untrue in ("links in progress", "other judgments", "the judgments behind it"):
        assert untrue not in history, "there was no judgment, and nobody links by hand"

    page = told(reviewer.get(reverse("review:work", args=[work.pk])))
    assert "no longer in this batch" in page and annotate in page and "Launch the batch first" not in page

    search = reverse("inspector:search", args=[image.project_id])
    assert "in no batch" in told(reviewer.get(search))
    assert image.name not in told(reviewer.get(f"{search}?batch={work.batch_id}"))
    assert image.name in told(reviewer.get(f"{search}?state=free"))


@pytest.mark.parametrize("reward", [0, 5])
def test_only_a_batch_that_pays_says_so_before_an_undo(reviewer: Client, reward: int) -> None:
    """A batch without rewards was said to pay for pages in hand and for further answers."""
    chain = make_finished()
    batch = chain.work.batch
    Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "reward": {"coverage": reward}})
    address = link(decide(reviewer, chain, state="coverage"))
    page = claim_page(make_worker(batch.project), stage="coverage")
    assert page.reward == reward
    content = told(reviewer.get(address))
    assert "1 page in workers' hands asks about this." in content
    assert ("It can be submitted and is paid, but" in content) == bool(reward)
    assert ("It can be submitted, but" in content) == (not reward)


@pytest.mark.parametrize(
    ("pays", "said"),
    [
        (True, "The batch is finished. It goes on, and pays for the answers that it still needs."),
        (False, "The batch is finished. It goes on."),
    ],
)
def test_a_finished_batch_that_goes_on_pays_only_if_it_has_rewards(pays: bool, said: str) -> None:
    decision = Decision(kind=Decision.Kind.CHAIN)
    assert say_undo(decision, UndoEffect(resumed=True, pays=pays)) == [said]


@pytest.mark.parametrize("reward", [0, 5])
def test_the_effect_of_an_undo_knows_whether_the_batch_pays(reviewer: Client, reward: int) -> None:
    chain = make_finished()
    batch = chain.work.batch
    Batch.objects.filter(pk=batch.pk).update(settings={**batch.settings, "reward": {"drawing": reward}})
    decide(reviewer, chain)
    assert effect_of_undo(Decision.objects.get()).pays == bool(reward)
