"""Forecasts of a batch as large as the paper's, and what must hold for any forecast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.answers import Stage
from research.strategies import draw_image
from tests.shared import ROOT
from workflows.analysis.domain.kept_counts import Judgments, Results, StageJudgments
from workflows.batch_settings.domain.paper import SECONDS
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import STRATEGY_NAMES, BatchSettings, parse_settings
from workflows.batches.domain.forecast import Forecast, Range, answers_needed, forecast, further_items
from workflows.batches.domain.knowledge import PHOTOGRAPH, Knowledge, learnt, with_visits
from workflows.batches.domain.link_work import ImageShape, count_shape, expected_work

KINDS = st.sampled_from((("people",), ("clothing",), ("scene",), ("other",), ("bodyparts", "people")))
SHAPES = st.lists(st.lists(st.lists(KINDS, max_size=4), min_size=1, max_size=5), min_size=1, max_size=6)
PAID = BatchSettings(reward=dict.fromkeys(map(str, Stage), 10))


def _paper(images: int = 60) -> list[ImageShape]:
    """Return images with the paper's numbers of chains and mentions."""
    rng = Random(7)
    shapes: list[ImageShape] = []
    for _ in range(images):
        captions: list[list[Sequence[str]]] = [[] for _ in range(5)]
        for mention in draw_image(rng, 1.5).mentions:
            captions[mention.caption].append(mention.types)
        shapes.append(captions)
    return shapes


PAPER = _paper()
PAGE = (ROOT / "docs" / "batches.md").read_text(encoding="utf-8")
"""It has the figures that these tests compute."""


def _forecast(
    shapes: Sequence[ImageShape], images: int, given: BatchSettings = PAID, workers: int = 5
) -> Forecast:
    return forecast(shapes, images, given, workers=workers, rng=Random(3))


def _ranges(found: Forecast) -> list[Range]:
    return [
        one
        for sums in (*found.stages.values(), found.total)
        for one in (sums.items, sums.judgments, sums.pages, sums.hours, sums.money)
    ]


@settings(max_examples=12, deadline=None)
@given(SHAPES, st.integers(0, 3000), st.integers(1, 1000))
def test_more_images_never_take_fewer_judgments(shapes: list[ImageShape], images: int, more: int) -> None:
    few, many = (answers_needed(shapes, number, PAID, rng=Random(3)) for number in (images, images + more))
    for stage, less in few.items():
        for name in ("low", "middle", "high"):
            assert getattr(less, name) <= getattr(many[stage], name) * (1 + 1e-9)


@settings(max_examples=6, deadline=None)
@given(SHAPES, st.integers(0, 3000))
def test_ranges_hold_their_middle(shapes: list[ImageShape], images: int) -> None:
    for one in _ranges(_forecast(shapes, images)):
        assert 0 <= one.low <= one.middle <= one.high


def test_ten_times_the_images_cost_more() -> None:
    """Pages are played through with chance, so a few images more may take a few pages less."""
    few, many = _forecast(PAPER, 40).total, _forecast(PAPER, 400).total
    for less, greater in ((few.pages, many.pages), (few.hours, many.hours), (few.money, many.money)):
        assert less.high < greater.low


def test_no_images_take_nothing() -> None:
    assert set(_ranges(_forecast(PAPER, 0))) == {Range()}
    assert set(_ranges(_forecast([[[]]], 10))) == {Range()}, "nor do images without mentions"


def test_the_same_random_source_says_the_same() -> None:
    assert _forecast(PAPER, 100) == _forecast(PAPER, 100)


def test_every_strategy_that_a_batch_can_choose_has_a_forecast() -> None:
    images = [count_shape(shape) for shape in PAPER]
    assert all(expected_work(images, strategy).links > 0 for strategy in STRATEGY_NAMES)
    with pytest.raises(LookupError, match="a fifth"):
        expected_work(images, "a fifth")


@pytest.mark.parametrize(
    ("strategy", "share"),
    [("exhaustive", 1.0), ("greedy", 0.57), ("exhaustive_plus", 1.197), ("greedy_plus", 0.669)],
)
def test_strategies_save_what_the_paper_says(strategy: str, share: float) -> None:
    """Table 2: the share of the judgments of `exhaustive`."""
    images = [count_shape(shape) for shape in PAPER]
    links, pairs = expected_work(images, strategy).links, expected_work(images, "exhaustive").links
    assert links / pairs == pytest.approx(share, abs=0.04)
    assert strategy == "exhaustive" or f"| `{strategy}` | {links / pairs:.1%} | {share:.1%} |" in PAGE


def test_the_papers_corpus_comes_to_the_papers_size() -> None:
    """docs/protocol.md, "The size to plan for": verified chains, boxes before merging, judgments."""
    found = _forecast(PAPER, 31_783)
    assert found.stages[Stage.VERIFICATION].items.middle == pytest.approx(123_758, rel=0.15)
    drawn = 275_775 / (1 - 0.198)  # boxes before merging (section 3.3.2)
    assert found.stages[Stage.QUALITY].items.middle * 0.824 == pytest.approx(drawn, rel=0.15)
    assert found.total.judgments.low > 2_000_000
    chains, judgments = found.stages[Stage.VERIFICATION].items.middle, found.total.judgments.middle
    said = f"{round(chains, -3):,.0f} chains to verify and about {judgments / 1e6:.1f} million judgments"
    assert said in " ".join(PAGE.split())


