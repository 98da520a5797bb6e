"""The figures at the head of a dashboard."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse

from annotation.models import Project
from console.common.charts import say
from console.common.labels import REASONS
from console.common.money import amounts
from console.dashboards.costs import Spending
from console.dashboards.elements import Tile
from console.dashboards.throughput import end_of, say_end
from workflows.analysis.counts.selectors import Kept

UNKNOWN = "not counted yet"


class Waiting(NamedTuple):
    """Open cases of a reason, and where they are."""

    title: str
    says: str
    cases: int
    address: str


def tiles(kept: Kept, project: Project, spent: Spending, *, running: bool) -> list[Tile]:
    """Return the tiles: images, judgments, cost, forecast end, and the review queue if it is counted."""
    value, note = say_end(end_of(kept, running=running))
    found = [_images(kept), _judgments(kept), _cost(kept, spent), Tile("Forecast end", value, note)]
    if kept.queue is not None:
        address = f"{reverse('review:queue')}?project={project.pk}"
        found.append(Tile("Review queue", say(kept.queue.total), "open cases", address))
    return found


def queue(kept: Kept, project: Project) -> list[Waiting]:
    """Return the open cases by reason, in the order of the review pages."""
    reasons = kept.queue.reasons if kept.queue else {}
    address = f"{reverse('review:queue')}?project={project.pk}&reason="
    return [
        Waiting(*REASONS[reason], reasons[reason], f"{address}{reason}")
        for reason in REASONS
        if reasons.get(reason)
    ]


def _images(kept: Kept) -> Tile:
    if kept.items is None:
        return Tile("Images done", "–", UNKNOWN)
    done, wanted, total = kept.items.images_done, kept.items.wanted, kept.images
    note = f"of {say(total)}"
    if kept.corpus:
        note += f", {say(wanted)} of them wanted in batches"
        if (questioned := kept.corpus.images - total) > 0:
            note += f"; {say(questioned)} more are kept for verification questions"
    return Tile("Images done", say(done), note, part=done, whole=total)


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
