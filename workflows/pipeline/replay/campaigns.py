"""Fold images of campaigns, and bring their rows into the state that follows from what counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.domain.answers import CampaignStage, parse_answer
from annotation.languages import foreign_language, primary
from annotation.misspellings import misspelt_words
from annotation.models import Batch, Case, Decision, ImageWork, Item, Judgment
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import open_cases
from workflows.pipeline.change_set import ROWS_AT_ONCE, overwrite
from workflows.pipeline.domain.caption_rules import flags_of
from workflows.pipeline.models import JudgedPair, WrittenCaption
from workflows.pipeline.replay.domain.campaign_fold import CAMPAIGN_PROTOCOLS, FLAGGED, Ruling, Subject
from workflows.pipeline.replay.domain.campaign_plan import (
    CampaignPlan,
    QuestionChange,
    StoredCaption,
    StoredQuestion,
    StoredWork,
    plan_campaign,
)
from workflows.pipeline.replay.domain.contexts import Given
from workflows.pipeline.replay.load_rows import reports_of
from workflows.pipeline.replay.write_plans import WorkRows

LATELY = 100
"""A caption is compared with so many earlier ones of its worker [ours]."""
_ITEM_FIELDS = ("state", "needed", "judged", "author", "queued_at")
_CAPTION_FIELDS = ("state", "text", "flags")
_JUDGED = (WrittenCaption.State.ACCEPTED, WrittenCaption.State.REFUSED)


def is_campaign(work: ImageWork) -> bool:
    """Return whether the image has neither links nor chains in its batch."""
    return work.campaign != ImageWork.Campaign.ENTITIES


@dataclass(slots=True)
class LoadedWork:
    """The rows of one image of a campaign, as model instances and as plain values."""

    work: ImageWork
    stored: StoredWork
    items: dict[int, Item]
    captions: dict[int, WrittenCaption]  # by judgment
    writers: dict[int, int]  # workers by the judgments that wrote captions


def load_campaigns(
    works: Sequence[ImageWork],
    *,
    lock: bool = False,
    without: Collection[int] = (),
    without_reports: Collection[int] = (),
    anew: bool = False,
) -> list[LoadedWork]:
    """Load these works of campaigns in a handful of queries.

    The judgments `without` and the reports `without_reports` (ids) are treated as set aside. With `lock`,
    nobody can lease their items until the transaction ends; the works must already be locked. With `anew`,
    the rules look at captions again that they have looked at before. Raises ValueError or LookupError if an
    answer or a decision cannot be read.
    """
    rows = Item.objects.filter(work__in=works).order_by("pk")
    items: dict[int, list[Item]] = defaultdict(list)
    for item in rows.select_for_update(no_key=True) if lock else rows:
        items[item.work_id].append(item)
    given: dict[int, list[Given]] = defaultdict(list)
    writers: dict[int, dict[int, int]] = defaultdict(dict)
    counting = Judgment.objects.filter(item__work__in=works, set_aside__isnull=True).order_by("pk")
    columns = ("pk", "item_id", "item__work_id", "item__stage", "worker_id", "answer")
    for pk, asked, of_work, stage, worker, answer in counting.values_list(*columns):
        if pk in without:
            continue
        given[asked].append(Given(pk, worker, parse_answer(stage, answer)))
        if stage == CampaignStage.WRITING:
            writers[of_work][pk] = worker
    written: dict[int, dict[int, WrittenCaption]] = defaultdict(dict)
    for caption in WrittenCaption.objects.filter(work__in=works).order_by("judgment_id"):
        written[caption.work_id][caption.judgment_id] = caption
    looked_at = {} if anew else {pk: tuple(row.flags) for of in written.values() for pk, row in of.items()}
    flags = looked_at | _flags([pk for of in writers.values() for pk in of if pk not in looked_at])
    rulings = _rulings(works)
    groups = _groups(works)
    reports, dismissed = reports_of(works)
    return [
        LoadedWork(
            work,
            StoredWork(
                state=work.state,
                active=work.active,
                groups=groups.get(work.pk, ()),
                questions=[_question(item, given.get(item.pk, ())) for item in items[work.pk]],
                captions=[
                    StoredCaption(pk, row.state, row.text, tuple(row.flags))
                    for pk, row in written[work.pk].items()
                ],
                flags=flags,
                rulings=rulings.get(work.pk, {}),
                reports=reports[work.pk],
                dismissed=frozenset(dismissed[work.pk]).union(without_reports),
            ),
            {item.pk: item for item in items[work.pk]},
            written[work.pk],
            writers[work.pk],
        )
        for work in works
    ]


def subject_of(item: Item) -> Subject:
    """Return the subject of the item."""
    return Subject(item.stage, item.visit, tuple(item.captions), item.written_id)


def _question(item: Item, given: Sequence[Given]) -> StoredQuestion:
    return StoredQuestion(
        item.pk,
        subject_of(item),
        item.state,
        item.needed,
        item.judged,
        item.leased,
        item.author_id,
        tuple(given),
    )


def _groups(works: Sequence[ImageWork]) -> dict[int, list[tuple[int, ...]]]:
    """Return the captions to judge by work, question by question. No query without a work of relevance."""
    judging = [work.pk for work in works if work.campaign == ImageWork.Campaign.RELEVANCE]
    found: dict[int, dict[int, list[int]]] = defaultdict(dict)
    if judging:
        pairs = JudgedPair.objects.filter(work__in=judging).order_by("work_id", "number", "place")
        for work, number, caption in pairs.values_list("work_id", "number", "caption_id"):
            found[work].setdefault(number, []).append(caption)
    return {work: [tuple(of[number]) for number in sorted(of)] for work, of in found.items()}


def _rulings(works: Sequence[ImageWork]) -> dict[int, dict[int, Ruling]]:
    """Return the last decision on each written caption, by work and judgment."""
    found: dict[int, dict[int, Ruling]] = defaultdict(dict)
    decided = Decision.objects.filter(work__in=works, kind=Decision.Kind.WRITTEN).order_by("pk")
    for work, content in decided.values_list("work_id", "content"):
        if work is not None:
            found[work][content["judgment"]] = Ruling(content["accepted"], content.get("text"))
    return found


def _flags(judgments: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the flags of the rules for the captions that these judgments wrote.

    What was written before is compared whether it counts or not, so that the same is found every time. Takes
    two queries, and two more for each caption.
    """
    found: dict[int, tuple[str, ...]] = {}
    written = Judgment.objects.filter(pk__in=judgments).order_by("pk")
    batches = Batch.objects.in_bulk({batch for (batch,) in written.values_list("item__batch_id")})
    columns = ("pk", "worker_id", "item_id", "item__batch_id", "answer", "item__batch__project__language")
    for pk, worker, item, batch, answer, language in written.values_list(*columns):
        before = Judgment.objects.filter(pk__lt=pk, item__stage=CampaignStage.WRITING).order_by("-pk")
        own = before.filter(worker=worker).values_list("answer", flat=True)[:LATELY]
        others = before.filter(item=item).values_list("answer", flat=True)
        text, spoken = answer["caption"], primary(language)
        found[pk] = flags_of(
            text,
            own=[one["caption"] for one in own],
            others=[one["caption"] for one in others],
            language=spoken,
            foreign=bool(foreign_language(text, spoken)),
            misspelt=bool(misspelt_words(text, spoken)),
            version=settings_of(batches[batch]).captions.rules,
        )
    return found


