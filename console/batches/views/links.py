"""Links by which workers come to a project's work. They hold tokens: who has one works as that worker."""

from __future__ import annotations

from django import forms
from django.conf import settings as site_settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from annotation.models import Batch
from annotation.transactions import write_transaction
from console.batches.form import PLATFORMS
from console.common.access import managing
from console.common.pages import acted, page
from console.common.work_order import work_order
from workflows.api.work_links import site_of, work_link
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.batches.domain.team import people_needed
from workflows.batches.people import invited_people
from workflows.batches.question_reach import planned_workers
from workflows.workers.domain.sign_ins import TOKENS_PER_SIGN_IN
from workflows.workers.enrolment import enrol_workers

MAX_LINKS = 200
MAX_NAME_LENGTH = 100


class LinksForm(forms.Form):
    """Whom links are for."""

    number = forms.IntegerField(
        label="How many workers",
        min_value=1,
        max_value=MAX_LINKS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number"}),
        help_text=f"Up to {MAX_LINKS} at a time. Each has a link of their own.",
    )
    worker = forms.RegexField(
        r"^[\w.@+-]+$",
        label="Their names begin with",
        max_length=MAX_NAME_LENGTH,
        initial="worker",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="One worker is called just that; several are numbered. The same name is the same worker.",
        error_messages={"invalid": "Use letters, digits and . @ + - _ only."},
    )

    def names(self) -> list[str]:
        """Of the workers."""
        name, number = self.cleaned_data["worker"], self.cleaned_data["number"]
        return [name] if number == 1 else [f"{name}-{one}" for one in range(1, number + 1)]


def _needed(batch: Batch) -> int:
    """Return how many people the rules may need for one question."""
    return max(people_needed(settings_of(batch)).values())


@managing
def links(request: HttpRequest, pk: int) -> HttpResponse:
    """The form; a POST enrols the workers who are new, and shows the links once.

    Of a batch on a platform there are none: whoever came by one would find nothing to do.
    """
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    provider = settings_of(batch).crowd.provider
    data = request.POST if request.method == "POST" else None
    needed, there = _needed(batch), invited_people(batch) or 0
    planned = max(needed, planned_workers(batch) if provider == DIRECT else 0)
    form = LinksForm(data, initial={"number": max(1, planned - there)})
    made: list[tuple[str, str]] = []
    status = 200
    if provider != DIRECT:
        status = 409 if form.is_bound else 200
    elif form.is_bound and form.is_valid():
        site = site_of(request)
        names = form.names()
        with write_transaction():
            workers = enrol_workers(project=batch.project, external_ids=names)
            acted(request, "batch.links", batch, project=batch.project, workers=names)
        made = [(worker.external_id, work_link(site, worker)) for worker in workers]
    elif form.is_bound:
        status = 422
    context = {
        "project": batch.project,
        "batch": batch,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[batch.project_id]))],
        "crumb": f"Links to {batch.name}",
        "form": form,
        "order": work_order(batch.project) if provider == DIRECT else [],
        "made": made,
        "needed": needed,
        "planned": planned,
        "there": invited_people(batch) or 0 if made else there,
        "text": "\n".join(f"{name}\t{link}" for name, link in made),
        "lines": min(len(made) + 1, 12),
        "platform": "" if provider == DIRECT else PLATFORMS[provider],
        "days": site_settings.GROUNDCREW_TOKEN_DAYS,
        "most_days": site_settings.GROUNDCREW_TOKEN_DAYS * TOKENS_PER_SIGN_IN,
    }
    reply = page(
        request, "batches/links.html", context, title=f"Workers' links to {batch.name}", status=status
    )
    reply["Cache-Control"] = "no-store"
    return reply
