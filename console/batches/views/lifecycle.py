"""The pages that launch, pause, resume, cancel and delete batches, after saying what that would do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from annotation.models import Batch
from annotation.transactions import write_transaction
from console.batches import selectors
from console.batches.caption_ways import caption_ways
from console.batches.forecast import outlook_of
from console.batches.gold_ways import gold_ways
from console.batches.labels import ACTIONS, STATES
from console.batches.launch_report import cap_offer, images_to_use, readiness_report
from console.batches.question_reach import say_reach
from console.common.access import managing
from console.common.pages import acted, page
from console.common.work_order import work_order
from console.crowd.open_matters import owed
from console.crowd.overview import money_of
from console.crowd.provider_strip import strip_of
from workflows.analysis.counts.selectors import Kept, kept
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.team import people_needed
from workflows.batches.lifecycle import BatchError, delete_batch, move_batch
from workflows.batches.people import invited_people
from workflows.batches.pilot import spare_images
from workflows.core.models import AuditEntry
from workflows.money.domain.currencies import amount
from workflows.questions.make import PER_IMAGE
from workflows.tasks import hint_open


@managing
def confirm(request: HttpRequest, pk: str, action: str) -> HttpResponse:
    """Show what the action would do. A POST does it, once."""
    batch = Batch.objects.select_related("project").filter(pk=int(pk)).first()
    if batch is None:
        return _gone(request, pk)
    error = ""
    if request.method == "POST":
        try:
            moved = _act(request, batch, action)
        except BatchError as problem:
            error = str(problem)
            batch.refresh_from_db()
        else:
            if moved is not None and moved.state == Batch.State.RUNNING:
                hint_open(moved.pk)
            if moved is not None and action == "launch":
                people = invited_people(moved)
                if people is None:  # they come from a platform, where places are published now
                    return redirect(reverse("crowd:batch", args=[moved.pk]))
                if people < max(people_needed(settings_of(moved)).values()):
                    return redirect(reverse("batches:links", args=[moved.pk]))
            return redirect(reverse("batches:list", args=[batch.project_id]))
    may = action in selectors.actions(batch)
    figures = kept(batch=batch)
    touched = selectors.touched(batch)
    launch = may and action == "launch"
    settings, strip = settings_of(batch), strip_of(batch)
    published = strip.provider != DIRECT
    ready = readiness_report(batch) if launch else None
    seen = ready.forecast if ready else None
    reach = ready.reach if ready else None
    captions = None
    if ready and (ready.shortages or reach):
        wanted = reach.more_images if reach and not reach.enough else 0
        captions = caption_ways(batch, ready.shortages, wanted)
    short = ready and ready.shortages and not captions
    ways = gold_ways(batch.project, ready.shortages, draft=batch) if ready and short else None
    unused, spare = (ways.unused, ways.spare) if ways else (0, 0)
    if reach and not reach.enough and not captions:
        unused = images_to_use(batch.project, reach.more_images)
        spare = spare_images(batch.project, batch)
    runs = (ready.ready if ready else action == "resume") and may
    offer = cap_offer(ready, seen) if ready and seen and published else None
    context = {
        "project": batch.project,
        "batch": batch,
        "settings": settings,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[batch.project_id]))],
        "crumb": f"{ACTIONS[action].title} {batch.name}",
        "action": action,
        "words": ACTIONS[action],
        "state": STATES[batch.state],
        "may": may,
        "error": error,
        "stamp": selectors.stamp(batch),
        "order": work_order(batch.project, soon=batch) if runs else [],
        "touched": touched,
        "counted_at": None if published else figures.counted_at,
        "money": _of_ledger(batch, action) if published else _money(figures, action),
        "ends": published and action in ("pause", "cancel"),
        "cap": amount(settings.crowd.cap, settings.currency) if settings.crowd.cap is not None else "",
        "ready": ready,
        "ways": ways,
        "captions": captions,
        "reach": say_reach(reach, unused, spare) if reach else None,
        "reach_main": "make" if unused else "annotate",
        "unused": unused,
        "per_image": PER_IMAGE,
        "outlook": outlook_of(batch, seen) if seen else None,
        "strip": strip,
        "direct": not published,
        "offer": offer,
        "offer_said": amount(offer, settings.currency) if offer else "",
    }
    title = f"{ACTIONS[action].title} {batch.name}"
    return page(request, "batches/confirm.html", context, title=title, status=409 if error else 200)


def _act(request: HttpRequest, batch: Batch, action: str) -> Batch | None:
    """Do what was confirmed. Return None if the batch has changed since. Raises BatchError."""
    moved: Batch | None = None
    with write_transaction():
        # The lock that `move` and `delete_batch` take: two that come at once take turns here.
        current = Batch.objects.select_for_update(no_key=True).filter(pk=batch.pk).first()
        if current is None or selectors.stamp(current) != request.POST.get("stamp"):
            now = f"it is {current.state}" if current else "it was deleted"
            messages.info(request, f"Nothing was changed, because batch {batch.name} has changed: {now} now.")
            return None
        acted(request, f"batch.{action}", current, project=batch.project, **_detail(request, current, action))
        if action == "delete":
            delete_batch(batch=current)
        else:
            if action == "launch":
                _check_name(request, current)
            bare = bool(request.POST.get("without_pictures"))
            moved = move_batch(batch=current, action=action, without_pictures=bare)
    messages.success(request, f"Batch {batch.name} {ACTIONS[action].done}.")
    return moved


def _check_name(request: HttpRequest, batch: Batch) -> None:
    """Check that the batch's name was typed to launch with real money. Raises BatchError."""
    strip = strip_of(batch)
    if strip.live and request.POST.get("name", "").strip() != batch.name:
        raise BatchError(
            f"this would spend real money on {strip.name}: type the batch's name, {batch.name}, to launch it"
        )


