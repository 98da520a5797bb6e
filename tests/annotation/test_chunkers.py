from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation import chunkers
from annotation.chunkers import Chunker, NounChunks, get_chunker, register
from annotation.domain.mentions import describe
from annotation.domain.tokens import tokenise
from research.chunking import agreement, read_by_hand, read_gold
from tests.shared import shared

CAPTIONS = [
    # Chunks are short and non-recursive (docs/protocol.md, "Mentions", rule 2).
    "[a juggler] in [an orange waistcoat]",
    "[Three tired cooks] with [floury hands] wait by [their oven] while leaning on [the counter] .",
    "[Two small , Brown ponies] are resting behind [several wagons] .",
    # If they are joined by "of" or a possessive, they are one chunk.
    "[A group of pilots] stand on [the wing of a plane] .",
    "[A number of nurses] sing as [part of a choir] .",
    "[A nurse] bandages [a sailor 's arm] .",
    # Prepositions of several words are not noun phrases.
    "[A clown] in front of [a kiosk] on top of [the hill] next to [a goat]",
    # What may stand before the noun.
    "[A black and white goat] and [about 20 very young lambs] run .",
    "[brightly dressed nurses] in [a moss covered field]",
    "[A smiling judge] in [a lime green button up shirt]",
    # An -ing form after a noun says what somebody does.
    "[A boy] skateboarding with [one] wearing [jeans]",
    "[A female] wearing [glasses] watches [a nun] swimming in [a canal] .",
    # A verb that could be a noun, after people and animals.
    "[A dog] barks at [a queue] while [a man] skis past [a barn] .",
    "[A monk] and [a nun] walk in [the orchard] .",
    "[A nun] in [yellow] walks along [the canal] and talks to [him] .",
    # … even if the tagger takes it for a noun.
    "[A pilot] fires [a gun] .",
    "[Two nuns] cook [food] and [a monk] and [a nun] play [chess] .",
    "[Sailors] in [colorful uniforms] march down [the road] .",
    "[A clown] in [a green poncho] interviews [a judge] .",
    "[A pilot] is helping [another little boy] sweep [leaves] from [a road] .",
    "[A judge] watches [her clowns] practice .",
    "[He] brushes [his teeth] while [the other] watches .",
    # … but not where no subject can be, or where the number is wrong.
    "[A clown] in [a santa suit] stands on [a cow field] .",
    "[A horse back rider] wearing [army pants]",
    "[many plastic cups] on [it]",
    "[Two police dogs] near [a man statue]",
    # What ends in -ing after a noun says what somebody does, if it names no thing and no purpose.
    "[A nurse] in [a white shirt] skateboarding on [a curved road]",
    "[A nun] in [red] leaping",
    "[nuns] in [a field] planting [wheat]",
    "[A judge] sits at [a table] reading .",
    "[a green bowling ball] in [a sidewalk meeting] on [a cold winter morning]",
    "[A nurse] is rock climbing while [a judge] is doing [window shopping] .",
    # Compounds are whole, also with a colour or a number in the middle.
    "[a swim meet] at [the bus stop] behind [a motor home]",
    "[clowns] in [red and blue dive caps] and [navy blue and white uniforms]",
    "[a blue number 78 sports jersey] , [player # 8] and [the number five]",
    "[a set of wooden or cement steps] and [a large , bucking bull]",
    # Words of a closed class are what they are.
    "[A nurse] holds [a hose] while [the other one] sits .",
    "[several judges] in [the 60 's] and [one of them]",
    "[A nurse] shows that [she] is unhappy with [a judge] [that] stands .",
    "[A nurse] fetches [his or her poles] and gives [a thumbs up] .",
    # Possessives and contracted verbs.
    "[A nurse] 's selling [apples] to [a judge 's smiling friend] .",
    "[her two daughters ' eyes] and [the children 's coloring books]",
    # Colours that stand for clothes, pronouns, place adverbs.
    "[A nurse] in [red and white] looks at [her] [outdoors] .",
    "[The men] [who] help [each other] carry [it] [indoors] .",
    "[Someone] bites [the other] .",
    "",
    ". . .",
    "playing outside",
    "[clowns] in front of [a kiosk] in order to wait",
    "[A nun] with [pink streaks] in [her hair] and [a shirt] with [white writing]",
]


