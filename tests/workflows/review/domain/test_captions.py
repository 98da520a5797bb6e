"""What a caption in brackets says, and which of its mentions stay what they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.tokens import tokenise
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.domain.captions import (
    Fate,
    Known,
    Phrase,
    Wording,
    fate_of,
    mark,
    proposed,
    read_marked,
)

BEFORE = ["a", "mna", "walks", "a", "dog", "in", "a", "park", "."]
MENTIONS = (
    Known(1, 0, 2, "people", True),
    Known(2, 3, 5, "animals", True),
    Known(3, 6, 8, "scene", True),
)


def wording(marked: str) -> Wording:
    return proposed(BEFORE, MENTIONS, read_marked(marked), {1: "c1", 2: "c2", 3: "c3"})


def fate(marked: str) -> Fate:
    return fate_of(BEFORE, MENTIONS, wording(marked))


def test_a_caption_in_brackets_is_read_as_words_and_phrases() -> None:
    found = read_marked(" [A man] isn't in [the\r\npark]. ")
    assert found.text == "A man isn't in the park."
    assert found.tokens == ("A", "man", "is", "n't", "in", "the", "park", ".")
    assert found.phrases == ((0, 2), (5, 7))


def test_a_bracket_within_a_word_takes_the_whole_word() -> None:
    assert read_marked("a [red ca]r .").phrases == ((1, 3),)


def test_tokens_of_a_corpus_stay_while_the_text_does() -> None:
    found = read_marked("can[not] go", "cannot go", ("cannot", "go"))
    assert (found.tokens, found.phrases) == (("cannot", "go"), ((0, 1),))


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("  ", "withdraw the caption instead"),
        ("[a man", "without its ]"),
        ("a man]", "closes no phrase"),
        ("[a [man]]", "phrase within a phrase"),
        ("a man [ ]", "without a word"),
        ("[a m][an]", "in two phrases"),
        ("a" * 101, "of more than 100 characters"),
        ("a " * 1001, "at most 2000 characters"),
        ("a \0 man", "zero character"),
    ],
)
def test_what_cannot_be_read_says_why(marked: str, said: str) -> None:
    with pytest.raises(DecisionError, match=said) as raised:
        read_marked(marked)
    assert raised.value.field == "text"


@given(st.text(alphabet="ab [].\\'", min_size=1, max_size=40).map(str.strip).filter(bool), st.data())
def test_what_is_marked_is_read_back(text: str, data: st.DataObject) -> None:
    tokens = [token.text for token in tokenise(text)]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(tokens)))))
    spans = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    found = read_marked(mark(text, tokens, spans))
    assert (found.text, found.phrases) == (text, spans)


def test_a_correction_outside_of_phrases_keeps_all_of_them() -> None:
    found = fate("[A mna] happily walks [a dog] through [a park]")
    assert {pk: phrase.span for pk, phrase in found.kept.items()} == {1: (0, 2), 2: (4, 6), 3: (7, 9)}
    assert not found.changes_mentions


def test_a_changed_phrase_supersedes_its_mention_only_and_joins_its_chain() -> None:
    found = fate("[a man] walks [a dog] in [a park] .")
    assert set(found.kept) == {2, 3}
    assert found.gone == (1,)
    assert found.new == (Phrase(0, 2, ("people",), True, "c1"),)


def test_a_phrase_whose_brackets_are_taken_away_is_gone() -> None:
    found = fate("[a mna] walks a dog in [a park] .")
    assert (found.gone, found.new) == ((2,), ())


def test_a_phrase_for_words_that_were_in_none_has_a_chain_of_its_own() -> None:
    found = fate("[a mna] walks [a dog] in [a park] with [a red ball]")
    assert (found.gone, [(phrase.span, phrase.place) for phrase in found.new]) == ((), [((9, 12), "")])


def test_other_types_are_another_mention() -> None:
    before = wording("[a mna] walks [a dog] in [a park] .")
    other = Phrase(3, 5, ("people", "animals"), True, "c2")
    found = fate_of(BEFORE, MENTIONS, Wording(before.text, before.tokens, (before.phrases[0], other)))
    assert (found.gone, found.new) == ((2, 3), (other,))


def test_the_same_types_in_another_order_are_the_same_mention() -> None:
    """The dictionaries write bodyparts/people, and a form sends the types in its own order."""
    tokens = ["a", "man", "'s", "arm"]
    arm = Phrase(0, 4, ("people", "bodyparts"))
    found = fate_of(tokens, [Known(1, 0, 4, "bodyparts/people", True)], Wording("", tuple(tokens), (arm,)))
    assert (found.kept, found.gone, found.new) == ({1: arm}, (), ())


def test_phrases_that_change_places_are_not_both_kept() -> None:
    """The mentions of a chain are in reading order, which must not change."""
    found = fate("[a dog] walks [a mna] in [a park] .")
    order = [found.kept[pk].start for pk in sorted(found.kept)]
    assert order == sorted(order) and len(found.kept) == 2


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=12), st.data())
def test_kept_mentions_keep_their_words_and_their_order(words: list[str], data: st.DataObject) -> None:
    before = data.draw(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=12))
    starts = sorted(data.draw(st.sets(st.integers(0, len(before)), min_size=2, max_size=7))) if before else []
    spans = list(zip(starts[::2], starts[1::2], strict=False))
    mentions = [Known(n, start, end, "other", True) for n, (start, end) in enumerate(spans)]
    cuts = sorted(data.draw(st.sets(st.integers(0, len(words)))))
    phrases = tuple(Phrase(*span) for span in zip(cuts[::2], cuts[1::2], strict=False))
    found = fate_of(before, mentions, Wording(" ".join(words), tuple(words), phrases))
    kept = [(mention, found.kept[mention.id]) for mention in mentions if mention.id in found.kept]
    for mention, phrase in kept:
        assert before[mention.start : mention.end] == words[phrase.start : phrase.end]
    assert [phrase.start for _, phrase in kept] == sorted({phrase.start for _, phrase in kept})
    assert set(found.gone) | set(found.kept) == {mention.id for mention in mentions}
    assert {phrase.span for phrase in (*found.new, *found.kept.values())} == {p.span for p in phrases}
