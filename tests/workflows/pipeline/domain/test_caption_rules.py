"""docs/captions.md: which captions a researcher looks at before they are accepted."""

from __future__ import annotations

import gzip
from itertools import islice
from typing import Any

import pytest

from annotation.languages import foreign_language
from annotation.misspellings import misspelt_words
from tests.shared import shared
from tests.workflows.pipeline.domain.forbidden_captions import FORBIDDEN, HARMLESS
from workflows.pipeline.domain.caption_rules import flags_of


def flags(text: str, **given: Any) -> tuple[str, ...]:
    known: dict[str, Any] = {"own": [], "others": [], "language": "en", "foreign": False, "misspelt": False}
    return flags_of(text, **known | given)


def test_a_caption_that_repeats_another_is_flagged_whatever_its_marks() -> None:
    assert flags("A dog runs on grass .", own=["a Dog, runs on grass"]) == ("repeats-own",)
    assert flags("A dog runs on grass .", others=["A dog runs on grass!"]) == ("repeats-other",)
    assert flags("A dog runs on grass .", own=["A dog sits ."], others=["A cat runs ."]) == ()


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("A dog runs .", "en", ("short",)),
        ("A dog runs fast .", "en", ()),
        ("A man called Peter rides a horse .", "en", ("name",)),
        ("An Asian man in a Christmas hat rides a horse .", "en", ()),
        ("A man rides. His dog follows him .", "en", ()),
        ("Ein Mann reitet auf einem Pferd .", "de", ()),
        ("A man is probably late for work .", "en", ("guess",)),
        ("A woman who seems happy waves .", "en", ("guess",)),
        ("Ein Mann kommt vermutlich zu spät .", "de", ("guess",)),
        ("Un homme est probably à cheval .", "fr", ()),
    ],
)
def test_names_guesses_and_short_captions_are_flagged(
    text: str, language: str, found: tuple[str, ...]
) -> None:
    """ "Describe the depicted scene, situation, events and entities": no names, and no guesses."""
    assert flags(text, language=language) == found


@pytest.mark.parametrize(
    ("flag", "text"), [(flag, text) for flag, texts in FORBIDDEN.items() for text in texts]
)
def test_what_the_instructions_forbid_is_found(flag: str, text: str) -> None:
    assert flag in flags(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_a_caption_that_breaks_nothing_passes(text: str) -> None:
    assert flags(text) == ()


def test_a_batch_that_was_launched_before_keeps_its_rules() -> None:
    """By the first version, 2 of these 31 captions were found. Replays of such batches stay the same."""
    forbidden = [text for texts in FORBIDDEN.values() for text in texts]
    assert sum(bool(flags(text, version=1)) for text in forbidden) == 2


def test_another_language_is_flagged_once() -> None:
    """Its words are not misspelt."""
    assert flags("Ein Mann reitet auf einem Pferd .", foreign=True, misspelt=True) == ("language",)
    assert flags("A man waering a hat rides a horse .", misspelt=True) == ("spelling",)


def test_one_of_twenty_real_captions_is_flagged() -> None:
    """What the rules cost: so many of 3,000 captions of Flickr30k wait for a researcher."""
    counts = {"any": 0, "spelling": 0, "language": 0}
    with gzip.open(shared("data", "flickr30k", "captions.token.gz"), "rt", encoding="utf-8") as lines:
        captions = [line.split("\t", 1)[1] for line in islice(lines, 3_000)]
    for text in captions:
        found = flags(
            text, foreign=bool(foreign_language(text, "en")), misspelt=bool(misspelt_words(text, "en"))
        )
        counts["any"] += bool(found)
        counts["spelling"] += "spelling" in found
        counts["language"] += "language" in found
    assert 0.03 < counts["any"] / len(captions) < 0.08
    assert counts["spelling"] / len(captions) < 0.02 and counts["language"] == 0
