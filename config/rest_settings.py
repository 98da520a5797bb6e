"""Settings of Django REST framework and drf-spectacular, which do not depend on the environment."""

from __future__ import annotations

from typing import Any

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
