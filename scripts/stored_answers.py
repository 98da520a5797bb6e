"""Checks that the database has every answer that was given in the browsers, once, by the right worker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.domain.page_entries import ITEM, QUESTION, merge_entries
from annotation.models import Assignment, Judgment
from scripts.gestures import is_as_said
from scripts.participant import Sent


def differences(pages: Iterable[Sent]) -> list[str]:
    """Return a line for each answer that is not stored as it was meant, and for each page that is not."""
    return [line for sent in pages for line in _of_page(sent)]


def _of_page(sent: Sent) -> list[str]:
    page = Assignment.objects.select_related("worker").filter(pk=sent.page).first()
    if page is None or page.state != Assignment.State.SUBMITTED:
        return [f"page {sent.page} of {sent.worker} is {page.state if page else 'unknown'}, not submitted"]
    if page.worker.external_id != sent.worker:
        return [f"page {page.pk} was sent by {sent.worker}, and is of {page.worker.external_id}"]
    entries, stored = merge_entries(page.items, page.checks), _stored(page)
    lines = []
    for item, said in sent.said.items():
        found = stored.get(entries[item - 1])
        if found is None:
            lines.append(f"page {page.pk} ({page.stage}), item {item}: {said.answer} is not stored")
        elif not is_as_said(said.answer, found, said.scale):
            lines.append(
                f"page {page.pk} ({page.stage}), item {item}: {said.answer} was meant, {found} is stored"
            )
    return lines


def _stored(page: Assignment) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Return the answers by item or question, with those that came too late to count."""
    late = {
        (kind, one[kind]): one["answer"]
        for one in page.late or []
        for kind in (ITEM, QUESTION)
        if kind in one
    }
    judgments = Judgment.objects.filter(assignment=page)
    return late | {
        (ITEM, one.item_id) if one.item_id is not None else (QUESTION, one.question_id or 0): one.answer
        for one in judgments
    }
