"""One researcher annotates a whole image. The result is a decision, which is replayed like others.

An image that no batch has goes into the project's batch *by hand*, which holds what researchers annotate
alone. So a chain that a researcher made is exported, shown and replayed as any other.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from annotation.domain.chain_states import FINISHED, SPLIT, WITHDRAWN
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.suggested import rectangle
from annotation.models import Batch, Box, Caption, Case, Chain, Decision, Image, ImageWork, Mention
from annotation.selectors import mentions_by_image
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.names import free_name
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.cases.review_queue import close_cases
from workflows.pipeline.replay.domain.decisions import DecisionError, parse_regrouping
from workflows.questions.known_answers import (
    KnownAnswer,
    drop_recut,
    keep_known,
    known_chains,
    retire_promoted,
    serves_as_gold,
)
from workflows.review.decide import StaleDecisionError, follow_up, lock_work, regroup_locked, version_of
from workflows.review.domain.annotation import Annotation, Purpose, Standing
from workflows.suggestions.selectors import boxes_in, completed

NAME = "by-hand"
"""The name of the batch by hand, unless another batch of the project has it."""


def annotate_image(
    *,
    image_id: int,
    annotation: Annotation,
    by: str,
    now: datetime,
    also: Callable[[], object] | None = None,
) -> Decision:
    """Give the image exactly these phrases, chains, boxes and flags.

    An annotation with the key of an earlier one of the image changes nothing, and returns that decision. The
    cases about what is settled by it are closed. `also` is called in the decision's transaction. Raises
    DecisionError if this cannot be stored, and StaleDecisionError if the image changed since the researcher
    saw it.
    """
    image = Image.objects.select_related("project").filter(pk=image_id).first()
    if image is None:
        raise DecisionError("image", f"there is no image {image_id}")
    if not (image.width and image.height):
        raise DecisionError("image", "has no size yet: import its picture first")
    hand = None if _work_of(image_id) else _batch_by_hand(image)
    with write_transaction():
        work = _lock(image, hand, annotation)
        if earlier := _earlier(work, annotation.key):
            return earlier
        before = standing_chains(work)
        decision, ended = regroup_locked(
            work,
            by=by,
            note=annotation.note,
            now=now,
            chains=annotation.groups(before),
            cuts=annotation.cuts(),
            kind=Decision.Kind.ANNOTATE,
            more={
                "purpose": str(annotation.purpose),
                "key": annotation.key,
                "known": known_chains(image_id),
                **_suggestions(image, annotation),
            },
        )
        if also is not None:
            also()
        settled = _settled_cases(work)
        drop_recut(image_id)
        if annotation.purpose == Purpose.GOLD or serves_as_gold(image_id):
            keep_known(image_id=image_id, decision=decision, chains=known_answers(work))
        if standing_chains(work) != before:
            retire_promoted(image_id)
    follow_up(work.batch_id, ended, now=now)
    close_cases(cases=settled, by=by, now=now, decision=decision)
    return decision


def _suggestions(image: Image, annotation: Annotation) -> dict[str, Any]:
    """Return which boxes are from a model, if any were shown. A box that equals one of it is from it."""
    seen = annotation.seen
    if seen is None:
        return {}
    found = completed(image.project_id, seen.set)
    if found is None:
        raise DecisionError("suggestions.set", f"the project has no complete set {seen.set}")
    suggested = [box for _, box in boxes_in(image.pk, found)]
    if any(not 0 <= place < len(suggested) for _, place in seen.taken):
        raise DecisionError("suggestions.boxes", f"the set has {len(suggested)} boxes in this image")
    source = {box: suggested[place] for box, place in seen.taken}
    source |= {rectangle(one): one for one in reversed(suggested)}
    drawn = dict.fromkeys(box for chain in annotation.chains for box in chain.boxes)
    boxes = [{"box": list(box.edges), "from": list(source[box])} for box in drawn if box in source]
    return {"suggestions": {"set": found.number, "model": str(found.model), "boxes": boxes}}


def image_version(image_id: int) -> str:
    """Return a text that changes whenever the image's captions, mentions, chains or boxes do."""
    # An annotation by hand that was undone has let the image go.
    work = _work_of(image_id)
    last = work or ImageWork.objects.grounding().filter(image=image_id, batch__by_hand=True).first()
    moved = version_of(last) if last else 0
    mentions = Mention.objects.filter(image=image_id, superseded=False).order_by("caption", "start")
    columns = ("pk", "caption_id", "start", "end", "types", "annotatable")
    captions = Caption.objects.in_use().filter(image=image_id).order_by("index").values_list("pk", flat=True)
    content = json.dumps([list(mentions.values_list(*columns)), list(captions)])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    return f"{work.pk if work else 0}-{moved}-{digest}"


