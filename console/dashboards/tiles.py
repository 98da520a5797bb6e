"""The figures at the head of a dashboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from django.urls import reverse

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Project
from console.common.case_list import filter_of
from console.common.elements import Tile
from console.common.labels import REASONS
from console.common.numbers import amounts, say, say_count
from console.common.progress import BEHIND, progress_of
from console.dashboards.costs import Spending
from console.dashboards.throughput import Coming, say_end
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import SHORT, Photographs
from workflows.batches.domain.end_of_work import Left

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
    coming: Coming,
    *,
    cases: int = 0,
    people: str = "",
    behind: bool = False,
    to_ground: bool = False,
) -> list[Tile]:
    """Return the four tiles: images, judgments, cost, forecast end. `cases` wait for a researcher.

    `people` is the address of the page that helps if answers wait for a new worker. `behind` is whether a
    batch has ended since images were counted. `to_ground` is as in `say_end`.
    """
    of_captions = kept.items.of(Campaign.CAPTIONS) if kept.items else Photographs()
    short = of_captions.states.get(SHORT, 0)
    value, note = say_end(coming.end, cases, to_ground=to_ground, short=short)
    end = Tile("Forecast end", value, note, people)
    return [_images(kept, behind), _judgments(kept, coming.rest), _cost(kept, spent), end]


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


def _images(kept: Kept, behind: bool) -> Tile:
    found = progress_of(kept.items)
    if kept.items is None or behind:
        return Tile(found.title, "–", BEHIND if behind else UNKNOWN)
    said = [f"of {say(found.total)} that batches want" if kept.corpus else f"of {say(found.total)}"]
    said += found.beside
    if kept.corpus:
        free, questioned = kept.corpus.free_images, kept.corpus.question_images
        said += [f"{say(free)} in no batch"] if free else []
        said += [f"{say(questioned)} kept for verification questions"] if questioned else []
    return Tile(found.title, say(found.done), "; ".join(said), part=found.done, whole=found.total)


def _judgments(kept: Kept, rest: Left | None) -> Tile:
    if kept.judgments is None:
        return Tile("Judgments", "–", UNKNOWN)
    stages = kept.judgments.stages.values()
    said = []
    if rest and rest.likely:
        said.append(f"about {say(rest.likely)} to come")
    elif rest and rest.least:
        said.append(f"at least {say(rest.least)} to come")
    if asked := sum(one.asked for one in stages):
        said.append(f"besides {say_count(asked, 'answer')} to verification questions")
    return Tile("Judgments", say(sum(one.judgments for one in stages)), "; ".join(said))


def _cost(kept: Kept, spent: Spending) -> Tile:
    if kept.money is None and not spent.ledger:
        return Tile("Cost so far", "–", UNKNOWN)
    found = kept.money.currencies if kept.money else {}
    held = {currency: one.held for currency, one in found.items() if one.held}
    to_come = {currency: one.to_come for currency, one in found.items() if one.to_come}
    bound = spent.reserved if spent.ledger else held
    said = [
        *(
            ["by the ledger", *(["fees included"] if spent.fees else [])]
            if spent.ledger and spent.spent
            else []
        ),
        *([f"{amounts(bound)} {'reserved' if spent.ledger else 'held'}"] if bound else []),
        *([f"at least {amounts(to_come)} of rewards to come"] if to_come else []),
    ]
    return Tile("Cost so far", amounts(spent.spent), ", ".join(said))
