"""The addresses of all pages and of the API."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from config.server.front_door import front_door
from config.server.media import photograph
from workflows.api.views import NothingView

handler400 = "config.server.refused.bad_request"
handler404 = "config.server.refused.not_found"
handler500 = "config.server.busy.server_error"

admin.autodiscover()
urlpatterns: list[URLPattern | URLResolver] = [
    path("", front_door),
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}review/icon.svg")),
    path("work/", include("workflows.api.frontend_page")),
    path("admin/", include("console.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/", include("workflows.api.urls")),
    # Other addresses under this prefix reply 404 as a problem.
    re_path(r"^api(?:/|$)", NothingView.as_view()),
]
if settings.IMAGES_ARE_LOCAL:
    # With S3, the browser fetches images from there, by presigned links.
    urlpatterns += [
        path("media/<str:link>/<int:width>", photograph, name="rendition"),
        path("media/<path:link>", photograph, name="photograph"),
    ]
