"""Who came, by the address that a platform has filled in."""

from __future__ import annotations

from urllib.parse import parse_qs

from workflows.batch_settings.domain.crowd_settings import PLACEHOLDERS
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
    who = next(filter(_is_id, (given.get(participant.lower(), ""), path, fragment)), "")
    place = given.get(assignment.lower(), "") if assignment else ""
    if not who or (assignment and not _is_id(place)):
        raise NobodyError
    return who, place


def _is_id(text: str) -> bool:
    """Return whether a text is an id. The names of our own placeholders are none: somebody left them in."""
    return text not in PLACEHOLDERS and ID.fullmatch(text) is not None


def _values(text: str) -> dict[str, str]:
    """Return the first value of each parameter by its name in small letters."""
    return {name.lower(): values[0].strip() for name, values in reversed(parse_qs(text).items())}
