from __future__ import annotations

from workflows.analysis.domain.cuts import Cut, CutPattern, cut_patterns

KINDS = {"a": "article", "the": "article", "red": "adjective", "man": "noun", "gun": "noun", "fires": "verb"}


def cut(text: str, start: int, end: int) -> Cut:
    return Cut(text.split(), start, end)


def test_a_pattern_is_the_kinds_of_words_at_an_edge() -> None:
    fires = cut("a man fires the red gun", 0, 3)
    assert fires.patterns(KINDS.__getitem__) == ("nothing [ article + noun", "noun + verb ] article")
    gun = cut("a man fires the red gun", 5, 6)
    assert gun.patterns(KINDS.__getitem__) == ("adjective [ noun", "noun ] nothing")


def test_an_example_shows_the_words_around() -> None:
    assert cut("a red man fires the red gun", 2, 4).example == "a red [man fires] the red"


def test_what_is_flagged_more_often_than_by_chance_comes_first() -> None:
    flagged = [cut("a man fires a gun", 0, 3), cut("the man fires the gun", 0, 3), cut("a man fires", 0, 2)]
    others = [cut("a man fires", 0, 2)] * 7 + [cut("a red gun", 1, 3)] * 2
    found = cut_patterns(flagged, others, KINDS.__getitem__, most=3)
    assert found[0] == CutPattern("noun + verb ] article", 2, 2, "[a man fires] a gun")
    assert [(one.pattern, one.flagged, one.mentions) for one in found[1:]] == [
        ("nothing [ article + noun", 3, 10),
        ("article + noun ] verb", 1, 8),
    ]
    assert found[1].share == 0.3


def test_nothing_flagged_is_no_pattern() -> None:
    assert cut_patterns([], [cut("a man", 0, 2)], KINDS.__getitem__, most=3) == []