def test_a_target_is_all_that_is_paid() -> None:
    some = BatchSettings(reward=PAID.reward, target=50)
    assert _forecast(PAPER, 1000, some).stages == _forecast(PAPER, 50).stages
    assert _forecast(PAPER, 10, some).images == 10


@pytest.mark.parametrize("regime", [Regime.TRUSTED, Regime.VERIFICATION])
def test_control_costs_pages_and_no_items(regime: Regime) -> None:
    def under(one: str) -> Forecast:
        given = BatchSettings(reward=PAID.reward, regime=dict.fromkeys(map(str, Stage), one))
        return _forecast(PAPER, 200, given)

    free, controlled = under(Regime.OPEN), under(regime)
    for stage in map(str, Stage):
        assert controlled.stages[stage].items == free.stages[stage].items
        assert controlled.stages[stage].money.middle > free.stages[stage].money.middle
    if regime == Regime.VERIFICATION:
        link = free.stages[Stage.LINK].pages.middle, controlled.stages[Stage.LINK].pages.middle
        assert link[1] / link[0] == pytest.approx(1 / 0.8 / 0.98, rel=0.02), "a fifth, and 2% rejected"


def test_under_trusted_every_worker_enters() -> None:
    few, many = _forecast(PAPER, 5000, workers=1), _forecast(PAPER, 5000, workers=100)
    more = many.stages[Stage.LINK].pages.middle - few.stages[Stage.LINK].pages.middle
    assert 99 * 3 * 0.7 < more < 99 * 3 * 1.3, "about three pages each, and pages that are not full"
    assert many.wall.middle < few.wall.middle / 50


def test_who_enters_a_short_stage_enters_in_full() -> None:
    """A few chains to verify attract as many workers, and each answers the whole entrance first."""
    short = _forecast(PAPER, 3, workers=8).stages[Stage.VERIFICATION]
    assert short.judgments.middle < PAID.control.entrance
    pages_each = PAID.control.entrance / PAID.items_a_page[Stage.VERIFICATION]
    assert 8 * 0.5 * pages_each < short.pages.middle < 8 * pages_each / 0.9 + short.judgments.high
    crowded = _forecast(PAPER, 3, workers=10_000).stages[Stage.VERIFICATION]
    assert crowded.pages.high < (crowded.judgments.high + 1) * (pages_each + 1), "no more than can be needed"


def test_wages_follow_from_the_pages_time() -> None:
    wages = _forecast(PAPER, 10).wages
    assert wages[Stage.LINK] == pytest.approx(10 * 3600 / 75)
    assert _forecast(PAPER, 10, BatchSettings()).wages[Stage.LINK] == 0


def test_times_of_few_answers_say_less() -> None:
    def spread(judgments: int) -> float:
        own = Judgments({"link": StageJudgments(judgments=judgments, median=5.0, p90=9.0)})
        hours = forecast(PAPER, 1000, PAID, workers=5, rng=Random(3), knowledge=learnt(own, None))
        found = hours.stages[Stage.LINK].hours
        return found.high / found.low

    assert spread(50) > 1.05 * spread(5000)


def test_with_visits_nobody_looks_twice_at_a_photograph() -> None:
    visits = replace(PAID, page="visit")
    usual = Knowledge()
    assert further_items(PAPER, 100, PAID, workers=5, rng=Random(3), knowledge=usual) == {}
    further = further_items(PAPER, 100, visits, workers=5, rng=Random(3), knowledge=usual)
    assert 0.3 < further[Stage.LINK] < 0.9 and 0.2 < further[Stage.QUALITY] < 0.9
    known = with_visits(usual, further).stages
    saved = SECONDS[Stage.LINK] - known[Stage.LINK].seconds
    assert saved == pytest.approx(PHOTOGRAPH * further[Stage.LINK])


def test_own_chains_and_boxes_move_what_is_forecast() -> None:
    results = Results(
        boxes={"accepted": 200, "rejected": 100}, chains_by_boxes={"none": 150, "one": 150, "several": 0}
    )
    own = learnt(None, results)
    assert own.bad == pytest.approx(1 / 3)
    assert (own.without, own.several) == (0.5, 0.0)
    found = forecast(PAPER, 1000, PAID, workers=5, rng=Random(3), knowledge=own)
    usual = _forecast(PAPER, 1000)
    assert found.stages[Stage.COVERAGE].items.middle < usual.stages[Stage.COVERAGE].items.middle
    assert learnt(None, Results(boxes={"accepted": 10})) == Knowledge()


def test_the_second_protocol_has_its_own_stages_and_takes_less_time() -> None:
    """In `make bench-protocols`, boxes take 574 s an image by dragging instead of 766 s, with links alike."""
    fast = parse_settings({"protocol": "entities-fast", "reward": {"boxes": 10, "check": 10}})
    there, paper = _forecast(PAPER, 500, fast), _forecast(PAPER, 500)
    assert tuple(there.stages) == fast.stages and set(there.wages) == set(fast.stages)
    assert there.stages["verification"].judgments == Range(), "nobody is asked to verify chains"
    links = there.stages[Stage.LINK].items.middle, paper.stages[Stage.LINK].items.middle
    assert links[0] == pytest.approx(links[1], rel=0.05)
    assert there.stages["check"].judgments.middle > there.stages["check"].items.middle
    assert there.stages["boxes"].money.low > 0
    boxes = sum(one.hours.middle for stage, one in there.stages.items() if stage != Stage.LINK)
    usual = sum(
        one.hours.middle
        for stage, one in paper.stages.items()
        if stage not in (Stage.LINK, Stage.VERIFICATION)
    )
    assert 0.4 < boxes / usual < 0.8
