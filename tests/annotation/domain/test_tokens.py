from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotation.domain.tokens import align, tokenise

# Ordinary letters, and everything that makes tokenising difficult: quotes, dots, clitics, emoji, odd spaces.
PIECES = st.sampled_from(
    [
        *"aZ9éß漢.,;:!?'’‘\"“”()[]{}-–—…/&@#$%*`_~+=<>|\\ \t\n\u00a0\u3000\u200b\u0301",
        "'s", "n't", "n’t", "'em", "...", "--", "``", "''", "cannot", "gonna", "U.S.", "Mr.", "1,000",
        "10:30", "&amp;", "👍🏽", "👩‍👧", "t-shirt", "rock 'n' roll", "'90s", ".99",
        '15"', "6'", "5'x7'", "N'T", "No. 5", "M&M", "1️⃣", "🇩🇪", "❤️",
    ]
)  # fmt: skip
CAPTIONS = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))


def words(caption: str) -> list[str]:
    return [token.text for token in tokenise(caption)]


@given(CAPTIONS)
@example("'")
@example(".'")
@example("'''s")
@example("-.-")
def test_a_token_is_a_slice_of_the_caption(caption: str) -> None:
    assert all(token.text == caption[token.start : token.end] for token in tokenise(caption))


@given(CAPTIONS)
def test_tokens_cover_all_that_is_not_space_in_order(caption: str) -> None:
    tokens = tokenise(caption)
    covered = [place for token in tokens for place in range(token.start, token.end)]
    assert covered == [place for place, character in enumerate(caption) if not character.isspace()]
    assert all(token.text for token in tokens)


@given(CAPTIONS)
def test_a_tokenised_caption_keeps_its_tokens(caption: str) -> None:
    tokens = words(caption)
    assert words(" ".join(tokens)) == tokens


@given(CAPTIONS)
def test_align_finds_the_tokens_again(caption: str) -> None:
    tokens = tokenise(caption)
    assert align(caption, [token.text for token in tokens]) == [(token.start, token.end) for token in tokens]


@given(CAPTIONS)
def test_tokens_survive_being_stored_joined_with_a_space(caption: str) -> None:
    tokens = words(caption)
    assert " ".join(tokens).split() == tokens


