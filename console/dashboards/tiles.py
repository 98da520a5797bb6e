"""The figures at the head of a dashboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from django.urls import reverse

from annotation.models import Batch, Project
from console.common.case_list import filter_of
from console.common.elements import Tile
from console.common.labels import REASONS
from console.common.numbers import amounts, say
from console.dashboards.costs import Spending
from console.dashboards.throughput import end_of, say_end
from workflows.analysis.counts.selectors import Kept

UNKNOWN = "not counted yet"


class Waiting(NamedTuple):
    """Open cases of a reason, and where they are."""

    title: str
    says: str
    cases: int
    address: str


def tiles(
    kept: Kept,
    project: Project,
    spent: Spending,
    *,
    running: bool,
    cases: int = 0,
    for_somebody_new: int = 0,
    for_questions: int = 0,
    people: str = "",
) -> list[Tile]:
    """Return the four tiles: images, judgments, cost, forecast end. `cases` wait for a researcher.

    `people` is the address of the page that helps if answers wait for a new worker.
    """
    end_ = end_of(kept, running=running, for_somebody_new=for_somebody_new, for_questions=for_questions)
    value, note = say_end(end_, cases)
    end = Tile("Forecast end", value, note, people if for_somebody_new else "")
    return [_images(kept), _judgments(kept), _cost(kept, spent), end]


def queue(cases: Mapping[str, int], project: Project, batch: Batch | None = None) -> list[Waiting]:
    """Return the open cases by reason, in the order of the review pages."""
    wanted = filter_of(project, batch)
    return [
        Waiting(
            *REASONS[reason], cases[reason], reverse("review:queue") + replace(wanted, reason=reason).query()
        )
        for reason in REASONS
        if cases.get(reason)
    ]


def _images(kept: Kept) -> Tile:
    if kept.items is None:
        return Tile("Images done", "–", UNKNOWN)
    done, wanted = kept.items.images_done, kept.items.wanted
    said = [f"of {say(wanted)} that batches want" if kept.corpus else f"of {say(wanted)}"]
    if kept.corpus:
        free = kept.corpus.free_images
        questioned = kept.corpus.images - wanted - free
        said += [f"{say(free)} in no batch"] if free else []
        said += [f"{say(questioned)} kept for verification questions"] if questioned > 0 else []
    return Tile("Images done", say(done), "; ".join(said), part=done, whole=wanted)


def _judgments(kept: Kept) -> Tile:
    if kept.judgments is None:
        return Tile("Judgments", "–", UNKNOWN)
    count = sum(one.judgments for one in kept.judgments.stages.values())
    to_come = sum(one.judgments_to_come for one in kept.items.stages.values()) if kept.items else None
    return Tile("Judgments", say(count), f"at least {say(to_come)} to come" if to_come else "")


def _cost(kept: Kept, spent: Spending) -> Tile:
    if kept.money is None and not spent.ledger:
        return Tile("Cost so far", "–", UNKNOWN)
    found = kept.money.currencies if kept.money else {}
    held = {currency: one.held for currency, one in found.items() if one.held}
    to_come = {currency: one.to_come for currency, one in found.items() if one.to_come}
    bound = spent.reserved if spent.ledger else held
    said = [
        *(["by the ledger, fees included"] if spent.ledger else []),
        *([f"{amounts(bound)} {'reserved' if spent.ledger else 'held'}"] if bound else []),
        *([f"at least {amounts(to_come)} of rewards to come"] if to_come else []),
    ]
    return Tile("Cost so far", amounts(spent.spent), ", ".join(said))
