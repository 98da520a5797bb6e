"""What the parts of a dashboard say: what a share is a share of, and the paper's number beside it."""

from __future__ import annotations

from annotation.domain.answers import Stage
from annotation.domain.statistics import Sums, TypeSums
from console.common.charts import Chart
from console.common.elements import Section
from console.dashboards.sections import chains, links, money, quality, times
from console.statistics.plots import plots
from tests.console.dashboards.kept_rows import figures
from workflows.analysis.domain.kept_counts import (
    Judgments,
    Links,
    Money,
    Results,
    StageJudgments,
    Times,
)


def told(charts: dict[str, Chart], title: str) -> dict[str, tuple[str, ...]]:
    """Return the words beside each label of the chart with this title."""
    return {name: tuple(words) for name, *words in charts[title].rows}


def by_title(section: Section) -> dict[str, Chart]:
    return {chart.title: chart for chart in section.charts}


def test_chains_of_a_type_are_a_share_of_all_chains_as_in_the_statistics() -> None:
    # Of four chains, one has two types and one was split. So 3 chains count, and 4 types.
    found = Results(
        chains_by_state={"done": 2, "drawing": 1, "split": 1, "withdrawn": 7},
        chains_by_type={"people": 2, "clothing": 1, "other": 1},
    )
    here = told(by_title(chains(found)), "Share of chains a type")
    assert here["people"] == ("66.7%", "24.5%")
    sums = Sums(chains=3, types={"people": TypeSums(chains=2), "other": TypeSums(chains=1)})
    there = {name: tuple(words) for name, *words in plots(sums)["chains_by_type"].rows}
    assert here["people"] == there["people"]
    assert here["other"] == there["other"] == ("33.3%", "33.6%")


def test_types_of_the_projects_own_come_after_the_papers_without_its_numbers() -> None:
    found = Results(
        chains_by_state={"done": 4},
        chains_by_type={"people": 2, "street_furniture": 1, "food": 2},
        mentions_by_type={"people": 4, "food": 3},
    )
    section = chains(found)
    shares = told(by_title(section), "Share of chains a type")
    assert list(shares)[-2:] == ["food", "street furniture"]
    assert (shares["people"], shares["food"]) == (("50.0%", "24.5%"), ("50.0%", "–"))
    assert told(by_title(section), "Mentions a chain")["food"] == ("1.50", "–")
    sums = Sums(chains=4, types={"food": TypeSums(chains=2), "people": TypeSums(chains=2)})
    there = {name: tuple(words) for name, *words in plots(sums)["chains_by_type"].rows}
    assert list(there)[-2:] == ["other", "food"] and there["food"] == ("50.0%", "–")


def test_the_papers_approved_boxes_stand_beside_the_boxes_accepted_here() -> None:
    found = {str(stage): StageJudgments(asked=10, right=9, agreement=0.8) for stage in Stage}
    section = quality(Judgments(found))
    scores = told(by_title(section), "Verification questions answered right")
    assert scores["box drawing"] == ("90.0%", "–")
    assert scores["box quality"] == ("90.0%", "88.0%")
    agreed = told(by_title(section), "Judgments that agree with the outcome")
    assert agreed["box drawing"] == ("80.0%", "82.4%")
    assert agreed["box quality"] == ("80.0%", "–")
    assert "items that several workers answered" in section.note
    assert "of trusted workers; ours are also of all workers" in section.note


def test_accuracy_and_mean_seconds_of_trusted_workers_stand_beside_table_3() -> None:
    one = StageJudgments(asked=20, right=15, trusted_asked=10, trusted_right=9, trusted_mean=12.5, median=8.0)
    found = Judgments({str(Stage.QUALITY): one, str(Stage.LINK): StageJudgments(asked=5, right=5)})
    scores = told(by_title(quality(found)), "Verification questions answered right")
    assert scores["box quality"] == ("75.0%", "90.0%", "88.0%")
    assert scores["coreference link"][1] == "–"
    means = told(by_title(times(found)), "Mean of trusted workers, in seconds")
    assert means["box quality"][0] == "12.50 s"


def test_pages_and_scores_stand_beside_the_verification_questions_they_hold() -> None:
    found = Judgments({"quality": StageJudgments(judgments=6, asked=48, right=48, pages=18, workers=8)})
    section = quality(found)
    said = dict(zip(section.header, section.rows[0], strict=True))
    assert (said["judgments"], said["verification questions"], said["pages"]) == ("6", "48", "18")
    assert "Answers to verification questions are included" in times(found).note


def test_ways_of_drawing_and_visits_stand_beside_each_other() -> None:
    drawn = {"drag": Times(60, 9.5, 20.0), "extreme": Times(1200, 7.0, 12.25)}
    visits = {"first": Times(10, 8.0, 9.0), "further": Times(30, 4.0, 5.0)}
    section = times(Judgments({"link": StageJudgments(ways=visits), "drawing": StageJudgments(ways=drawn)}))
    assert section.rows == [
        ("coreference link: first question about a photograph", "10", "8 s", "9 s"),
        ("coreference link: further questions about it", "30", "4 s", "5 s"),
        ("box drawing: by dragging", "60", "9.50 s", "20 s"),
        ("box drawing: by extreme points", "1,200", "7 s", "12.2 s"),
    ]
    assert times(Judgments({})).header == ()


def test_the_papers_share_of_links_is_named_after_its_strategy() -> None:
    assert "in the paper's table 2, greedy asked 57.0%." in links(Links({"asked": 1}, 1)).note


def test_contradictions_that_are_left_are_told() -> None:
    assert "1 pair is in one chain although" in links(Links({"asked": 9}, 1, contradictions=1)).note
    assert "3 pairs are in one chain although" in links(Links({"asked": 9}, 1, contradictions=3)).note
    assert "in one chain although" not in links(Links({"asked": 9}, 1)).note


def test_rewards_are_not_taken_for_all_that_was_spent() -> None:
    found = figures()["money"]
    assert isinstance(found, Money)
    section = money(found)
    assert section.header[1] == "rewards of submitted pages"
    assert section.note.startswith("Rewards only, without fees and bonuses.")
