"""The page of an image with its chains, and what waits for a decision about it."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Abstention, Box, Case, Chain, ImageWork
from console.common.chain_page import Line, Sibling, captions_of, letters_of, mentions_of, siblings_of
from console.common.history import Numbers, numbers_of
from console.common.labels import WRITTEN_STATES, say_caption_flags, say_state
from console.common.pictures import Picture, Shape, picture
from workflows.core.photographs import is_broken
from workflows.pipeline.domain.photograph_reports import rests
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.campaigns import is_campaign
from workflows.pipeline.replay.load_rows import reports_of

MAX_REPORTS = 50


@dataclass(frozen=True, slots=True)
class Written:
    """A caption that a worker wrote, and what became of it."""

    row: WrittenCaption
    state: str  # in words
    why: str  # why the rules flagged it, in words; "" if they did not
    waits: bool  # for a researcher
    good: bool

    @property
    def may_change(self) -> bool:
        """Whether a researcher can decide about it: its worker's answers count."""
        return self.row.state != WrittenCaption.State.WITHDRAWN


@dataclass(frozen=True, slots=True)
class WorkPage:
    """Everything the page shows."""

    work: ImageWork
    state: str
    picture: Picture
    captions: list[Line]
    written: list[Written]  # by workers of this batch, those that wait for a researcher first
    siblings: list[Sibling]
    numbers: Numbers  # of the image's history
    open_cases: list[Case]
    reports: list[Abstention]  # who could not see the photograph, or tell an answer, the newest first
    unusable: bool  # some of them could not see the photograph; of an image that rests: it rests for that
    grounded: bool  # it has phrases and chains in this batch
    broken: bool  # the server finds the photograph's file missing or damaged now


def work_page(pk: int) -> WorkPage | None:
    """Return the page of this image work, or None if there is none. A fixed number of queries."""
    work = ImageWork.objects.select_related("image", "batch__project").filter(pk=pk).first()
    if work is None:
        return None
    mentions = mentions_of(work)
    chains = list(Chain.objects.filter(work=work).select_related("representative").order_by("pk"))
    letters = letters_of(chains, mentions)
    cases = Case.objects.filter(work=work, chain=None, closed_at=None).select_related("judgment")
    said = Abstention.objects.filter(work=work).select_related(
        "worker", "item__mention_a", "item__mention_b", "item__chain__representative"
    )
    reports = list(said.order_by("-pk")[:MAX_REPORTS])
    unusable = any(one.kind == Abstention.Kind.UNUSABLE for one in reports)
    if unusable and work.state == ImageWork.State.RESTING:
        counted, dismissed = reports_of([work])
        unusable = rests(counted[work.pk], dismissed[work.pk])
    boxes = list(Box.objects.filter(chain__in=letters, state=Box.State.ACCEPTED).order_by("pk"))
    return WorkPage(
        work=work,
        state=say_state(work.state) if work.active else "no longer in this batch",
        picture=picture(
            work.image,
            [Shape(b.state, letters[b.chain_id], b.left, b.top, b.right, b.bottom) for b in boxes],
        ),
        captions=captions_of(work, mentions, chains, letters),
        written=_written(work),
        siblings=siblings_of(chains, letters),
        numbers=numbers_of(work.image_id),
        open_cases=list(cases.order_by("pk")),
        reports=reports,
        unusable=unusable,
        grounded=not is_campaign(work),
        broken=unusable and is_broken(str(work.image.file)),
    )


def _written(work: ImageWork) -> list[Written]:
    """Return what workers wrote. No query for an image of another campaign."""
    if work.campaign != ImageWork.Campaign.CAPTIONS:
        return []
    rows = WrittenCaption.objects.filter(work=work).select_related("judgment__worker").order_by("judgment_id")
    State = WrittenCaption.State
    found = [
        Written(
            row=row,
            state=WRITTEN_STATES[row.state],
            why=say_caption_flags(row.flags),
            waits=row.state == State.FLAGGED,
            good=row.state == State.ACCEPTED,
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: not one.waits)
