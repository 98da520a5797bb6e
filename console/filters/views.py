"""Save a filter, or remove one, and go back to its page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.models import Project
from console.common.access import deciding
from console.common.pages import acted, read_number, user_name
from workflows.review.models import SavedFilter
from workflows.review.saved_filters import FilterError, remove_filter, save_filter

_ADDRESSES = {SavedFilter.Page.IMAGES.value: "inspector:search", SavedFilter.Page.BOXES.value: "boxes:wall"}


@deciding
@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the conditions in `query` under a name, or remove the filter in `remove`."""
    project = get_object_or_404(Project, pk=pk)
    place, query = request.POST.get("page", ""), request.POST.get("query", "")
    try:
        if (filter_id := read_number(request.POST, "remove")) is not None:
            remove_filter(
                project=project,
                filter_id=filter_id,
                also=lambda saved: acted(request, "filter.remove", saved, project, saved.name),
            )
        else:
            save_filter(
                project=project,
                page=place,
                name=request.POST.get("name", ""),
                query=query,
                by=user_name(request),
                now=timezone.now(),
                also=lambda saved: acted(request, "filter.save", saved, project, saved.name),
            )
    except FilterError as error:
        messages.error(request, str(error))
    address = reverse(_ADDRESSES.get(place, "inspector:search"), args=[pk])
    return redirect(f"{address}?{query.lstrip('?')}" if query else address)
