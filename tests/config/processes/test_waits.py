"""A lock that is held for long does not stop the site: who waits for it is told to try again.

test_asgi.py tries it with the real web server.
"""

from __future__ import annotations

import errno
import logging
import time

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from annotation.writer_queue import limit_waiting
from config.processes.waits import Waits, limit_waits
from config.server.busy import BusyMiddleware


def test_a_page_that_the_database_fails_is_told_when_to_come_again() -> None:
    busy = BusyMiddleware(lambda _: HttpResponse())
    request: HttpRequest = RequestFactory().get("/admin/")
    assert busy(request).status_code == 200
    reply = busy.process_exception(request, OperationalError("canceling statement due to lock timeout"))
    assert reply is not None and (reply.status_code, reply["Retry-After"]) == (503, "5")
    assert b"The server is busy" in reply.content
    assert busy.process_exception(request, ValueError("ours")) is None


def test_an_upload_that_finds_the_disk_full_is_told_the_same() -> None:
    busy = BusyMiddleware(lambda _: HttpResponse())
    request: HttpRequest = RequestFactory().post("/admin/")
    reply = busy.process_exception(request, OSError(errno.ENOSPC, "No space left on device"))
    assert reply is not None and reply.status_code == 503
    assert busy.process_exception(request, FileNotFoundError(errno.ENOENT, "ours")) is None


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["session", "view"])
def test_a_page_of_somebody_who_is_logged_in_says_so_too(
    admin_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    place: str,
) -> None:
    """The session, too, is in the database that is away. The log has one line of it."""

    def away(*_: object, **__: object) -> None:
        raise OperationalError("the database\n\tis away")

    admin_client.raise_request_exception = False
    if place == "session":
        monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", away)
    else:
        monkeypatch.setattr("django.db.models.query.QuerySet.count", away)
        monkeypatch.setattr("django.db.models.query.QuerySet.__iter__", away)
    reply = admin_client.get("/admin/")
    assert (reply.status_code, reply["Retry-After"]) == (503, "5")
    (said,) = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert said.getMessage() == "the database failed, or the disk is full: the database is away"
    assert not said.exc_info, "Django's AttributeError for a session that was not loaded tells nothing"


def _hang_in_a_transaction(seconds: float) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        time.sleep(seconds)
        cursor.execute("SELECT 1")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="only a server can end another one's transaction")
def test_a_process_that_hangs_in_a_transaction_keeps_its_locks_for_so_long_only() -> None:
    receivers = connection_created.receivers[:]
    limit_waits(Waits(lock=7, statement=70, idle=1))
    connection.close()
    try:
        with pytest.raises(OperationalError):
            _hang_in_a_transaction(1.5)
    finally:
        limit_waiting(None)
        connection_created.receivers = receivers
        connection_created.sender_receivers_cache.clear()
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_every_connection_of_the_process_has_the_limits() -> None:
    receivers = connection_created.receivers[:]
    limit_waits(Waits(lock=7, statement=70, idle=17))
    connection.close()
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(
                    "SELECT current_setting('lock_timeout'), current_setting('statement_timeout'), "
                    "current_setting('idle_in_transaction_session_timeout')"
                )
                assert cursor.fetchone() == ("7s", "70s", "17s")
            else:
                cursor.execute("PRAGMA busy_timeout")
                assert cursor.fetchone() == (7_000,)
    finally:
        limit_waiting(None)
        connection_created.receivers = receivers
        connection_created.sender_receivers_cache.clear()
        connection.close()
