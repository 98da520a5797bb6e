"""Pictures in local folders, for who shows them. Nothing hidden: exports and uploads lie there, too."""

from __future__ import annotations

from posixpath import normpath

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.static import serve


# A page goes back and forth between its images: each is fetched once. A name never gets another picture.
@cache_control(private=True, max_age=24 * 3600)
def media(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return the file below MEDIA_ROOT."""
    if any(part.startswith(".") for part in normpath(path).split("/")):
        raise Http404
    try:
        return serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except OSError as error:  # no file can have such a name, or it is not ours to read
        raise Http404 from error
