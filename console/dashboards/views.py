"""The overview of projects, and the dashboards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Case, Project
from console.batches.caption_ways import kept_captions
from console.batches.question_reach import say_used_up
from console.common.access import advises, may_manage, overseeing, viewing
from console.common.pages import acted, page, read_number
from console.common.progress import is_behind
from console.common.reach import reach_of
from console.dashboards import selectors
from console.dashboards.checklist import can_ground, checklist_of
from console.dashboards.costs import Spending, spending_of_batches, spending_of_projects
from console.dashboards.sections import progress, sections
from console.dashboards.suggestions import stops, suggestions
from console.dashboards.throughput import Coming, coming, coming_of_all
from console.dashboards.tiles import queue, tiles
from workflows.analysis.counts.selectors import Kept, kept, kept_of_batches
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.end_of_work import DONE
from workflows.batches.domain.plan import Plan, read_plan
from workflows.batches.lifecycle import MOVES
from workflows.batches.people import answers_for_somebody_new
from workflows.batches.question_reach import UsedUp, images_for, used_up
from workflows.review.annotation_queue import MAX_IMAGES, undrawn_images
from workflows.tasks import hint_count

MAX_RUNNING = 2
"""Running batches of a project in which answers for somebody new, or for more verification questions, are
counted, the oldest ones first."""


@viewing
def overview(request: HttpRequest) -> HttpResponse:
    """Show all projects, the newest first."""
    reach = reach_of(request)
    rows, more = selectors.overview(read_number(request.GET, "before") or 0, reach)
    archived = Project.objects.filter(reach.rows("pk"), archived_at__isnull=False).exists()
    context = {"rows": rows, "more": more, "first": "before" not in request.GET, "archived": archived}
    return page(request, "admin/index.html", context, title="Projects")


@overseeing
def project(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the dashboard of a project. A POST has all its figures counted again."""
    found = Project.objects.filter(pk=pk).first()
    if found is None:
        raise Http404
    if request.method == "POST":
        return _recount(request, found, found)
    figures, cases = kept(project=found), selectors.open_cases(found)
    under_way = list(found.batches.filter(state__in=Batch.UNDER_WAY).order_by("pk"))
    running = [one for one in under_way if one.state == Batch.State.RUNNING][:MAX_RUNNING]
    stuck, short = _stuck(running), _short_of_people(running)
    batches = selectors.newest_batches(found)
    steps = checklist_of(
        found,
        figures,
        sum(cases.values()),
        manages=may_manage(request),
        stuck=stuck[0][0] if stuck else None,
        for_questions=sum(one.answers for _, one in stuck),
        short_of_people=short[0][0] if short else None,
        for_somebody_new=sum(answers for _, answers in short),
        running=[one.name for one in under_way if one.state == Batch.State.RUNNING],
    )
    context = {
        "project": found,
        "place": "overview",
        "batches": batches,
        "queue": queue(cases, found),
        "workers": selectors.standings(project=found, kept=figures),
        "checklist": steps,
        **_figures(
            request,
            figures,
            found,
            spending_of_projects({found.pk: figures})[found.pk],
            _coming(figures, under_way, {row.about.pk: row.kept for row in batches}, stuck, short),
            short=short,
            cases=sum(cases.values()),
            behind=any(row.behind for row in batches),
            to_ground=steps.to_ground,
        ),
    }
    return page(request, "dashboards/project.html", context, title=found.name)


