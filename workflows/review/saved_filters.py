"""Save the conditions of a page under a name, list those of a project, and remove them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import parse_qsl, urlencode

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.review.models import SavedFilter

MAX_NAME_LENGTH = 60
MAX_QUERY_LENGTH = 1000
MAX_FILTERS = 50
"""The most filters of a page in a project."""
_PLACES = ("after", "before")


class FilterError(ValueError):
    """A filter cannot be saved. The message says why, for people."""


def filters_of(project: Project, page: str) -> list[SavedFilter]:
    """Return the page's filters in the order of their names. One query."""
    return list(SavedFilter.objects.filter(project=project, page=page).order_by("name"))


def save_filter(
    *,
    project: Project,
    page: str,
    name: str,
    query: str,
    by: str,
    now: datetime,
    also: Callable[[SavedFilter], object] = lambda saved: None,
) -> SavedFilter:
    """Keep the conditions under this name, in place of those that the name had. `also` is called with them.

    Raises FilterError.
    """
    name = " ".join(name.replace("\0", "").split())
    asked = urlencode([(key, value) for key, value in parse_qsl(query.lstrip("?")) if key not in _PLACES])
    if page not in SavedFilter.Page.values:
        raise FilterError("There are no filters of this page.")
    if not asked:
        raise FilterError("Choose a condition first: without one, there is nothing to save.")
    if not name or len(name) > MAX_NAME_LENGTH:
        raise FilterError(f"Give the filter a name of at most {MAX_NAME_LENGTH} characters.")
    if len(asked) > MAX_QUERY_LENGTH:
        raise FilterError("These conditions are too long to be saved.")
    with write_transaction():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        others = SavedFilter.objects.filter(project=project, page=page).exclude(name=name)
        if others.count() >= MAX_FILTERS:
            raise FilterError(f"The project has {MAX_FILTERS} filters already: remove one first.")
        saved, _ = SavedFilter.objects.update_or_create(
            project=project, page=page, name=name, defaults={"query": asked, "by": by, "created_at": now}
        )
        also(saved)
    return saved


def remove_filter(
    *, project: Project, filter_id: int, also: Callable[[SavedFilter], object] = lambda saved: None
) -> None:
    """Remove a filter. If it is not there any more, nothing happens."""
    with write_transaction():
        saved = SavedFilter.objects.filter(project=project, pk=filter_id).first()
        if saved is not None:
            also(saved)
            saved.delete()
