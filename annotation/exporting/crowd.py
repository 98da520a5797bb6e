"""The chains and boxes that the crowd has made, as an export takes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.domain.answers import JointStage, Stage
from annotation.domain.chain_states import ANSWERED, REVIEW, SPLIT, WITHDRAWN
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.records import BoxFrom, BoxRecord
from annotation.exporting.box_origins import Place, box_origins, decided_origin
from annotation.exporting.raw import CrowdWork, LeftOut, RawChain
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Judgment, ModelAnswer


@dataclass(slots=True)
class _Row:
    """A row of Chain with its boxes, and the judgments and decisions that it rests on."""

    id: int
    generation: int
    members: list[int]
    state: str
    flag: str
    boxes: list[BoxRecord] = field(default_factory=list)
    judgments: set[int] = field(default_factory=set)
    decisions: set[int] = field(default_factory=set)
    models: set[str] = field(default_factory=set)
    judged: bool = False  # by chain verification


class Crowd:
    """The crowd's annotation of images: for each image, the work that is active, or that of `batch`.

    An image is finished when all its chains are done, non-visual, or in review. If a chain is in review, the
    image is left out. With `unresolved`, only that chain is. An image with judgments that `advance` has not
    read yet is not finished: its chains may still rest on judgments that were set aside a moment ago, and
    boxes of a worker who lost trust would be released.

    With `unfinished`, nothing is left out: images and chains come as they are so far. With `people_only`,
    images with a chain for which a model's answer counted are left out.
    """

    def __init__(
        self,
        *,
        batch: Batch | None,
        unfinished: bool,
        unresolved: bool = False,
        work: CrowdWork | None = None,
        people_only: bool = False,
    ) -> None:
        self._batch = batch
        self._unfinished = unfinished
        self._unresolved = unfinished or unresolved
        self._people_only = people_only
        self._work = work or CrowdWork()  # of the images given out so far

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """Return the chains, as Source says. This takes six queries, however many images there are, and four
        more if a batch shows boxes of a model.
        """
        works = ImageWork.objects.grounding().filter(image__in=images)
        works = works.filter(batch=self._batch) if self._batch else works.filter(active=True)
        image_of: dict[int, int] = {}
        done: set[int] = set()
        protocols: dict[int, str] = {}
        judges = suggesting = False
        columns = (
            *("pk", "image_id", "state", "batch__settings__protocol"),
            *("batch__settings__judge__model", "batch__settings__suggestions__set"),
        )
        for pk, image, state, protocol, judge, shown in works.values_list(*columns):
            image_of[pk], protocols[pk] = image, protocol
            judges, suggesting = judges or bool(judge), suggesting or shown is not None
            if state in (ImageWork.State.DONE, ImageWork.State.BOXING):
                done.add(pk)
        rows = _rows(list(image_of))
        unread: set[int] = set()
        if done and not self._unfinished:
            waiting = Item.objects.unread().filter(work__in=done)
            unread.update(waiting.values_list("work_id", flat=True))
        chosen: dict[int, int] = {}
        for work, image in image_of.items():
            settled = all(row.state in ANSWERED or row.state in (SPLIT, REVIEW) for row in rows[work])
            if not (self._unfinished or (work in done and settled)):
                left_out.images["unfinished"] += 1
            elif work in unread:
                left_out.images["waiting to be read"] += 1
            elif not self._unresolved and any(row.state == REVIEW for row in rows[work]):
                left_out.images["with unresolved mentions"] += 1
            else:
                chosen[work] = image
        missing = len(images) - len(image_of)
        if not self._unfinished:
            left_out.images["in no batch"] += missing
        self._work.protocols.update(protocols[work] for work in chosen)
        _add_boxes(chosen, rows, judges=judges, suggesting=suggesting)
        for row in (row for work in chosen for row in rows[work] if row.judged):
            self._work.broken += row.state == SPLIT
            self._work.verified += row.state != SPLIT
        if self._people_only:
            for work in [work for work in chosen if any(row.models for row in rows[work])]:
                left_out.images["judged by a model"] += 1
                del chosen[work]
        found = {image: self._finish(rows[work], left_out) for work, image in chosen.items()}
        if self._unfinished:
            found.update({image: [] for image in set(images).difference(image_of.values())})
        return found

    def _finish(self, rows: Sequence[_Row], left_out: LeftOut) -> list[RawChain]:
        found = []
        for row in rows:
            if row.state == SPLIT:
                continue
            finished = row.state in ANSWERED
            if not finished and not self._unfinished:
                left_out.chains["in review"] += 1
                continue
            flags = (row.flag == "scene", row.flag == "nobndbox")
            judgments, decisions = sorted(row.judgments), sorted(row.decisions)
            models = sorted(row.models)
            found.append(
                RawChain(row.members, row.boxes, *flags, judgments, finished, decisions, models=models)
            )
        return found


def _rows(works: Sequence[int]) -> defaultdict[int, list[_Row]]:
    rows: defaultdict[int, list[_Row]] = defaultdict(list)
    columns = ("work_id", "pk", "generation", "members", "state", "flag")
    chains = Chain.objects.filter(work__in=works).exclude(state=WITHDRAWN).order_by("generation", "pk")
    for work, *row in chains.values_list(*columns):
        rows[work].append(_Row(*row))
    return rows


def _add_boxes(
    works: Mapping[int, int], rows: Mapping[int, Sequence[_Row]], *, judges: bool, suggesting: bool
) -> None:
    """Add the accepted boxes to the rows, and the judgments that boxes and chains rest on.

    A box rests on the judgment that drew it and on the judgments of its quality. A chain rests on the answers
    to links between two of its mentions, on those to verification (also of the chain that it was split from),
    box requirement and coverage, and on drawing answers that no further box is needed. The judgments of a
    joint check are of both kinds, and so are the answers of models that counted there, which are looked for
    if any batch has a model that `judges`. Judgments that were set aside, and those of items that were
    withdrawn, do not count. If a batch is `suggesting`, boxes say whether they are from boxes of a model.
    """
    by_id = {row.id: row for work in works for row in rows[work]}
    drawn: set[int] = set()
    accepted: dict[int, tuple[int, Rectangle, list[int], set[int]]] = {}
    places: dict[int, Place] = {}
    shown: dict[int, BoxFrom] = {}  # a box that a researcher drew who was shown boxes of a model
    kept, offered = _add_decisions(works, rows)
    drawn_by: dict[int, list[int]] = {}  # a judgment -> the accepted boxes that it drew
    drawn_with: dict[int, int] = {}  # a box -> the judgment that drew it
    columns = ("pk", "chain_id", "state", "judgment_id", "decision_id", "ordinal")
    edges_of = ("left", "top", "right", "bottom")
    boxes = Box.objects.filter(chain__work__in=list(works)).order_by("pk")
    for pk, chain, state, judgment, decision, ordinal, *edges in boxes.values_list(*columns, *edges_of):
        drawn.add(judgment)
        drawn_with[pk] = judgment
        if state == Box.State.ACCEPTED:
            decided = kept.get((chain, judgment, decision, ordinal), set())
            decided = decided if decision is None else {*decided, decision}
            accepted[pk] = (chain, Rectangle(*edges), [], decided)
            drawn_by.setdefault(judgment, []).append(pk)
            places[pk] = judgment, ordinal
            if decision in offered:
                shown[pk] = decided_origin(decision, Rectangle(*edges), offered[decision])
    heirs = _heirs(works, rows)
    about = ("item__stage", "item__state", "item__chain_id", "item__box_id", *_MENTIONS)
    counting = Judgment.objects.filter(item__work__in=list(works), set_aside__isnull=True)
    judgments = counting.exclude(item__state=Item.State.WITHDRAWN).values_list("pk", *about)
    seen: set[int] = set()
    for pk, stage, state, chain, box, a, b in judgments.iterator(chunk_size=10_000):
        for own in drawn_by.get(pk, ()):
            accepted[own][2].append(pk)
            seen.add(pk)
        if stage == JointStage.CHECK:
            by_id[chain].judgments.add(pk)
            # The item names the first box of a judgment for all of them.
            for own in drawn_by.get(drawn_with[box], ()) if box is not None else ():
                if accepted[own][0] == chain:
                    accepted[own][2].append(pk)
        elif box is not None:
            if box in accepted:
                accepted[box][2].append(pk)
        elif stage == Stage.LINK:
            if (row := heirs.get(a)) is not None and heirs.get(b) is row:
                row.judgments.add(pk)
        elif pk not in drawn:
            row = by_id[chain]
            row.judgments.add(pk)
            row.judged = row.judged or (stage == Stage.VERIFICATION and state == Item.State.DONE)
            if row.state == SPLIT:
                for mention in row.members:
                    heirs[mention].judgments.add(pk)
    # A box that a regrouping kept was drawn for another chain, whose items are withdrawn.
    moved = [judgment for judgment, boxes in drawn_by.items() if judgment and judgment not in seen]
    for pk in counting.filter(pk__in=moved).values_list("pk", flat=True) if moved else ():
        for own in drawn_by[pk]:
            accepted[own][2].append(pk)
    models: defaultdict[int, set[str]] = defaultdict(set)
    for chain, box, name in _counting_models(works) if judges else ():
        by_id[chain].models.add(name)
        for own in drawn_by.get(drawn_with[box], ()) if box is not None else ():
            if accepted[own][0] == chain:
                models[own].add(name)
    origins = box_origins([judgment for judgment in drawn_by if judgment]) if suggesting else {}
    for pk, (chain, rectangle, rests_on, decisions) in accepted.items():
        record = BoxRecord(
            rectangle,
            tuple(sorted(rests_on)),
            decisions=tuple(sorted(decisions)),
            models=tuple(sorted(models.get(pk, ()))),
            origins=tuple(filter(None, (shown.get(pk, origins.get(places[pk])),))),
        )
        by_id[chain].boxes.append(record)


def _counting_models(works: Mapping[int, int]) -> Iterator[tuple[int, int | None, str]]:
    """Yield the chain, the first box and the name of the model of each answer of a model that counted."""
    answers = ModelAnswer.objects.filter(
        item__work__in=list(works), weights__isnull=False, set_aside=None, item__chain__isnull=False
    ).exclude(item__state=Item.State.WITHDRAWN)
    columns = ("item__chain_id", "item__box_id", "model__name", "model__version")
    for chain, box, name, version in answers.values_list(*columns):
        if chain is not None:
            yield chain, box, f"{name}/{version}"


_MENTIONS = ("item__mention_a_id", "item__mention_b_id")

_Kept = tuple[int, int | None, int | None, int]
"""A chain, and the judgment or decision that drew its box, with the box's place among those drawn there."""


