"""JSON of a row as text. django-unfold's own would have inline styles, which the site's policy forbids."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from django.db.models import Model
from django.utils.html import format_html

MAX_LENGTH = 20_000
"""The most characters that are shown."""


@cache
def written(name: str, label: str) -> Callable[[Model], str]:
    """Return a field of the admin that shows the row's JSON field of this name."""

    def show(row: Model) -> str:
        text = json.dumps(getattr(row, name), indent=2, ensure_ascii=False)
        more = f"\n… and {len(text) - MAX_LENGTH:,} characters more" if len(text) > MAX_LENGTH else ""
        return format_html('<pre class="json">{}{}</pre>', text[:MAX_LENGTH], more)

    show.__name__ = name
    show.short_description = label  # type: ignore[attr-defined]  # how the admin names a function
    return show
