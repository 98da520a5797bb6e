from __future__ import annotations

import pytest

from workflows.core.networks import first_of_network


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
