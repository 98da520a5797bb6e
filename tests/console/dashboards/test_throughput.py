"""Throughput and the words of the forecast, from figures alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from console.dashboards.throughput import HOUR, end_of, hours_of, say_end, throughput, work_of
from tests.console.dashboards.counted import figures
from workflows.domain.counted import Hours, Items
from workflows.domain.progress import DONE, End, forecast_end
from workflows.kept import Kept

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def of(hours: Hours) -> Kept:
    times = dict.fromkeys(figures(), NOW - timedelta(hours=2)) | {"hours": NOW}
    return Kept(**(figures() | {"hours": hours}), times=times)  # type: ignore[arg-type]


def test_an_hour_and_a_day_without_judgments_are_drawn_as_none() -> None:
    kept = of(Hours((("2026-11-20T09", {"link": 3, "drawing": 1}),), (("2026-11-18", {"drawing": 5}),)))
    hours, days = throughput(kept).charts
    assert [row[1] for row in hours.rows] == ["4", "0", "0", "0"]
    assert days.header == ("time", "box drawing")
    assert list(days.rows) == [("18 Nov 2026", "5"), ("19 Nov 2026", "0"), ("20 Nov 2026", "0")]


def test_before_the_first_judgment_there_is_nothing_to_draw() -> None:
    assert [chart.svg for chart in throughput(of(Hours())).charts] == ["", ""]


def test_without_figures_it_says_so() -> None:
    assert throughput(Kept()).note == end_of(Kept(), running=True).unknown == "Not counted yet."


def test_the_end_is_told_from_when_the_hours_were_counted() -> None:
    pace = tuple((f"{NOW - n * HOUR:%Y-%m-%dT%H}", {"link": 10}) for n in range(9, 0, -1))
    kept = of(Hours(pace))
    assert kept.counted_at == NOW - 2 * HOUR
    end = end_of(kept, running=True)
    assert end.earliest is not None and kept.items is not None
    assert kept.judgments is not None
    count = sum(one.judgments for one in kept.judgments.stages.values())
    assert end == forecast_end(work_of(kept.items, count), hours_of(kept), now=NOW)


def test_images_that_were_let_go_are_not_waited_for() -> None:
    over = Items(images={"done": 3, "released": 7, "queued": 0})
    assert (over.total, work_of(over, 30).images, work_of(over, 30).finished) == (3, 3, True)


def test_the_end_in_words() -> None:
    assert say_end(End(NOW, NOW, NOW)) == (
        "20 Nov 2026",
        "at the earliest 20 Nov 2026, at the latest 20 Nov 2026.",
    )
    assert say_end(End(NOW)) == ("not known", "at the earliest 20 Nov 2026, no latest day can be told.")
    assert say_end(End(unknown=DONE)) == ("done", "Everything is done.")
