"""The addresses of all pages and of the API."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, include, path, re_path, reverse
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from config.server.media import photograph
from workflows.api.views import NothingView


@never_cache
def front_door(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect researchers to the console, and everybody else to the work.

    A worker has no session, so this takes no query for them.
    """
    return HttpResponseRedirect(reverse("admin:index" if request.user.is_staff else "work"))


handler400 = "config.server.plain_pages.bad_request"
handler404 = "config.server.plain_pages.not_found"
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