def unbracketed(caption: str) -> tuple[list[str], list[tuple[int, int]]]:
    tokens: list[str] = []
    spans: list[tuple[int, int]] = []
    start = 0
    for word in caption.split():
        if word.startswith("["):
            start = len(tokens)
        tokens.append(word.strip("[]"))
        if word.endswith("]"):
            spans.append((start, len(tokens)))
    return tokens, spans


def bracketed(tokens: list[str], spans: list[tuple[int, int]]) -> str:
    marked = tokens.copy()
    for start, end in spans:
        marked[start] = "[" + marked[start]
        marked[end - 1] += "]"
    return " ".join(marked)


@pytest.mark.parametrize("caption", CAPTIONS)
def test_it_finds_the_noun_phrases(caption: str) -> None:
    tokens, _ = unbracketed(caption)
    assert bracketed(tokens, get_chunker().chunks(tokens)) == caption


@pytest.mark.parametrize(
    ("caption", "chunked"),
    [
        ("They’re playing chess .", "[They] ’re playing [chess] ."),
        ("We’ve seen it , she’ll go and I’m here .", "[We] ’ve seen [it] , [she] ’ll go and [I] ’m here ."),
        ("A nun 😀 with a goat 👍👍 @ the park", "[A nun] 😀 with [a goat] 👍 👍 @ [the park]"),
        ("player #7 for $ 12", "[player # 7] for [$ 12]"),
    ],
)
def test_curly_apostrophes_emoji_and_signs(caption: str, chunked: str) -> None:
    tokens = [token.text for token in tokenise(caption)]
    assert bracketed(tokens, get_chunker().chunks(tokens)) == chunked


@pytest.mark.parametrize(
    "caption", ["a nun walks his goat .", "A nurse in a blue cardigan and clogs holds two cups of tea"]
)
def test_a_lower_case_caption_has_the_same_chunks(caption: str) -> None:
    chunker = get_chunker()
    assert chunker.chunks(caption.split()) == chunker.chunks(caption.capitalize().split())


@settings(max_examples=60)
@given(st.one_of(st.text(), st.text("aens TAh.,'\"&$-3éß👍")))
def test_spans_are_in_order_and_inside_the_caption_whatever_it_says(caption: str) -> None:
    tokens = [token.text for token in tokenise(caption)]
    spans = get_chunker().chunks(tokens)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges) and all(start < end for start, end in spans)
    assert all(describe(tokens, start, end).types for start, end in spans)


def test_an_empty_token_is_refused() -> None:
    with pytest.raises(ValueError, match="token 2 of 3 is empty"):
        get_chunker().chunks(["a", "", "dog"])


def test_a_chunker_is_made_once() -> None:
    assert get_chunker() is get_chunker("hanta")


def test_an_unknown_chunker_is_an_error_that_names_the_known() -> None:
    with pytest.raises(LookupError, match=r"no chunker 'nltk'; there are: .*hanta"):
        get_chunker("nltk")


def test_another_chunker_can_be_registered_but_not_twice() -> None:
    class Whole:
        language = ""

        def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
            return [(0, len(tokens))]

    register("whole", Whole)
    chunker: Chunker = get_chunker("whole")
    assert chunker.chunks(["dogs"]) == [(0, 1)]
    with pytest.raises(ValueError, match="already registered as 'whole'"):
        register("whole", Whole)