def last_purpose(work: ImageWork) -> str:
    """Return what the image was annotated for the last time, or '' if nobody annotated it alone."""
    kinds = Decision.Kind.ANNOTATE, Decision.Kind.UNDO
    rows = Decision.objects.filter(work=work, kind__in=kinds).order_by("-pk")
    found = list(rows.values_list("pk", "content__purpose", "content__undoes"))
    undone = {undoes for _, _, undoes in found}
    return next((purpose for pk, purpose, _ in found if purpose and pk not in undone), "")


def undone_annotation(image_id: int) -> list[tuple[tuple[int, ...], tuple[Rectangle, ...], str]]:
    """Return the chains of the image's last annotation if it was undone: mentions, boxes and flag of each.

    A mention that the annotation changed is named by the one in use at its place; one without is left out.
    At most three queries.
    """
    kinds = Decision.Kind.ANNOTATE, Decision.Kind.UNDO
    found = list(Decision.objects.filter(work__image=image_id, kind__in=kinds).order_by("-pk"))
    undone = {one.content.get("undoes") for one in found}
    last = next((one for one in found if one.kind == Decision.Kind.ANNOTATE), None)
    if last is None or last.pk not in undone:
        return []
    groups = parse_regrouping(last.content).groups
    named = Mention.objects.filter(pk__in={pk for group in groups for pk in group.members})
    columns = ("caption_id", "start", "end", "pk")
    spans = {pk: span for *span, pk in named.values_list(*columns)}
    now = Mention.objects.filter(image=image_id, superseded=False).values_list(*columns)
    here = {tuple(span): pk for *span, pk in now}
    chains = []
    for group in groups:
        members = tuple(here[span] for pk in group.members if (span := tuple(spans[pk])) in here)
        if members:
            ruled = group.ruling
            boxes = tuple(one.box for one in (ruled.boxes if ruled else group.boxes))
            chains.append((members, boxes, ruled.flag if ruled else group.flag))
    return chains


def standing_chains(work: ImageWork) -> dict[tuple[tuple[int, int, int], ...], Standing]:
    """Return what the chains in use have, by the spans of their mentions, with accepted boxes and flags."""
    mentions = mentions_by_image([work.image_id]).get(work.image_id, [])
    spans = {mention.id: (mention.caption, mention.start, mention.end) for mention in mentions}
    found = {}
    for chain, boxes in accepted_boxes(work).items():
        if all(member in spans for member in chain.members):
            key = tuple(sorted(spans[member] for member in chain.members))
            found[key] = Standing(frozenset(boxes), chain.flag)
    return found


def accepted_boxes(work: ImageWork) -> dict[Chain, list[Rectangle]]:
    """Return the chains in use with their accepted boxes, in the order in which they were made."""
    rows = Chain.objects.filter(work=work).exclude(state__in=(SPLIT, WITHDRAWN)).order_by("generation", "pk")
    chains = {chain.pk: chain for chain in rows}
    boxes: dict[int, list[Rectangle]] = defaultdict(list)
    for box in Box.objects.filter(chain__in=chains, state=Box.State.ACCEPTED).order_by("pk"):
        boxes[box.chain_id].append(box.rectangle)
    return {chain: boxes[pk] for pk, chain in chains.items()}


