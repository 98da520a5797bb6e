"""Captions of other kinds than Flickr30k's: descriptions by models, products, driving, medicine, cooking."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from annotation.chunkers import get_chunker
from annotation.domain.mentions import describe
from annotation.domain.tokens import tokenise
from research.chunking import Kind, by_kind, read_kinds
from tests.shared import shared

HERE = Path(__file__).parent

CAPTIONS = {
    "numbers and names of models": [
        "[Pentax K 5 camera] and [a Nokia 3310 phone case] on [a shelf]",
        "[Two 12V pumps] , [a Z80 chip] and [an X-200 radio]",
        "[bottle No. 7] , [a speed limit 30 sign] and [ward IV of the clinic]",
        "[Smith & Wesson gloves] with [a zip]",
        "[a 14\" monitor] on [a desk]",
        "[a 2 cm scar] and [a 500 ml jar]",
        "[A 6' ladder] , [a 5' 10\" man] and [a 5'x7' rug]",
        "[A 6’ ladder] on [a 5' x 7' mat]",
        "[A 12\"x18\" poster] , [a 15\"/38 cm pan] and [a 15\"-wide shelf]",
        "[Vol. 3 of the encyclopedia] near [jar Nr. 7] and [a \"No. 5\" flask]",
    ],
    "compounds": [
        "[a walk in closet] behind [a pull out drawer]",
        "[A close up of a goat] near [a zebra crossing]",
        "[Two nuns] wait at [the on ramp] .",
        "[A judge] with [a sun dried tomato] in [a brass plated bowl]",
        "[Nuns] standing side by side near [a canal]",
    ],
    "verbs taken for nouns": [
        "[A cook] pipes [red jelly] onto [a tart] .",
        "[A row of tall poplars] lines [the canal] .",
        "[A young nun] in [a grey habit] practices [chess] .",
        "[Bright light] streams in through [the door] .",
        "[A ferry] docks at [the quay] .",
        "[A barge] with [its loading arm] raised blocks [the canal] .",
        "[Pilots] wait to board .",
        "[Mist] drifts across [the canal] , and [smoke] curls from [a chimney] .",
    ],
    "-ing adjectives": [
        "[A ferry] with [blinking lights] sails past [rolling hills] .",
        "[A pan of boiling milk] and [a set of measuring cups]",
        "[Men 's walking boots] with [carrying case]",
        "[A nun] walking and carrying [a goat] , smoking [a pipe]",
    ],
    "verbs": [
        "[Nuns] watch while carrying [bags] .",
        "[A judge] washing [dishes]",
        "[A nun] on [skis] on [a rail]",
        "[Viewers] watch .",
        "[A ferry] cuts through [the canal] and turns hard .",
        "[Man] in [hat] plays [guitar] .",
        "[A man] in [jeans] and [shirt] jumps over [a puddle] .",
    ],
    "quotation marks": [
        "[A \" Wet Paint \" notice] hangs on [the gate] .",
        "[The tin] has [the words] \" BEST BEFORE \" on it .",
        "[A \" duck \"] on [the pond]",
        "[A 'Wet Paint' notice] and [a ‘no entry’ sign] near [the judges' house]",
        "[The nuns' canal] and [the judges' goats]",
        "[A notice] says \" Mind your head \" .",
    ],
    "parts of products": [
        "[A jar of GoatMilk hydrating cream] near [the Eiffel Tower]",
        "[Basket] with [oak lid] and [felt wheels] in [navy]",
        "[Samovar] with [sustain valve] and [non-stick base]",
        "[Sachet of Try Me cocoa] near [a watering can]",
        "[Beans] , [cilantro] and [pickled leeks] on [a tray]",
        "[A macrame wall hanging] near [a dating app]",
    ],
    "names of products that end with a verb": [
        "[Plywood lamp stand] with [oak doors]",
        "[Jute pillow covers] with [hidden zip]",
        "[Corduroy hat] with [oak crank] and [two pour spouts]",
        "[Calico baby wraps] made of [muslin] ",
        "[Corduroy loafers] , [boxer briefs] , [red jacket]",
        "[Zorro classic clogs] in [teal]",
        "[Spiral saw] with [guard] and [a nun] saw [a goat] .",
        # … but these are clauses
        "[Snow] covers [the barns] with [nuns] .",
        "[Train] waits for [nuns] with [lanterns] .",
        "[Lovely poppies] bloom with [bees] .",
    ],
    "-ing forms of products": [
        "[Jute baking mats] for [scones]",
        "[Earmuffs] with [noise cancelling lining]",
        "[Coasters] with [cork backing] and [lace trimming]",
        "[Plush toy] with [spinning seat] and [hanging bells]",
        "[Zorro fast charging block] with [plug]",
        "[Van] carrying [nuns] with [banners]",
    ],
    "verbs that titles of products might hide": [
        "[Woman] carrying [bag]",
        "[Girl] washing [machine]",
        "[Waves] hitting [rocks] with [foam]",
        "[A nun] drawing .",
        "[A van] backing into [a barn] .",
        "[A nun] plays while [goats] watch .",
        "[Ship] with [sails] passes .",
        "[A van] zig-zags .",
        "[The nun] in [blue] saw [a goat] .",
        "[A goat] , [nuns] not shown , is [oak] painted black .",
        "There are [poppies] painted on [the barn] .",
        "[Bowl of fruit] , [apple] and [orange]",
        "[A barn] , [gate] painted white",
        "[Every foot] is bare .",
    ],
    "guesses of the tagger": [
        "[Zorroq air fryer] with [zurtle]",
        "[Pram] , [toddler insert] , [two tin mugs]",
        "[Hook and loop strap] near [salt and pepper mills]",
    ],
    "verbs after what the tagger took for an adjective": [
        "[A red convertible] cuts in without signaling .",
        "[Two loaves of rye bread] rest on [a rack] .",
        "[A chart] in which [arrows] connect [boxes]",
        "[Nuns] are painting [a barn] ; [a temporary sign] points to [the canal] .",
    ],
    "colours that describe a subject": ["[The lamp] is bright orange , and [the sign] turns yellow ."],
}  # fmt: skip

NOT_VISUAL = [
    "The picture shows [a goat] . In the foreground , the photo has [a barrel] .",
    "On the left side of the image , [a nun] stands . To the upper right , [a goat] eats [hay] .",
    "This scene conveys a sense of calm , and the overall mood is quiet .",
    "A black-and-white photograph depicts [a barn] .",
    "[A jug] , 12 oz , size 10 , 18 x 28 inches , dishwasher safe",
    "[A nun] rests at sunrise for two hours .",
    "[A judge] is 6'2\" tall .",
    "At 9PM [a nun] sings . At 9 p.m. [a goat] sleeps .",
    "[A samovar] , set of 4 , 3-pack , ages 8 , W32 L34 , dual layer , slim fit , charcoal",
    "[A tent] , water resistant , waterproof , warm white",
    "[A rug] , 5x8 , set of two , assorted colors , XL , XS-XXL , UK 9 , 8.5 fl oz , BPA free , hand knotted",
    "[Coffee] , dark roast , first edition , stone wash , and [a barn] , [a car wash] .",
    "[Jute rug] with [fringe] , ivory and blue",
    "[Jute rug] , sea salt white",
    "[A van] stops every few meters . [A gull] in flight . Everything looks calm .",
    "There are no nuns at [the canal] .",
    "[A nun] rests in the late afternoon , a few meters away , for about six years .",
    "[A barn] built in 1890 is out of frame and takes shape .",
    # … but these can be seen.
    "[A tray of peas] , [mint] and [sage]",
    "[A nun] holds [a photograph] near [the picture frame] .",
    "[two feet] on [the left side of the wall]",
    "[2 feet of a baby] near [the side of the bed frame]",
    "[Gun safe] with [a lock]",
    "[a photo of a goat] and [a view of the canal]",
]


def asked(caption: str) -> str:
    """Return a caption with brackets around what workers are asked about."""
    tokens = [token.text for token in tokenise(caption)]
    marked = tokens.copy()
    for start, end in get_chunker().chunks(tokens):
        if describe(tokens, start, end).annotatable:
            marked[start] = "[" + marked[start]
            marked[end - 1] += "]"
    return " ".join(marked)


def spaced(caption: str) -> str:
    """Return a caption in brackets with spaces between its tokens."""
    plain = caption.replace("[", " \x01 ").replace("]", " \x02 ")
    tokens = " ".join(token.text for token in tokenise(plain))
    return tokens.replace("\x01 ", "[").replace(" \x02", "]")


@pytest.mark.parametrize("caption", [caption for kind in CAPTIONS.values() for caption in kind])
def test_noun_phrases_of_other_texts_are_whole(caption: str) -> None:
    assert asked(caption.replace("[", "").replace("]", "")) == spaced(caption)


@pytest.mark.parametrize("caption", NOT_VISUAL)
def test_words_about_the_image_moods_and_measures_are_not_asked_about(caption: str) -> None:
    assert asked(caption.replace("[", "").replace("]", "")) == spaced(caption)


@pytest.mark.parametrize("name", [f"eight_kinds_{number}.txt" for number in range(1, 10)])
def test_few_spans_of_eight_kinds_of_captions_are_wrong(name: str) -> None:
    kinds = by_kind(get_chunker(), read_kinds(HERE / name))
    together = Kind(*(sum(getattr(kind, part) for kind in kinds.values()) for part in Kind.__match_args__))
    assert together.wanted > 250
    assert together.wrong <= 0.04
    assert kinds["P"].wrong <= 0.10
    assert kinds["P"].missed <= 0.08


@pytest.mark.parametrize("name", ["eight_kinds_10.txt", "products_1.txt", "products_2.txt"])
def test_few_spans_of_texts_about_products_are_wrong(name: str) -> None:
    products = by_kind(get_chunker(), read_kinds(HERE / name))["P"]
    assert products.wanted > 80
    assert products.wrong <= 0.11
    assert products.missed <= 0.05


@pytest.mark.parametrize("name", ["unseen_kinds.txt", "unseen_products.txt"])
def test_few_mentions_are_missed_in_captions_that_the_chunker_was_not_changed_for(name: str) -> None:
    kinds = by_kind(get_chunker(), read_kinds(HERE / name))
    wanted, right = (sum(getattr(kind, part) for kind in kinds.values()) for part in ("wanted", "right"))
    assert wanted > 200
    assert kinds["P"].missed <= 0.055
    assert kinds["P"].wrong <= 0.14
    assert len(kinds) == 1 or 1 - right / wanted <= 0.035


def test_a_share_counts_what_is_missed_and_what_is_too_much() -> None:
    assert Kind(wanted=10, found=20, right=5, typed=5).wrong == 0.75
    assert Kind(wanted=20, found=10, right=5, typed=5).wrong == 0.75
    assert Kind(wanted=20, found=10, right=5, typed=5).missed == 0.75


def test_a_marked_mention_must_end_with_a_token(tmp_path: Path) -> None:
    path = tmp_path / "kinds.txt"
    path.write_text("# a comment\nC|[A nun]p and [a go]-at\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"kinds.txt: the mention 'a go'"):
        list(read_kinds(path))


def captions_of(case: str) -> list[str]:
    with shared("cases", case, "captions.csv").open(encoding="utf-8", newline="") as lines:
        return [row["caption"] for row in csv.DictReader(lines)]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            "F14_words_about_the_image",
            [
                "The image shows [a dog] on [a rug] . In the foreground , the photo has [a ball] . "
                "The scene conveys a sense of calm ."
            ],
        ),
        (
            "F15_verb_taken_for_noun",
            [
                "[A baker] pipes [pink frosting] onto [cupcakes] .",
                "[A row of bare trees] lines [the road] .",
                "[A little girl] in [a pink tutu] practices [ballet] .",
                "[Natural light] streams in through [the window] .",
                "[A boat] docks at [the pier] .",
            ],
        ),
        (
            "F16_quotation_marks_in_mentions",
            [
                '[A " For Sale " sign] stands in [the yard] .',
                '[The box] has [the words] " THIS SIDE UP " on it .',
                "[A 15\" laptop] and [M&M 's] , [bottle No. 5] .",
            ],
        ),
    ],
)  # fmt: skip
def test_shared_cases_are_cut_as_people_would(case: str, expected: list[str]) -> None:
    assert [asked(caption) for caption in captions_of(case)] == expected


def test_a_coloured_sky_is_a_scene_and_an_orange_a_thing() -> None:
    types = {}
    for caption in captions_of("F11_sky_is_clothing"):
        tokens = [token.text for token in tokenise(caption)]
        for start, end in get_chunker().chunks(tokens):
            said = describe(tokens, start, end)
            types[said.text] = said.types
    assert types["the blue sky"] == types["The sky"] == ("scene",)
    assert types["An orange"] == ("other",)
