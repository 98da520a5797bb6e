"""What Prolific does not do by itself: end a study in time, and go on once a token is right again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from tests.workflows.platforms.prolific.play import Play, make_batch, open_ones
from workflows.crowd.models import Problem, Publication
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.publications.publish import publish

pytestmark = pytest.mark.django_db
SECONDS = 3600  # that a study is open for
HOUR = timedelta(seconds=SECONDS)


def wait(play: Play, time: timedelta) -> None:
    play.now += time
    play.stage.world.clock.advance(time.total_seconds())


@contextmanager
def wrong_token(play: Play) -> Iterator[None]:
    headers = play.stage.provider._api._http.headers
    right, headers["Authorization"] = headers["Authorization"], "Token wrong"
    yield
    headers["Authorization"] = right


def test_a_study_is_ended_with_its_time_and_what_waits_is_published_anew(play: Play) -> None:
    make_batch(images=2, lifetime_seconds=SECONDS)
    play.rounds()
    (first,) = open_ones()
    wait(play, HOUR)
    play.rounds(4)
    first.refresh_from_db()
    assert first.state == "settled"
    assert [one.places for one in open_ones()] == [2]


def test_a_study_that_the_platform_pauses_holds_its_places_no_longer_than_its_time(play: Play) -> None:
    make_batch(images=1, lifetime_seconds=SECONDS)
    play.rounds()
    (paused,) = open_ones()
    studies = play.stage.provider._studies
    studies._transition(paused.external_id, paused.external_id, "PAUSE")
    play.rounds()
    assert Publication.objects.count() == 1
    wait(play, HOUR)
    play.rounds(4)
    (other,) = open_ones()
    assert other != paused


def test_the_time_of_what_is_published_late_begins_then(play: Play) -> None:
    make_batch(images=1, lifetime_seconds=SECONDS)
    plan_publications(provider=play.stage.provider, now=play.now)
    wait(play, 2 * HOUR)
    play.rounds()
    (one,) = open_ones()
    assert play.now < one.expires_at <= play.now + HOUR


def test_a_wrong_token_fails_no_publication_and_stops_no_stage(play: Play) -> None:
    """Nobody knows whether this one was published."""
    make_batch(images=1, lifetime_seconds=SECONDS)
    play.stage.world.faults.add("cut-after", "publish-study", times=5)
    plan_publications(provider=play.stage.provider, now=play.now)
    publish(provider=play.stage.provider, now=play.now)
    with wrong_token(play):
        play.rounds(2)
    assert Publication.objects.get().state == "planned"
    play.rounds(4)
    assert Publication.objects.get().state == "open"
    assert not Problem.objects.filter(closed_at=None).exists()


def test_a_wrong_token_fails_no_bonus(play: Play) -> None:
    make_batch(images=1, lifetime_seconds=SECONDS)
    play.rounds()
    one = play.work(open_ones()[0], play.stage.workers[0])
    play.rounds()
    payment = play.thank(one)
    with wrong_token(play):
        play.rounds(2)
    payment.refresh_from_db()
    assert payment.state == "due"
    play.rounds(2)
    payment.refresh_from_db()
    assert payment.state == "done" and play.stage.world.books.paid("bonus") == 20
