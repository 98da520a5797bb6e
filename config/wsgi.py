"""The WSGI application: `granian --interface wsgi config.wsgi:application`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def measuring_bodies(application: WSGIApplication) -> WSGIApplication:
    """Return the application, wrapped so that every request to the API has its body's length.

    Django reads as many bytes as Content-Length says. So it would read nothing of a body in chunks, or of an
    HTTP/2 body without a length. At most one byte over the limit is read, and the parser refuses that.
    """

    def measured(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if (
            not environ.get("CONTENT_LENGTH")
            and environ.get("wsgi.input_terminated")  # otherwise reading would wait for ever
            and environ["PATH_INFO"].startswith("/api/")
        ):
            body = environ["wsgi.input"].read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
            environ = {**environ, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
        return application(environ, start_response)

    return measured


application = measuring_bodies(get_wsgi_application())
