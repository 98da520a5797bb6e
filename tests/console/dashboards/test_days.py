"""The table of days: what each brought, all of them, and the forecast of the launch above."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from console.dashboards.days import NEWEST, days
from tests.workflows.batches.domain.test_plan import PLAN
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import Hours, Money

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
HOURS = Hours(
    days=(("2026-11-18", {"link": 1000, "drawing": 400}), ("2026-11-20", {"link": 50})),
    seconds={"2026-11-18": 9000, "2026-11-19": 60, "2026-11-20": 600},
)
MONEY = Money(days={"2026-11-18": {"GBP": 1250}, "2026-11-20": {"GBP": 50, "USD": 5}})


def of(hours: Hours = HOURS, money: Money = MONEY) -> Kept:
    return Kept(hours=hours, money=money, times={"hours": NOW, "money": NOW})


def test_days_come_newest_first_below_their_sum_and_the_forecast() -> None:
    section = days(of(), PLAN)
    assert [tuple(row) for row in section.rows] == [
        (
            "forecast at the launch",
            "1,000 (900 to 1,200)",
            "2.5 h (2.0 to 3.0)",
            "1.20 GBP (1.00 to 1.50 GBP)",
        ),
        ("all days", "1,450", "2.7 h", "13.00 GBP and 0.05 USD"),
        ("20 Nov 2026", "50", "10 min", "0.50 GBP and 0.05 USD"),
        ("19 Nov 2026", "0", "1 min", "–"),
        ("18 Nov 2026", "1,400", "2.5 h", "12.50 GBP"),
    ]
    assert "12 images and 5 workers" in section.note
    assert "for 1 image and 1 worker, as" in days(of(), replace(PLAN, images=1, workers=1)).note


def test_the_chart_has_the_days_between() -> None:
    (chart,) = days(of(Hours(seconds={"2026-11-17": 7200, "2026-11-20": 3600}))).charts
    assert [row[1] for row in chart.rows] == ["2 h", "0 h", "0 h", "1 h"]


def test_a_launch_without_a_plan_and_a_project_have_no_forecast() -> None:
    section = days(of())
    assert section.rows[0][0] == "all days" and "Forecast" not in section.note


def test_the_sum_counts_days_that_the_table_has_no_room_for() -> None:
    seconds = {f"{NOW - n * timedelta(days=1):%Y-%m-%d}": 3600 for n in range(NEWEST + 9)}
    section = days(of(Hours(seconds=seconds)))
    assert len(section.rows) == 1 + NEWEST
    assert section.rows[0][2] == f"{NEWEST + 9:,.1f} h"


def test_without_figures_it_says_so() -> None:
    assert days(Kept()).note == "Not counted yet."
    assert days(of(Hours(), Money())).note == "No answer so far."
