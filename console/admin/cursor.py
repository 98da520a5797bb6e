"""An admin list in pages by key, `?before=<id>` or `?after=<id>`, which neither counts nor skips rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Model, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest

from console.common.keyset import keyset_page
from console.common.pages import read_number

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList as _ChangeList
else:
    from unfold.views import ChangeList as _ChangeList

BEFORE, AFTER = "before", "after"


class CursorChangeList(_ChangeList):
    """A change list with the newest rows first. `newer` and `older` are query strings, or '' at an end."""

    by_cursor = True
    newer = older = ""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: list[str | None] | None = None
    ) -> QuerySet[Model]:
        for name in (BEFORE, AFTER):
            self.params.pop(name, None)
            self.filter_params.pop(name, None)
        return super().get_queryset(request, exclude_parameters)

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Model]) -> list[str | Combinable]:
        return ["-pk"]

    def get_results(self, request: HttpRequest) -> None:
        """Read a page with two queries: one for its keys, one for its rows.

        With the joins in the first query, SQLite would start at the joined table and sort millions of rows.
        """
        before, after = read_number(request.GET, BEFORE), read_number(request.GET, AFTER)
        keys = self.queryset.values_list("pk", flat=True)
        page = keyset_page(keys, self.list_per_page, before=before, after=after)
        found = self.queryset.filter(pk__in=page.rows).in_bulk()
        rows = [found[key] for key in page.rows if key in found]
        if rows:
            self.newer = self.get_query_string({AFTER: page.previous}) if page.previous else ""
            self.older = self.get_query_string({BEFORE: page.next}) if page.next else ""
        elif before or after:  # past an end: back to the beginning
            self.newer = self.get_query_string()
        shown: Any = rows
        self.result_list = shown
        # What templates ask besides. Nobody knows how many there are.
        self.result_count = self.full_result_count = len(rows)
        self.show_full_result_count = self.can_show_all = self.multi_page = False
        self.show_admin_actions = bool(rows)
