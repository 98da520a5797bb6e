"""Settings of Django REST framework, drf-spectacular and django-unfold that depend on no environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["config.rest_json.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.rest_json.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["workflows.api.authentication.WorkerTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "workflows.api.problem_details.handler",
    "UNAUTHENTICATED_USER": None,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "TEST_REQUEST_RENDERER_CLASSES": ["config.rest_json.JSONRenderer"],
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Groundcrew",
    "DESCRIPTION": "The requests that a worker's page, or a script in its place, sends to the server.",
    "VERSION": "1",
    "SERVERS": [{"url": "/", "description": "this server"}],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    # A page's field has the same name.
    "ENUM_NAME_OVERRIDES": {"QualificationStateEnum": "workflows.qualification.try_view.STATES"},
}


def _file(name: str) -> Callable[[HttpRequest], str]:
    """Return a function for the address of a static file, since the settings are not complete yet."""
    return lambda request: static(name)


# django-unfold shows the administration. console/site.py has what these settings cannot say.
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
