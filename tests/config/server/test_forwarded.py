from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def behind_tls(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.BEHIND_TLS = True
    settings.SECURE_SSL_REDIRECT = True


@pytest.mark.usefixtures("behind_tls")
def test_a_proxy_that_does_not_say_whether_it_was_https_makes_no_loop(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = Client()
    for _ in range(2):
        reply = client.get("/work/")
        assert reply.status_code == 400 and b"X-Forwarded-Proto" in reply.content
    assert caplog.text.count("X-Forwarded-Proto") == 1, "once, and not for each request"


@pytest.mark.usefixtures("behind_tls")
@pytest.mark.parametrize(("said", "status"), [("https", 302), ("http", 301), ("https,http", 302)])
def test_what_the_proxy_says_is_believed(said: str, status: int) -> None:
    assert Client().get("/", headers={"X-Forwarded-Proto": said}).status_code == status


@pytest.mark.usefixtures("behind_tls")
def test_probes_come_without_a_proxy() -> None:
    assert Client().get("/healthz").status_code == 200


def test_without_tls_nothing_is_asked() -> None:
    assert Client().get("/").status_code == 302
