"""Keeps what a researcher annotated as gold among the known chains, from which questions are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max, QuerySet

from annotation.domain.geometry import Box
from annotation.models import Decision, GoldChain, Mention, VerificationQuestion
from annotation.row_changes import change_rows

ANNOTATED_ANEW = "annotated anew"
"""Why questions that were made from superseded known chains are retired: `VerificationQuestion.retired`."""


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A chain whose mentions (ids), boxes and flag are known."""

    members: tuple[int, ...]
    boxes: tuple[Box, ...]
    flag: str  # scene, nobndbox or empty


def keep_known(*, image_id: int, decision: Decision, chains: Sequence[KnownAnswer]) -> None:
    """Let these be the image's known chains from now on, in the caller's transaction, with its work locked.

    Earlier ones are superseded, unless they say the same. If anything changed, the questions that were made
    from known chains of this image are retired: a question may rest on several chains. Questions are locked
    last, so call this at the end.
    """
    wanted = {_content(one.members, [list(box.edges) for box in one.boxes], one.flag): one for one in chains}
    there = {
        _content(row.members, row.boxes, _flag(row)): row
        for row in GoldChain.objects.filter(image=image_id, superseded=False)
    }
    over = [row.pk for content, row in there.items() if content not in wanted]
    new = [one for content, one in wanted.items() if content not in there]
    change_rows(GoldChain.objects.filter(pk__in=over), superseded=True)
    newest = GoldChain.objects.filter(image=image_id).aggregate(Max("number"))["number__max"] or 0
    GoldChain.objects.bulk_create(
        GoldChain(
            image_id=image_id,
            number=number,
            members=list(one.members),
            boxes=[list(box.edges) for box in one.boxes],
            scene=one.flag == "scene",
            nobndbox=one.flag == "nobndbox",
            decision=decision,
        )
        for number, one in enumerate(new, start=newest + 1)
    )
    if over or new:
        _retire(image_id)


def known_chains(image_id: int) -> list[int]:
    """Return the image's known chains (ids)."""
    rows = GoldChain.objects.filter(image=image_id, superseded=False).order_by("pk")
    return list(rows.values_list("pk", flat=True))


def serves_as_gold(image_id: int) -> bool:
    """Return whether a researcher annotated the image as gold, or questions of its known chains are asked."""
    known = GoldChain.objects.filter(image=image_id, superseded=False)
    return known.filter(decision__kind=Decision.Kind.ANNOTATE).exists() or _of_known(image_id).exists()


def retire_promoted(image_id: int) -> None:
    """Retire what was made of the image's finished chains, since these changed. Questions are locked last."""
    states = VerificationQuestion.State.PROPOSED, VerificationQuestion.State.ACTIVE
    _retire(image_id, VerificationQuestion.Source.PROMOTED, states)


def forget_known(*, image_id: int, decision: Decision, before: Sequence[int]) -> None:
    """Let the image's known chains be those `before` the decision (ids), in the caller's transaction.

    If anything changed, the questions that were made from known chains of the image are retired. Questions
    are locked last, so call this at the end.
    """
    rows = GoldChain.objects.filter(image=image_id)
    over = change_rows(rows.filter(decision=decision, superseded=False), superseded=True)
    if change_rows(rows.filter(pk__in=before, superseded=True), superseded=False) or over:
        _retire(image_id)


def made_of_known(image_id: int, decision: Decision) -> int:
    """Return how many active questions `forget_known` would retire, if the decision made known chains."""
    if not GoldChain.objects.filter(image=image_id, decision=decision, superseded=False).exists():
        return 0
    return _of_known(image_id).count()


def drop_recut(image_id: int) -> None:
    """Supersede the image's known chains that have a mention which is no mention any more."""
    gone = set(Mention.objects.filter(image=image_id, superseded=True).values_list("pk", flat=True))
    rows = GoldChain.objects.filter(image=image_id, superseded=False).values_list("pk", "members")
    over = [pk for pk, members in rows if gone.intersection(members)]
    change_rows(GoldChain.objects.filter(pk__in=over), superseded=True)


def _content(members: Iterable[int], boxes: Iterable[Sequence[int]], flag: str) -> tuple[object, ...]:
    return tuple(members), tuple(sorted(tuple(box) for box in boxes)), flag


def _flag(row: GoldChain) -> str:
    return "scene" if row.scene else "nobndbox" if row.nobndbox else ""


def _of_known(image_id: int) -> QuerySet[VerificationQuestion]:
    return VerificationQuestion.objects.filter(
        image=image_id,
        source=VerificationQuestion.Source.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )


def _retire(
    image_id: int,
    source: str = VerificationQuestion.Source.GOLD,
    states: Sequence[str] = (VerificationQuestion.State.ACTIVE,),
) -> None:
    """Retire these questions. All of the image are locked, so that two calls lock in the order of ids."""
    of_image = VerificationQuestion.objects.filter(image=image_id)
    list(of_image.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    over = of_image.filter(source=source, state__in=states)
    change_rows(over, state=VerificationQuestion.State.RETIRED, retired=ANNOTATED_ANEW)
