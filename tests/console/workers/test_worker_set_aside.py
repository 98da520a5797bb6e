"""A worker's judgments are set aside, after a preview of what that would affect."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import (
    Case,
    Decision,
    Image,
    Judgment,
    Worker,
)
from tests.console.workers.distrusted import make_distrusted, page_of
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_worker
from workflows.cases.review_queue import open_case
from workflows.review import set_aside_preview

pytestmark = pytest.mark.django_db


def _aside(worker: Worker, query: str) -> str:
    return reverse("workers:set-aside", args=[worker.pk]) + query


def test_the_preview_tells_and_changes_nothing(reviewer: Client) -> None:
    worker = make_distrusted()
    reply = reviewer.get(_aside(worker, "?stage=drawing&every=1"))
    assert reply.context["preview"].judgments == 1
    assert "Set 1 judgment aside" in reply.content.decode()
    assert not Decision.objects.exists()


def _shown(client: Client, url: str, note: str = "") -> dict[str, Any]:
    """Return what the preview's form sends back."""
    found = client.get(url).context["preview"]
    return {"note": note, "judgments": found.judgments, "newest": found.newest}


def test_judgments_are_set_aside_and_close_the_case_they_came_from(reviewer: Client) -> None:
    worker = make_distrusted()
    case = Case.objects.get()
    url = _aside(worker, f"?stage=drawing&every=1&case={case.pk}")
    typed = _shown(reviewer, url, "careless")
    for _ in range(2):
        assert reviewer.post(url, typed).status_code == 302
    page = reviewer.get(reverse("workers:worker", args=[worker.pk])).content.decode()
    assert '#decided">Let them count again</a>' in page and 'id="decided"' in page
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("set-aside", "rita", "careless")
    assert Judgment.objects.get(set_aside=decision).worker == worker
    case.refresh_from_db()
    assert case.decision == decision


def test_the_images_history_says_who_set_aside_and_reinstated_and_why(reviewer: Client) -> None:
    worker = make_distrusted()
    url = _aside(worker, "?stage=drawing&every=1")
    reviewer.post(url, _shown(reviewer, url, "careless"))
    decision = Decision.objects.get()
    again = reverse("workers:let-count", args=[worker.pk, decision.pk])
    reviewer.post(again, {"note": "was right"})
    (image,) = set(Image.objects.filter(works__items__judgments__worker=worker))
    entries = reviewer.get(reverse("review:history", args=[image.pk])).context["history"]
    told = [(one.title, one.says, one.note, one.by) for one in entries if one.kind == "decision"]
    says = f"1 answer of {worker.external_id}"
    assert told == [
        ("Judgments were set aside", says, "careless", "rita"),
        ("Judgments count again", says, "was right", "rita"),
    ]
    other = make_image(worker.project, [["man"]])
    entries = reviewer.get(reverse("review:history", args=[other.pk])).context["history"]
    assert not [one for one in entries if one.kind == "decision"]


def test_a_worker_without_judgments_has_none_to_set_aside(reviewer: Client) -> None:
    worker = make_worker(make_project())
    for every in ("", "&every=1"):
        text = reviewer.get(_aside(worker, f"?stage=drawing{every}")).content.decode()
        assert "no judgment of this worker counts here" in text
        assert "support every such judgment" not in text and "said the same" not in text


def test_what_was_not_shown_is_not_set_aside(reviewer: Client) -> None:
    worker = make_distrusted()
    url = _aside(worker, "?stage=drawing&every=1")
    typed = _shown(reviewer, url, "careless")
    batch = Judgment.objects.earliest("pk").assignment.batch
    make_image(batch.project, [["man"]])
    make_batch(batch.project, name="second")
    answer_page(worker, stage="drawing")
    reply = reviewer.post(url, typed)
    assert reply.status_code == 409
    text = reply.content.decode()
    assert "More was answered since" in text
    assert "careless" in text, "what was typed is kept"
    assert "Set 2 judgments aside" in text
    assert not Decision.objects.exists()
    assert reviewer.post(url, _sent(reply)).status_code == 302
    assert Judgment.objects.filter(set_aside=Decision.objects.get()).count() == 2


def _sent(reply: Any) -> dict[str, Any]:
    """Return what a browser sends of the form in the reply."""
    form = reply.context["form"]
    return {name: form[name].value() for name in form.fields}


@pytest.mark.parametrize("typed", [{"note": ""}, {"note": "", "judgments": "x", "newest": "1"}])
def test_what_does_not_say_what_was_shown_sets_nothing_aside(reviewer: Client, typed: dict[str, str]) -> None:
    url = _aside(make_distrusted(), "?stage=drawing&every=1")
    assert reviewer.post(url, typed).status_code == 422
    assert not Decision.objects.exists()


