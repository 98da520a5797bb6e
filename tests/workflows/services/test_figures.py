from __future__ import annotations

import pytest

from tests.factories import make_project, make_worker
from workflows.services.figures import set_figures

pytestmark = pytest.mark.django_db


def test_what_the_platform_says_is_kept_and_can_be_taken_back() -> None:
    worker = make_worker(make_project())
    for figures in ((612, 0.97), (None, None)):
        set_figures(worker_id=worker.pk, completed=figures[0], approval=figures[1])
        worker.refresh_from_db()
        assert (worker.completed, worker.approval) == figures


def test_numbers_that_are_none_of_the_kind_are_refused() -> None:
    worker = make_worker(make_project())
    with pytest.raises(ValueError, match="completed: must be 0 or more"):
        set_figures(worker_id=worker.pk, completed=-1, approval=None)
    with pytest.raises(ValueError, match="approval: must be a share"):
        set_figures(worker_id=worker.pk, completed=None, approval=97)
