"""The review queue: open cases, the oldest first, in pages by key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from annotation.domain.answers import DRAWS_BOXES, CampaignStage
from annotation.models import Assignment, Batch, Case, Chain, Image, Project
from console.common.keyset import keyset_page
from console.common.labels import REASONS, STAGES, say_caption_flags, say_rule
from console.common.numbers import say_count, share
from console.common.pages import project_names, read_number
from console.common.pictures import Picture, picture
from console.common.reach import EVERYWHERE, ROLES, Reach, reach_of
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.selectors import settings_of
from workflows.cases.worker_cases import about_worker, first_of_each, with_others
from workflows.members.domain import Role

ROWS = 30
MAX_COUNTED = 1000
"""Counting stops here: *1000+* says as much as the number."""
MAX_BATCHES = 200
NOBODY = "-"
"""In an address: cases that are assigned to nobody. No user name is like this, since it would say so."""
BESIDE = 9
"""Cases that are listed beside the one that is open."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which cases of the queue are shown. None and the empty string filter nothing."""

    project: int | None = None
    batch: int | None = None
    stages: tuple[str, ...] = ()
    """The stages that the batch asks. Cases without an image are of these stages, and of its workers."""
    untested: tuple[str, ...] = ()
    """Those of them in which all answers count, so that no trust is needed and lost trust is no matter."""
    reason: str = ""
    worker: int | None = None
    to: str = ""
    """The user name of the researcher whose cases are shown, or NOBODY."""
    reach: Reach = EVERYWHERE
    """The projects that the user may see."""

    def query(self, **more: int) -> str:
        """Return the filter as a query string with its question mark, or '' if nothing is filtered."""
        named = {
            "project": self.project,
            "batch": self.batch,
            "reason": self.reason,
            "worker": self.worker,
            "to": self.to,
            **more,
        }
        words = {name: value for name, value in named.items() if value}
        return f"?{urlencode(words)}" if words else ""

    def cases(self) -> QuerySet[Case]:
        """Return the open cases that match, each once: a worker's in several stages is the first of them."""
        cases = Case.objects.filter(self.reach.rows(), closed_at=None)
        if self.project is not None:
            cases = cases.filter(project=self.project)
        if self.batch is not None:
            # What is about a worker or a question has no image: it is of all batches that ask its stage, and
            # in which the worker has worked.
            project = Batch.objects.filter(pk=self.batch).values("project")
            pages = Assignment.objects.filter(
                worker=OuterRef("worker"), batch=self.batch, state=Assignment.State.SUBMITTED
            )
            without = Q(work=None, project__in=project, stage__in=self.stages)
            here = without & (Q(worker=None) | Q(Exists(pages)))
            here &= ~Q(reason=Case.Reason.TRUST, stage__in=self.untested)
            cases = cases.filter(Q(work__batch=self.batch) | here)
        if self.worker is not None:
            cases = cases.filter(worker=self.worker)
        if self.reason:
            cases = cases.filter(reason=self.reason)
        stages = self.stages if self.batch is not None else None
        if self.untested:
            trust = Q(reason=Case.Reason.TRUST)
            tested = [stage for stage in self.stages if stage not in self.untested]
            cases = first_of_each(cases.exclude(trust), stages=stages) | first_of_each(
                cases.filter(trust), stages=tested
            )
        else:
            cases = first_of_each(cases, stages=stages)
        # Last: a case that is one in several stages is of the researcher whom its row names.
        return cases.filter(assigned_to="" if self.to == NOBODY else self.to) if self.to else cases


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a case about a worker, and what is said of it."""

    case: Case
    name: str
    said: str


@dataclass(frozen=True, slots=True)
class Row:
    """One case as the queue shows it."""

    case: Case
    ids: str
    """The ids of its rows, one for each stage, with a space between them."""
    reason: str
    about: str
    said: str
    stages: list[Stage]
    """If it is in several stages, what is said of each, and `said` is empty."""
    age: str
    url: str
    picture: Picture | None
    alike: str
    """The query of the cases of the same worker for the same reason, if there can be several; or empty."""
    mark: str
    """Two letters that are shown if there is no picture."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the queue; `more` is the query of the next one, or empty."""

    rows: list[Row]
    reasons: list[dict[str, Any]]
    projects: list[tuple[int, str]]
    batches: list[tuple[int, str]]
    more: str
    first: str


