"""A batch's crowd and money, its publications, and one participation. Nothing here calls a platform."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.models import Batch
from console.common.access import viewing
from console.common.labels import STAGES
from console.common.pages import page, read_number
from console.crowd import books, open_matters, overview
from console.crowd.actions import why_not
from console.crowd.labels import PARTICIPATIONS, PAYMENT_KINDS, PAYMENTS, PUBLICATIONS, VERBS
from console.crowd.link_books import carried_of
from console.crowd.overview import costs_of
from console.crowd.provider_strip import strip_of
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.link.addresses import code_of
from workflows.crowd.models import Publication
from workflows.crowd.participations.selectors import pages_of
from workflows.crowd.payments.withdraw import can_withdraw
from workflows.money.models import LedgerEntry
from workflows.workers.models import Participation


def around(batch: Batch, *, below: bool = True) -> dict[str, Any]:
    """Return the context of every page about a batch's crowd; `below` adds a crumb back to the crowd page."""
    crumbs = [("Batches", reverse("batches:list", args=[batch.project_id]))]
    if below:
        crumbs.append((f"Crowd of {batch.name}", reverse("crowd:batch", args=[batch.pk])))
    return {"project": batch.project, "batch": batch, "place": "batches", "crumbs": crumbs}


@viewing
@require_safe
def batch(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the batch's budget, account, problems and stages, with its ledger in pages."""
    found = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    strip, money = strip_of(found), overview.money_of(found)
    before = read_number(request.GET, "before") or 0
    entries, older = books.ledger(found, before)
    people, more_people = open_matters.to_look_at(found)
    problems, more_problems = open_matters.troubles(found, read_number(request.GET, "problems") or 0)
    direct = strip.provider == DIRECT
    context = {
        **around(found, below=False),
        "crumb": f"Crowd of {found.name}",
        "strip": strip,
        "direct": direct,
        "carried": carried_of(found) if strip.provider == LINK else None,
        "pays": any(settings_of(found).reward.values()),
        "money": money,
        "bar": [100 * part / money.whole for part in (money.spent, money.reserved)],
        "balance": overview.balance_of(strip.provider, strip.environment) if strip.environment else None,
        "going": None if direct else overview.going_on(found),
        "people": [(one, PARTICIPATIONS[one.state], STAGES[one.publication.stage]) for one in people],
        "more_people": more_people,
        "owed": open_matters.owed(found, money.currency),
        "stuck": [
            (one, PAYMENT_KINDS[one.kind], PAYMENTS[one.state][0], can_withdraw(one))
            for one in open_matters.stuck(found)
        ],
        "problems": problems,
        "more_problems": more_problems,
        "account_problems": [] if direct else open_matters.troubles(None)[0],
        "calls": open_matters.failed_calls(strip.provider, strip.environment) if strip.environment else [],
        "entries": entries,
        "older": older,
        "newest": bool(before),
        "costs": costs_of(found, money),
    }
    return page(request, "crowd/batch.html", context, title=f"Crowd and money of {found.name}")


@viewing
@require_safe
def publications(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the batch's publications, the newest first."""
    found = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    listed = books.publications(found, read_number(request.GET, "before") or 0)
    context = {
        **around(found),
        "crumb": "Publications",
        "rows": [(one, PUBLICATIONS[one.state], STAGES[one.stage]) for one in listed.rows],
        "more": listed.next,
    }
    return page(request, "crowd/publications.html", context, title=f"Publications of {found.name}")


@viewing
@require_safe
def publication(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a publication and who took its places."""
    with_batch = Publication.objects.select_related("batch__project")
    found = get_object_or_404(with_batch, pk=pk)
    listed = books.participations(found, read_number(request.GET, "before") or 0)
    context = {
        **around(found.batch),
        "crumb": f"Publication {found.pk}",
        "publication": found,
        "state": PUBLICATIONS[found.state],
        "stage": STAGES[found.stage],
        "groups": [
            (name, [(one, PARTICIPATIONS[one.state]) for one in listed.rows if one.confirmed == confirmed])
            for name, confirmed in (("Who took places", True), ("Not confirmed by the platform", False))
        ],
        "more": listed.next,
        "can_expire": not found.expiring
        and found.state in (Publication.State.PLANNED, Publication.State.OPEN),
    }
    return page(request, "crowd/publication.html", context, title=f"Publication {found.pk}")


@viewing
@require_safe
def participation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a participation: what the platform says, what was paid, and what can be done."""
    everything = Participation.objects.select_related("publication__batch__project", "worker")
    found = get_object_or_404(everything, pk=pk)
    entries = LedgerEntry.objects.filter(participation=found).order_by("-pk").prefetch_related("lines")
    batch = found.publication.batch
    context = {
        **around(batch),
        "crumb": f"Participation {found.pk}",
        "participation": found,
        "pages": list(pages_of(found)),
        "code": code_of(batch, found) if found.publication.by_list else "",
        "state": PARTICIPATIONS[found.state],
        "stage": STAGES[found.publication.stage],
        "payments": [
            (one, PAYMENT_KINDS[one.kind], PAYMENTS[one.state], can_withdraw(one))
            for one in found.payments.order_by("-pk")[: books.ROWS]
        ],
        "entries": books.in_words(entries[: books.ROWS]),
        "verbs": [(verb, words) for verb, words in VERBS.items() if not why_not(verb, found)],
    }
    return page(request, "crowd/participation.html", context, title=f"Participation {found.pk}")
