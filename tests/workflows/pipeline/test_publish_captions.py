"""Accepted captions become captions of the corpus."""

from __future__ import annotations

import pytest

from annotation.domain.own_types import parse_types
from annotation.models import Batch, Caption, ImageWork, Judgment, Mention
from tests.campaigns import CHECK, WRITING, make_captions
from tests.factories import NOW, answer_page, make_worker
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.lifecycle import create_batch
from workflows.mention_types.versions import save_types
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.publish_captions import publish_captions
from workflows.pipeline.replay.verify_state import verify
from workflows.review.set_aside import reinstate, set_aside_worker

pytestmark = pytest.mark.django_db

TEXTS = ("A man in a red hat rides a horse .", "Two dogs run over green grass .")


def write(batch: Batch, text: str) -> Judgment:
    worker = make_worker(batch.project)
    answer_page(worker, stage=WRITING, answering=lambda stage, question: {"caption": text})
    advance_pending(now=NOW)
    return Judgment.objects.get(worker=worker, item__stage=WRITING)


def written(*texts: str, check: bool = False) -> Batch:
    batch = make_captions(captions={"wanted": len(texts), "check": check})
    for text in texts:
        write(batch, text)
    return batch


def in_use() -> list[tuple[int, str]]:
    return list(Caption.objects.in_use().order_by("index").values_list("index", "text"))


def test_the_captions_of_a_done_image_are_cut_into_mentions() -> None:
    batch = written(*TEXTS)
    assert publish_captions() == 1
    assert in_use() == list(enumerate(TEXTS))
    mentions = Mention.objects.filter(superseded=False).order_by("caption__index", "start")
    assert list(mentions.values_list("text", flat=True)) == [
        *("A man", "a red hat", "a horse"),
        *("Two dogs", "green grass"),
    ]
    assert not verify(list(batch.works.values_list("pk", flat=True)))


def test_mentions_are_typed_by_the_projects_newest_types() -> None:
    batch = written(*TEXTS)
    types = parse_types({"racing": {"words": "horse"}})
    save_types(project_id=batch.project_id, types=types, based_on=0, by="ada", now=NOW)
    other = written(*TEXTS)  # of a project without types of its own
    publish_captions()
    said = Mention.objects.filter(text="a horse")
    mine, theirs = (said.get(image__project=one.project) for one in (batch, other))
    assert (mine.types, mine.types_version) == ("racing", 1)
    assert (theirs.types, theirs.types_version) == ("animals", 0)


def test_publishing_again_adds_nothing_twice() -> None:
    written(*TEXTS)
    assert [publish_captions(), publish_captions()] == [1, 0]
    assert len(in_use()) == 2


def test_nothing_is_published_before_the_image_is_done() -> None:
    batch = written(*TEXTS, check=True)
    assert publish_captions() == 0 and not Caption.objects.exists()
    answer_page(make_worker(batch.project), stage=CHECK)
    advance_pending(now=NOW)
    assert publish_captions() == 1 and len(in_use()) == 2


def test_a_grounding_batch_can_take_the_image_then() -> None:
    batch = written(*TEXTS)
    publish_captions()
    grounding = create_batch(project=batch.project, name="grounding", settings=BatchSettings())
    assert grounding.works.get().image == batch.works.get().image


def test_what_is_set_aside_later_is_taken_back_and_comes_back() -> None:
    written(*TEXTS)
    publish_captions()
    worker = Judgment.objects.order_by("pk").first()
    assert worker is not None
    decision = set_aside_worker(
        worker_id=worker.worker_id, stage=WRITING, by="anna", note="copied", now=NOW, unsupported_only=False
    )
    assert decision is not None
    advance_pending(now=NOW)
    assert publish_captions() == 1 and in_use() == [(1, TEXTS[1])]
    assert not Mention.objects.filter(caption__index=0, superseded=False).exists()
    reinstate(decision_id=decision.pk, by="anna", note="", now=NOW)
    advance_pending(now=NOW)
    publish_captions()
    assert in_use() == [(1, TEXTS[1]), (2, TEXTS[0])]


def test_an_image_that_is_grounded_keeps_its_captions() -> None:
    batch = written(*TEXTS)
    publish_captions()
    create_batch(project=batch.project, name="grounding", settings=BatchSettings())
    WrittenCaption.objects.filter(text=TEXTS[0]).update(state=WrittenCaption.State.REFUSED)
    assert publish_captions() == 0 and len(in_use()) == 2


def test_captions_of_a_language_without_a_chunker_have_no_mentions() -> None:
    batch = make_captions(captions={"wanted": 1, "check": False})
    batch.project.language = "fr"
    batch.project.save()
    write(batch, "Un homme monte un cheval .")
    assert publish_captions() == 1
    assert in_use() == [(0, "Un homme monte un cheval .")] and not Mention.objects.exists()
    assert ImageWork.objects.get().state == ImageWork.State.DONE
