from __future__ import annotations

import pytest

from annotation.misspellings import misspelt_words


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("A man waering a hat rides a hores .", "en", ("waering", "hores")),
        ("A man wearing a hat rides a horse .", "en", ()),
        ("A man doesn't ride a well-kept horse .", "en", ()),
        ("A Waering man rides .", "en", ()),
        ("Ein Mann reitet auf einem Pfred .", "de", ("Pfred",)),
        ("Ein Mann reitet auf einem Pferd .", "de", ()),
        ("En mann rir på en hest .", "no", ()),
        ("A qqqqqqq rides .", "en", ()),
    ],
)
def test_only_a_word_one_letter_from_another_is_misspelt(
    text: str, language: str, found: tuple[str, ...]
) -> None:
    assert misspelt_words(text, language) == found
