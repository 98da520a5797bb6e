from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotation.domain import statistics
from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.domain.statistics import Statistics, Sums, TypeSums

ADJECTIVES = {"red", "young", "blue"}
NOUNS = {"man", "shirt", "women", "hat"}


def image(name: str, said: str, chains: list[ChainRecord], *boxes: tuple[int, int, int, int]) -> ImageRecord:
    """Return an image.

    Each line of `said` is a caption of mentions, written as `type:chain:word_word`. Chain 0 is not visual.
    """
    captions = []
    for index, line in enumerate(said.splitlines()):
        tokens: list[str] = []
        mentions = []
        for word in line.split():
            kind, number, phrase = word.split(":")
            words = phrase.split("_")
            mentions.append(
                MentionRecord(len(tokens), len(tokens) + len(words), tuple(kind.split("/")), int(number))
            )
            tokens += words
        captions.append(CaptionRecord(index, " ".join(tokens), tuple(tokens), tuple(mentions)))
    return ImageRecord(
        name, tuple(captions), 500, 400, chains=tuple(chains), boxes=tuple(BoxRecord(Box(*b)) for b in boxes)
    )


def chain(number: int, types: str, mentions: int, *boxes: int, scene: bool = False) -> ChainRecord:
    spans = tuple((place, 0, 1) for place in range(mentions))
    return ChainRecord(number, tuple(types.split("/")), spans, boxes, scene=scene)


FIRST = image(
    "1.jpg",
    "people:1:A_young_Man clothing:2:a_red_shirt notvisual:0:it\npeople:1:a_man people:3:Two_young_women",
    [chain(1, "people", 2, 0), chain(2, "clothing", 1, 1), chain(3, "people", 1, 2, 3)],
    (0, 0, 100, 100),  # it encloses the second box, and half of the third
    (0, 0, 50, 100),
    (50, 0, 150, 100),
    (300, 300, 310, 310),
)
SECOND = image(
    "2.jpg", "scene:4:the_blue people:5:a_man", [chain(4, "scene", 1, scene=True), chain(5, "people", 1)]
)


def statistics_of_words() -> Statistics:
    return Statistics(lambda word: word in ADJECTIVES, lambda word: word in NOUNS)


def counted() -> Sums:
    found = statistics_of_words()
    found.add(FIRST)
    found.add(SECOND)
    return found.result()


def test_everything_is_counted_as_by_hand() -> None:
    sums = counted()
    assert (sums.images, sums.captions, sums.mentions, sums.notvisual) == (2, 3, 6, 1)
    assert (sums.words, sums.chains, sums.boxes, sums.scene, sums.nobndbox) == (
        3 + 3 + 2 + 3 + 2 + 2,
        5,
        4,
        1,
        0,
    )
    assert sums.with_several_mentions == 1
    assert (sums.without_box, sums.with_one_box, sums.with_several_boxes) == (2, 2, 1)
    assert sums.images_with_several_boxes == 1
    # The second box is half of the first. The third shares 50 of 150 columns with it. The fourth overlaps
    # none.
    assert sums.with_neighbour == 4 and sums.nearest == pytest.approx(0.5 + 0.5 + 1 / 3 + 0)
    assert sums.enclosed == 1


def test_types_are_counted_by_their_own_mentions_chains_and_boxes() -> None:
    people = counted().types["people"]
    assert people == TypeSums(
        chains=3, mentions=4, boxes=3, chain_mentions=4, chain_boxes=3, without_box=1, with_one_box=1,
        with_several_boxes=1, images=2,
    )  # fmt: skip
    assert counted().types["vehicles"] == TypeSums()


def test_words_are_named_with_the_boxes_they_are_said_of() -> None:
    sums = counted()
    assert sums.nouns == [("man", 3, 1), ("shirt", 1, 1), ("women", 1, 2)]
    # "the blue" counts as its adjective; "young" is said of the man's box and of the women's two boxes
    assert sums.adjectives == [("young", 2, 3), ("blue", 1, 0), ("red", 1, 1)]


def test_object_categories_are_different_phrases_of_nouns() -> None:
    # "a man", "A young Man" and "a man" again; "a red shirt"; "Two young women". "the blue" has no noun.
    assert counted().categories == 3
    found = statistics_of_words()
    phrases = "people:1:a_man clothing:2:a_red_man_hat clothing:2:a_hat_man clothing:2:the_blue_man_hat"
    found.add(image("3.jpg", phrases, [chain(1, "people", 1), chain(2, "clothing", 3)]))
    assert found.result().categories == 3  # man, man hat, hat man


def test_what_merging_removed_is_counted_where_something_was_merged() -> None:
    found = statistics_of_words()
    found.add(SECOND)
    assert (found.result().boxes_raw, found.result().chains_raw) == (0, 0)
    raw = image("1.jpg", "", [chain(1, "people", 1, 0)] * 4, *[(0, 0, 9, 9)] * 7)
    found.add(FIRST, raw)
    assert (found.result().boxes_raw, found.result().chains_raw) == (7, 4)
    assert (found.result().boxes, found.result().chains) == (4, 5)


def test_a_box_of_two_chains_is_one_box_of_each_type_and_one_of_a_word() -> None:
    shared = image(
        "3.jpg",
        "people:1:a_man animals:2:a_man",
        [chain(1, "people", 1, 0), chain(2, "animals/people", 1, 0)],
        (0, 0, 10, 10),
    )
    found = Statistics(lambda word: False, lambda word: False)
    found.add(shared)
    sums = found.result()
    assert (sums.boxes, sums.chain_boxes, sums.with_neighbour) == (1, 2, 0)
    assert (sums.types["people"].boxes, sums.types["people"].chain_boxes) == (1, 2)
    assert sums.types["animals"].boxes == 1
    assert sums.nouns == [("man", 2, 1)]


def test_chains_that_a_researcher_decided_about_are_counted() -> None:
    """Section 3.3.1: about 4,000 entities were reviewed."""
    counted = statistics_of_words()
    decided = replace(FIRST.chains[0], decisions=(7, 9))
    counted.add(replace(FIRST, chains=(decided, *FIRST.chains[1:])))
    counted.add(SECOND)
    assert (counted.result().decided, counted.result().chains) == (1, 5)
    earlier = {name: value for name, value in counted.result().to_json().items() if name != "decided"}
    assert Sums.from_json(earlier).decided is None, "an earlier count did not look"


def test_sums_come_back_from_json_also_from_another_version() -> None:
    sums = counted()
    assert Sums.from_json(json.loads(json.dumps(sums.to_json()))) == sums
    assert Sums.from_json({"images": 3, "of another version": 1, "types": {"people": {"new": 1}}}) == Sums(
        images=3, types={"people": TypeSums()}
    )


def test_words_said_once_go_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MAX_WORDS", 3)
    found = Statistics(lambda word: False, lambda word: False)
    for number in range(5):
        found.add(image(f"{number}.jpg", f"people:1:a_man people:1:a_word{number}", [chain(1, "people", 2)]))
    nouns = found.result().nouns
    assert nouns[0] == ("man", 5, 0) and len(nouns) <= 4
