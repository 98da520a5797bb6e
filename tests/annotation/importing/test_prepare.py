from __future__ import annotations

from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.importing.prepare import MAX_TOKENS, Prepared, PreparedCaption, Refused, prepare_all

TOKENS = ("A", "man", "holds", "it", "in", "the", "background", ".")


def prepare(*mentions: MentionRecord, chains: tuple[ChainRecord, ...] = ()) -> Prepared:
    caption = CaptionRecord(0, " ".join(TOKENS), TOKENS, mentions)
    return prepare_all([ImageRecord("a.jpg", (caption,), chains=chains)], "hanta")[0][0]


def told(prepared: Prepared) -> list[tuple[str, str, bool]]:
    assert isinstance(prepared, PreparedCaption)
    return [(mention.text, mention.types, mention.annotatable) for mention in prepared.mentions]


def test_mentions_of_the_corpus_are_kept() -> None:
    """docs/protocol.md, "Mentions", rule 4: chunks are not added to them either."""
    assert told(prepare(MentionRecord(0, 2, ("animals", "scene"), 5))) == [("A man", "animals/scene", True)]
    assert told(prepare()) == []


def test_mentions_without_types_are_typed_by_the_dictionaries() -> None:
    assert told(prepare(MentionRecord(0, 2, (), 5))) == [("A man", "people", True)]


def test_notvisual_mentions_are_not_annotatable_and_have_one_of_the_eight_types() -> None:
    assert told(prepare(MentionRecord(0, 2, ("notvisual",), 0))) == [("A man", "people", False)]
    assert told(prepare(MentionRecord(0, 2, ("notvisual",)))) == [("A man", "people", False)]


def test_a_pronoun_in_a_chain_of_the_corpus_is_annotatable() -> None:
    assert told(prepare(MentionRecord(3, 4, ("other",), 5))) == [("it", "other", True)]
    chain = ChainRecord(5, ("other",), ((0, 3, 4),))
    assert told(prepare(MentionRecord(3, 4, ()), chains=(chain,))) == [("it", "other", True)]


def test_bare_spans_are_treated_like_chunks() -> None:
    spans = (MentionRecord(0, 2, ()), MentionRecord(3, 4, ()), MentionRecord(5, 7, ()))
    assert [annotatable for _, _, annotatable in told(prepare(*spans))] == [True, False, False]


def test_a_bare_span_may_end_with_of() -> None:
    tokens = ("On", "the", "left", "of", "a", "man")
    caption = CaptionRecord(0, " ".join(tokens), tokens, (MentionRecord(1, 4, ()),))
    assert told(prepare_all([ImageRecord("a.jpg", (caption,))], "hanta")[0][0]) == [
        ("the left of", "other", True)
    ]


def refusal(caption: CaptionRecord) -> str:
    prepared = prepare_all([ImageRecord("a.jpg", (caption,))], "hanta")[0][0]
    assert isinstance(prepared, Refused)
    return prepared.reason


def test_tokens_that_do_not_spell_the_caption_are_refused() -> None:
    assert "token 2 is 'dog'" in refusal(CaptionRecord(0, "A man.", ("A", "dog", ".")))


def test_tokens_with_white_space_are_refused() -> None:
    assert refusal(CaptionRecord(0, "New York", ("New York",))) == "the token 'New York' contains white space"


def test_mentions_that_overlap_are_refused() -> None:
    mentions = (MentionRecord(0, 2, ()), MentionRecord(1, 2, ()))
    assert "overlaps the one before it" in refusal(CaptionRecord(0, "A man", ("A", "man"), mentions))


def test_mentions_outside_the_caption_are_refused() -> None:
    caption = CaptionRecord(0, "A man", ("A", "man"), (MentionRecord(1, 3, ()),))
    assert "outside a caption of 2 tokens" in refusal(caption)


def test_words_too_long_to_be_a_head_are_refused_in_lower_case_too() -> None:
    assert "more than 100 characters" in refusal(
        CaptionRecord(0, "İ" * 60)
    )  # two characters each in lower case


def test_a_caption_of_very_many_words_is_refused_with_the_limit() -> None:
    def made(words: int) -> Prepared:
        caption = CaptionRecord(0, " ".join(["all"] * words))
        return prepare_all([ImageRecord("a.jpg", (caption,))], "hanta")[0][0]

    assert isinstance(made(MAX_TOKENS), PreparedCaption)
    refused = made(MAX_TOKENS + 1)
    assert isinstance(refused, Refused)
    assert refused.reason == "it has 5,001 words and marks, more than 5,000: shorten it"