def _detail(request: HttpRequest, batch: Batch, action: str) -> dict[str, Any]:
    if action != "launch":
        return {}
    strip, bare = strip_of(batch), bool(request.POST.get("without_pictures"))
    where = {"provider": strip.provider, "environment": strip.environment} if strip.environment else {}
    return {"without_pictures": bare, **where}


def _money(figures: Kept, action: str) -> list[str]:
    """Return sentences on what is spent and promised."""
    if figures.money is None or action in ("launch", "delete"):
        return []
    lines = []
    for currency, sums in figures.money.currencies.items():
        says = f"{amount(sums.spent, currency)} spent so far"
        if sums.held:
            says += f", {amount(sums.held, currency)} promised for pages in workers' hands"
        if action == "resume":
            says += f"; the questions known now come to {amount(sums.to_come, currency)} more"
        lines.append(f"{says}.")
    return lines


def _of_ledger(batch: Batch, action: str) -> list[str]:
    """Return sentences on what is spent, reserved and still to be paid, from the ledger."""
    if action in ("launch", "delete"):
        return []
    money = money_of(batch)
    spent, reserved = amount(money.spent, money.currency), amount(money.reserved, money.currency)
    fees = "without the platform's fees" if settings_of(batch).crowd.provider == LINK else "fees included"
    lines = [f"{spent} spent so far, {fees}, and {reserved} reserved for places that are not paid yet."]
    waiting = owed(batch, money.currency)
    if waiting:
        each = ", ".join(f"{one.number:,} {one.kind} ({one.amount}, {one.state[0]})" for one in waiting)
        lines.append(f"Payments that are not done: {each}. They are still made.")
    return lines


def _gone(request: HttpRequest, pk: str) -> HttpResponse:
    """Redirect from a deleted batch to the list, with a message."""
    deleted = AuditEntry.objects.filter(kind="batch", object_id=pk, action="batch.delete").first()
    if deleted is None or deleted.project_id is None:
        raise Http404
    messages.info(request, f"Nothing was changed, because batch {deleted.object} was deleted.")
    return redirect(reverse("batches:list", args=[deleted.project_id]))