def test_a_preview_of_many_images_says_that_it_estimates(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = _aside(make_distrusted(), "?stage=drawing&every=1")
    assert "about" not in reviewer.get(url).content.decode().split("What it would change")[1]
    monkeypatch.setattr(set_aside_preview, "FOLDED", 0)
    text = reviewer.get(url).content.decode()
    assert "about 0" in text
    assert "estimates, from 0 of the images" in text


def test_judgments_that_were_set_aside_count_again(reviewer: Client) -> None:
    worker = make_distrusted()
    url = _aside(worker, "?stage=drawing&every=1")
    reviewer.post(url, _shown(reviewer, url))
    decision = Decision.objects.get()
    assert "Let them count again" in reviewer.get(page_of(worker)).content.decode()
    reviewer.post(reverse("workers:let-count", args=[worker.pk, decision.pk]), {"note": "a mistake"})
    assert not Judgment.objects.filter(set_aside__isnull=False).exists()
    assert "Let them count again" not in reviewer.get(page_of(worker)).content.decode()


def test_judgments_of_another_worker_are_not_let_count_by_this_address(reviewer: Client) -> None:
    worker = make_distrusted()
    decision = Decision.objects.create(
        project=worker.project, kind="set-aside", by="ada", worker=worker, stage="drawing", created_at=NOW
    )
    other = make_worker(worker.project)
    url = reverse("workers:let-count", args=[other.pk, decision.pk])
    assert reviewer.post(url, {"note": "a mistake"}).status_code == 404
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("query", ["?stage=x", "?stage=link&batch=999", "?with=x", "?" + "with=1&" * 21])
def test_a_preview_of_nothing_there_is_not_found(reviewer: Client, query: str) -> None:
    assert reviewer.get(_aside(make_distrusted(), query)).status_code == 404


def test_all_stages_of_a_worker_are_set_aside_in_one_page(reviewer: Client) -> None:
    worker = make_distrusted()
    also = make_worker(worker.project)
    stages = set(Judgment.objects.values_list("item__stage", flat=True))
    url = _aside(worker, f"?every=1&with={also.pk}")
    assert reviewer.get(url).context["wanted"].stage_name == "all stages"
    assert reviewer.post(url, _shown(reviewer, url, "careless")).status_code == 302
    made = Decision.objects.filter(kind="set-aside")
    assert {one.stage for one in made} == {"drawing"} and len(stages) > 1, "this worker only drew"
    assert made.get().note == "careless"


def test_the_page_says_who_supports_whom_and_sets_them_aside_together(
    reviewer: Client, django_assert_max_num_queries: Any
) -> None:
    drawer = make_distrusted()
    judge = Judgment.objects.get(item__stage="quality").worker
    url = _aside(drawer, "?stage=drawing")
    with django_assert_max_num_queries(30):
        reply = reviewer.get(url)
    (person,) = reply.context["people"]
    assert (person.worker, person.supports, person.keeps) == (judge, 1, 1)
    assert reply.context["preview"].judgments == 0
    assert f"with={judge.pk}" in person.change
    together = reviewer.get(_aside(drawer, f"?with={judge.pk}"))
    assert together.context["preview"].judgments == 2, "the box, and who said that it is good"
    (person,) = together.context["people"]
    assert (person.supports, person.keeps, person.together) == (1, 0, True)
    typed = _shown(reviewer, _aside(drawer, f"?with={judge.pk}"))
    reviewer.post(_aside(drawer, f"?with={judge.pk}"), typed)
    made = Decision.objects.filter(kind="set-aside")
    assert {(one.worker, one.stage) for one in made} == {(drawer, "drawing"), (judge, "quality")}


def test_workers_of_another_project_are_not_set_aside_by_this_address(reviewer: Client) -> None:
    worker = make_distrusted()
    stranger = make_worker(make_project())
    assert reviewer.get(_aside(worker, f"?with={stranger.pk}")).context["wanted"].others == ()


def _lost_elsewhere(worker: Worker, *stages: str) -> list[Case]:
    """Open the worker's case for these stages as well, where nothing can be set aside."""
    for stage in stages:
        open_case(project_id=worker.project_id, reason="trust", now=NOW, worker_id=worker.pk, stage=stage)
    return list(Case.objects.filter(worker=worker).order_by("pk"))


def test_setting_one_stage_aside_closes_the_case_in_that_stage(reviewer: Client) -> None:
    worker = make_distrusted()
    drawing, quality = _lost_elsewhere(worker, "quality")
    url = _aside(worker, f"?stage=drawing&every=1&case={quality.pk}")
    reviewer.post(url, _shown(reviewer, url))
    drawing.refresh_from_db()
    assert drawing.decision == Decision.objects.get()
    assert list(Case.objects.filter(closed_at=None)) == [quality]


@pytest.mark.parametrize("stages", ["drawing,quality", ""])
def test_setting_the_stages_of_a_case_aside_closes_all_of_it(reviewer: Client, stages: str) -> None:
    worker = make_distrusted()
    drawing, _ = _lost_elsewhere(worker, "quality")
    url = _aside(worker, f"?stage={stages}&every=1&case={drawing.pk}")
    assert ("box drawing, box quality" in reviewer.get(url).content.decode()) == bool(stages)
    for _ in range(2):
        reviewer.post(url, _shown(reviewer, url))
    decision = Decision.objects.get(stage="drawing")
    decided = Case.objects.values_list("closed_at", flat=True)
    assert None not in decided and len(decided) == 2
    assert Case.objects.get(stage="drawing").decision == decision


@pytest.mark.parametrize("stages", ["drawing,", "drawing,cooking", ","])
def test_unknown_stages_are_not_found(reviewer: Client, stages: str) -> None:
    assert reviewer.get(_aside(make_distrusted(), f"?stage={stages}")).status_code == 404
