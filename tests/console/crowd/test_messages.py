"""A message to a worker is stored nowhere but in the queue."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from django.db import DatabaseError
from django.test import Client
from kombu.exceptions import OperationalError

from annotation.transactions import write_transaction
from tests.console.batches.form_data import acts
from tests.console.crowd.crowd_rows import (
    make_crowd_batch,
    make_participation,
    make_publication,
    with_account,
)
from tests.console.crowd.requests import act, token
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


@pytest.fixture
def written_to(db: None) -> Iterator[Participation]:
    with with_account():
        yield make_participation(make_publication(make_crowd_batch()))


@pytest.mark.parametrize("error", [OperationalError("no Redis"), OSError("no folder")])
def test_a_message_that_the_queue_did_not_take_is_said_and_can_be_sent_again(
    manager: Client, written_to: Participation, error: Exception
) -> None:
    url = act(written_to, "message")
    data = {**token(manager, url), "subject": "Your page", "text": "It broke: you are paid."}
    with patch("workflows.tasks.write_to_worker.apply_async", side_effect=[error, None]) as queue:
        reply = manager.post(url, data)
        page = reply.content.decode()
        assert reply.status_code == 409 and "was not sent" in page
        assert "It broke: you are paid." in page, "what was typed is still there"
        assert [one.action for one in acts()] == ["crowd.message", "crowd.message-unsent"]
        again = manager.post(url, data, follow=True)
        assert "The message is on its way." in again.content.decode()
        assert [one.action for one in acts()][2:] == ["crowd.message"]
        reply = manager.post(url, data, follow=True)
        assert "this was already done" in reply.content.decode() and queue.call_count == 2


def test_a_message_of_which_nothing_could_be_kept_is_not_handed_over(
    manager: Client, written_to: Participation
) -> None:
    """Otherwise the sender would send it again, and the worker would get it twice."""
    url = act(written_to, "message")
    data = {**token(manager, url), "subject": "Your page", "text": "It broke: you are paid."}

    @contextmanager
    def without_commit() -> Iterator[None]:
        with write_transaction():
            yield
            raise DatabaseError("The connection is gone.")

    with patch("workflows.tasks.write_to_worker.apply_async") as queue:
        with (
            patch("console.crowd.views.participation_actions.write_transaction", without_commit),
            pytest.raises(DatabaseError),
        ):
            manager.post(url, data)
        assert not queue.called and not acts().exists()
        manager.post(url, data)
        assert queue.call_count == 1 and acts().get().action == "crowd.message"
