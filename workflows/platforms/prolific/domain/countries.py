"""Countries by their codes (ISO 3166) and by the names in Prolific's filters.

The choices of its filter for the country of residence are numbered by Prolific, so we look them up by name.
The table has the countries that Prolific's help pages list.
"""

from __future__ import annotations

_NAMES = """AT Austria, AU Australia, BE Belgium, BR Brazil, CA Canada, CH Switzerland, CL Chile,
CZ Czech Republic, DE Germany, DK Denmark, EE Estonia, ES Spain, FI Finland, FR France, GB United Kingdom,
GR Greece, HU Hungary, IE Ireland, IL Israel, IN India, IS Iceland, IT Italy, JP Japan, KE Kenya, KR Korea,
LT Lithuania, LU Luxembourg, LV Latvia, MX Mexico, NL Netherlands, NO Norway, NZ New Zealand, PL Poland,
PT Portugal, SE Sweden, SG Singapore, SI Slovenia, SK Slovakia, TR Turkey, US United States,
ZA South Africa"""
NAMES = {part.split()[0]: part.split(maxsplit=1)[1] for part in _NAMES.replace("\n", " ").split(", ")}


class LocaleError(ValueError):
    """Prolific has no filter for a code. The message says why, or what to write instead."""


def choices_of(locales: tuple[str, ...], choices: dict[str, str]) -> list[str]:
    """Return the numbers of these countries among `choices`, which map number to name. Raises LocaleError."""
    numbers = {name.casefold(): number for number, name in choices.items()}
    found: list[str] = []
    for code in locales:
        if "-" in code:
            raise LocaleError(f"{code}: Prolific has no filter for a part of a country; write {code[:2]}.")
        name = NAMES.get(code, "")
        if name.casefold() not in numbers:
            raise LocaleError(f"{code}: Prolific's filter has no such country.")
        found.append(numbers[name.casefold()])
    return found
