"""One confirmation sent several times at the same moment."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from tests.console.batches.filling import acts, filled
from tests.factories import make_batch, make_image, make_project
from tests.workflows.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_confirmation_sent_from_four_tabs_holds_once(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    url = reverse("batches:move", args=[batch.pk, "launch"])
    data = filled(manager, url)
    tabs = []
    for _ in range(4):
        tab = Client()
        tab.cookies = manager.cookies
        tabs.append(tab)
    replies = at_once([partial(tab.post, url, data) for tab in tabs])
    assert [reply.status_code for reply in replies] == [302] * 4
    batch.refresh_from_db()
    assert batch.state == "running"
    assert list(acts().values_list("action", flat=True)) == ["batch.launch"]
