from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_project
from workflows.analysis.counts.selectors import kept

pytestmark = pytest.mark.django_db


def test_the_figures_of_one_project_are_counted_whenever_they_were_counted_last() -> None:
    wanted, other = make_project(), make_project()
    for _ in range(2):
        out = StringIO()
        call_command("refresh_counts", project=wanted.name, stdout=out)
        assert out.getvalue() == "9 groups of figures refreshed\n"
    assert kept(project=wanted).corpus is not None and kept(project=other).corpus is None


def test_a_project_that_is_not_there_is_an_error() -> None:
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("refresh_counts", project="nowhere")
