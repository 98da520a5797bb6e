"""Work with a history, which the pages show."""

from __future__ import annotations

from annotation.models import Assignment, Batch, Case, Chain, Judgment, VerificationQuestion, Worker
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from tests.made_once import made_once
from tests.unguarded import unguarded
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import flag_chain
from workflows.pipeline.advance import advance_pending

SCRIPT = "<script>alert('x')</script>"


@made_once
def make_finished() -> Chain:
    """Make a finished chain of two mentions with a box."""
    batch = make_at_stage("coverage")
    for _ in range(4):
        if Chain.objects.get().state == "done":
            break
        answer_page(make_worker(batch.project), stage="coverage")
        advance_pending(now=NOW)
    return Chain.objects.get()


def make_flagged(note: str = "look again") -> tuple[Chain, Case]:
    """Make a finished chain that waits in the queue."""
    chain = make_finished()
    flag_chain(chain_id=chain.pk, by="ada", note=note, now=NOW)
    return chain, Case.objects.get()


def remark(chain: Chain, comment: str) -> Judgment:
    """Give its drawing judgment a comment, and return the judgment."""
    judgment = Judgment.objects.get(boxes__chain=chain)
    judgment.comment = comment
    with unguarded():
        judgment.save(update_fields=["comment"])
    return judgment


def make_question(chain: Chain) -> VerificationQuestion:
    """Make a question about a chain, as a researcher writes one."""
    return VerificationQuestion.objects.create(
        project=chain.work.batch.project,
        image=chain.work.image,
        stage="requirement",
        source="written",
        kind="written",
        mentions=[chain.representative_id],
        answer={"requirement": "box"},
        content="x",
        created_at=NOW,
    )


def work_in(batch: Batch, worker: Worker | None) -> None:
    """Store a page of the batch that the worker has submitted."""
    assert worker is not None
    Assignment.objects.create(
        worker=worker, batch=batch, stage="link", state="submitted", items=[], created_at=NOW, expires_at=NOW
    )


def ask_for_trust(*batches: Batch) -> None:
    """Let these batches count the answers of workers who are trusted alone."""
    for batch in batches:
        batch.settings = settings_of(batch).to_json() | {"regime": "trusted"}
        batch.save()
