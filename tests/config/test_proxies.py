from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.proxies import proxies, strict_transport

YEAR = 31_536_000


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PROXIES", "OUTER_PROXY", "HSTS", "HSTS_SECONDS"):
        monkeypatch.delenv(f"GROUNDCREW_{name}", raising=False)


@pytest.mark.parametrize(
    ("tls", "said", "outer", "count"),
    [
        (False, "", "", 0),
        (False, "1", "", 1),
        (True, "", "", 1),
        (True, "3", "", 3),
        (True, "", "none", 1),
        (True, "1", "none", 1),
        (True, "", "172.16.0.0/12 10.0.0.1", 2),
        (True, "3", "172.16.0.0/12", 3),
    ],
)
def test_how_many_proxies_there_are(
    monkeypatch: pytest.MonkeyPatch, tls: bool, said: str, outer: str, count: int
) -> None:
    monkeypatch.setenv("GROUNDCREW_PROXIES", said)
    monkeypatch.setenv("GROUNDCREW_OUTER_PROXY", outer)
    assert proxies(tls=tls) == count


@pytest.mark.parametrize(
    ("said", "outer", "problem"),
    [
        ("0", "", "GROUNDCREW_PROXIES has to be at least 1 with GROUNDCREW_TLS, not 0: all clients"),
        ("2", "none", "GROUNDCREW_PROXIES is 2, but the proxy of docker-compose.yml tells only the address"),
        ("1", "10.0.0.1", "GROUNDCREW_PROXIES has to be at least 2 with GROUNDCREW_OUTER_PROXY, not 1"),
        ("", "10.0.0.1, 10.0.0.2", "such as 172.16.0.0/12, not '10.0.0.1,'"),
        ("", "proxy.example.org", "GROUNDCREW_OUTER_PROXY has to be addresses or networks"),
        ("", "10.0.0.1 0.0.0.0/0", "GROUNDCREW_OUTER_PROXY cannot be 0.0.0.0/0"),
        ("", "::/0", "GROUNDCREW_OUTER_PROXY cannot be ::/0"),
    ],
)
def test_a_number_with_which_clients_could_not_be_told_apart_is_refused(
    monkeypatch: pytest.MonkeyPatch, said: str, outer: str, problem: str
) -> None:
    monkeypatch.setenv("GROUNDCREW_PROXIES", said)
    monkeypatch.setenv("GROUNDCREW_OUTER_PROXY", outer)
    with pytest.raises(ImproperlyConfigured) as caught:
        proxies(tls=True)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("said", "found"),
    [("", (YEAR, False, False)), ("subdomains", (YEAR, True, False)), ("preload", (YEAR, True, True))],
)
def test_browsers_are_told_of_this_host_unless_more_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, said: str, found: tuple[int, bool, bool]
) -> None:
    monkeypatch.setenv("GROUNDCREW_HSTS", said)
    assert strict_transport() == found


def test_browsers_lists_take_no_site_for_less_than_a_year(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDCREW_HSTS", "preload")
    monkeypatch.setenv("GROUNDCREW_HSTS_SECONDS", "300")
    with pytest.raises(ImproperlyConfigured, match="at least 31536000 with GROUNDCREW_HSTS=preload, not 300"):
        strict_transport()
    monkeypatch.setenv("GROUNDCREW_HSTS", "all")
    with pytest.raises(ImproperlyConfigured, match="one of host, subdomains, preload"):
        strict_transport()