def filter_of(project: Project, batch: Batch | None = None) -> Filter:
    """Return the filter that shows the cases of a project, or of a batch of it."""
    if batch is None:
        return Filter(project.pk)
    return _with(Filter(project.pk), batch)


def with_batch(wanted: Filter, pk: int | None) -> Filter:
    """Return the same filter for another batch. One query, or none if there is no batch."""
    batch = Batch.objects.filter(wanted.reach.rows(), pk=pk).first() if pk is not None else None
    return _with(wanted, batch) if batch else replace(wanted, batch=pk, stages=(), untested=())


def _with(wanted: Filter, batch: Batch) -> Filter:
    settings = settings_of(batch)
    untested = tuple(stage for stage in settings.stages if settings.regime[stage] == Regime.OPEN)
    return replace(wanted, batch=batch.pk, stages=settings.stages, untested=untested)


def read_filter(request: HttpRequest) -> Filter:
    """Read the filter from the request's address. Invalid values filter nothing."""
    data = request.GET
    reason = data.get("reason", "")
    wanted = Filter(
        project=read_number(data, "project"),
        reason=reason if reason in REASONS else "",
        worker=read_number(data, "worker"),
        to=data.get("to", "").replace("\0", "")[:150],
        reach=reach_of(request),
    )
    return with_batch(wanted, read_number(data, "batch"))


def read_case(data: Any) -> int | None:
    """Read from the address which case the user came from."""
    return read_number(data, "case")


_WITH = (
    "project",
    "work__image",
    "caption__image",
    "chain__representative",
    "judgment",
    "worker",
    "question__image",
)


def page(wanted: Filter, *, now: datetime, after: int = 0) -> Page:
    """Return the cases with ids above `after`, and what can be filtered by."""
    cases = wanted.cases().select_related(*_WITH)
    found = keyset_page(cases, ROWS, after=after, newest_first=False)
    rows = _described(found.rows, wanted, now)
    more = wanted.query(after=found.next) if found.next else ""
    projects = project_names(wanted.reach)
    batches = Batch.objects.filter(wanted.reach.rows()).order_by("-pk")
    if wanted.project is not None:
        batches = batches.filter(project=wanted.project)
    named = list(batches.values_list("pk", "name")[:MAX_BATCHES])
    return Page(rows, _reasons(wanted), projects, named, more, wanted.query() if after else "")


def _reasons(wanted: Filter) -> list[dict[str, Any]]:
    found = []
    for reason, (name, says) in REASONS.items():
        only = replace(wanted, reason=reason)
        count = only.cases()[: MAX_COUNTED + 1].count()
        found.append(
            {
                "name": name,
                "says": says,
                "count": f"{MAX_COUNTED}+" if count > MAX_COUNTED else str(count),
                "some": count > 0,
                "query": replace(wanted, reason="").query() if wanted.reason == reason else only.query(),
                "chosen": wanted.reason == reason,
            }
        )
    return found


def _described(cases: Sequence[Case], wanted: Filter, now: datetime) -> list[Row]:
    """Return what each case is about, with all its stages. One query, and one for each shortage."""
    groups = zip(cases, with_others(cases), strict=True)
    return [describe(case, wanted, now=now, stages=group) for case, group in groups]


def describe(case: Case, wanted: Filter, *, now: datetime, stages: Sequence[Case] = ()) -> Row:
    """Return what a case is about and the page on which it is decided. Reads the relations in `_WITH`.

    `stages` are all rows of a case about a worker.
    """
    image = image_of(case)
    several = stages_of(stages) if len(stages) > 1 else []
    return Row(
        case=case,
        ids=" ".join(str(one.pk) for one in stages) or str(case.pk),
        reason=REASONS[case.reason][0],
        about=_about(case, len(stages)),
        said="" if several else said_of(case),
        stages=several,
        age=say_age(now - case.opened_at),
        url=address(case) + wanted.query(case=case.pk),
        picture=picture(image) if image is not None else None,
        alike=(
            replace(wanted, reason=case.reason, worker=case.worker_id).query()
            if case.worker_id and not about_worker(case)
            else ""
        ),
        mark=_mark(case.worker.external_id if case.worker and image is None else image.name if image else ""),
    )


def image_of(case: Case) -> Image | None:
    """Return the image that the case is about, if it is about one."""
    of_caption = case.caption.image if case.caption else None
    return case.work.image if case.work else case.question.image if case.question else of_caption


