"""The application that the web server runs: `granian --interface asginl config.asgi:application`.

A request's body is received before a thread works on it, and probes, uploads and logins have threads of their
own. So clients that send slowly, or try passwords, keep neither other clients nor probes from their answers.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING, NoReturn

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.processes.killed_parents import end_with_parent
from config.processes.waits import PAGES, limit_waits
from config.server.password_thread import PasswordThread
from config.server.request_bodies import (
    API,
    Bodies,
    BodyError,
    Receive,
    Scope,
    Send,
    Streamed,
    checks_password,
    has_body,
    lacks_token,
    refusal,
)
from config.server.request_threads import RequestThreads, serving
from config.server.wsgi_calls import call, headers_of, path_of
from workflows.core.client_addresses import address_of, first_of_network

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
OPEN_FILES = 10_000
"""The limit that a process asks for, above the connections that granian takes (GRANIAN_BACKPRESSURE)."""
UPLOADS_AT_ONCE = 2
"""Uploads of a corpus that a process receives at a time. Others are told to try again."""

LOGINS_AT_ONCE = 4
"""Logins that a process receives at a time. It checks one password after the other, which takes a moment on
purpose; others are told to try again."""
REFUSALS_AT_ONCE, REFUSED_AFTER = 100, 3.0
"""So many of the others are told so after so many seconds. More are told at once."""


class Application:
    """Has a thread reply to each request: one of `threads`, or another one for probes, uploads and logins."""

    def __init__(self, application: WSGIApplication, threads: int) -> None:
        self.application = application
        self.threads = RequestThreads(threads)
        self.probes = {path: ThreadPoolExecutor(1, "probe") for path in ("/healthz", "/readyz")}
        self.uploads = ThreadPoolExecutor(UPLOADS_AT_ONCE, "upload")
        self.uploading = 0
        self.passwords = PasswordThread()
        self.logging_in = self.refusing_logins = 0
        self.bodies = Bodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        headers, path = headers_of(scope), path_of(scope)
        if (probe := self.probes.get(path)) is not None:
            await call(self.application, scope, BytesIO(), send, probe)
            return
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = headers.get("content-length", "")
        try:
            if error := refusal(path, length, chunked="transfer-encoding" in headers, limit=limit):
                raise error
            if int(length or 0) > limit:
                await self._upload(scope, receive, send)
                return
            content = await self._body(scope, headers, receive, limit)
            is_login = scope["method"] == "POST" and checks_password(path)
            if is_login and self.logging_in >= LOGINS_AT_ONCE:
                del content  # others need the room
                await self._refuse_login()
            with self.bodies.room(len(content)):
                if is_login:
                    await self._login(scope, content, send)
                    return
                await call(self.application, scope, BytesIO(content), send, self.threads)
        except BodyError as refused:
            await call(self.application, scope, BytesIO(), send, self.threads, refused)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply to an upload, which is read while it arrives. Raise BodyError if there are too many."""
        if self.uploading >= UPLOADS_AT_ONCE:
            raise BodyError(503, "Others are uploading now. Try again in a few minutes.")
        self.uploading += 1
        try:
            body = BufferedReader(Streamed(receive, asyncio.get_running_loop()))
            await call(self.application, scope, body, send, self.uploads)
        finally:
            self.uploading -= 1

    async def _login(self, scope: Scope, content: bytes, send: Send) -> None:
        """Reply to a form with a password."""
        self.logging_in += 1
        try:
            await call(self.application, scope, BytesIO(content), send, self.passwords)
        finally:
            self.logging_in -= 1

    async def _refuse_login(self) -> NoReturn:
        """Raise BodyError because too many log in at once.

        It is raised after a while, as long as not too many wait for that: a client that tries again at once
        would otherwise keep the threads of workers busy with refusals.
        """
        if self.refusing_logins < REFUSALS_AT_ONCE:
            self.refusing_logins += 1
            try:
                await asyncio.sleep(REFUSED_AFTER)
            finally:
                self.refusing_logins -= 1
        raise BodyError(503, "Many people log in now. Try again in a few seconds.")

    async def _body(self, scope: Scope, headers: Mapping[str, str], receive: Receive, limit: int) -> bytes:
        """Return the request's body; nothing if it is refused without reading it. Raise BodyError."""
        path = path_of(scope)
        # HTTP/2 sends a body without saying so. Without its length, only the API takes one.
        accepted = "content-length" in headers or path.startswith(API)
        if not accepted or not has_body(headers, scope["http_version"]):
            return b""

        def is_read() -> bool:
            return not lacks_token(path, headers.get("authorization", ""))

        return await self.bodies.receive(receive, limit, _address(scope, headers), is_read)


def _address(scope: Scope, headers: Mapping[str, str]) -> str | None:
    remote, _ = scope.get("client") or ("", 0)
    return first_of_network(address_of(remote, headers.get("x-forwarded-for", "")))


def _raise_limit_of_files() -> None:
    """Let this process have as many connections as it may: by default, often only 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


end_with_parent()
_raise_limit_of_files()
limit_waits(PAGES)
application = Application(get_wsgi_application(), threads=settings.WEB_THREADS)
serving.append(application.threads)
len(get_resolver().url_patterns)  # loads all pages now, so that the first visitor does not wait for it
# What is loaded by now stays for good. A full collection would look at all of it, which takes 60 ms of
# whichever reply it falls into.
gc.collect()
gc.freeze()