def plan_of_campaign(loaded: LoadedWork, batch: Batch) -> CampaignPlan:
    """Return what has to be written for one work. Raises ValueError or LookupError if that cannot be said."""
    settings = settings_of(batch)
    return plan_campaign(loaded.stored, CAMPAIGN_PROTOCOLS[settings.protocol], settings)


def campaign_differences(works: Sequence[ImageWork]) -> Iterator[str]:
    """Yield a line for each way in which these works differ from what counts. They must be locked."""
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    loaded: list[LoadedWork] = []
    for work in works:
        try:
            loaded += load_campaigns([work], anew=True)
        except (ValueError, LookupError) as error:
            yield f"image work {work.pk}: cannot be replayed: {error}"
    for one in loaded:
        lines = list(plan_of_campaign(one, batches[one.work.batch_id]).lines())
        lines += [
            f"item {question.id}: judged by its author"
            for question in one.stored.questions
            if any(given.worker == question.author for given in question.given)
        ]
        yield from (f"image work {one.work.pk}: {line}" for line in lines)


class CampaignRows(WorkRows):
    """The rows to write for works of campaigns."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now)
        self._new_items: list[Item] = []
        self._moved_items: list[Item] = []
        self._new_captions: list[WrittenCaption] = []
        self._moved_captions: list[WrittenCaption] = []

    def add(self, loaded: LoadedWork, plan: CampaignPlan, project_id: int) -> None:
        """Add the plan of one work."""
        work = loaded.work
        if plan.image is not None:
            self._image(work, plan.image)
        if work.active:
            self._cases += [
                Case(project_id=project_id, reason=reason, work_id=work.pk, stage=stage, opened_at=self.now)
                for reason, stage in plan.rests_for
            ]
        for change in plan.questions:
            self._item(work, change, loaded.items)
        for caption in plan.captions:
            self._caption(loaded, caption.before, caption.after, project_id)

    def _item(self, work: ImageWork, change: QuestionChange, rows: Mapping[int, Item]) -> None:
        if change.before is None:
            subject = change.subject
            row = Item(
                batch_id=work.batch_id,
                work_id=work.pk,
                stage=subject.stage,
                visit=subject.number,
                captions=list(subject.captions),
                written_id=subject.written,
            )
            self._new_items.append(row)
        else:
            row = rows[change.before.id]
            self._moved_items.append(row)
            if (change.before.state == Item.State.DONE) != (change.state == Item.State.DONE):
                self.settled.append(row.pk)
        row.state, row.needed, row.judged = change.state, change.needed, change.judged
        row.author_id = change.author
        if change.before is None or change.waits_anew:
            row.queued_at = self.now

    def _caption(
        self, loaded: LoadedWork, before: StoredCaption | None, after: StoredCaption, project_id: int
    ) -> None:
        row = loaded.captions.get(after.judgment)
        if row is None:
            row = WrittenCaption(work_id=loaded.work.pk, judgment_id=after.judgment)
            self._new_captions.append(row)
        else:
            self._moved_captions.append(row)
        row.state, row.text, row.flags = after.state, after.text, list(after.flags)
        if after.state in _JUDGED or (before is not None and before.state in _JUDGED):
            self.judged.append(after.judgment)
        if after.state == FLAGGED and loaded.work.active:
            self._cases.append(
                Case(
                    project_id=project_id,
                    reason=Case.Reason.CAPTION,
                    work_id=loaded.work.pk,
                    judgment_id=after.judgment,
                    worker_id=loaded.writers[after.judgment],
                    stage=CampaignStage.WRITING,
                    detail={"caption": after.text, "flags": list(after.flags)},
                    opened_at=self.now,
                )
            )

    def write(self) -> None:
        """Write everything, parents before children."""
        Item.objects.bulk_create(self._new_items, batch_size=ROWS_AT_ONCE)
        overwrite(self._moved_items, _ITEM_FIELDS)
        WrittenCaption.objects.bulk_create(self._new_captions, batch_size=ROWS_AT_ONCE)
        overwrite(self._moved_captions, _CAPTION_FIELDS)
        self._write_images()
        if self._cases:
            self._open_again()
            open_cases(self._cases)

    def _open_again(self) -> None:
        """Open the closed cases of captions that wait for a researcher again: each has one for good."""
        flagged = [case.judgment_id for case in self._cases if case.reason == Case.Reason.CAPTION]
        if flagged:
            closed = Case.objects.filter(reason=Case.Reason.CAPTION, judgment__in=flagged)
            closed.exclude(closed_at=None).update(closed_at=None, decision=None)
