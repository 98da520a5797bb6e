"""Count photographs: each one once, in however many batches it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from annotation.domain.protocols import Campaign
from workflows.analysis.domain.kept_counts import DONE, RELEASED, Photographs
from workflows.analysis.domain.refresh_rules import images_wanted


class Held(NamedTuple):
    """A photograph in a batch. It is released if it is not `active`."""

    image: int
    batch: int
    campaign: str
    state: str
    active: bool


def count_photographs(works: Iterable[Held], targets: Mapping[int, int | None]) -> dict[str, Photographs]:
    """Count photographs by what is made of them, and by state. `targets` are those of the batches.

    - A photograph that is grounded or will be is not counted among those whose captions are collected: its
      captions were collected for that.
    - A photograph whose captions are judged in several batches is done when all of them are done with it.
    - A photograph that no batch holds any more counts as released, for the first thing made of it.
    """
    held: dict[Campaign, dict[int, list[Held]]] = {campaign: defaultdict(list) for campaign in Campaign}
    let_go: dict[int, Campaign] = {}
    of_batches: dict[int, Counter[str]] = defaultdict(Counter)
    for one in works:
        campaign = Campaign(one.campaign)
        if one.active:
            held[campaign][one.image].append(one)
            of_batches[one.batch][one.state] += 1
        else:
            let_go[one.image] = min(campaign, let_go.get(one.image, campaign), key=_ORDER.index)
    for image in held[Campaign.ENTITIES]:
        held[Campaign.CAPTIONS].pop(image, None)
    released: dict[Campaign, int] = Counter(
        campaign for image, campaign in let_go.items() if not any(image in found for found in held.values())
    )
    spare = {
        batch: counts.total() - images_wanted(counts, targets.get(batch))
        for batch, counts in of_batches.items()
    }
    return {
        campaign: _photographs(held[campaign], released[campaign], spare)
        for campaign in Campaign
        if held[campaign] or released[campaign]
    }


def first_campaign(counted: Mapping[str, Photographs]) -> Campaign:
    """Return what a page counts first: the grounding if there is any, and what nobody wants any more last."""
    wanted = (campaign for campaign in _ORDER if campaign in counted and counted[campaign].wanted)
    return next(wanted, next((campaign for campaign in _ORDER if campaign in counted), Campaign.ENTITIES))


_ORDER = list(Campaign)


def _photographs(held: Mapping[int, list[Held]], released: int, spare: Mapping[int, int]) -> Photographs:
    """Count these photographs. A batch with a target leaves so many of its own alone as are `spare`."""
    states = Counter({RELEASED: released}) if released else Counter[str]()
    alone: Counter[int] = Counter()  # unfinished photographs that no other batch waits for
    for works in held.values():
        unfinished = [one for one in works if one.state != DONE]
        states[unfinished[0].state if unfinished else DONE] += 1
        if len(unfinished) == 1:
            alone[unfinished[0].batch] += 1
    unwanted = sum(min(spare[batch], number) for batch, number in alone.items())
    return Photographs(dict(states), len(held) - unwanted)
