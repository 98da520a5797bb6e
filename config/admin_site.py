"""Settings of django-unfold, which shows the administration. console/site.py has what these cannot say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static


def _file(name: str) -> Callable[[HttpRequest], str]:
    """Return a function for the address of a static file, since the settings are not complete yet."""
    return lambda request: static(name)


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Groundcrew",
    "SITE_HEADER": "Groundcrew",
    "SITE_URL": None,  # the workers' pages are not a researcher's
    "SITE_ICON": _file("review/icon.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _file("review/icon.svg")}],
    "STYLES": [_file(f"console/{name}.css") for name in ("palette", "tokens", "frame", "records")],
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_HISTORY": False,  # the audit log has it
    # The entries of the sidebar, by what the account may see.
    "SIDEBAR": {"navigation": "console.navigation.sidebar"},
}
