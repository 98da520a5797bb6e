"""Throughput and the text of the forecast, from figures alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from console.dashboards.throughput import HOUR, end_of, hours_of, say_end, throughput, work_of
from tests.console.dashboards.kept_rows import figures
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import Hours, Items, Judgments, StageItems, StageJudgments
from workflows.batches.domain.end_of_work import DONE, End, Work, forecast_end

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
    assert end == forecast_end(work_of(kept.items), hours_of(kept), now=NOW)


def test_images_that_were_let_go_are_not_waited_for() -> None:
    work = work_of(Items(images={"done": 3, "released": 7, "queued": 0}, wanted=3))
    assert (work.images, work.finished) == (3, True)


def test_judgments_on_images_that_were_let_go_are_not_what_an_image_takes() -> None:
    """A batch that was cancelled half way does not delay the forecast end of the batch after it."""
    kept = of(Hours(tuple((f"{NOW - n * HOUR:%Y-%m-%dT%H}", {"link": 10}) for n in range(30, 0, -1))))
    stage = StageItems(open=5, judgments_to_come=5, judged=200)
    items = Items({"link": stage}, {"done": 10, "queued": 10, "released": 50}, wanted=20)
    given = Judgments({"link": StageJudgments(judgments=1200)})
    assert end_of(replace(kept, items=items, judgments=given), running=True) == forecast_end(
        Work(200, 5, 20, 10, 0), hours_of(kept), now=NOW
    )


def test_images_that_wait_for_a_researcher_alone_have_no_end() -> None:
    """A crowd, however fast, does not answer what it is not asked."""
    rest = Items({"link": StageItems(done=9)}, {"done": 7, "boxing": 3}, wanted=10)
    assert work_of(rest).in_review
    for more in ({"open": 1}, {"leased": 1}, {"waiting": 1}):  # the last of these: or judgments to be read
        assert not work_of(replace(rest, stages={"link": StageItems(**more)})).in_review
    assert not work_of(replace(rest, images={**rest.images, "queued": 1}, wanted=11)).in_review
    assert not work_of(replace(rest, images={"done": 10})).in_review


def test_the_end_in_words() -> None:
    assert say_end(End(NOW, NOW, NOW)) == (
        "20 Nov 2026",
        "At the pace so far: at the earliest 20 Nov 2026, at the latest 20 Nov 2026.",
    )
    assert say_end(End(NOW)) == (
        "not known",
        "At the pace so far: at the earliest 20 Nov 2026, no latest day can be told.",
    )
    assert say_end(End(unknown=DONE)) == ("done", "Everything is done.")
