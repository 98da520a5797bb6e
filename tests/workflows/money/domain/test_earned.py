from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workflows.money.domain.earned import Key, Owed, Sums, differences, fold, milliseconds

DAY = date(2026, 11, 21)
KEY = Key(7, DAY, "USD")
AT = datetime(2026, 11, 21, 23, 59, tzinfo=UTC)
ENTRIES = st.lists(
    st.builds(
        Owed,
        kind=st.sampled_from(["earn", "payroll"]),
        token=st.sampled_from(["earn:page:1", "earn:top-up:1", "earn:part:1"]),
        worker=st.integers(1, 2),
        currency=st.sampled_from(["USD", "EUR"]),
        at=st.sampled_from([AT, AT + timedelta(minutes=1)]),
        amount=st.integers(1, 50),
        seconds=st.floats(0, 900),
    )
)


def _owed(kind: str, token: str, amount: int, **more: Any) -> Owed:
    return Owed(kind, f"{kind}:{token}", 7, "USD", more.pop("at", AT), amount, **more)


def test_a_page_counts_with_its_time_and_what_comes_on_top_only_as_money() -> None:
    found = fold(
        [
            _owed("earn", "page:1", 20, seconds=90.5),
            _owed("earn", "top-up:1", 3, seconds=90.5),
            _owed("earn", "part:2", 4),
            _owed("payroll", "page:1", 20, seconds=90.5),
        ]
    )
    assert found == {KEY: Sums(pages=1, milliseconds=90_500, earned=27, paid=20)}


def test_a_day_is_in_utc_wherever_the_clock_stands() -> None:
    tokyo = AT.astimezone(tz=datetime.strptime("+0900", "%z").tzinfo)
    assert tokyo.date() != DAY
    assert list(fold([_owed("earn", "page:1", 1, at=tokyo)])) == [KEY]


@given(ENTRIES, st.integers(0, 20), st.randoms(use_true_random=False))
def test_entries_come_to_the_same_in_any_order_and_in_any_parts(
    entries: list[Owed], cut: int, random: Any
) -> None:
    whole = fold(entries)
    mixed = random.sample(entries, len(entries))
    assert fold(mixed[cut:], fold(mixed[:cut])) == whole
    assert sum(sums.earned for sums in whole.values()) == sum(e.amount for e in entries if e.kind == "earn")
    assert sum(sums.paid for sums in whole.values()) == sum(e.amount for e in entries if e.kind == "payroll")


@given(st.lists(st.integers(0, 900_000), max_size=30), st.randoms(use_true_random=False))
def test_a_sum_of_times_is_the_same_in_any_order(times: list[int], random: Any) -> None:
    seconds = [one / 1000 for one in times]
    assert milliseconds(sum(seconds)) == milliseconds(sum(random.sample(seconds, len(seconds)))) == sum(times)


@given(ENTRIES.filter(bool), st.data())
def test_no_difference_is_passed_over(entries: list[Owed], data: st.DataObject) -> None:
    said = fold(entries)
    assert list(differences(said, said)) == []
    key = data.draw(st.sampled_from(sorted(said)))
    more = data.draw(st.sampled_from([Sums(1), Sums(0, 1), Sums(0, 0, 1), Sums(0, 0, 0, 1)]))
    assert len(list(differences({**said, key: said[key] + more}, said))) == 1
    assert len(list(differences({k: v for k, v in said.items() if k != key}, said))) == 1


def test_a_difference_names_worker_day_and_both_sums() -> None:
    assert list(differences({KEY: Sums(1, 2000, 5, 5)}, {})) == [
        "worker 7 on 2026-11-21 in USD: kept is 1 pages in 2000 ms, 5 earned, 5 paid, the entries say nothing"
    ]
