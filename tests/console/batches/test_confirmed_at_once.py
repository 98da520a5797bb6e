"""One confirmation that is sent several times at the same moment."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from tests.console.batches.form_data import acts, filled
from tests.factories import make_batch, make_image, make_project
from tests.workflows.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def _tab(manager: Client) -> Client:
    tab = Client()
    tab.cookies = manager.cookies
    return tab


def test_of_settings_sent_from_two_tabs_the_second_is_told(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    shown = [filled(manager, url, reward__link="0.30"), filled(manager, url, target="2")]
    replies = at_once([partial(_tab(manager).post, url, data) for data in shown])
    assert sorted(reply.status_code for reply in replies) == [302, 409]
    assert acts().count() == 1


def test_a_confirmation_sent_from_four_tabs_holds_once(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False)
    url = reverse("batches:move", args=[batch.pk, "launch"])
    data = filled(manager, url)
    replies = at_once([partial(_tab(manager).post, url, data) for _ in range(4)])
    assert [reply.status_code for reply in replies] == [302] * 4
    batch.refresh_from_db()
    assert batch.state == "running"
    assert list(acts().values_list("action", flat=True)) == ["batch.launch"]
