"""Spot checks: draw some of what is finished, keep a researcher's verdicts about it, and read error rates.

A verdict is about the row as it was drawn, and changes nothing of the annotation: mentions, chains and boxes
stay as rows even if they go out of use. Chains and boxes are those that workers and researchers made, before
an export merges them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Box, Chain, ImageWork, Project
from annotation.transactions import snapshot, write_transaction
from workflows.review.domain.spot_checks import (
    BOX,
    CHAIN,
    MENTION,
    SpotCheckError,
    Unit,
    check_verdict,
    draw_units,
    error_rates,
    images_with_error,
)
from workflows.review.models import SpotCheck, SpotCheckVerdict

if TYPE_CHECKING:
    from evaluation.audit import ErrorRate

AT_ONCE = 10_000
CHOSEN = "chosen"
"""The total of a spot check that says from how many chosen images it was drawn."""


@dataclass(frozen=True)
class Progress:
    """A spot check with its units, in order, and the last verdict about each that has one, by its place."""

    spot_check: SpotCheck
    units: tuple[Unit, ...]
    verdicts: Mapping[int, SpotCheckVerdict]

    @property
    def following(self) -> int | None:
        """Return the place of the first unit without a verdict, or None."""
        return self.after(-1)

    def after(self, place: int) -> int | None:
        """Return the next place without a verdict, after this one and then from the beginning, or None."""
        around = (*range(place + 1, len(self.units)), *range(place))
        return next((one for one in around if one not in self.verdicts), None)

    @cached_property
    def rates(self) -> dict[str, ErrorRate]:
        """The error rate of each kind."""
        return error_rates(self.units, {place: not one.right for place, one in self.verdicts.items()})

    @property
    def images(self) -> tuple[float, float, float] | None:
        """The estimated share of images with an error, and its interval; see `images_with_error`."""
        totals = self.spot_check.totals
        return images_with_error(
            self.rates, {kind: totals[kind] / max(totals["image"], 1) for kind in (MENTION, CHAIN)}
        )

    @property
    def reasons(self) -> Counter[tuple[str, str]]:
        """How often each kind of unit is wrong for each reason."""
        return Counter(
            (self.units[place].kind, one.reason) for place, one in self.verdicts.items() if not one.right
        )


def finished_units(project: Project, images: Collection[int] | None = None) -> dict[str, list[Unit]]:
    """Return all mentions, chains and boxes of the project's finished images, or of these (ids). Two queries.

    An image is finished when its batch is done with it. A chain that is with the researchers is left out, as
    exports leave it out.
    """
    units: dict[str, list[Unit]] = {MENTION: [], CHAIN: [], BOX: []}
    done = ImageWork.objects.grounding().filter(
        batch__project=project, active=True, state=ImageWork.State.DONE
    )
    done = done.filter(image__withdrawn_at=None)
    if images is not None:
        done = done.filter(image__in=images)
    chains = Chain.objects.filter(work__in=done, state__in=(DONE, NONVISUAL)).order_by("pk")
    with snapshot():
        for pk, image, members in chains.values_list("pk", "work__image_id", "members").iterator(AT_ONCE):
            units[CHAIN].append(Unit(CHAIN, pk, pk, image))
            units[MENTION] += [Unit(MENTION, member, pk, image) for member in members]
        boxes = Box.objects.filter(chain__in=chains.order_by(), state=Box.State.ACCEPTED).order_by("pk")
        columns = ("pk", "chain_id", "chain__work__image_id")
        units[BOX] = [Unit(BOX, *row) for row in boxes.values_list(*columns).iterator(AT_ONCE)]
    return units


def draw_spot_check(
    *,
    project: Project,
    sizes: Mapping[str, int],
    seed: int,
    by: str,
    now: datetime,
    images: Collection[int] | None = None,
    also: Callable[[SpotCheck], object] = lambda spot_check: None,
) -> SpotCheck:
    """Draw so many units of each kind, of all images or of these (ids), and keep them.

    `also` is called in the same transaction. Raises SpotCheckError.
    """
    population = finished_units(project, images)
    units = draw_units(population, sizes, Random(seed))
    totals = {kind: len(found) for kind, found in population.items()}
    totals["image"] = len({unit.image for unit in population[CHAIN]})
    if images is not None:
        totals[CHOSEN] = len(images)
    with write_transaction():
        spot_check = SpotCheck.objects.create(
            project=project,
            seed=seed,
            units=[[unit.kind, unit.id, unit.chain, unit.image] for unit in units],
            totals=totals,
            by=by,
            created_at=now,
        )
        also(spot_check)
    return spot_check


def give_verdict(
    *,
    spot_check: SpotCheck,
    place: int,
    right: bool,
    reason: str,
    note: str,
    by: str,
    now: datetime,
    also: Callable[[SpotCheckVerdict], object] = lambda verdict: None,
) -> SpotCheckVerdict:
    """Keep a verdict about the unit at this place. `also` is called in the same transaction.

    Raises SpotCheckError.
    """
    units = units_of(spot_check)
    if not 0 <= place < len(units):
        raise SpotCheckError("place", f"must be from 0 to {len(units) - 1}")
    check_verdict(units[place].kind, right=right, reason=reason, note=note)
    with write_transaction():
        verdict = SpotCheckVerdict.objects.create(
            spot_check=spot_check,
            place=place,
            right=right,
            reason=reason,
            note=note.strip(),
            by=by,
            created_at=now,
        )
        also(verdict)
    return verdict


def units_of(spot_check: SpotCheck) -> tuple[Unit, ...]:
    """Return the units of a spot check, in order."""
    return tuple(Unit(*unit) for unit in spot_check.units)


def progress_of(spot_check: SpotCheck) -> Progress:
    """Return how far a spot check is. One query."""
    verdicts = SpotCheckVerdict.objects.filter(spot_check=spot_check).order_by("pk")
    return Progress(spot_check, units_of(spot_check), {one.place: one for one in verdicts})


def newest_rates(project: Project) -> Progress | None:
    """Return the newest spot check of the whole project that has a verdict, or None. Two queries.

    Of chosen images, error rates say nothing about the others.
    """
    judged = SpotCheckVerdict.objects.filter(spot_check__project=project).order_by("-spot_check_id")
    judged = judged.filter(**{f"spot_check__totals__{CHOSEN}__isnull": True})
    newest = judged.select_related("spot_check").first()
    return progress_of(newest.spot_check) if newest else None
