"""Sessions end a day after their last use."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def ends(client: Client) -> datetime:
    return Session.objects.get(pk=client.session.session_key).expire_date


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_a_session_that_is_used_goes_on_and_ends_a_day_later(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = timezone.now()
    admin_client.get("/admin/")
    assert abs(ends(admin_client) - begun - DAY) < timedelta(minutes=1)
    for hours in (10, 20, 30, 40):
        at(monkeypatch, begun + timedelta(hours=hours))
        assert admin_client.get("/admin/").status_code == 200
        assert abs(ends(admin_client) - begun - timedelta(hours=hours) - DAY) < timedelta(minutes=1)
    at(monkeypatch, begun + timedelta(hours=65))
    assert admin_client.get("/admin/").status_code == 302, "a day without use"


def test_pages_that_follow_soon_write_nothing(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = timezone.now()
    admin_client.get("/admin/")
    before = ends(admin_client)
    at(monkeypatch, begun + timedelta(minutes=50))
    admin_client.get("/admin/")
    assert ends(admin_client) == before


def test_a_page_without_a_session_makes_none(client: Client) -> None:
    client.get("/work/")
    client.get("/admin/login/")
    assert not Session.objects.exists()