def _add_decisions(
    works: Mapping[int, int], rows: Mapping[int, Sequence[_Row]]
) -> tuple[dict[_Kept, set[int]], dict[int, Mapping[str, Any]]]:
    """Add the decisions that chains rest on: those about the chain, and the last about the image as a whole.

    Return the decision that kept a box, for each earlier box that the last decision about its chain kept, or
    the last regrouping that made the chain. Return also what decisions say of boxes of a model, by decision.
    """
    whole = (Decision.Kind.REGROUP, Decision.Kind.ANNOTATE, Decision.Kind.CAPTION)
    kinds = (Decision.Kind.CHAIN, Decision.Kind.UNDO, *whole)
    told = Decision.objects.filter(work__in=list(works), kind__in=kinds)
    grouped: dict[int, int] = {}
    of_chain: defaultdict[int, set[int]] = defaultdict(set)
    kept: dict[int, dict[_Kept, set[int]]] = {}
    columns = ("kind", "pk", "work_id", "chain_id", "content")
    decided = list(told.order_by("pk").values_list(*columns))
    undone = {content.get("undoes") for *_, content in decided}
    for kind, pk, work, chain, content in decided:
        if pk in undone or (kind != Decision.Kind.CHAIN and "chains" not in content):
            continue
        if kind == Decision.Kind.CHAIN:
            ruled = {chain: content}
        else:
            grouped[work] = pk
            ruled = _ruled(content, rows.get(work, ()))
        for one, ruling in ruled.items():
            of_chain[one].add(pk)
            kept[one] = {
                (one, box.get("judgment"), box.get("decision"), box["ordinal"]): {pk}
                for box in ruling["boxes"]
                if "ordinal" in box
            }
        if chain is None and work is not None:
            in_use = {tuple(row.members): row.id for row in rows.get(work, ()) if row.state != SPLIT}
            for group in content["chains"]:
                if (own := in_use.get(tuple(group["members"]))) is not None and group.get("boxes"):
                    kept[own] = {
                        (own, box.get("judgment"), box.get("decision"), box["ordinal"]): {pk}
                        for box in group["boxes"]
                        if isinstance(box, dict)
                    }
    for work in works if grouped or of_chain else ():
        for row in rows[work]:
            row.decisions |= of_chain[row.id] | ({grouped[work]} if work in grouped else set())
    offered = {pk: content["suggestions"] for _, pk, *_, content in decided if "suggestions" in content}
    return {place: decision for boxes in kept.values() for place, decision in boxes.items()}, offered


def _ruled(content: Mapping[str, Any], rows: Sequence[_Row]) -> dict[int, Mapping[str, Any]]:
    """Return what a decision about a whole image says about chains that it keeps, by the chains' ids."""
    ids = {(row.generation, tuple(row.members)): row.id for row in rows}
    found = {}
    for chain in content["chains"]:
        key = chain.get("kept"), tuple(chain["members"])
        if "ruling" in chain and key in ids:
            found[ids[key]] = chain["ruling"]
    return found


def _heirs(works: Mapping[int, int], rows: Mapping[int, Sequence[_Row]]) -> dict[int, _Row]:
    """Return, by mention id, the chain that the mention ended in."""
    return {
        mention: row for work in works for row in rows[work] if row.state != SPLIT for mention in row.members
    }
