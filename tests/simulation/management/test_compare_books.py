"""The ledger, compared with the emulator's own books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Batch
from tests.factories import NOW, make_batch, make_image, make_project, make_worker
from tests.workflows.crowd.scene import SITE, make_crowd_batch
from tests.workflows.platforms.emulated import MTurkStage, mturk_stage
from tests.workflows.platforms.orders import TOKEN, make_order
from tests.workflows.platforms.prolific.stage import account_at, prolific_stage
from workflows.crowd.models import Publication
from workflows.crowd.rounds.step import step
from workflows.money import ledger
from workflows.workers.models import Participation

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(settings: Any) -> Iterator[MTurkStage]:
    with mturk_stage() as made:
        settings.MTURK = made.provider.account
        yield made


def published(stage: MTurkStage) -> Publication:
    """Make one HIT of one place, whose money is reserved, with nobody at work on it."""
    project = make_project("scenes")
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project)
    hit = stage.provider.publish(make_order(places=1))
    publication = Publication.objects.create(
        batch=batch,
        stage="link",
        provider="mturk",
        environment="emulator",
        token=TOKEN,
        external_id=hit.external_id,
        state=Publication.State.OPEN,
        free=1,
        reward=50,
        fee=10,
        currency="USD",
        created_at=NOW,
        expires_at=NOW,
    )
    ledger.reserve(
        batch_id=batch.pk, token=TOKEN, amount=60, currency="USD", now=NOW, publication_id=publication.pk
    )
    return publication


def compare(stage: MTurkStage) -> str:
    out = StringIO()
    call_command("compare_books", project="scenes", mturk=stage.turk.url, seconds=5, stdout=out)
    return out.getvalue()


def test_what_nobody_took_is_ended_and_released_in_both_books(stage: MTurkStage) -> None:
    publication = published(stage)
    said = compare(stage)
    assert re.search("^fees +0.00 USD +0.00 USD$", said, re.MULTILINE) and "They agree." in said
    publication.refresh_from_db()
    assert publication.state == Publication.State.SETTLED
    assert stage.turk.books()["held"] == 0


@pytest.mark.parametrize("hours", [0, 2])
def test_who_gave_a_place_back_just_now_does_not_keep_it_waiting(stage: MTurkStage, hours: int) -> None:
    """Not even if the clock was two hours ahead then."""
    publication = published(stage)
    who = make_worker(publication.batch.project, "A1")
    at = timezone.now() + timedelta(hours=hours)
    opened = {"external_id": "place", "worker": who, "opened_at": at}
    there = Participation.objects.create(publication=publication, **opened)
    assert "They agree." in compare(stage)
    there.refresh_from_db()
    assert there.state == Participation.State.RETURNED


def test_money_that_only_one_of_them_knows_is_told(stage: MTurkStage) -> None:
    publication = published(stage)
    pk = publication.pk
    ledger.commit(token="p1", reserved_under=TOKEN, rewards=50, fees=10, now=NOW, publication_id=pk)
    with pytest.raises(CommandError, match="they differ in rewards, fees"):
        compare(stage)


def test_a_hit_that_we_do_not_know_is_told(stage: MTurkStage) -> None:
    published(stage)
    other = stage.provider.publish(make_order(token="0f"))
    with pytest.raises(CommandError, match=f"they differ in not ours: {other.external_id}"):
        compare(stage)


def replaced(publication: Publication, **fields: object) -> Publication:
    for name, value in fields.items():
        setattr(publication, name, value)
    return publication


def test_the_same_with_prolific(settings: Any) -> None:
    settings.SITE = SITE
    with prolific_stage() as stage:
        settings.PROLIFIC = account_at(stage.emulator)
        batch = make_crowd_batch(crowd={"provider": "prolific"}, currency="GBP")
        step(provider=stage.provider, now=timezone.now(), patient=False)
        assert stage.world.reserved()
        stage.world.books.top_up(500, NOW)  # for no study
        refused = {"pk": None, "state": Publication.State.FAILED, "external_id": "", "token": TOKEN}
        Publication.objects.bulk_create([replaced(Publication.objects.get(), **refused)])
        # Otherwise what is ended here would be published anew.
        Batch.objects.filter(pk=batch.pk).update(state=Batch.State.PAUSED)
        out = StringIO()
        call_command("compare_books", project=batch.project.name, prolific=stage.emulator.url, stdout=out)
        assert "They agree." in out.getvalue()
        assert not stage.world.reserved()
        stage.world.books.pay("bonus", 5, study=next(iter(stage.world.studies)), submission="", at=NOW)
        with pytest.raises(CommandError, match="they differ in bonuses, fees"):
            call_command("compare_books", project=batch.project.name, prolific=stage.emulator.url)
