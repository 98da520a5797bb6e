"""The page of the review queue."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime

from annotation.models import Batch, Case, Decision, Project, Worker
from annotation.transactions import write_transaction
from console.common import case_list as selectors
from console.common.access import viewing
from console.common.forms import NoteForm, say_errors
from console.common.labels import say_error
from console.common.numbers import say_count
from console.common.pages import acted, project_named, read_number, say_done, user_name
from console.common.queue_position import page
from console.common.reach import DECIDE, EVERYWHERE, reach_of
from console.review.forms import SampleForm
from workflows.cases.review_queue import (
    CaseError,
    assign_cases,
    close_case,
    close_of_worker,
    close_several,
    sample_chains,
)
from workflows.cases.worker_cases import about_worker, with_others


@viewing
def queue(request: HttpRequest) -> HttpResponse:
    """Show the open cases. A POST draws a sample of a batch, or closes or assigns the chosen cases."""
    wanted = selectors.read_filter(request)
    if request.method == "POST" and "action" in request.POST:
        return _change_chosen(request, wanted)
    form = SampleForm(request.POST or None, initial={"batch": wanted.batch})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        if not _may_sample(request, data["batch"]):
            raise Http404
        try:
            with write_transaction():
                drawn = sample_chains(
                    batch_id=data["batch"], number=data["number"], seed=data["batch"], now=timezone.now()
                )
                if drawn:
                    batch = Batch.objects.select_related("project").get(pk=data["batch"])
                    acted(request, "batch.sample", batch, batch.project, number=data["number"], drawn=drawn)
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            messages.success(request, _drawn(drawn))
        return redirect(reverse("review:queue") + wanted.query())
    if form.is_bound and wanted.batch is None:
        # The form stands with its batch: without it nobody sees what is wrong.
        wanted = selectors.with_batch(wanted, read_number(request.POST, "batch"))
    after = read_number(request.GET, "after") or 0
    found = selectors.page(wanted, now=timezone.now(), after=after)
    context = {
        "page": found,
        "wanted": wanted,
        "here": wanted.query(),
        "sample": form,
        "place": "queue",
        "researchers": selectors.researchers(wanted.reach),
        "nobody": selectors.NOBODY,
        "me": user_name(request),
        "of_worker": (
            Worker.objects.filter(wanted.reach.rows(), pk=wanted.worker).first() if wanted.worker else None
        ),
        "project": project_named(wanted.project, wanted.reach),
    }
    return page(request, "review/queue", context, title="Review")


def _change_chosen(request: HttpRequest, wanted: selectors.Filter) -> HttpResponse:
    """Close the chosen cases without a change, or assign them to a researcher."""
    back = redirect(reverse("review:queue") + wanted.query())
    chosen = _decidable(request, _ids(request, "case"))
    form = NoteForm(request.POST)
    to = request.POST.get("assign", "")
    if not chosen:
        messages.error(request, "Choose cases first.")
    elif request.POST["action"] == "assign":
        if to and to not in selectors.researchers(wanted.reach):
            messages.error(request, f"There is no researcher {to}.")
            return back
        with write_transaction():
            changed = assign_cases(cases=chosen, to=to)
            if changed:
                acted(request, "case.assign", None, _only_project(chosen), cases=changed, to=to or "nobody")
        messages.success(request, f"{_several(changed)} assigned to {to or 'nobody'}.")
    elif not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    else:
        note = form.cleaned_data["note"]
        closed, kept = close_several(cases=chosen, by=user_name(request), note=note, now=timezone.now())
        acted(request, "case.close-several", None, _only_project(chosen), closed=closed, note=note)
        link = reverse("review:closed") + (f"?project={wanted.project}" if wanted.project else "")
        said = f"{_several(closed)} closed without a change."
        said = format_html('{} <a href="{}">Closed cases</a>', said, link)
        messages.success(request, said)
        if kept:
            messages.warning(
                request, f"{_several(kept)} left open: only a decision about the chain ends them."
            )
    return back


def _only_project(cases: list[int]) -> Project | None:
    """Return the project of the cases, whose members find the entry in the audit log; None of several."""
    found = Project.objects.filter(cases__in=cases).distinct()[:2]
    return found[0] if len(found) == 1 else None


def _ids(request: HttpRequest, name: str) -> list[int]:
    """Return the ids under this name, each once. A case about a worker in several stages sends several."""
    typed = " ".join(request.POST.getlist(name)).split()
    return list(dict.fromkeys(int(pk) for pk in typed if pk.isdecimal() and len(pk) < 19))


def _decidable(request: HttpRequest, cases: list[int]) -> list[int]:
    """Return those of the cases, in their order, about which the user may decide."""
    mine = reach_of(request, DECIDE)
    if mine == EVERYWHERE:
        return cases
    allowed = set(Case.objects.filter(mine.rows(), pk__in=cases).values_list("pk", flat=True))
    return [one for one in cases if one in allowed]


def _may_sample(request: HttpRequest, batch: int) -> bool:
    mine = reach_of(request, DECIDE)
    return mine == EVERYWHERE or Batch.objects.filter(mine.rows(), pk=batch).exists()


def _several(number: int) -> str:
    return say_count(number, "case was", "cases were")


def _drawn(number: int) -> str:
    if number == 0:
        return "No further chain to draw: so many were drawn before, or none has finished since."
    return f"{say_count(number, 'finished chain is', 'finished chains are')} in the queue."


@viewing
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a case without a change, and go on to the next one. `of` are the chosen stages of several."""
    wanted = selectors.read_filter(request)
    back = reverse("review:queue") + wanted.query()
    form = NoteForm(request.POST)
    chosen = _decidable(request, _ids(request, "of")) if "several" in request.POST else [pk]
    if request.method == "POST" and not chosen:
        messages.error(request, "Nothing was changed: choose a stage first.")
    elif request.method == "POST" and form.is_valid():
        after = selectors.neighbours(pk, wanted).after
        try:
            with write_transaction():
                decision = _close(request, chosen, form.cleaned_data["note"])
                case = Case.objects.select_related("decision").get(pk=chosen[0])
                (rest,) = with_others([case])
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            left = [one for one in rest if one.closed_at is None]
            if decision is not None:
                where = " in the chosen stages" if left else ""
                say_done(request, f"The case is closed{where}.", decision)
            else:
                messages.warning(request, _closed_before(case))
            if left:
                return redirect(selectors.address(left[0]) + wanted.query(case=left[0].pk))
            return redirect(after or back)
    elif request.method == "POST":
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    return redirect(back)


def _close(request: HttpRequest, chosen: list[int], note: str) -> Decision | None:
    """Close a case, or the chosen stages of one about a worker. Return the decision, if it was open."""
    by, now = user_name(request), timezone.now()
    case = Case.objects.select_related("project").filter(pk=chosen[0]).first()
    if case is not None and about_worker(case):
        decision = close_of_worker(cases=chosen, by=by, note=note, now=now)
    else:
        closed = close_case(case_id=chosen[0], by=by, note=note, now=now)
        decision = Case.objects.get(pk=chosen[0]).decision if closed else None
    if decision is not None and case is not None:
        about = {"chain": case.chain_id, "worker": case.worker_id, "question": case.question_id}
        about["stages"] = len(decision.content.get("stages", ()))
        said = {"reason": case.reason, "note": note, **{k: v for k, v in about.items() if v}}
        acted(request, "case.close", case, case.project, "", **said)
    return decision


def _closed_before(case: Case) -> str:
    by = f" by {case.decision.by}" if case.decision else ""
    when = f" on {date_format(localtime(case.closed_at), 'j M Y, H:i')}" if case.closed_at else ""
    return f"The case was closed already{by}{when}. Nothing was changed, and your note is not kept."