@overseeing
def batch(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the dashboard of a batch. A POST has all figures of its project counted again."""
    found = Batch.objects.select_related("project").filter(pk=pk).first()
    if found is None:
        raise Http404
    if request.method == "POST":
        return _recount(request, found, found.project)
    figures, cases = kept(batch=found), selectors.open_cases(found.project, found)
    running = [found] if found.state == Batch.State.RUNNING else []
    settings = settings_of(found)
    stuck, short = _stuck(running), _short_of_people(running)
    context = {
        "project": found.project,
        "batch": found,
        "over": found.state in Batch.OVER,
        "beside": "images",  # the section beside the first chart
        "place": "batches",
        "crumbs": [] if advises(request) else _crumbs(found),
        "workers": selectors.standings(project=found.project, batch=found, kept=figures),
        "queue": queue(cases, found.project, found),
        "direct": settings.crowd.provider == DIRECT,
        "captions": settings.campaign is not Campaign.ENTITIES,
        "ground": may_manage(request) and can_ground(found),
        "kept_captions": kept_captions(found) if found.state in Batch.OVER else None,
        "stuck": [_say_stuck(one, of) for one, of in stuck],
        "for_somebody_new": sum(answers for _, answers in short),
        "without_trust": cases.get(Case.Reason.TRUST, 0),
        "moves": [action for action, (sources, _) in MOVES.items() if found.state in sources],
        **_figures(
            request,
            figures,
            found.project,
            spending_of_batches({found.pk: figures})[found.pk],
            coming(
                figures,
                running=bool(running),
                for_somebody_new=sum(answers for _, answers in short),
                for_questions=sum(one.answers for _, one in stuck),
            ),
            short=short,
            cases=sum(cases.values()),
            grounds=settings.campaign is Campaign.ENTITIES,
            plan=read_plan(found.forecast),
            behind=is_behind(found, figures),
        ),
    }
    if settings.suggestions.set is not None:
        context["sections"] = [*context["sections"], suggestions(figures.suggestions)]
        context["stops"] = stops(found)
    return page(request, "dashboards/batch.html", context, title=found.name)


def _recount(request: HttpRequest, about: Project | Batch, project: Project) -> HttpResponse:
    acted(request, "figures.recount", about, project=project)
    # Read first: where tasks run at once, what they are told to count has a claim, too.
    begun = (kept(batch=about) if isinstance(about, Batch) else kept(project=project)).counting
    hint_count(project.pk)
    if begun is None:
        messages.success(request, "Everything is counted again now: this page shows it once it is.")
    else:
        messages.info(
            request,
            f"A count that began at {begun:%H:%M:%S} UTC has not ended: what it counts is not counted twice. "
            "Everything else is counted again now.",
        )
    return redirect(request.path)


def _figures(
    request: HttpRequest,
    figures: Kept,
    project: Project,
    spent: Spending,
    to_come: Coming,
    *,
    short: Sequence[tuple[Batch, int]],
    cases: int,
    grounds: bool = True,
    plan: Plan | None = None,
    behind: bool = False,
    to_ground: bool = False,
) -> dict[str, Any]:
    judged = figures.judgments.stages.values() if figures.judgments else ()
    invited = bool(short) and settings_of(short[0][0]).crowd.provider == DIRECT and may_manage(request)
    made = tiles(
        figures,
        project,
        spent,
        to_come,
        cases=cases,
        people=reverse("invitations:list", args=[project.pk]) if invited else "",
        behind=behind,
        to_ground=to_ground,
    )
    return {
        "kept": figures,
        "begun": any(one.judgments or one.asked for one in judged),
        "tiles": made,
        "first": progress(figures.items),
        "sections": sections(figures, grounds=grounds, plan=plan),
        "now": timezone.now(),
    }


def _coming(
    figures: Kept,
    under_way: Sequence[Batch],
    known: Mapping[int, Kept],
    stuck: Sequence[tuple[Batch, UsedUp]],
    short: Sequence[tuple[Batch, int]],
) -> Coming:
    """Return what is to come of a project: the same as the pages of its batches say of each.

    The figures of some batches are `known`. One query if others are under way.
    """
    others = [one.pk for one in under_way if one.pk not in known]
    found = {**known, **kept_of_batches(others)} if others else known
    new = {one.pk: answers for one, answers in short}
    questions = {one.pk: of.answers for one, of in stuck}
    parts: dict[bool, list[Coming]] = {True: [], False: []}
    for one in under_way:
        running = one.state == Batch.State.RUNNING
        parts[running].append(
            coming(
                found[one.pk],
                running=running,
                for_somebody_new=new.get(one.pk, 0),
                for_questions=questions.get(one.pk, 0),
            )
        )
    together = coming_of_all(parts[True], parts[False])
    alone = not parts[True] or together.end.unknown == DONE
    return coming(figures, running=False) if alone else together


def _stuck(running: Sequence[Batch]) -> list[tuple[Batch, UsedUp]]:
    """Return those of the batches in which answers wait for more verification questions."""
    return [(one, found) for one in running if (found := used_up(one)) is not None]


def _short_of_people(running: Sequence[Batch]) -> list[tuple[Batch, int]]:
    """Return those of the batches in which answers wait for somebody new, and how many."""
    return [(one, answers) for one in running if (answers := answers_for_somebody_new(one))]


def _say_stuck(batch: Batch, found: UsedUp) -> dict[str, Any]:
    """Return what the page says of a batch whose workers have used up their verification questions."""
    spare = min(undrawn_images(batch.project).count(), MAX_IMAGES)
    return {
        "says": say_used_up(found),
        "images": min(images_for(batch, found), spare) if spare else 0,
        "direct": settings_of(batch).crowd.provider == DIRECT,
    }


def _crumbs(batch: Batch) -> list[tuple[str, str]]:
    try:
        return [("Batches", reverse("batches:list", args=[batch.project_id]))]
    except NoReverseMatch:
        return []
