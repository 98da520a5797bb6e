"""No page of the researchers asks the database too often; a real size is for `make bench-console`."""

from __future__ import annotations

import pytest

from benchmarks.console_fill import fill
from benchmarks.console_pages import MOST_QUERIES, Visitor


@pytest.mark.django_db
def test_no_page_takes_more_queries_than_it_may() -> None:
    fill(3)
    visits = list(Visitor(times=0).visits())
    assert not [visit for visit in visits if visit.status >= 500]
    assert not [visit for visit in visits if visit.queries > MOST_QUERIES]
    # Those that were looked at are the pages, and not refusals.
    assert {visit.status for visit in visits} <= {200, 302, 403, 404, 405, 409}
    assert len([visit for visit in visits if visit.status == 200]) > 60
