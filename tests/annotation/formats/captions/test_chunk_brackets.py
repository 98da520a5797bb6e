"""docs/protocol.md, "Mentions", rule 4: chunks that a corpus brings are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord, Problem
from annotation.formats.captions.chunk_brackets import KINDS, caption_of
from annotation.formats.captions.flickr30k_token import read

MAN = "[NP A man ] [PP in ] [NP an orange hat ] [VP starring ] [PP at ] [NP something ] ."


def test_noun_phrases_are_mentions_and_other_chunks_are_words() -> None:
    found = caption_of(3, MAN, line=7)
    assert found.text == "A man in an orange hat starring at something ."
    assert found.tokens == tuple(found.text.split())
    assert found.mentions == (
        MentionRecord(0, 2, ()),
        MentionRecord(3, 6, ()),
        MentionRecord(8, 9, ()),
    )
    assert (found.index, found.line) == (3, 7)


def test_tags_of_all_words_are_left_out_and_a_slash_of_one_word_is_kept() -> None:
    tagged = caption_of(0, "[NP A/DT man/NN ] [VP eats/VBZ ] [NP his/PRP$ lunch/NN ] ./.")
    assert tagged.text == "A man eats his lunch ."
    assert caption_of(0, "[NP A bar/CAFE ] .").text == "A bar/CAFE ."


def test_a_bracket_may_stand_at_its_word() -> None:
    assert caption_of(0, "[NP A man] [VP sleeps].") == caption_of(0, "[NP A man ] [VP sleeps ] .")


@pytest.mark.parametrize("text", ["A man [ sic ] .", "[A man] sleeps .", "A [NPR] badge .", "A man .", "[NP"])
def test_a_caption_without_kinds_of_chunks_stays_as_it_is(text: str) -> None:
    assert caption_of(0, text) == CaptionRecord(0, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[NP A man [PP in ] ]", "a chunk begins within the chunk '\\[NP A man'"),
        ("[NP A man ] ] .", "a chunk ends after 'A man', where none is open"),
        ("[NP ] sleeps", "the chunk '\\[NP' has no word"),
        ("[NP A man sleeps .", "the chunk '\\[NP A man sleeps .' has no end: write ]"),
        ("[NP A man ] [XP sleeps ]", "'\\[XP' is no kind of chunk; the kinds are ADJP"),
    ],
)
def test_brackets_that_do_not_fit_are_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        caption_of(0, text)


def test_a_file_of_such_captions_is_read_and_a_wrong_line_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "captions.token"
    path.write_text(f"a.jpg#0\t{MAN}\na.jpg#1\t[NP A man sleeps .\n", encoding="utf-8")
    problem, record = read(path)
    assert isinstance(problem, Problem) and isinstance(record, ImageRecord)
    assert (problem.line, problem.hint) == (2, "this caption was left out")
    assert [len(caption.mentions or ()) for caption in record.captions] == [3]


@given(st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.lists(st.sampled_from("abc"), min_size=1))))
def test_every_marked_caption_keeps_its_words_and_noun_phrases(chunks: list[tuple[str, list[str]]]) -> None:
    found = caption_of(0, " ".join(f"[{kind} {' '.join(words)} ]" for kind, words in chunks))
    assert (found.tokens or ()) == tuple(word for _, words in chunks for word in words)
    phrases = [list(found.tokens[one.start : one.end]) for one in found.mentions or () if found.tokens]
    assert phrases == [words for kind, words in chunks if kind == "NP"]
