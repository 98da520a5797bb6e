"""Requests that Django refuses: a problem for the API, one line elsewhere, and one line in the log."""

from __future__ import annotations

import logging
import logging.config

import pytest
from django.conf import settings
from django.test import Client

STRANGE = {"Host": "evil.example"}


def test_the_api_replies_with_a_problem_to_a_strange_host() -> None:
    reply = Client(headers=STRANGE).get("/api/v1/me")
    assert (reply.status_code, reply["Content-Type"]) == (400, "application/problem+json")
    assert reply.json()["status"] == 400


def test_a_page_replies_with_one_line_to_a_strange_host() -> None:
    reply = Client(headers=STRANGE).get("/work/")
    assert (reply.status_code, reply["Content-Type"]) == (400, "text/plain")
    assert reply.content.count(b"\n") == 1 and b"evil" not in reply.content


def test_a_strange_host_is_one_line_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("django.security.DisallowedHost")
    before = logger.filters[:]
    logging.config.dictConfig(settings.LOGGING)
    try:
        Client(headers=STRANGE).get("/work/")
    finally:
        logger.filters[:] = before
    said = capsys.readouterr().err
    lines = [line for line in said.splitlines() if line.strip()]
    assert [("evil.example" in line) for line in lines] == [True], said
