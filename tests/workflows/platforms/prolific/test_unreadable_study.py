"""An entry of Prolific's list that cannot be read is passed over, and never counts as gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pytest

from tests.workflows.platforms.orders import make_order
from tests.workflows.platforms.prolific.play import Play, make_batch, make_batches, open_ones
from tests.workflows.platforms.prolific.stage import ProlificStage, prolific_stage
from workflows.crowd.models import Problem, Publication
from workflows.crowd.publications.plan import plan_publications
from workflows.crowd.publications.publish import publish
from workflows.crowd.rounds.reconcile import reconcile
from workflows.money.models import Budget
from workflows.platforms.models import ProviderCall
from workflows.platforms.prolific.http import Api, Reply
from workflows.platforms.provider import ProviderError, UnavailableError, UnknownObjectError, UnreadError

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(db: None) -> Iterator[ProlificStage]:
    with prolific_stage() as stage:
        yield stage


class Garble:
    """What Prolific tells of some studies."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.listed: Collection[str] = ()  # ids of those without a reward in the list
        self.alone: ProviderError | None = None  # for one that is asked for by itself
        ask = Api.ask

        def asked(api: Api, method: str, path: str, **more: object) -> Reply:
            if self.alone and method == "GET" and any(path == f"/studies/{one}/" for one in self.listed):
                raise self.alone
            reply = ask(api, method, path, **more)  # type: ignore[arg-type]
            for one in reply.get("results", ()):
                if one.get("id") in self.listed and "reward" in one:
                    one["reward"] = "much"
            return reply

        monkeypatch.setattr(Api, "ask", asked)


@pytest.fixture
def garble(monkeypatch: pytest.MonkeyPatch) -> Garble:
    return Garble(monkeypatch)


def test_the_others_are_told_and_then_which_could_not_be_read(stage: ProlificStage, garble: Garble) -> None:
    ids = [stage.provider.publish(make_order("GBP", token=f"t-{one}")).external_id for one in range(3)]
    garble.listed = ids[1:2]
    told: list[str] = []
    with pytest.raises(UnreadError, match=ids[1]) as caught:
        told.extend(one.external_id for one in stage.provider.published())
    assert sorted(told) == sorted((ids[0], ids[2]))
    assert caught.value.unread == ((ids[1], "t-1"),)


def test_who_took_part_in_another_is_written_to(stage: ProlificStage, garble: Garble) -> None:
    ids = [stage.provider.publish(make_order("GBP", token=f"t-{one}")).external_id for one in range(2)]
    for study, worker in zip(ids, stage.workers, strict=False):
        stage.work(study, worker)
    garble.listed = ids[1:]
    missed = stage.provider.message(stage.workers[:2], subject="Thanks", text="More to come.")
    assert missed == [stage.workers[1]]
    assert [one["recipient_id"] for one in stage.world.messages] == [stage.workers[0]]


@pytest.mark.parametrize(
    "alone", [None, UnavailableError("500"), UnknownObjectError("No such study.")], ids=repr
)
def test_one_is_reported_and_not_gone_and_the_others_are_compared(
    play: Play, garble: Garble, alone: ProviderError | None
) -> None:
    batch, other = make_batches(2)
    play.rounds()
    first, second = open_ones()
    play.work(first, play.stage.workers[0])
    play.work(second, play.stage.workers[1])
    bound = Budget.objects.get(batch=batch).reserved
    assert bound and Budget.objects.get(batch=other).reserved == bound
    garble.listed, garble.alone = [first.external_id], alone
    found = Problem.objects.create(
        key=f"double:{first.external_id}",
        kind=Problem.Kind.DOUBLE,
        detail="It was there twice.",
        publication=first,
        created_at=play.now,
    )
    report = reconcile(provider=play.stage.provider, now=play.now)
    assert (report.failed, report.compared) == (1, 1) and not report.clean
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == ("open", "closed")
    assert list(Problem.objects.filter(closed_at=None)) == [found], "it was not looked for, and is not gone"
    reserved = [Budget.objects.get(batch=one).reserved for one in (batch, other)]
    assert reserved == [bound, 0], "the other's was paid"


def test_one_of_which_we_had_not_heard_is_not_published_again(play: Play, garble: Garble) -> None:
    """After a backup was restored, no call in the log says that we asked for it."""
    make_batch(images=1)
    plan_publications(provider=play.stage.provider, now=play.now)
    publish(provider=play.stage.provider, now=play.now)
    (study,) = play.stage.world.studies
    Publication.objects.update(state="planned", external_id="")
    ProviderCall.objects.all().delete()
    garble.listed = [study]
    assert reconcile(provider=play.stage.provider, now=play.now).failed == 1
    assert list(play.stage.world.studies) == [study]
    garble.listed = ()
    assert reconcile(provider=play.stage.provider, now=play.now).clean
    assert [one.external_id for one in open_ones()] == [study]
