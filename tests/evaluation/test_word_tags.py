"""Verbs of captions."""

from __future__ import annotations

import sys

import pytest

from evaluation.errors import InputError
from evaluation.word_tags import Tagger, tagger

WITH_A_VERB = (
    "A man is riding a bicycle .",
    "Two girls in red dresses sit on a bench .",
    "A woman dressed in white .",
    # HanTa takes the verbs of these for nouns.
    "A brown dog swimming in a lake .",
    "Two men talk on a corner .",
    "A boy and a girl play in the sand .",
    "A biker in black rides through mud .",
)
WITHOUT = (
    "A group of people at a market .",
    "A brick building behind a fence .",
    "Three cricket players in white shirts .",
    "A man on a swing and a woman on a train ride .",
    "",
)


def test_verbs_are_found_also_where_the_tagger_sees_nouns() -> None:
    assert [text for text in WITH_A_VERB if not tagger().verbs(text)] == []
    assert [text for text in WITHOUT if tagger().verbs(text)] == []


def test_verbs_are_lemmas() -> None:
    assert tagger().verbs("A man is sitting and wears a hat .") == ["be", "sit", "wear"]


def test_without_hanta_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    with pytest.raises(InputError, match="pip install HanTa"):
        Tagger()
