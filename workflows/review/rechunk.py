"""Chunk captions anew. Mentions are superseded, never changed, because judgments are about them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotation.domain.mentions import describe
from annotation.domain.types import ProjectTypes
from annotation.models import Caption, Image, Mention, VerificationQuestion
from annotation.row_changes import change_rows
from annotation.selectors import project_types, type_names
from workflows.pipeline.replay.domain.decisions import Cut
from workflows.review.domain.rulings import check_cuts


def recut(image_id: int, cuts: Sequence[Cut]) -> dict[str, list[int]]:
    """Chunk these captions of the image anew, in the caller's transaction, with its work locked.

    A chunk that a caption has or had already stays the same mention. Return the mentions (ids) that are
    `gone` and those that are `new`. Raises DecisionError if a cut does not fit its caption.
    """
    before = _in_use(image_id)
    captions = {caption.index: caption for caption in Caption.objects.in_use().filter(image=image_id)}
    tokens = {index: len(caption.tokens.split(" ")) for index, caption in captions.items()}
    check_cuts(cuts, tokens, type_names(image_id) if cuts else ())
    types = project_types(Image.objects.values_list("project_id", flat=True).get(pk=image_id))
    for cut in cuts:
        _recut(captions[cut.caption], cut, types)
    after = _in_use(image_id)
    return {"gone": sorted(before - after), "new": sorted(after - before)}


def _in_use(image_id: int) -> set[int]:
    return set(Mention.objects.filter(image=image_id, superseded=False).values_list("pk", flat=True))


def uncut(*, gone: Collection[int], new: Collection[int]) -> None:
    """Let the mentions be in use again that are `gone`, instead of the `new` ones: see `recut`."""
    # This comes first, since two mentions may not begin at the same token.
    change_rows(Mention.objects.filter(pk__in=new), superseded=True)
    change_rows(Mention.objects.filter(pk__in=gone), superseded=False)


RECUT = "recut"
"""Why these verification questions are retired: `VerificationQuestion.retired`."""


def retire_recut(image_id: int) -> None:
    """Retire the verification questions about chunks that the image no longer has. Answers still count.

    Call it at the end of the transaction that chunked the image anew, since questions are locked last.
    """
    retired = VerificationQuestion.State.RETIRED
    questions = VerificationQuestion.objects.filter(image=image_id).exclude(state=retired).order_by("pk")
    gone = set(Mention.objects.filter(image=image_id, superseded=True).values_list("pk", flat=True))
    asked = [pk for pk, mentions in questions.values_list("pk", "mentions") if gone.intersection(mentions)]
    locked = questions.filter(pk__in=asked).select_for_update(no_key=True)
    again = list(locked.values_list("pk", flat=True))
    change_rows(VerificationQuestion.objects.filter(pk__in=again), state=retired, retired=RECUT)


def _recut(caption: Caption, cut: Cut, project: ProjectTypes) -> None:
    tokens = caption.tokens.split(" ")
    known: dict[tuple[int, int, bool, frozenset[str]], Mention] = {}
    for mention in Mention.objects.filter(caption=caption).order_by("superseded", "pk"):
        # A chunk that is cut without types stays the mention it was last, whatever its types.
        for types in (mention.types.split("/"), ()):
            key = (mention.start, mention.end, mention.annotatable, frozenset(types))
            known.setdefault(key, mention)
    wanted = [((one.start, one.end, one.visual, frozenset(one.types)), one) for one in cut.chunks]
    again = [known[key].pk for key, _ in wanted if key in known]
    # This comes first, since two mentions may not begin at the same token.
    over = Mention.objects.filter(caption=caption, superseded=False).exclude(pk__in=again)
    change_rows(over, superseded=True)
    change_rows(Mention.objects.filter(pk__in=again, superseded=True), superseded=False)
    for key, chunk in wanted:
        if key not in known:
            said = describe(tokens, chunk.start, chunk.end, project)
            Mention.objects.create(
                image_id=caption.image_id,
                caption=caption,
                start=chunk.start,
                end=chunk.end,
                text=said.text,
                head=said.head,
                types="/".join(chunk.types or said.types),
                annotatable=chunk.visual,
                types_version=project.version,
            )
