"""Stop words, stems, and lists of words."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.caption_words import content_words, read_words
from evaluation.errors import InputError


def test_stop_words_go_and_stems_stay() -> None:
    assert content_words("The man isn't jumping over his dogs .") == ["man", "jump", "dog"]
    assert content_words("The dogs jump", (), None) == ["the", "dogs", "jump"]


def test_a_list_of_words_is_read_and_a_bad_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("Wearing\n\nshirt\n")
    assert list(read_words(path)) == ["wearing", "shirt"]
    path.write_bytes(b"\xff\n")
    with pytest.raises(InputError, match=r"words\.txt, line 1: byte 1 of the line is not UTF-8"):
        read_words(path)
    path.write_text("\n")
    with pytest.raises(InputError, match=r"words\.txt has no word"):
        read_words(path)


def test_an_endless_list_of_words_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.caption_words.MAX_WORDS", 1)
    path = tmp_path / "words.txt"
    path.write_text("one\ntwo\n")
    with pytest.raises(InputError, match="more than 1 words"):
        read_words(path)