def _mark(name: str) -> str:
    """Two letters of a name: the first ones of two words, or of one; a question mark for no name."""
    words = re.findall(r"[^\W_]+", name)
    letters = "".join(word[0] for word in words[:2]) if len(words) > 1 else "".join(words)[:2]
    return letters.upper() or "?"


def say_age(age: timedelta) -> str:
    """Return how long ago, in the largest whole unit."""
    for seconds, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if (number := int(age.total_seconds()) // seconds) >= 1:
            return f"{say_count(number, unit)} ago"
    return "just now"


def address(case: Case) -> str:
    """Return the address of the page about the case's object."""
    if case.chain_id is not None:
        return reverse("review:chain", args=[case.chain_id])
    if case.question_id is not None:
        return reverse("questions:question", args=[case.question_id])
    if case.work_id is not None:
        return reverse("review:work", args=[case.work_id])
    if case.caption is not None:
        return reverse("inspector:image", args=[case.caption.image_id])
    if case.worker_id is not None:
        return reverse("workers:worker", args=[case.worker_id])
    if case.reason == Case.Reason.MODEL:
        return reverse("judges:project", args=[case.project_id])
    if case.reason == Case.Reason.SUGGESTIONS:
        return reverse("dashboards:batch", args=[case.detail["batch"]])
    return reverse("review:queue")


def stages_of(cases: Sequence[Case]) -> list[Stage]:
    """Return the stages of a case about a worker, with what is said of each."""
    return [Stage(case, STAGES.get(case.stage, case.stage), said_of(case)) for case in cases]


def _about(case: Case, stages: int) -> str:
    where = f" in {STAGES.get(case.stage, case.stage)}" if case.stage else ""
    where = f" in {stages} stages" if stages > 1 else where
    if case.reason == Case.Reason.CYCLE and case.chain and case.chain.reason:
        return f"“{case.chain.representative.text}”: {say_rule(case.chain.reason)}"
    if case.reason == Case.Reason.SUGGESTIONS and not case.worker:
        return f"a batch{where}"
    if case.reason in Case.ABOUT_WORKERS:
        return f"worker {case.worker.external_id if case.worker else '?'}{where}"
    if case.reason == Case.Reason.MODEL:
        return f"model {case.detail['model']}{where}"
    if case.caption:
        return f"caption {case.caption.index + 1} of {case.caption.image.name}{where}"
    if case.chain:
        return f"“{case.chain.representative.text}”{where}"
    if case.question_id is not None:
        return f"verification question {case.question_id}{where}"
    return f"{case.work.image.name}{where}" if case.work else f"case {case.pk}{where}"


SHORT = "a worker got no page: too few verification questions that they had not seen"


def is_shortage(case: Case) -> bool:
    """Return whether the case says that a worker got no page for want of verification questions."""
    return case.reason == Case.Reason.QUESTION and case.question_id is None and "needed" in case.detail


def _say_shortage(case: Case) -> str:
    """Say what was missing and, of an open case, whether anybody still waits. One query for an open case."""
    said = say_detail({**case.detail, "note": SHORT})
    if case.closed_at is not None:
        return said
    batches = Batch.objects.filter(project=case.project_id, state__in=Batch.UNDER_WAY)
    if any(case.stage in settings_of(batch).stages for batch in batches):
        return said
    return f"{said}. No batch asks this stage now: nobody waits, and you can close this"


def said_of(case: Case) -> str:
    """Return the remark, the note, or the figures behind the case."""
    if is_shortage(case):
        return _say_shortage(case)
    if case.judgment and case.judgment.comment:
        return case.judgment.comment
    if case.caption:
        return f"“{case.caption.text}”"
    said = say_detail(case.detail, case.stage)
    return "this chunk is wrong" if case.reason == Case.Reason.CHUNK and not said else said


def say_case(case: Case) -> str:
    """Return why the case is in the queue."""
    said = said_of(case)
    return f"{REASONS[case.reason][0].lower()}" + (f": {said}" if said else "")


def say_detail(detail: dict[str, Any], stage: str = "") -> str:
    """Return the details of a case about a stage in words; who opened it comes last."""
    if "losses" in detail:
        return "; ".join(
            (f"batch {loss['batch']}: " if "batch" in loss else "") + say_detail(loss, stage)
            for loss in detail["losses"]
        )
    if "caption" in detail:
        return f"“{detail['caption']}” {say_caption_flags(detail.get('flags', ()))}"
    if isinstance(detail.get("flags"), list):
        return "; ".join(_say_flag(flag) for flag in detail["flags"])
    if {"asked", "right", "minimum"} <= detail.keys():
        needed = f"{detail['minimum']:.0%} needed"
        recent = "recent_asked" in detail and detail["recent_asked"] != detail["asked"]
        latest = f"; of the latest {detail['recent_asked']}, {detail['recent_right']}" if recent else ""
        latest += _share(detail["recent_right"], detail["recent_asked"]) if recent else ""
        score = _share(detail["right"], detail["asked"])
        return f"{detail['right']} of {detail['asked']} {_what_counted(stage)}{score}{latest}; {needed}"
    note = str(detail.get("note", ""))
    rest = "; ".join(
        say_rule(str(value)) if name == "rule" else f"{name.replace('_', ' ')}: {_plain(value)}"
        for name, value in detail.items()
        if name not in ("note", "by", "policy", "assignment", "batch")
    )
    by = f"({detail['by']})" if detail.get("by") else ""
    return " ".join(part for part in (note, rest, by) if part)


def _what_counted(stage: str) -> str:
    """Return what a score is made of. Others say how good captions are, and boxes beside the questions."""
    if stage == CampaignStage.WRITING:
        return "captions accepted"
    own = " and own boxes" if stage in DRAWS_BOXES else ""
    return f"verification questions{own} right"


def _share(right: int, asked: int) -> str:
    """With a decimal: 7 of 9 is below 78%."""
    return f" ({share(right, asked)})" if asked else ""


def _say_flag(flag: Any) -> str:
    """A sign of `workflows.quality.domain.pace`; one that it does not know is told by its figures."""
    figures = flag.get("figures") if isinstance(flag, dict) else None
    if not isinstance(figures, dict):
        return _plain(flag)
    try:
        return _FLAGS[flag["kind"]].format(**figures)
    except (KeyError, ValueError):
        return f"{flag.get('kind', 'a sign')}: {_plain(figures)}"


_FLAGS = {
    "fast": "{too_fast} of {answers} answers faster than they can be read; median {median_seconds:g} s",
    "straight": "the same answer ({answer}) {in_a_row} times in a row; others give it {rate:.0%} of the time",
    "one-box": "one box on {images} images, of {boxes} boxes drawn",
}


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{str(name).replace('_', ' ')} {_plain(one)}" for name, one in value.items())
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list | tuple):
        return ", ".join(_plain(part) for part in value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The addresses of the cases before and after one; empty at either end."""

    before: str
    after: str


def neighbours(case: int | None, wanted: Filter) -> Neighbours:
    """Return the neighbours of a case in the filtered queue. Two queries; none without a case."""
    if case is None:
        return Neighbours("", "")
    cases = wanted.cases()
    found = [
        cases.filter(pk__lt=case).order_by("-pk").first(),
        cases.filter(pk__gt=case).order_by("pk").first(),
    ]
    before, after = (address(one) + wanted.query(case=one.pk) if one else "" for one in found)
    return Neighbours(before, after)


def beside(case: int | None, wanted: Filter, *, now: datetime) -> list[Row]:
    """Return the cases of the filtered queue around one, and itself if it is open. Three queries at most."""
    if case is None:
        return []
    cases = wanted.cases().select_related(*_WITH)
    before = list(cases.filter(pk__lt=case).order_by("-pk")[: BESIDE // 2])
    after = list(cases.filter(pk__gte=case).order_by("pk")[: BESIDE - len(before)])
    return _described([*reversed(before), *after], wanted, now)


def researchers(reach: Reach) -> list[str]:
    """Return the user names that a case can be assigned to: active accounts of staff without advisors.

    If the user does not reach all projects, members of other projects are not named either.
    """
    users = User.objects.filter(is_active=True, is_staff=True).exclude(memberships__role=Role.ADVISOR)
    if reach.projects is not None:
        users = users.filter(
            Q(memberships__project__in=reach.projects) | Q(groups__name__in=ROLES) | Q(is_superuser=True)
        )
    return list(users.order_by("username").values_list("username", flat=True).distinct()[:MAX_NAMES])


MAX_NAMES = 200


def chain_cases(chain: Chain) -> list[Case]:
    """Return the cases about a chain, open and closed, the oldest first."""
    cases = Case.objects.filter(chain=chain).select_related("decision", "judgment__worker")
    return list(cases.order_by("pk"))
