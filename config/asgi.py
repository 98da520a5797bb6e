"""The application that the web server runs: `granian --interface asginl config.asgi:application`.

A request's body is received before a thread works on it, and probes have a thread of their own. So clients
that send slowly take neither threads from others nor the answers from probes.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.orphans import end_with_parent
from config.request_bodies import (
    API,
    BodyError,
    Receive,
    Scope,
    Send,
    Senders,
    Streamed,
    has_body,
    is_upload,
    received,
)
from config.waits import PAGES, limit_waits
from config.wsgi_calls import call, headers_of
from workflows.core.client_addresses import address_of, first_of_network

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
UPLOADS_AT_ONCE = 2
"""Uploads of a corpus that a process reads at a time. Others wait."""


class Application:
    """Has a thread reply to each request: one of `threads`, or of others for probes and uploads."""

    def __init__(self, application: WSGIApplication, threads: int) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(threads, "request")
        self.probes = ThreadPoolExecutor(1, "probe")
        self.uploads = ThreadPoolExecutor(UPLOADS_AT_ONCE, "upload")
        self.senders = Senders()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, path = headers_of(scope), scope["path"]
        if path in PROBES:
            await call(self.application, scope, BytesIO(), send, self.probes)
            return
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        said = headers.get("content-length", "")
        too_long = len(said) > 18 or not said.isdigit() or int(said) > limit if said else False
        if too_long and is_upload(path):
            body = BufferedReader(Streamed(receive, asyncio.get_running_loop()))
            await call(self.application, scope, body, send, self.uploads)
            return
        content, refused = b"", None
        # A body without its length is only accepted by the API. The middleware refuses it elsewhere.
        if has_body(headers) and not too_long and (said or path.startswith(API)):
            try:
                with self.senders.place(_address(scope, headers)):
                    content = await received(receive, limit)
            except BodyError as error:
                refused = error
            except ConnectionError:
                return  # there is nobody to reply to
        await call(self.application, scope, BytesIO(content), send, self.threads, refused)


def _address(scope: Scope, headers: dict[str, str]) -> str | None:
    remote, _ = scope.get("client") or ("", 0)
    return first_of_network(address_of(remote, headers.get("x-forwarded-for", "")))


end_with_parent()
limit_waits(PAGES)
application = Application(get_wsgi_application(), threads=settings.WEB_THREADS)
