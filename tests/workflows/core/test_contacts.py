from __future__ import annotations

import pytest

from workflows.core.contacts import ContactError, check_contact


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("  ", ""),
        ("ada@example.org", "ada@example.org"),
        (" ada.lovelace+study@mail.example.org\n", "ada.lovelace+study@mail.example.org"),
        ("jürgen@exämple.org", "jürgen@exämple.org"),
        ("https://example.org/ask?project=7#form", "https://example.org/ask?project=7#form"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443/"),
    ],
)
def test_addresses_are_kept_without_spaces_around_them(text: str, kept: str) -> None:
    assert check_contact(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "ada",
        "ada@example",
        "ada@example..org",
        "ada@example.org, bob@example.org",
        "ada@example.org?bcc=all@example.org",
        "mailto:ada@example.org",
        "Ada <ada@example.org>",
        "http://example.org",
        "https://",
        "https://example.org/a b",
        "https://user:password@example.org",
        "https://user@example.org",
        "https://[example.org",
        "https://example.org/\u202egro",
        "javascript:alert(1)",
        "//example.org",
        "a" * 250 + "@b.org",
    ],
)
def test_anything_else_is_refused_and_the_field_named(text: str) -> None:
    with pytest.raises(ContactError, match=r"^contact: must "):
        check_contact(text)
