"""Which colours are common enough to be learnt, and which category a phrase has."""

from __future__ import annotations

import pytest

from baselines.phrases import COLOURS, FEWEST_OF_COLOUR, LEAST_OF_COLOUR, common_colours


@pytest.mark.parametrize(
    ("mentions", "least"),
    [(10, 10), (5_000, 10), (5_001, 11), (50_000, 100), (500_000, 1_000), (10**7, 1_000)],
)
def test_a_colour_occurs_1000_times_or_in_one_of_500_mentions(mentions: int, least: int) -> None:
    def named(times: int) -> list[tuple[str, str]]:
        return [("red", "hat")] * times

    assert common_colours(named(least), mentions) == ("red",)
    assert common_colours(named(least - 1), mentions) == ()
    assert FEWEST_OF_COLOUR <= least <= LEAST_OF_COLOUR


def test_only_words_of_the_list_and_phrases_of_one_colour_count_the_commonest_first() -> None:
    phrases = [("blue", "hat")] * 12 + [("red", "hat")] * 15 + [("red", "green", "hat")] * 30
    phrases += [("large", "hat")] * 40 + [("grey", "hat")] * 6 + [("gray", "hat")] * 6
    assert common_colours(phrases, 100) == ("red", "blue", "gray")
    assert common_colours(phrases, 100, least=14) == ("red",)
    assert common_colours([], 100, least=0) == ()


def test_the_words_for_colours_are_distinct() -> None:
    assert len({*COLOURS}) == len(COLOURS)
