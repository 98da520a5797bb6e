"""The figures, counted again from all rows in memory: slowly, simply, and without the SQL."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import timedelta

from annotation.domain.answers import Stage
from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Box,
    Chain,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Project,
    Standing,
)
from workflows.analysis.domain.kept_counts import Times
from workflows.analysis.domain.refresh_rules import quantiles
from workflows.questions.domain.retirement import VOID

STAGES = tuple(map(str, Stage))


def items(batches: Sequence[Batch]) -> dict[str, Counter[str]]:
    """Return for each stage what StageItems has."""
    found: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    for item in Item.objects.filter(batch__in=batches).select_related("work"):
        state = str(item.state)
        if item.work.active:
            found[item.stage]["judged"] += Judgment.objects.filter(item=item, set_aside=None).count()
        if state == "open" and not item.work.active:
            state = "withdrawn"
        elif state == "open":
            found[item.stage]["judgments_to_come"] += item.needed - item.judged
            state = "leased" if item.leased else "waiting" if item.judged else "open"
        found[item.stage][state] += 1
    return found


def contradictions(batches: Sequence[Batch]) -> int:
    """Count the pairs that are connected by links, and answered *different* or of one caption."""
    found = 0
    works = ImageWork.objects.filter(batch__in=batches, active=True).exclude(state__in=("queued", "linking"))
    for work in works:
        mentions = list(Mention.objects.filter(image=work.image_id, superseded=False, annotatable=True))
        same: dict[tuple[int, int], bool] = {}
        for item in Item.objects.filter(work=work, stage="link", state="done"):
            said = [
                row.answer["same"]
                for row in Judgment.objects.filter(item=item, set_aside=None).order_by("pk")
            ]
            if said:
                yes = sum(said) * 2 > len(said) if item.settling else said[0]
                same[item.mention_a_id or 0, item.mention_b_id or 0] = yes
        group = {mention.pk: mention.pk for mention in mentions}
        for _ in mentions:
            for (a, b), yes in same.items():
                if yes and a in group and b in group:
                    group[a] = group[b] = min(group[a], group[b])
        for one in mentions:
            for other in mentions:
                if one.pk < other.pk and group[one.pk] == group[other.pk]:
                    pair = same.get((one.pk, other.pk), same.get((other.pk, one.pk)))
                    found += one.caption_id == other.caption_id if pair is None else not pair
    return found


def _of_trusted(stage: str, rows: Sequence[Judgment], answers: Sequence[Judgment]) -> dict[str, object]:
    standings = Standing.objects.filter(stage=stage, state="trusted")
    trusted = set(standings.values_list("worker_id", flat=True))
    seconds = [row.seconds for row in rows if row.worker_id in trusted and row.seconds is not None]
    asked = [row for row in answers if row.worker_id in trusted]
    return {
        "trusted_asked": len(asked),
        "trusted_right": sum(bool(row.is_right) for row in asked),
        "trusted_mean": round(statistics.fmean(seconds), 1) if seconds else None,
    }


def judgments(batches: Sequence[Batch]) -> dict[str, dict[str, object]]:
    """Return for each stage what StageJudgments has, except agreement and IoU."""
    rows: dict[str, list[Judgment]] = {stage: [] for stage in STAGES}
    for row in Judgment.objects.select_related("assignment", "question"):
        if row.assignment.batch in batches:
            rows[row.assignment.stage].append(row)
    pages = [page for page in Assignment.objects.filter(state="submitted") if page.batch in batches]
    found: dict[str, dict[str, object]] = {}
    for stage, given in rows.items():
        answers = [row for row in given if row.question is not None and row.question.retired != VOID]
        own = [page for page in pages if page.stage == stage]
        times = [round(row.seconds, 1) for row in given if row.seconds is not None]
        found[stage] = {
            "judgments": sum(row.item_id is not None for row in given),
            "set_aside": sum(row.set_aside_id is not None for row in given),
            "asked": len(answers),
            "right": sum(bool(row.is_right) for row in answers),
            **_of_trusted(stage, rows[stage], answers),
            "pages": len(own),
            "workers": len({page.worker_id for page in own}),
            "rejected_pages": sum(page.verdict in ("failing", "rejected") for page in own),
            "pages_judged": sum(page.verdict in ("failing", "rejected", "accepted") for page in own),
            "median": statistics.median(times) if times else None,
            "ways": _ways(given),
        }
    return found


def _ways(given: Sequence[Judgment]) -> dict[str, Times]:
    """Return the times of answers by how they came about, as StageJudgments has them."""
    times: dict[str, list[float]] = defaultdict(list)
    for row in given:
        if row.seconds is not None:
            times["further" if row.further else "first"].append(round(row.seconds, 1))
            if row.drawn_by:
                times[row.drawn_by].append(round(row.seconds, 1))
    if "further" not in times:
        times.pop("first", None)
    return {
        way: Times(len(of), statistics.median(of), quantiles(Counter(of), [0.9])[0])
        for way, of in sorted(times.items())
    }


def agreed(batches: Sequence[Batch], *, also_set_aside: bool) -> dict[tuple[int, str], tuple[int, int]]:
    """Return by (worker, stage) the judgments that agree with the outcome, and all that have an outcome.

    Of a worker, judgments that were set aside are compared with what the others say.
    """
    found: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    for item in Item.objects.filter(batch__in=batches).exclude(state="withdrawn"):
        given = list(Judgment.objects.filter(item=item, set_aside=None).order_by("pk"))
        votes = [(row.worker_id, _vote(item.stage, row.answer)) for row in given]
        if item.stage == "drawing":
            for box in Box.objects.filter(judgment__in=given, state__in=("accepted", "rejected")):
                assert box.judgment is not None
                pair = found[box.judgment.worker_id, "drawing"]
                pair[0], pair[1] = pair[0] + (box.state == "accepted"), pair[1] + 1
            continue
        said = [vote for _, vote in votes]
        if item.counted is not None and item.counted.set_aside_id is None:
            said.insert(0, False)
        outcome = _outcome(item, said)
        if outcome is None:
            continue
        aside = Judgment.objects.filter(item=item, set_aside__isnull=False) if also_set_aside else ()
        votes = votes if len(said) > 1 else []
        votes += [(row.worker_id, _vote(item.stage, row.answer)) for row in aside]
        for worker, vote in votes:
            pair = found[worker, item.stage]
            pair[0], pair[1] = pair[0] + (vote == outcome), pair[1] + 1
    for box in Box.objects.filter(judgment__item__batch__in=batches) if also_set_aside else ():
        judged = Judgment.objects.filter(item__box=box, item__stage="quality", set_aside=None)
        if box.judgment is not None and box.judgment.set_aside is not None and judged:
            pair = found[box.judgment.worker_id, "drawing"]
            good = sum(row.answer["good"] for row in judged)
            pair[0], pair[1] = pair[0] + (good > len(judged) - good), pair[1] + 1
    return {key: (pair[0], pair[1]) for key, pair in found.items()}


def _outcome(item: Item, said: list[bool]) -> bool | None:
    """Return the outcome as docs/protocol.md defines it: the first answer, or what two say first."""
    alone = {"requirement": (True,), "coverage": (False,), "link": () if item.settling else (True, False)}
    if said[:1] and said[0] in alone.get(item.stage, (True, False)):
        return said[0]
    return next((one for n, one in enumerate(said) if said[: n + 1].count(one) == 2), None)


def _vote(stage: str, answer: dict[str, object]) -> bool:
    if stage == "requirement":
        return answer["requirement"] == "box"
    if stage == "drawing":
        return answer["box"] is not None
    return bool(next(iter(answer.values())))


def hours(batches: Sequence[Batch]) -> dict[str, Counter[str]]:
    """Return the judgments on items by hour and stage."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in Judgment.objects.filter(item__isnull=False).select_related("assignment"):
        if row.assignment.batch in batches:
            found[row.created_at.strftime("%Y-%m-%dT%H")][row.assignment.stage] += 1
    return found


