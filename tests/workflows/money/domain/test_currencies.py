from __future__ import annotations

import pytest

from workflows.money.domain.currencies import CODES, amount, plain


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


def test_currencies_are_those_in_use_in_2026() -> None:
    assert {"USD", "EUR", "GBP", "JPY", "KWD", "XCG", "ZWG", "SLE"} <= CODES
    gone = {"BGN", "HRK", "ANG", "CUC", "SLL", "ZWL"}
    no_money = {"XAU", "XDR", "CHE", "CLF", "UYI", "USN", "XTS", "XXX"}
    assert not CODES & (gone | no_money)
    assert len(CODES) == 155 and all(len(code) == 3 and code.isupper() for code in CODES)
