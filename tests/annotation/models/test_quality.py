"""What must not happen twice is refused by the database itself, whatever a service overlooks."""

from __future__ import annotations

import pytest
from django.db import IntegrityError

from annotation.models import Exposure
from tests.annotation.models.raw_rows import insert_again
from tests.factories import claim_page, make_controlled, make_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_worker_is_shown_a_verification_question_once() -> None:
    batch = make_controlled("link", "trusted")
    claim_page(make_worker(batch.project), stage="link")
    with pytest.raises(IntegrityError):
        insert_again(Exposure.objects.all()[0])
