from __future__ import annotations

import pytest

from workflows.domain.currencies import amount, plain


@pytest.mark.parametrize(
    ("units", "currency", "text"),
    [
        (125050, "USD", "1250.50"),
        (5, "GBP", "0.05"),
        (0, "EUR", "0.00"),
        (-5, "USD", "-0.05"),
        (1250, "JPY", "1250"),
        (1250, "KWD", "1.250"),
    ],
)
def test_an_amount_for_programs_has_the_currencys_digits_and_nothing_else(
    units: int, currency: str, text: str
) -> None:
    assert plain(units, currency) == text


def test_for_people_it_has_its_currency_behind_it() -> None:
    assert amount(125050, "USD") == "1,250.50 USD"
    assert amount(1250, "JPY") == "1,250 JPY"
    assert amount(1250, "KWD") == "1.250 KWD"