def seconds(batches: Sequence[Batch]) -> dict[str, float]:
    """Return the seconds of all answers by day."""
    found: dict[str, float] = defaultdict(float)
    for model in (Judgment, Abstention):
        for row in model._default_manager.filter(assignment__batch__in=batches):
            found[row.created_at.strftime("%Y-%m-%d")] += row.seconds or 0
    return found


def results(batches: Sequence[Batch]) -> dict[str, dict[str, int]]:
    """Return what Results has."""
    names = ("chains_by_state", "chains_by_type", "mentions_by_type", "boxes_by_type", "boxes", "flags")
    found: dict[str, Counter[str]] = {name: Counter() for name in (*names, "chains_by_boxes")}
    for chain in Chain.objects.filter(work__batch__in=batches, work__active=True):
        found["chains_by_state"][chain.state] += 1
        if chain.state in ("split", "withdrawn"):
            continue
        boxes = Counter(Box.objects.filter(chain=chain).values_list("state", flat=True))
        found["boxes"].update(boxes)
        accepted = boxes["accepted"]
        for kind in chain.types.split("/"):
            found["chains_by_type"][kind] += 1
            found["mentions_by_type"][kind] += len(chain.members)
            found["boxes_by_type"][kind] += accepted
        if chain.flag:
            found["flags"][chain.flag] += 1
        if chain.state in ("done", "nonvisual"):
            found["chains_by_boxes"]["none" if not accepted else "one" if accepted == 1 else "several"] += 1
    return {name: dict(+counts) for name, counts in found.items()}


def money(project: Project) -> tuple[int, int]:
    """Return the money that is spent, and that is held."""
    pages = Assignment.objects.filter(batch__project=project)
    spent = sum(page.reward for page in pages if page.state == "submitted")
    return spent, sum(page.reward for page in pages if page.state == "live")


def rewards(project: Project) -> dict[str, int]:
    """Return the rewards of submitted pages by day."""
    found: Counter[str] = Counter()
    for page in Assignment.objects.filter(batch__project=project, state="submitted", reward__gt=0):
        assert page.submitted_at is not None
        found[page.submitted_at.strftime("%Y-%m-%d")] += page.reward
    return dict(found)


def to_be_paid(batches: Sequence[Batch]) -> dict[str, int]:
    """Return for each stage the judgments to come that no live page is for."""
    found = dict.fromkeys(STAGES, 0)
    for item in Item.objects.filter(batch__in=batches, state="open", work__active=True):
        found[item.stage] += item.needed - item.judged - item.leased
    return found


DAY = timedelta(days=1)
