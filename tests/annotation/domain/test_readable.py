from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.readable import readable, says_missing
from annotation.domain.tokens import tokenise

ENGLAND = "\N{WAVING BLACK FLAG}" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbeng") + "\U000e007f"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("A man&#39;s dog &amp; a cat&nbsp;here.", "A man's dog & a cat here."),
        ("A man&#x27;s dog runs.", "A man's dog runs."),
        ("A <b>man</b> holds a cup.<br/>A dog runs.", "A man holds a cup. A dog runs."),
        ("<p class='x'>A man.</p><p>A dog.</p>", "A man. A dog."),
        ("A man.<BR>A dog.", "A man. A dog."),
        ("A caf&eacute; &ndash; closed", "A café – closed"),
        ("A man &lt;b&gt;runs&lt;/b&gt;", "A man runs"),
        ("A man&amp;#39;s &amp;amp;amp; dog", "A man's & dog"),
        ("He&#146;s tall &#8212; very", "He’s tall — very"),
        ("salt &amp pepper &nbsp", "salt & pepper"),
        ('A <a href="http://example.org/?a=1&amp;b=2">man</a>', "A man"),
        ("A man<!-- hidden --> runs<script>alert(1)</script>.", "A man runs ."),
        ("&quot;Stop&quot; says a sign", '"Stop" says a sign'),
        ("do\u200bg caf\u00ade \ufeffa\u2060b", "dog cafe ab"),
        ("\u202aA man\u202c \u200frun\u061cs\u2069", "A man runs"),
        ("A\x07man\x1bruns\x00", "A man runs"),
        ("the man\x92s \x93dog\x94", "the man’s “dog”"),
        ("A\ue000dog\u3164runs", "A dog runs"),
        ("A dog\ufe0f runs", "A dog runs"),
        ("5\ufe0f dogs", "5 dogs"),
        ("<table border=1><tr><td>A dog</td></tr></table>", "A dog"),
        ("<video src='a.mp4' /> A dog <I>runs</i>", "A dog runs"),
        ("A <b>sign</b> says &lt;b&gt;", "A sign says <b>"),
        ("A dog &#12354;&#55357;&#56832; &#xD83D;&#xde00; &amp;#55357;&amp;#56832;", "A dog あ😀 😀 😀"),
        ("a man&rsquo;s caf&eacute;, man&apos;s, Ko&ccaron;i&ccaron;", "a man’s café, man's, Kočič"),
        ("H&amp;M, a&lt;b, &Pi; and 5&Pi;", "H&M, a<b, Π and 5Π"),
    ],
)
def test_what_programs_left_is_removed(text: str, seen: str) -> None:
    assert readable(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "A man .",
        "A man  with two spaces",
        "3 < 5, and I <3 you",
        "Tom & Jerry, AT&T; R&D; x &foo; y",
        "a <person> and a <unk>",
        "Zwei Männer – ein “Hund”",
        "une\u00a0femme\u202fici",
        "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL} and \N{HEAVY BLACK HEART}\ufe0f",
        "key 1\ufe0f\u20e3, flag " + ENGLAND,
        "می\u200cخواهم",
        "क्\u200dष",
        "A <table> stands beside an <object>",
        "The <video> shows <main> street",
        "sizes <small> to <big>",
        "if a<b then c>d, or a<b>c",
        "H&Mu; P&Pi; R&Re; stay, and &lt=3",
        "അവന\u0d4d\u200d വന്നു",
        "হঠাত\u09cd\u200d",
        "سنة ١٣٦٦ه\u200d .",
        "ᠬᠠᠷ\u180eᠠ",
        "แมว\u200bดำ ຫມາ\u200bດຳ ឆ្កែ\u200bខ្មៅ ခွေး\u200bနက်",
        "a woman with a lost \ufffd",
    ],
)
def test_what_people_see_stays(text: str) -> None:
    assert readable(text) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("A board shows if a&lt;b then c&gt;d in chalk", "A board shows if a<b then c>d in chalk"),
        ("temp &lt;i mean cold&gt; ok", "temp <i mean cold> ok"),
        ("A &lt;table&gt; and an &lt;object&gt;", "A <table> and an <object>"),
        ("แมว\u200b runs, do\u180eg", "แมว runs, dog"),
    ],
)
def test_words_in_angle_brackets_stay_after_decoding(text: str, seen: str) -> None:
    assert readable(text) == seen


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_joiners_go_where_no_script_needs_them(joiner: str) -> None:
    assert readable(f"do{joiner}g {joiner}runs{joiner}") == "dog runs"


@given(st.text(st.one_of(st.characters(categories=("Cf", "Cc")), st.sampled_from("aß 犬'.")), max_size=40))
def test_no_token_has_an_invisible_character(text: str) -> None:
    for token in tokenise(readable(text)):
        kinds = {unicodedata.category(character) for character in token.text}
        # Arabic signs of numbers are of this kind, and visible.
        assert "Cc" not in kinds
        assert not set(token.text) & set("\u200b\u200c\u200d\u2060\ufeff\xad\u202a\u2066\u200e")


@given(
    st.text(st.one_of(st.sampled_from("<>&;#x1/ab \u200d\ufe0f\N{DOG FACE}"), st.characters()), max_size=40)
)
def test_a_readable_text_stays_when_it_is_read_as_often_as_it_was_escaped(text: str) -> None:
    once = readable(text)
    assert readable(readable(readable(once))) == readable(readable(readable(readable(once))))


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "NaN",
        "None",
        "null",
        "NULL",
        "N/A",
        "n/a",
        "<NA>",
        "#N/A",
        " nan ",
        "NaT",
        "#NAME?",
        "undefined",
    ],
)
def test_a_missing_value_is_known(text: str) -> None:
    assert says_missing(text)


@pytest.mark.parametrize("text", ["None .", "A nan", "Nan cooks.", "nano", "", "n", "a man"])
def test_a_text_with_such_a_word_is_none(text: str) -> None:
    assert not says_missing(text)


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<script>",
        "<b ",
        "&",
        "&#3",
        "<a b=c",
        "<a b= ",
        "<a b='c' ",
        "</a>",
        "&#55357;",
        "\u200d",
        "<br>",
        '5" ',
    ],
)
def test_a_long_text_takes_little_time(piece: str) -> None:
    """It took minutes if time grew with the square of a text of this size."""
    before = time.process_time()
    tokenise(readable(piece * (10_000 // len(piece))))
    assert time.process_time() - before < 3
