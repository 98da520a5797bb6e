"""Questions that workers could not tell, on the pages of their chain and their image."""

from __future__ import annotations

from unittest.mock import patch

from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Case, Chain, ImageWork, Worker
from tests.factories import NOW, claim_page, make_at_stage, make_running, make_worker, replies
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending


def cannot_tell(batch: Batch, *names: str, answer: str = "unsure") -> None:
    for name in names:
        worker = make_worker(batch.project, name)
        page = claim_page(worker)
        answers = [Reply(one.item, {answer: True}, comment=f"<b>{name}</b>") for one in replies(page)]
        with patch("workflows.assignments.abstentions.is_broken", return_value=False):
            submit(worker_id=worker.pk, assignment_id=page.pk, replies=answers, now=NOW)
        advance_pending(now=NOW)


def test_the_page_of_the_image_says_which_link_it_was_and_asks_again(reviewer: Client) -> None:
    batch = make_running([["man"], ["man"]], unsure_share=0.5)
    cannot_tell(batch, "mo", "fay")
    work = ImageWork.objects.get()
    queue = reviewer.get(reverse("review:queue")).content.decode()
    assert "Cannot tell" in queue and "in coreference link" in queue
    page = reverse("review:work", args=[work.pk])
    text = " ".join(reviewer.get(page).content.decode().split())
    assert "rests: waits for a researcher" in text and "Questions without an answer" in text
    for name in ("mo", "fay"):
        assert f"<bdi>{name}</bdi></a> could not tell whether “a man” and “a man” are the same" in text
        assert f"&lt;b&gt;{name}&lt;/b&gt;" in text
    assert "Ask again" in text and "Photograph</h2>" not in text and "finds the file" not in text
    reply = reviewer.post(reverse("review:usable", args=[work.pk]), follow=True)
    assert "The image goes on." in reply.content.decode()
    assert ImageWork.objects.get().state == "linking"
    assert Case.objects.get().closed_at is not None


def test_an_unusable_photograph_of_old_does_not_hide_what_the_image_rests_for(reviewer: Client) -> None:
    batch = make_running([["man"], ["man"]], unsure_share=0.5)
    cannot_tell(batch, "ann", answer="unusable")
    cannot_tell(batch, "mo", "fay")
    text = reviewer.get(reverse("review:work", args=[ImageWork.objects.get().pk])).content.decode()
    assert "Questions without an answer" in text and "Ask again" in text
    assert "The photograph can be seen" not in text
    assert text.count('class="button main"') == 1

    cannot_tell(make_running([["man"], ["man"]]), "ann", "mo", answer="unusable")
    page = reverse("review:work", args=[ImageWork.objects.latest("pk").pk])
    text = reviewer.get(page).content.decode()
    assert "The photograph can be seen" in text and text.count('class="button main"') == 1


def test_a_worker_who_only_could_not_tell_can_be_set_aside(reviewer: Client) -> None:
    cannot_tell(make_running([["man"], ["man"]], unsure_share=0.5), "mo")
    worker = Worker.objects.get()
    url = reverse("workers:set-aside", args=[worker.pk])
    text = reviewer.get(url).content.decode()
    assert "Set 1 report aside</button>" in text and "Nothing to do" not in text
    reviewer.post(url, {"note": "careless", "judgments": 0, "newest": 0})
    assert "Nothing to do" in reviewer.get(url).content.decode()


def test_the_page_of_the_chain_says_who_could_not_tell(viewer: Client) -> None:
    batch = make_at_stage("requirement", unsure_share=0.5)
    cannot_tell(batch, "mo", "fay")
    text = viewer.get(reverse("review:chain", args=[Chain.objects.get().pk])).content.decode()
    assert text.count('<span class="answer">cannot tell</span>') == 2
    assert "workers could not tell the answer" in text and "waits for a researcher" in text
    of_image = viewer.get(reverse("review:work", args=[ImageWork.objects.get().pk])).content.decode()
    assert "“a dog”" in of_image and "Ask again" not in of_image
