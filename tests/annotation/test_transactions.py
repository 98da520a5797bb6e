from __future__ import annotations

import pytest
from django.db import connection

from annotation.models import Project
from annotation.transactions import snapshot, write_transaction
from tests.factories import make_project
from tests.workflows.threads import at_once

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db(transaction=True)
def test_reads_within_agree_and_keep_nobody_from_writing() -> None:
    def write() -> None:
        with write_transaction():
            make_project()

    make_project()
    with snapshot():
        assert Project.objects.count() == 1
        at_once([write])
        assert Project.objects.count() == 1
    assert Project.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_it_ends_after_an_error_too() -> None:
    def fail() -> None:
        with snapshot():
            Project.objects.count()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    make_project()
    assert connection.in_atomic_block is False
    assert Project.objects.count() == 1
