"""Each act on the review pages is logged once, with who, what and why. What is refused is not logged."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Case, Chain, Decision, Image, Judgment, VerificationQuestion, Worker
from tests.console.expert.sending import send
from tests.console.review.review_rows import make_flagged, make_question
from tests.factories import NOW
from tests.workflows.review.annotating import drawn
from workflows.core.models import AuditEntry
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain(db: None) -> Chain:
    return make_flagged()[0]


@pytest.fixture
def worker(chain: Chain) -> Worker:
    """Return the worker who drew the chain's box."""
    return Judgment.objects.get(item__stage="drawing").worker


def _entries() -> list[AuditEntry]:
    return list(AuditEntry.objects.exclude(action="login").order_by("pk"))


def _one(action: str, **detail: Any) -> AuditEntry:
    (entry,) = _entries()
    assert (entry.action, entry.by, entry.address) == (action, "rita", "127.0.0.1")
    assert entry.project is not None
    assert detail.items() <= entry.detail.items()
    return entry


def test_a_closed_case(reviewer: Client, chain: Chain) -> None:
    reviewer.post(reverse("review:close", args=[Case.objects.get().pk]), {"note": "fine"})
    _one("case.close", note="fine", reason="flag", chain=chain.pk)


def test_a_case_that_another_tab_has_closed(reviewer: Client, chain: Chain) -> None:
    url = reverse("review:close", args=[Case.objects.get().pk])
    reviewer.post(url, {"note": "FIRST"}, follow=True)
    said = [str(one) for one in reviewer.post(url, {"note": "SECOND"}, follow=True).context["messages"]]
    assert len(said) == 1 and said[0].startswith("The case was closed already by rita on "), said
    _one("case.close", note="FIRST")
    assert Decision.objects.get().note == "FIRST"


def test_a_flag(reviewer: Client, chain: Chain) -> None:
    reviewer.post(reverse("review:flag", args=[chain.pk]), {"note": "later"})
    entry = _one("chain.flag", note="later")
    assert (entry.kind, entry.object_id, entry.object) == ("chain", str(chain.pk), "a man")


def test_a_decision(reviewer: Client, chain: Chain) -> None:
    url = reverse("review:chain", args=[chain.pk])
    form = reviewer.get(url).context["decide"]
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    assert reviewer.post(url, data | {"note": "x" * 5000}).status_code == 422
    assert _entries() == [], "it was refused"
    assert reviewer.post(url, data | {"note": "as it is"}).status_code == 302
    _one("chain.decide", note="as it is", state="done", boxes=1)


def test_an_annotated_image(reviewer: Client, chain: Chain) -> None:
    image = chain.work.image
    Image.objects.filter(pk=image.pk).update(file="x.jpg")
    send(reviewer, image, drawn(image) | {"note": "so"})
    assert _one("image.annotate", note="so", chains=1, purpose="final").object == image.name


def test_a_sample(reviewer: Client, chain: Chain) -> None:
    for _ in range(2):
        reviewer.post(reverse("review:queue"), {"batch": chain.work.batch_id, "number": 1})
    _one("batch.sample", number=1, drawn=1)


@pytest.mark.parametrize(("action", "times"), [("block", 1), ("figures", 2), ("end-sign-ins", 2)])
def test_what_changes_a_worker(reviewer: Client, worker: Worker, action: str, times: int) -> None:
    url = reverse("workers:worker", args=[worker.pk])
    data = {"action": action, "note": "a script", "completed": "5", "approval": "0.5"}
    for _ in range(2):
        reviewer.post(url, data)
    entries = _entries()
    assert [entry.action for entry in entries] == [f"worker.{action}"] * times, (
        "blocked already: nothing done"
    )
    assert entries[0].object == worker.external_id


def test_judgments_set_aside_and_let_count(reviewer: Client, worker: Worker) -> None:
    url = reverse("workers:set-aside", args=[worker.pk]) + "?stage=drawing&every=1"
    found = reviewer.get(url).context["preview"]
    reviewer.post(url, {"note": "careless", "judgments": 99, "newest": 1})
    assert _entries() == [], "other judgments were shown"
    reviewer.post(url, {"note": "careless", "judgments": found.judgments, "newest": found.newest})
    _one("worker.set-aside", stage="drawing", every=True, judgments=1, note="careless")


def test_judgments_let_count(reviewer: Client, worker: Worker) -> None:
    set_aside_worker(worker_id=worker.pk, stage="drawing", by="ada", note="", now=NOW, unsupported_only=False)
    decision = Decision.objects.get(kind="set-aside")
    for note in ("a mistake", "again"):
        reviewer.post(reverse("workers:let-count", args=[worker.pk, decision.pk]), {"note": note})
    assert _one("worker.let-count", decision=decision.pk, note="a mistake").object == worker.external_id


def _unkept(monkeypatch: Any, views: str) -> None:
    """Make it impossible to write the audit log."""

    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(f"console.{views}.acted", fail)


def test_a_decision_that_cannot_be_kept_is_not_made(reviewer: Client, chain: Chain, monkeypatch: Any) -> None:
    url = reverse("review:chain", args=[chain.pk])
    form = reviewer.get(url).context["decide"]
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    _unkept(monkeypatch, "review.views.chains")
    with pytest.raises(OSError, match="full"):
        reviewer.post(url, data | {"note": "as it is"})
    assert not Decision.objects.exists()


def test_an_annotation_that_cannot_be_kept_is_not_made(
    reviewer: Client, chain: Chain, monkeypatch: Any
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr("console.expert.views.acted", fail)
    with pytest.raises(OSError, match="full"):
        send(reviewer, chain.work.image, drawn(chain.work.image))
    assert not Decision.objects.exists()


def test_a_question_is_not_voided_where_that_cannot_be_kept(
    reviewer: Client, chain: Chain, monkeypatch: Any
) -> None:
    question = make_question(chain)
    _unkept(monkeypatch, "questions.views.questions")
    with pytest.raises(OSError, match="full"):
        reviewer.post(reverse("questions:question", args=[question.pk]), {"action": "void", "note": "wrong"})
    question.refresh_from_db()
    assert question.state == "active"


@pytest.mark.parametrize("action", ["retire", "void"])
def test_a_question_that_is_ended(reviewer: Client, chain: Chain, action: str) -> None:
    question = make_question(chain)
    url = reverse("questions:question", args=[question.pk])
    reviewer.post(url, {"action": action, "note": ""})
    assert _entries() == [], "without a reason nothing is done"
    for note in ("wrong", "again"):
        reviewer.post(url, {"action": action, "note": note})
    _one(f"questions.{action}", note="wrong")


def test_questions_made_of_a_chain(reviewer: Client, chain: Chain) -> None:
    for _ in range(2):
        reviewer.post(reverse("questions:make", args=[chain.pk]))
    assert _one("questions.promote").detail["made"] == VerificationQuestion.objects.count() > 0


@pytest.mark.parametrize("action", ["block", "end-sign-ins"])
def test_what_is_not_done_is_not_kept(
    reviewer: Client, worker: Worker, monkeypatch: Any, action: str
) -> None:
    def fail(**_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("console.workers.views.workers.acted", fail)
    with pytest.raises(TypeError):
        reviewer.post(reverse("workers:worker", args=[worker.pk]), {"action": action, "note": "x"})
    worker.refresh_from_db()
    assert not worker.blocked and worker.generation == 0, "and what cannot be kept is not done"
