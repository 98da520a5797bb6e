"""Check how workers reach the researcher: an e-mail address, or a page with an https address."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

MAX_CONTACT_LENGTH = 254  # characters; what an e-mail address may have (RFC 5321)

# One plain address: in a mailto link, "?", "&" and "%" would add copies and subjects.
_EMAIL = re.compile(r"[^\s@?&%,;:<>\"]+@[^\s@?&%,;:<>\"/.]+(\.[^\s@?&%,;:<>\"/.]+)+")


class ContactError(ValueError):
    """The contact is neither an e-mail address nor an https address."""


def check_contact(text: str) -> str:
    """Return the contact without spaces around it; an empty text means that there is none.

    Raises ContactError.
    """
    contact = text.strip()
    if len(contact) > MAX_CONTACT_LENGTH:
        raise ContactError(f"contact: must have at most {MAX_CONTACT_LENGTH} characters")
    if contact and not (contact.isprintable() and (_EMAIL.fullmatch(contact) or _is_page(contact))):
        raise ContactError("contact: must be an e-mail address, or an address that begins with https://")
    return contact


def _is_page(contact: str) -> bool:
    if re.search(r"[\s<>\"\\]", contact):
        return False
    try:
        parts = urlsplit(contact)
        return parts.scheme == "https" and bool(parts.hostname) and parts.username is None
    except ValueError:  # a bracket or a port that is wrong
        return False
