"""The demo's report."""

from simulation.agreement import Agreement
from simulation.report import Counts, Summary, Trust, report, side_by_side, table


def test_columns_are_aligned() -> None:
    rows = [("stage", "items"), ("link", "1,200"), ("coverage", "7")]
    assert table(rows) == "stage      items\nlink       1,200\ncoverage       7"


def test_it_says_all_that_was_asked_for() -> None:
    agreement = Agreement(
        links_true=10,
        links_found=10,
        links_right=9,
        chains_true=4,
        chains_exact=3,
        boxes_true=2,
        boxes_recalled=1,
        iou_sum=0.8,
        images=5,
    )
    items = {"link": 1200, "drawing": 3}
    text = report(items, {"link": 1300}, Counts(100, 94), Counts(50, 40), 0, "asked  7\n", agreement)
    for line in (
        "link           1,200       1,300",
        "drawing            3           0",
        "all            1,203       1,300",
        "\n\nasked  7\n\n",
        "chains         100         94             6 (6.0%)",
        "boxes           50         40           10 (20.0%)",
        "Chains that wait for a researcher's review: 0",
        "agreement with the truth         5 images",
        "links: precision                    90.0%",
        "chains found exactly                75.0%",
        "boxes found (IoU at least 0.5)      50.0%",
        "their mean IoU                      0.800",
    ):
        assert line in text, text


def test_it_says_who_is_trusted_and_what_that_took() -> None:
    trust = Trust({"ann": {"link": "trusted", "drawing": "lost"}, "bob": {"link": "failed"}}, 1200, 34, 56)
    text = report({}, {}, Counts(0, 0), Counts(0, 0), 0, "", Agreement(), trust)
    for line in (
        "worker      link   verification   requirement   drawing   quality   coverage",
        "ann      trusted              -             -      lost         -          -",
        "bob       failed              -",
        "1,200 at the entrance, 34 mixed into pages. In qualification tests: 56",
    ):
        assert line in text, text


def test_two_runs_are_shown_beside_each_other() -> None:
    good = Agreement(links_true=10, links_found=10, links_right=9, chains_true=4, chains_exact=3, images=4)
    text = side_by_side(
        [Summary("paper", 300, 4000.0, 1, good), Summary("fast", 180, 2480.0, 0, Agreement(images=4))]
    )
    for line in (
        "                                  paper     fast",
        "judgments an image                 75.0     45.0",
        "simulated seconds an image        1,000      620",
        "chains that wait for a review         1        0",
        "links: F1                         90.0%   100.0%",
        "chains found exactly              75.0%   100.0%",
    ):
        assert line in text, text


def test_chains_in_review_are_counted_and_nothing_divides_by_nothing() -> None:
    text = report({}, {}, Counts(0, 0), Counts(0, 0), 3, "", Agreement())
    assert "review: 3" in text
    assert "0 (0.0%)" in text