@pytest.mark.parametrize(
    ("caption", "tokens"),
    [
        ("A man's arm.", "A man 's arm ."),
        ("A dog doesn't move.", "A dog does n't move ."),
        ("She can't, he’ll not", "She ca n't , he ’ll not"),
        ("They cannot see, gonna go", "They can not see , gon na go"),
        ("the girls' basketball team", "the girls ' basketball team"),
        ("rock 'n' roll in the '90s", "rock 'n' roll in the '90s"),
        ('A sign says "no way"', 'A sign says " no way "'),
        ("'Hello', he said", "' Hello ' , he said"),
        ("a pink,grey and teal t-shirt", "a pink , grey and teal t-shirt"),
        ("1,000 people at 10:30 a.m. for $6.50", "1,000 people at 10:30 a.m. for $ 6.50"),
        ("near U.S. ships with Mr. Smith", "near U.S. ships with Mr. Smith"),
        ("Wait... what?!", "Wait ... what ? !"),
        ("tall (very tall) men--brothers—wave", "tall ( very tall ) men -- brothers — wave"),
        ("fun 😀 today.", "fun 😀 today ."),
        ("one .Two stand outside- waving", "one . Two stand outside - waving"),
        ("salt &amp; pepper", "salt &amp; pepper"),
        ("sings.)", "sings . )"),
        ("a dog🐶runs🐕🐩", "a dog 🐶 runs 🐕 🐩"),
        ("family👩‍👩‍👧, 👍🏽 1️⃣🇩🇪🇫🇷", "family 👩‍👩‍👧 , 👍🏽 1️⃣ 🇩🇪 🇫🇷"),
        ("I ❤️ dogs→cats™", "I ❤️ dogs → cats™"),
        ('A "For Sale" sign', 'A " For Sale " sign'),
        ('A 15" laptop, 6\'2" tall', 'A 15" laptop , 6\'2" tall'),
        ("A 15” laptop", "A 15” laptop"),
        ("A 6' ladder, 5'10\" tall", "A 6' ladder , 5'10\" tall"),
        ("A 6’ ladder, 8′.", "A 6’ ladder , 8′ ."),
        ("A 5'x7' rug", "A 5'x7' rug"),
        ("It reads 'Route 66' near a 6' fence", "It reads ' Route 66 ' near a 6' fence"),
        ("It reads ‘Route 66’", "It reads ‘ Route 66 ’"),
        ('A 12"x18" poster, a 15"/38 cm pan', 'A 12"x18" poster , a 15"/38 cm pan'),
        ('A 15"-wide shelf', 'A 15"-wide shelf'),
        ('A "Route 66"-themed bar', 'A " Route 66 " -themed bar'),
        ('A laptop (15" screen)', 'A laptop ( 15" screen )'),
        ('A "No. 5" (Vol. 3)', 'A " No. 5 " ( Vol. 3 )'),
        ('It reads "since 1889" and "2012".', 'It reads " since 1889 " and " 2012 " .'),
        ("It reads “since 1889”.", "It reads “ since 1889 ” ."),
        ("M&M's, AT&T and black&white", "M&M 's , AT&T and black & white"),
        ("bottle No. 5 and no. #7", "bottle No. 5 and no. # 7"),
        ("He says No. 5 dogs", "He says No. 5 dogs"),
        ("He says no.", "He says no ."),
        ("", ""),
        (" \t\n", ""),
    ],
)
def test_it_splits_as_the_penn_treebank_does(caption: str, tokens: str) -> None:
    assert words(caption) == tokens.split()


def test_a_caption_spelt_like_those_of_flickr30k_entities_keeps_its_tokens() -> None:
    caption = 'Three retired pilots meet to sing rock n roll , on a widow \'s " quiet " balcony .'
    assert words(caption) == caption.split()


def test_a_very_long_run_of_marks_is_split() -> None:
    assert len(words("'" * 5_000)) + len(words("!" * 50_000)) == 2_500 + 50_000  # '' is one token
    assert words("a" + "’" * 3) == ["a", "’", "’", "’"]


def seconds(caption: str) -> float:
    """Return the processor time of tokenising a caption; the shortest of three."""
    took = []
    for _ in range(3):
        begin = time.process_time()
        tokenise(caption)
        took.append(time.process_time() - begin)
    return min(took)


@pytest.mark.parametrize(
    "marks",
    [
        "’",
        "'s",
        "n't",
        "‘a",
        "a.’.",
        "’.",
        ".’",
        "a-’",
        "A&N'T",
        "1'",
        '1"',
        '15" ',
        "6' ",
        "1/",
        "(",
        "1:1️⃣",
        "👍a",
    ],
)
def test_the_time_for_a_character_does_not_grow_with_the_piece(marks: str) -> None:
    """Eight times as many take eight times as long, not 64 times. The margin is for busy machines."""
    assert seconds("a" + marks * 8_000) < 24 * seconds("a" + marks * 1_000)
    assert seconds(marks * 8_000 + "x") < 24 * seconds(marks * 1_000 + "x")


def test_align_takes_tokens_another_tokeniser_made() -> None:
    assert align("don't  go", ["don", "'t", "go"]) == [(0, 3), (3, 5), (7, 9)]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["A", "cat"], "token 2 is 'cat'.*'dog runs'"),
        (["A", "dog"], "goes on with 'runs' after the last of its 2 tokens"),
        (["A", "dog", "runs", "."], "token 4"),
        (["A", ""], "token 2 is ''"),
        ([], "goes on with 'A dog runs'"),
    ],
)
def test_align_refuses_tokens_that_do_not_spell_the_text(tokens: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        align("A dog runs", tokens)
