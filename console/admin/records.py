"""What the admin lists have in common: read-only rows, found by indexes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.db.models import FileField, JSONField, Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

from console.admin.cursor import CursorChangeList
from console.common.pages import read_number

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Model]
else:
    from unfold.admin import ModelAdmin


class CursorAdmin(ModelAdmin):
    """A list that costs the same however long it is. It cannot be sorted, and has only its own filters."""

    list_per_page = 50
    sortable_by = ()
    show_facets = ShowFacets.NEVER  # these count
    show_full_result_count = False
    list_filter_submit = False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CursorChangeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only the list's own filters. Otherwise, an address could cause any scan."""
        fields = [name for name in self.get_list_filter(request) if isinstance(name, str)]
        offered = {f"{name}{end}" for name in fields for end in ("__id__exact", "__exact")}
        # Of what may be missing, the filter also offers the rows where it is.
        return lookup in offered | {f"{name}__isnull" for name in fields if self.opts.get_field(name).null}


class RecordAdmin(CursorAdmin):
    """Rows that nobody adds, changes or deletes here."""

    search_fields = ("id",)  # that there is a search; `named` says for what
    search_help_text = "id"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [self._readable(name) for name in super().get_fields(request, obj)]

    def _readable(self, name: Any) -> Any:
        field = self.opts.get_field(name) if isinstance(name, str) else None
        if isinstance(field, FileField):  # Django would link to the file, which has no address
            return path_of(field.name, str(field.verbose_name))
        return written(field.name, str(field.verbose_name)) if isinstance(field, JSONField) else name

    def named(self, name: str) -> Q:
        """Return the condition for rows of this whole name, to be looked up by an index."""
        return Q(pk__in=())

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        name = search_term.strip()
        if not name:
            return queryset, False
        number = read_number({"q": name}, "q")
        wanted = self.named(name)
        return queryset.filter(wanted if number is None else wanted | Q(pk=number)), False


MAX_LENGTH = 20_000
"""The most characters that are shown."""


@cache
def written(name: str, label: str) -> Callable[[Model], str]:
    """Return a field of the admin that shows the row's JSON field of this name as text.

    django-unfold's own would have inline styles, which the site's policy forbids.
    """

    def show(row: Model) -> str:
        text = json.dumps(getattr(row, name), indent=2, ensure_ascii=False)
        more = f"\n… and {len(text) - MAX_LENGTH:,} characters more" if len(text) > MAX_LENGTH else ""
        return format_html('<pre class="json">{}{}</pre>', text[:MAX_LENGTH], more)

    show.__name__ = name
    show.short_description = label  # type: ignore[attr-defined]  # how the admin names a function
    return show


@cache
def path_of(name: str, label: str) -> Callable[[Model], str]:
    """Return a field of the admin that shows where in the storage the row's file of this name is."""

    def show(row: Model) -> str:
        return str(getattr(row, name))

    show.__name__ = name
    show.short_description = label  # type: ignore[attr-defined]  # how the admin names a function
    return show


def link(name: str, *args: object, words: str = "Open") -> str:
    """Return a link to the row's page in the console, or '' if there is none."""
    try:
        return format_html('<a href="{}">{}</a>', reverse(name, args=args), words)
    except NoReverseMatch:
        return ""