def known_answers(work: ImageWork) -> list[KnownAnswer]:
    """Return the work's settled chains as known answers."""
    return [
        KnownAnswer(tuple(chain.members), tuple(boxes), chain.flag)
        for chain, boxes in accepted_boxes(work).items()
        if chain.state in FINISHED
    ]


def _work_of(image_id: int) -> ImageWork | None:
    return ImageWork.objects.grounding().select_related("batch").filter(image=image_id, active=True).first()


def _batch_by_hand(image: Image) -> Batch:
    """Return the project's batch by hand, which is made if there is none.

    It is finished from the beginning: nobody is asked anything in it.
    """
    known = Batch.objects.filter(project=image.project, by_hand=True)
    while (found := known.first()) is None:
        taken = set(Batch.objects.filter(project=image.project).values_list("name", flat=True))
        name = free_name(NAME, taken)
        try:
            with transaction.atomic():
                Batch.objects.create(
                    project=image.project,
                    name=name,
                    by_hand=True,
                    state=Batch.State.FINISHED,
                    settings=BatchSettings().to_json(),
                )
        except IntegrityError:  # somebody else made it, or took the name, just now
            continue
    return found


def _lock(image: Image, hand: Batch | None, annotation: Annotation) -> ImageWork:
    """Lock the image's work and return it. An image that no batch has gets one in the batch by hand."""
    work = _work_of(image.pk)
    if work is None:
        if hand is None or image_version(image.pk) != annotation.version:
            raise StaleDecisionError("The image has changed since: look at it again.")
        if annotation.purpose == Purpose.CORRECTION:
            raise DecisionError("purpose", "must be final or gold: nobody has worked on this image yet")
        return _open(image, hand, annotation.key)
    locked = lock_work(work.pk, None)
    if _earlier(locked, annotation.key) is None and image_version(image.pk) != annotation.version:
        raise StaleDecisionError("The image has changed since: look at it again.")
    if locked.batch.by_hand and annotation.purpose == Purpose.CORRECTION:
        raise DecisionError("purpose", "must be final or gold: nobody else works on this image")
    return locked


def _open(image: Image, hand: Batch, key: str) -> ImageWork:
    """Put the image, which no batch has, into the batch by hand. Return its work, locked."""
    try:
        with transaction.atomic():
            work, made = ImageWork.objects.get_or_create(batch=hand, image=image)
            # The batch by hand may have released the image, if it was resumed and cancelled.
            taken = made or ImageWork.objects.filter(pk=work.pk, active=False).update(active=True)
    except IntegrityError:
        raise StaleDecisionError("A batch has taken the image since: look at it again.") from None
    if not taken and _earlier(work, key) is None:
        raise StaleDecisionError("Somebody else has annotated the image just now: look at it again.")
    return lock_work(work.pk, None)


def _earlier(work: ImageWork, key: str) -> Decision | None:
    """Return the annotation that was stored with this key and not undone."""
    made = Decision.objects.filter(work=work, kind=Decision.Kind.ANNOTATE, content__key=key)
    undone = Decision.objects.filter(work=work, kind=Decision.Kind.UNDO)
    return made.exclude(pk__in=list(undone.values_list("content__undoes", flat=True))).order_by("pk").first()


def _settled_cases(work: ImageWork) -> list[int]:
    """Return the open cases about the image itself, and about chains that are settled or not in use."""
    over = (*FINISHED, WITHDRAWN)
    of_image = Case.objects.filter(work=work, chain=None, closed_at=None)
    of_chains = Case.objects.filter(chain__work=work, chain__state__in=over, closed_at=None)
    return sorted({*of_image.values_list("pk", flat=True), *of_chains.values_list("pk", flat=True)})
