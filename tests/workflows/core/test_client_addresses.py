"""The address from which a request came."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from workflows.core.client_addresses import client_address, first_of_network


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "found"),
    [
        (0, "192.0.2.1", "127.0.0.1", "127.0.0.1"),
        (1, "192.0.2.1", "127.0.0.1", "192.0.2.1"),
        (1, "made up, 192.0.2.1", "127.0.0.1", "192.0.2.1"),
        (2, "192.0.2.5, 192.0.2.1, 10.0.0.1", "127.0.0.1", "192.0.2.1"),
        (2, "10.0.0.1", "127.0.0.1", "127.0.0.1"),
        (1, " 2001:db8::1 ", "127.0.0.1", "2001:db8::1"),
        (1, "no address", "127.0.0.1", None),
        (0, "", "", None),
        (0, "", "fe80::1%eth0", "fe80::1"),
    ],
)
def test_only_what_our_own_proxies_say_is_believed(
    settings: Any, proxies: int, forwarded: str, peer: str, found: str | None
) -> None:
    settings.GROUNDCREW_PROXIES = proxies
    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR=forwarded, REMOTE_ADDR=peer)
    assert client_address(request) == found


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8::ffff:2", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        (None, None),
    ],
)
def test_addresses_of_one_person_are_counted_together(address: str | None, counted: str | None) -> None:
    assert first_of_network(address) == counted


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match="does not appear to be"):
        first_of_network("here")
