"""Logging in: what is logged, and who has to wait."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from console.audit import lockout
from console.audit.lockout import NAMES_PER_ADDRESS
from console.audit.signals import UNKNOWN
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db

PASSWORD = "only for this test"


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    return User.objects.create(username="ada", password=make_password(PASSWORD), is_staff=True)


def _try(client: Client, name: str = "ada", password: str = "wrong", **extra: str) -> int:  # noqa: S107
    data = {"username": name, "password": password}
    return client.post(reverse("admin:login"), data, **extra).status_code  # type: ignore[arg-type]  # headers


def _lock_out(**extra: str) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        _try(Client(), **extra)


def _kept() -> list[tuple[str, str, str | None]]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", "by", "address"))


def test_the_log_says_who_came_who_failed_and_who_left(ada: User, client: Client) -> None:
    assert _try(client) == 200
    assert _try(client, password=PASSWORD) == 302
    client.post(reverse("admin:logout"))
    here = "127.0.0.1"
    assert _kept() == [("login.failed", "ada", here), ("login", "ada", here), ("logout", "ada", here)]


def test_what_is_no_name_is_not_kept_for_it_may_be_a_password(ada: User, client: Client) -> None:
    _try(client, name=PASSWORD)
    assert _kept() == [("login.failed", UNKNOWN, "127.0.0.1")]
    assert not AccessAttempt.objects.filter(post_data__contains=PASSWORD).exists()


def test_the_fifth_failure_locks_the_name_from_this_address_and_no_other(ada: User) -> None:
    replies = [_try(Client(), HTTP_USER_AGENT=f"browser {number}") for number in range(5)]
    assert replies == [200, 200, 200, 200, 429]
    assert _try(Client(), password=PASSWORD) == 429, "the right password, too"
    assert _try(Client(), password=PASSWORD, REMOTE_ADDR="10.0.0.7") == 302
    assert _try(Client(), name="bob") == 200


def test_the_page_says_how_long_and_nothing_about_the_account(ada: User, client: Client) -> None:
    _lock_out()
    data = {"username": "ada", "password": PASSWORD}
    reply = client.post(reverse("admin:login"), data)
    assert (reply.status_code, reply["Retry-After"]) == (429, "900")
    text = reply.content.decode()
    assert "Try again in 15 minutes" in text
    assert "ada" not in text.split('id="content"')[-1]


def test_attempts_that_are_turned_away_neither_fill_the_log_nor_begin_the_wait_anew(ada: User) -> None:
    _lock_out()
    before = AccessAttempt.objects.get().attempt_time
    for _ in range(3):
        _try(Client())
    assert len(_kept()) == 5
    assert AuditEntry.objects.latest("pk").detail == {"locked": True}
    assert AccessAttempt.objects.get().attempt_time == before


def test_after_the_wait_the_right_password_opens_again(ada: User) -> None:
    _lock_out()
    AccessAttempt.objects.update(
        attempt_time=AccessAttempt.objects.get().attempt_time - timedelta(minutes=15, seconds=1)
    )
    assert _try(Client(), password=PASSWORD) == 302
    assert not AccessAttempt.objects.exists()


def test_a_command_lets_somebody_in_before(ada: User) -> None:
    _lock_out()
    call_command("axes_reset_username", "ada", stdout=_Nowhere())
    assert _try(Client(), password=PASSWORD) == 302


def test_deleting_the_attempt_in_the_administration_does_so_too(ada: User, admin_client: Client) -> None:
    _lock_out()
    attempt = AccessAttempt.objects.get()
    assert "ada" in admin_client.get(reverse("admin:axes_accessattempt_changelist")).content.decode()
    admin_client.post(reverse("admin:axes_accessattempt_delete", args=[attempt.pk]), {"post": "yes"})
    assert AuditEntry.objects.get(action="account.unlock").object == "ada"
    assert _try(Client(), password=PASSWORD) == 302


def test_behind_a_proxy_it_is_the_address_that_the_proxy_saw(ada: User, settings: Any) -> None:
    settings.GROUNDCREW_PROXIES = 1
    _lock_out(HTTP_X_FORWARDED_FOR="1.2.3.4, 192.0.2.9", REMOTE_ADDR="10.0.0.1")
    from_there = {"HTTP_X_FORWARDED_FOR": "5.6.7.8, 192.0.2.9", "REMOTE_ADDR": "10.0.0.1"}
    assert _try(Client(), password=PASSWORD, **from_there) == 429, "what the client says of itself is nothing"
    elsewhere = {"HTTP_X_FORWARDED_FOR": "192.0.2.10", "REMOTE_ADDR": "10.0.0.1"}
    assert _try(Client(), password=PASSWORD, **elsewhere) == 302


@pytest.mark.parametrize(
    ("tried", "then", "status"),
    [
        ("2001:db8:1:2::{}", "2001:db8:1:2:ffff::9", 429),
        ("2001:db8:1:2::{}", "2001:db8:1:3::1", 302),
        ("::ffff:192.0.2.9", "192.0.2.9", 429),
    ],
)
def test_all_addresses_that_one_person_has_count_as_one(
    ada: User, tried: str, then: str, status: int
) -> None:
    for number in range(settings.AXES_FAILURE_LIMIT):
        _try(Client(), REMOTE_ADDR=tried.format(number))
    assert _try(Client(), password=PASSWORD, REMOTE_ADDR=then) == status


def _guess(number: int, address: str = "192.0.2.9") -> int:
    return _try(Client(), name=f"name {number}", REMOTE_ADDR=address)


def test_an_address_that_tries_one_name_after_the_other_has_to_wait(ada: User) -> None:
    limit = settings.AXES_FAILURE_LIMIT * NAMES_PER_ADDRESS
    replies = [_guess(number) for number in range(limit + 2)]
    assert replies == [200] * (limit - 1) + [429] * 3
    assert AccessAttempt.objects.count() == limit, "nothing is kept of the others"
    assert _try(Client(), password=PASSWORD, REMOTE_ADDR="192.0.2.9") == 429
    assert _try(Client(), password=PASSWORD, REMOTE_ADDR="192.0.2.10") == 302


def test_where_an_address_is_not_known_others_failures_stop_nobody(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockout, "client_address", lambda _request: None)
    for number in range(settings.AXES_FAILURE_LIMIT * NAMES_PER_ADDRESS):
        assert _guess(number) == 200
    assert _try(Client(), password=PASSWORD) == 302


def test_without_one_nobody_chooses_an_address(ada: User) -> None:
    for number in range(5):
        _try(Client(), HTTP_X_FORWARDED_FOR=f"192.0.2.{number}")
    assert _try(Client(), password=PASSWORD, HTTP_X_FORWARDED_FOR="192.0.2.99") == 429


class _Nowhere:
    def write(self, text: str) -> int:
        return len(text)


def test_a_name_that_is_too_long_for_an_account_waits_like_any_other(client: Client) -> None:
    limit = settings.AXES_FAILURE_LIMIT
    names = ["u" * 300, "u" * 400] * limit
    assert [_try(client, name) for name in names[: limit + 1]] == [200] * (limit - 1) + [429] * 2
    assert AccessAttempt.objects.get().username == "u" * 150
    assert _try(client, "a\0da") == 200
