"""No page of the researchers makes too many queries. `make bench-console` tests this at a real size."""

from __future__ import annotations

import pytest
from django.db.models import Sum

from annotation.models import Batch
from benchmarks.console.fill import fill
from benchmarks.console.pages import MAX_QUERIES, Visitor
from tests.console.crowd.crowd_rows import with_account
from workflows.batches.cost_forecast import sample_of
from workflows.crowd.payments.book_check import verify_books
from workflows.money.models import Earned

pytestmark = pytest.mark.slow("a benchmark on small data: every page of the console")


@pytest.mark.django_db
def test_no_page_takes_more_queries_than_it_may() -> None:
    fill(3)
    draft = Batch.objects.latest("pk")
    assert (draft.state, draft.works.count()) == ("draft", 3), "the last batch, which the benchmark visits"
    assert not [line for line in verify_books() if "earnings recount" in line or "budget" in line]
    earned = Earned.objects.aggregate(Sum("pages"), Sum("milliseconds"), Sum("earned"), Sum("paid"))
    assert all(earned.values()), "direct workers' pages with what they took, some of them paid"
    assert sample_of(draft)[0][0], "its forecast has mentions to look at"
    with with_account():
        visits = list(Visitor(times=0, brief=True).visits())
    assert not [visit for visit in visits if visit.status >= 500]
    assert not [visit for visit in visits if visit.queries > MAX_QUERIES]
    payrolls = [visit for visit in visits if visit.name.startswith("crowd:payroll")]
    assert sorted(visit.status for visit in payrolls) == [200, 200, 200, 302]
    # Pages were looked at, not refusals.
    assert len([visit for visit in visits if visit.status == 200 and visit.queries > 2]) > 60
