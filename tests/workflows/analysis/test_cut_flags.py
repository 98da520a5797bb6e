"""Mentions that workers call cut wrongly, by pattern (docs/statistics.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotation.chunkers import HantaChunker, get_chunker
from annotation.models import Batch, Chain, Item, Judgment, Mention, Project
from tests.factories import NOW, claim_page, make_at_stage, make_worker, replies
from workflows.analysis.dataset_statistics import flagged_patterns
from workflows.assignments.submit import submit

pytestmark = pytest.mark.django_db


def flagged(batch: Batch) -> set[str]:
    """Return the texts of examples without the words around them."""
    found = flagged_patterns(project=batch.project, batch=batch)
    return {one.example.split("[")[1].split("]")[0] for one in found}


def flag(stage: str, **settings: Any) -> tuple[Batch, Item]:
    batch = make_at_stage(stage, **settings)
    page = claim_page(make_worker(batch.project), stage=stage)
    first, *rest = replies(page)
    answers = [replace(first, chunk_flag=True), *rest]
    submit(worker_id=page.worker_id, assignment_id=page.pk, replies=answers, now=NOW)
    item = Judgment.objects.get(chunk_flag=True, item__batch=batch).item
    assert item is not None
    return batch, item


def test_a_flag_in_a_link_question_counts_for_both_mentions() -> None:
    batch, item = flag("link")
    assert item.mention_a is not None and item.mention_b is not None
    assert flagged(batch) <= {item.mention_a.text, item.mention_b.text}
    total = Mention.objects.filter(annotatable=True).count()
    assert all(one.mentions <= total for one in flagged_patterns(project=batch.project, batch=None))


def test_a_flag_of_a_chain_counts_for_its_representative_or_for_all_that_are_verified() -> None:
    batch, item = flag("drawing")
    chain: Chain = item.chain  # type: ignore[assignment]
    assert flagged(batch) == {chain.representative.text}
    batch, item = flag("verification")
    assert item.chain is not None
    texts = {mention.text for mention in Mention.objects.filter(pk__in=item.chain.members)}
    assert flagged(batch) <= texts and len(item.chain.members) > 1


def test_another_batch_and_another_language_have_none() -> None:
    batch, _ = flag("link")
    other = make_at_stage("link")
    assert flagged_patterns(project=other.project, batch=None) == []
    Project.objects.filter(pk=batch.project_id).update(language="de")
    assert flagged_patterns(project=Project.objects.get(pk=batch.project_id), batch=None) == []


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        *(("man", "noun"), ("dive", "noun or verb"), ("skateboarding", "-ing form"), ("Red", "colour")),
        *(
            ("the", "article"),
            ("his", "determiner"),
            ("two", "number"),
            ("78", "number"),
            ("of", "preposition"),
        ),
        *(
            ("and", "conjunction"),
            ("he", "pronoun"),
            ("'s", "possessive"),
            ("is", "auxiliary"),
            ("👍", "mark"),
        ),
        *(("walks", "noun or verb"), ("dressed", "participle"), ("very", "adverb"), ("old", "adjective")),
    ],
)
def test_words_have_kinds(word: str, kind: str) -> None:
    chunker = get_chunker()
    assert isinstance(chunker, HantaChunker)
    assert chunker.kind_of(word) == kind
