"""The document of the workers' pages. It is the same for all addresses; the frontend shows the right page."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path, register_converter
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from annotation.domain.protocols import ALL_STAGES

NOT_BUILT = "The workers' pages are not built. Run `make frontend`, then start the server again.\n"


class StageConverter:
    """Converts a stage in an address."""

    regex = "|".join(ALL_STAGES)

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


@require_safe
@xframe_options_exempt  # the policy's frame-ancestors says which sites may frame it; this header cannot
@cache_control(no_cache=True)  # so that a new build is seen at once; the files that it names never change
@csp_replace(settings.PAGES_POLICY)
def page(request: HttpRequest, stage: str = "", token: str = "", participant: str = "") -> HttpResponse:
    """Return the document. It is the same for everybody: only the page itself knows the worker's token."""
    file = settings.PAGES_FOLDER / "index.html"
    document = _read(file) if settings.DEBUG else _kept(file)
    if document is None:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    # All addresses in it, and in its scripts, are relative to this one.
    return HttpResponse(
        document.replace(b'<base href="/" />', b'<base href="%s/" />' % settings.PREFIX.encode(), 1)
    )


@require_safe
@cache_control(no_cache=True)
def offline_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that keeps the pages for a reload without a network, or the one that removes it.

    Browsers ask for it again and again, and use what they get from then on.
    """
    return _script("offline.js" if settings.OFFLINE_PAGES else "offline-removed.js")


@require_safe
@vary_on_headers("Accept-Encoding")
@cache_control(no_cache=True)
def reload_script(request: HttpRequest) -> HttpResponse:
    """Return the script that loads the document again if a file of it is on a server of another version."""
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    reply = _script("reload.js.gz") if packed else None
    if reply is None or reply.status_code != 200:
        return _script("reload.js")
    reply.headers["Content-Encoding"] = "gzip"
    return reply


def _script(name: str) -> HttpResponse:
    file = settings.PAGES_FOLDER / name
    script = _read(file) if settings.DEBUG else _kept(file)
    if script is None:
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


_kept = lru_cache(_read)

register_converter(StageConverter, "stage")

urlpatterns = [
    path("", page, name="work"),
    path("offline.js", offline_worker, name="work-offline"),
    path("reload.js", reload_script, name="work-reload"),
    path("me/", page, name="work-me"),
    path("join/", page, name="work-join"),
    path("<stage:stage>/", page, name="work-stage"),
    path("preview/<stage:stage>/", page, name="work-preview"),
    path("crowd/<stage:stage>/<slug:token>/", page, name="work-crowd"),
    path("crowd/any/<slug:token>/", page, name="work-crowd-any"),
    path("crowd/any/<slug:token>/<slug:participant>/", page, name="work-crowd-participant"),
]
