from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Worker
from tests.factories import NOW, make_project, make_worker
from tests.workflows.threads import at_once
from workflows.workers import sign_ins
from workflows.workers.domain.sign_ins import OVERLAP, Token
from workflows.workers.enrolment import block_worker, unblock_worker
from workflows.workers.models import SignIn
from workflows.workers.sign_ins import (
    TokenEndedError,
    TokenOverError,
    end_sign_ins,
    first_token,
    link_token,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DAY = timedelta(days=1)
LIFE = 30 * DAY
SECOND = timedelta(seconds=1)


def check(token: Token, now: datetime) -> None:
    sign_ins.check_token(token, life=LIFE, now=now)


def renew(token: Token, now: datetime) -> Token:
    """Renew as a request does, which is refused if the token is not accepted."""
    check(token, now)
    return sign_ins.renew_token(token, life=LIFE, now=now)


def is_accepted(token: Token, now: datetime) -> bool:
    try:
        check(token, now)
    except (TokenOverError, TokenEndedError):
        return False
    return True


@pytest.fixture
def worker() -> Worker:
    return make_worker(make_project())


def test_a_sign_in_that_is_renewed_every_day_ends_after_180_days(worker: Worker) -> None:
    token = first_token(worker, now=NOW)
    for day in range(1, 180):
        token = renew(token, NOW + day * DAY)
    assert token.number == 179
    assert is_accepted(token, NOW + 180 * DAY)
    with pytest.raises(TokenOverError):
        renew(token, NOW + 180 * DAY + SECOND)


def test_a_sign_in_from_a_link_ends_180_days_after_the_link_was_made(worker: Worker) -> None:
    token = renew(link_token(worker, now=NOW), NOW + 29 * DAY)
    for day in (50, 79, 108, 137, 166):
        token = renew(token, NOW + day * DAY)
    assert is_accepted(token, NOW + 180 * DAY)
    assert not is_accepted(token, NOW + 180 * DAY + SECOND)


def test_the_old_token_ends_a_minute_after_the_new_one_was_first_used(worker: Worker) -> None:
    old, later = first_token(worker, now=NOW), NOW + 2 * DAY
    new = renew(old, later)
    assert is_accepted(old, later + DAY), "the reply may be lost"
    check(new, later + DAY)
    check(new, later + DAY + 30 * SECOND)  # only the first use counts
    assert is_accepted(old, later + DAY + OVERLAP)
    with pytest.raises(TokenEndedError):
        check(old, later + DAY + OVERLAP + SECOND)
    assert is_accepted(new, later + 29 * DAY)


def test_a_lost_reply_is_asked_for_again(worker: Worker) -> None:
    old = first_token(worker, now=NOW)
    lost, got = renew(old, NOW + DAY), renew(old, NOW + 3 * DAY)
    assert (lost.sign_in, lost.number) == (got.sign_in, got.number)
    assert renew(got, NOW + 4 * DAY).number == 2
    assert SignIn.objects.count() == 1


def test_a_young_token_is_not_renewed(worker: Worker) -> None:
    token = first_token(worker, now=NOW)
    assert renew(token, NOW + DAY - SECOND) is token
    new = renew(token, NOW + DAY)
    assert renew(new, NOW + 2 * DAY - SECOND) is new
    assert SignIn.objects.get().newest == 1


def test_every_browser_that_opens_a_link_begins_its_own_sign_in(worker: Worker) -> None:
    link = link_token(worker, now=NOW)
    phone, laptop = renew(link, NOW), renew(link, NOW + 5 * DAY)
    assert phone.sign_in != laptop.sign_in
    for day in (6, 7, 8):
        phone = renew(phone, NOW + day * DAY)
        assert is_accepted(phone, NOW + day * DAY)
    assert is_accepted(laptop, NOW + 8 * DAY) and is_accepted(link, NOW + LIFE)
    assert not is_accepted(link, NOW + LIFE + SECOND)


def test_ending_sign_ins_ends_every_token_of_this_worker_and_none_that_is_made_later(worker: Worker) -> None:
    other = first_token(make_worker(worker.project), now=NOW)
    link, first = link_token(worker, now=NOW), first_token(worker, now=NOW)
    renewed = renew(first_token(worker, now=NOW), NOW + DAY)
    end_sign_ins(worker_id=worker.pk)
    for token in (link, first, renewed):
        with pytest.raises(TokenEndedError):
            renew(token, NOW + DAY)
    assert not SignIn.objects.exists()
    worker.refresh_from_db()
    for token in (other, link_token(worker, now=NOW), first_token(worker, now=NOW)):
        assert is_accepted(token, NOW + DAY)


def test_a_renewal_on_its_way_while_sign_ins_end_gives_nothing_that_is_accepted(worker: Worker) -> None:
    token = first_token(worker, now=NOW)
    check(token, NOW + DAY)
    end_sign_ins(worker_id=worker.pk)
    new = sign_ins.renew_token(token, life=LIFE, now=NOW + DAY)
    assert not is_accepted(new, NOW + DAY)


def test_blocking_ends_sign_ins_and_unblocking_revives_none(worker: Worker) -> None:
    token = first_token(worker, now=NOW)
    block_worker(worker_id=worker.pk, by="rita", note="", now=NOW)
    assert not is_accepted(token, NOW)
    unblock_worker(worker_id=worker.pk, by="rita", note="", now=NOW)
    assert not is_accepted(token, NOW)
    worker.refresh_from_db()
    new = first_token(worker, now=NOW)
    # A second click changes nothing, and ends nothing.
    unblock_worker(worker_id=worker.pk, by="rita", note="", now=NOW)
    assert is_accepted(new, NOW)


def test_a_worker_who_is_gone_has_no_tokens(worker: Worker) -> None:
    token = renew(first_token(worker, now=NOW), NOW + DAY)
    worker.delete()
    assert not is_accepted(token, NOW + DAY)


def test_a_sign_in_too_many_ends_with_its_first_token(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ins, "MAX_SIGN_INS", 2)
    begun = [first_token(worker, now=NOW) for _ in range(3)]
    numbers = [renew(token, NOW + DAY).number for token in begun]
    assert numbers == [1, 1, 0]
    assert renew(begun[0], NOW + DAY).number == 1, "it is one of those that are kept"
    # Sign-ins that are over make room, and their rows go.
    late = first_token(worker, now=NOW + 61 * DAY)
    assert renew(late, NOW + 62 * DAY).number == 1
    assert SignIn.objects.get().pk == late.sign_in


def test_checking_a_token_is_one_query_and_the_first_use_of_a_new_one_is_stored_once(worker: Worker) -> None:
    first = first_token(worker, now=NOW)
    for token, queries in ((link_token(worker, now=NOW), 1), (first, 1)):
        with CaptureQueriesContext(connection) as captured:
            check(token, NOW)
        assert len(captured) == queries
    renewed = renew(first, NOW + DAY)
    check(renewed, NOW + DAY)
    with CaptureQueriesContext(connection) as captured:
        check(renewed, NOW + DAY)
    assert len(captured) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("renewals", [0, 3])
def test_tabs_that_renew_at_once_all_go_on(renewals: int) -> None:
    worker = make_worker(make_project())
    token = first_token(worker, now=NOW)
    for day in range(1, renewals + 1):
        token = renew(token, NOW + day * DAY)
    now = NOW + (renewals + 1) * DAY
    tokens = at_once([partial(renew, token, now)] * 6)
    assert {one.number for one in tokens} == {renewals + 1}
    at_once([partial(check, one, now + SECOND) for one in tokens])
    for one in tokens:
        assert is_accepted(one, now + 2 * OVERLAP)
    assert not is_accepted(token, now + 2 * OVERLAP)
    again = at_once([partial(renew, one, now + DAY) for one in tokens])
    assert {one.number for one in again} == {renewals + 2}


@pytest.mark.django_db(transaction=True)
def test_whoever_renews_while_sign_ins_end_is_signed_out() -> None:
    worker = make_worker(make_project())
    token = first_token(worker, now=NOW)

    def come() -> Token | None:
        try:
            return renew(token, NOW + DAY)
        except TokenEndedError:
            return None

    def end() -> None:
        end_sign_ins(worker_id=worker.pk)

    found = at_once([come, come, end, come])
    for one in found:
        assert one is None or not is_accepted(one, NOW + DAY)
    assert not is_accepted(token, NOW + DAY)
