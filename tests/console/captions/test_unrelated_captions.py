"""What reviewers see of captions that workers say are about another photograph, and how they confirm it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Caption, Case
from console.common import case_list
from tests.console.captions.test_captions import fields, told
from tests.factories import NOW, claim_page, make_at_stage, make_worker, replies
from workflows.assignments.submit import submit
from workflows.review.annotate import image_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def case() -> Case:
    page = claim_page(make_worker(make_at_stage("link").project))
    given = [replace(one, unrelated=(0,)) for one in replies(page)]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=given, now=NOW)
    return Case.objects.get()


def test_the_queue_names_the_caption_and_filters_by_the_reason(case: Case, reviewer: Client) -> None:
    assert case.caption is not None
    reply = reviewer.get(reverse("review:queue") + "?reason=unrelated")
    (row,) = reply.context["page"].rows if "page" in reply.context else reply.context["found"].rows
    assert row.about == f"caption 1 of {case.caption.image.name} in coreference link"
    assert row.said == f"“{case.caption.text}”"
    assert row.url.startswith(case_list.address(case))


def test_the_image_s_pages_lead_to_the_withdrawal_which_confirms_it(case: Case, reviewer: Client) -> None:
    assert case.caption is not None and case.work_id is not None
    withdraw = reverse("captions:withdraw", args=[case.caption_id])
    text = reviewer.get(reverse("review:work", args=[case.work_id])).content.decode()
    assert withdraw in text and "Captions of another photograph" in text
    image = reverse("inspector:image", args=[case.caption.image_id])
    assert "about another photograph, say workers" in reviewer.get(image).content.decode()
    asked = reviewer.get(withdraw)
    assert asked.context["unrelated"] and asked.context["note"] == "It is about another photograph."
    data = {
        "note": asked.context["note"],
        "version": image_version(case.caption.image_id),
        "unrelated": "on",
    }
    assert reviewer.post(withdraw, data).status_code == 302
    case.refresh_from_db()
    assert case.closed_at is not None
    assert Caption.objects.get(pk=case.caption.pk).unrelated
    text = reviewer.get(image).content.decode()
    assert '<span class="pill">about another photograph</span>' in text and "say workers" not in text


def test_a_caption_withdrawn_for_another_reason_is_not_listed(case: Case, reviewer: Client) -> None:
    assert case.caption is not None
    data = {"note": "rude", "version": image_version(case.caption.image_id)}
    reviewer.post(reverse("captions:withdraw", args=[case.caption_id]), data)
    caption = Caption.objects.get(pk=case.caption.pk)
    assert (caption.superseded, caption.unrelated) == (True, False)


def test_an_imported_one_is_shown_and_can_be_brought_back(case: Case, reviewer: Client) -> None:
    assert case.caption is not None
    image = case.caption.image
    imported = Caption.objects.create(
        image=image, index=7, text="A dog .", tokens="A dog .", superseded=True, unrelated=True
    )
    text = reviewer.get(reverse("inspector:image", args=[image.pk])).content.decode()
    edit = reverse("captions:edit", args=[imported.pk])
    assert edit in text and '<span class="pill">about another photograph</span>' in text
    sent = fields(told(reviewer.post(edit, {"text": "[A dog] .", "action": "look"})))
    reviewer.post(edit, {**sent, "action": "save"})
    imported.refresh_from_db()
    assert (imported.superseded, imported.unrelated) == (False, False)
