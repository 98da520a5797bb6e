"""Questions that cover what is missing, and no others."""

from __future__ import annotations

from collections import Counter

from workflows.questions.domain.coverage import Offer, cover
from workflows.questions.domain.known_images import Question


def questions(stage: str, *kinds: str) -> list[Question]:
    return [Question(stage, kind, 1, (number,), {}, "") for number, kind in enumerate(kinds)]


def offer(image: int, role: str = "", **stages: tuple[str, ...]) -> Offer:
    return Offer(image, role, {stage: questions(stage, *kinds) for stage, kinds in stages.items()})


def test_three_missing_questions_take_three_and_not_all_that_an_image_admits() -> None:
    offers = [offer(1, requirement=("box",) * 8, link=("same",) * 8)]
    chosen, left = cover({("requirement", "gold"): 3}, offers, {})
    assert [(one.image, one.role, len(one.questions)) for one in chosen] == [(1, "gold", 3)]
    assert {question.stage for one in chosen for question in one.questions} == {"requirement"}
    assert left == {}


def test_an_image_keeps_its_role() -> None:
    offers = [offer(1, "test", link=("same",) * 4), offer(2, link=("same",) * 2)]
    chosen, left = cover({("link", "gold"): 3}, offers, {})
    assert [(one.image, one.role, len(one.questions)) for one in chosen] == [(2, "gold", 2)]
    assert left == {("link", "gold"): 1}


def test_images_with_a_role_come_before_those_that_a_batch_could_annotate() -> None:
    offers = [offer(1, link=("same",) * 4), offer(2, "gold", link=("same",) * 4)]
    chosen, _ = cover({("link", "gold"): 3}, offers, {})
    assert [one.image for one in chosen] == [2]


def test_the_rarest_kind_comes_first() -> None:
    there = {("requirement", "gold"): Counter(box=5)}
    offers = [offer(1, requirement=("box", "box", "scene", "scene"))]
    chosen, _ = cover({("requirement", "gold"): 2}, offers, there)
    assert [question.kind for question in chosen[0].questions] == ["scene", "scene"]


def test_a_new_image_takes_the_role_of_which_it_covers_most() -> None:
    missing = {("link", "gold"): 1, ("link", "test"): 4, ("drawing", "test"): 1}
    chosen, left = cover(missing, [offer(1, link=("same",) * 4, drawing=("one",))], {})
    assert [(one.role, len(one.questions)) for one in chosen] == [("test", 5)]
    assert left == {("link", "gold"): 1}


def test_nothing_missing_makes_nothing() -> None:
    assert cover({("link", "gold"): 0}, [offer(1, link=("same",))], {}) == ([], {})
