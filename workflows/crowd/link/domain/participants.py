"""Who came, by the address that a platform has filled in."""

from __future__ import annotations

from urllib.parse import parse_qs

from workflows.crowd.link.domain.place_lists import ID


class NobodyError(Exception):
    """An address does not say who came: it was opened without the platform, or names are not as set."""


def who_came(*, query: str, fragment: str, path: str, participant: str, assignment: str) -> tuple[str, str]:
    """Return the platform's ids of the participant, and of the place if `assignment` names a parameter.

    `participant` and `assignment` are the names of the parameters, in whatever case. They stand in the query,
    or in the fragment. Else the participant is the last part of the `path`, or all of the fragment. A value
    that is no id, such as a placeholder that was left, counts as missing. Raises NobodyError.
    """
    given = {**_values(fragment.partition("?")[2] or fragment), **_values(query)}
    who = given.get(participant.lower(), "") or path or ("" if "=" in fragment else fragment)
    place = given.get(assignment.lower(), "") if assignment else ""
    if not ID.fullmatch(who) or (assignment and not ID.fullmatch(place)):
        raise NobodyError
    return who, place


def _values(text: str) -> dict[str, str]:
    """Return the first value of each parameter by its name in small letters."""
    return {name.lower(): values[0].strip() for name, values in reversed(parse_qs(text).items())}