def test_a_chunker_can_be_an_entry_point_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/importing.md has this as an example."""
    halves = EntryPoint("halves", "tests.annotation.test_chunkers:Halves", "groundcrew.chunkers")
    broken = EntryPoint("broken", "tests.annotation.test_chunkers:Nobody", "groundcrew.chunkers")
    monkeypatch.setattr(chunkers, "entry_points", lambda group: [halves, broken])
    assert get_chunker("halves").chunks(["a", "b", "c", "d"]) == [(0, 2), (2, 4)]
    with pytest.raises(LookupError, match=r"'broken' cannot be loaded: .*Nobody"):
        get_chunker("broken")
    with pytest.raises(
        LookupError, match=r"no chunker 'thirds'; there are: broken, .*halves.*, and spacy:MODEL"
    ):
        get_chunker("thirds")


class Halves:
    language = "de"

    def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        return [(0, len(tokens) // 2), (len(tokens) // 2, len(tokens))]


def test_a_pipeline_with_noun_chunks_is_a_chunker() -> None:
    def parse(tokens: Sequence[str]) -> SimpleNamespace:
        return SimpleNamespace(noun_chunks=iter([SimpleNamespace(start=0, end=2)] if tokens[1:] else []))

    chunker: Chunker = NounChunks("de", parse)
    assert (chunker.language, chunker.chunks(["Ein", "Hund", "rennt"])) == ("de", [(0, 2)])
    assert chunker.chunks(["Hund"]) == chunker.chunks([]) == []


def test_spacy_gets_the_tokens_and_is_asked_for_its_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in of the three calls that we make of spaCy."""

    class Doc:
        def __init__(self, vocab: str, words: list[str]) -> None:
            assert vocab == "vocabulary"
            self.noun_chunks = [SimpleNamespace(start=0, end=len(words))]

    class Pipeline:
        lang, vocab = "de", "vocabulary"

        def __call__(self, doc: Doc) -> Doc:
            return doc

    def load(model: str) -> Pipeline:
        if model != "de_core_news_sm":
            raise OSError("[E050] Can't find model")
        return Pipeline()

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=load))
    monkeypatch.setitem(sys.modules, "spacy.tokens", SimpleNamespace(Doc=Doc))
    chunker = get_chunker("spacy:de_core_news_sm")
    assert (chunker.language, chunker.chunks(("Ein", "Hund"))) == ("de", [(0, 2)])
    with pytest.raises(LookupError, match=r"install spaCy and its model 'xx': .*E050"):
        get_chunker("spacy:xx")


def test_it_agrees_with_the_published_chunks_and_types() -> None:
    found = agreement(get_chunker(), read_gold(shared("data", "entities_sample", "Sentences")))
    assert found.f1 >= 0.98
    assert found.type_agreement >= 0.98


@pytest.mark.parametrize(("half", "f1", "types"), [("tune", 0.98, 0.97), ("held", 0.97, 0.95)])
def test_it_agrees_with_chunks_that_were_annotated_by_hand(half: str, f1: float, types: float) -> None:
    shared("data", "flickr30k", "captions.token.gz")
    found = agreement(get_chunker(), read_by_hand(half))
    assert found.spans > 500
    assert found.f1 >= f1
    assert found.type_agreement >= types


def seconds(tokens: Sequence[str]) -> float:
    """Return the processor time of cutting and describing a caption; the shorter of two."""
    chunker, took = get_chunker(), []
    for _ in range(2):
        begin = time.process_time()
        for start, end in chunker.chunks(tokens):
            describe(tokens, start, end)
        took.append(time.process_time() - begin)
    return min(took)


ADVERSE = """all | the | a | very | dog | dogs | one | 2 | 's | " | & | and | of the | red , | running
| covered | man runs | dog all | J & N | M 5 - | No . | a pneumonoultramicroscopicsilicovolcanoconiosis"""


@pytest.mark.parametrize("words", ADVERSE.split("|"))
def test_the_time_for_a_word_does_not_grow_with_the_caption(words: str) -> None:
    """Eight times as many take eight times as long, not 64 or 512 times. The margin is for busy machines."""
    caption = words.split() * 1_600
    assert seconds(caption[:1_600]) < 24 * seconds(caption[:200])


def test_ten_thousand_characters_of_all_take_a_moment() -> None:
    get_chunker().chunks(["all"])
    assert seconds(["all"] * 2_500) < 1  # minutes before; some .06 s on a free machine
