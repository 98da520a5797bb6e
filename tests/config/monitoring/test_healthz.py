from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db
def test_a_probe_needs_no_token_no_name_and_no_tls(settings: Any, django_assert_num_queries: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    with django_assert_num_queries(1):
        reply = Client(headers={"Host": "10.0.0.7:8000"}).get("/healthz")
    assert (reply.status_code, reply.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_a_database_that_is_away_is_a_503(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "cursor", fail)
    reply = Client().get("/healthz")
    assert (reply.status_code, reply.content) == (503, b"the database does not answer\n")
    assert "connection refused" in caplog.text
