"""Serves pictures from local folders.

Hidden files are not served, since exports and uploads are there too.
"""

from __future__ import annotations

from posixpath import normpath

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.static import serve


# A page switches between its images, so browsers should fetch each once. A name never gets another picture.
@cache_control(private=True, max_age=24 * 3600)
def media(request: HttpRequest, path: str) -> HttpResponseBase:
    """Return a file below MEDIA_ROOT."""
    if any(part.startswith(".") for part in normpath(path).split("/")):
        raise Http404
    try:
        return serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except OSError as error:  # the name is impossible for a file, or we may not read it
        raise Http404 from error
