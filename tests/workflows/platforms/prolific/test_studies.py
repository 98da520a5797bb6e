"""The list of studies goes on if Prolific does not tell who is at work on one of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import timedelta

import pytest

from tests.workflows.platforms.orders import make_order
from tests.workflows.platforms.prolific.play import Play, make_batches, open_ones
from tests.workflows.platforms.prolific.stage import ProlificStage, prolific_stage
from workflows.crowd.models import Publication
from workflows.crowd.rounds.reconcile import reconcile
from workflows.platforms.prolific.http import Api, Reply
from workflows.platforms.provider import ProviderError, RefusedError, UnavailableError, UnknownObjectError

pytestmark = pytest.mark.django_db
Hide = Callable[[Collection[str], ProviderError], None]


@pytest.fixture
def stage(db: None) -> Iterator[ProlificStage]:
    with prolific_stage() as stage:
        yield stage


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch) -> Hide:
    """Make Prolific give this answer for the counts of these studies."""

    def hide(ids: Collection[str], error: ProviderError) -> None:
        ask = Api.ask

        def asked(api: Api, method: str, path: str, **more: object) -> Reply:
            if any(path == f"/studies/{one}/submissions/counts/" for one in ids):
                raise error
            return ask(api, method, path, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(Api, "ask", asked)

    return hide


def taken(stage: ProlificStage, number: int) -> list[str]:
    """Make studies with somebody at work on one of two places; return their ids, the oldest first."""
    ids = [stage.provider.publish(make_order("GBP", token=f"t-{one}")).external_id for one in range(number)]
    for one, study_id in enumerate(ids):
        stage.emulator.participants.start(study_id, f"{100 + one:024x}")
    return ids


@pytest.mark.parametrize(
    "error", [UnavailableError("500"), RefusedError("No."), UnknownObjectError("No such study.")]
)
def test_a_study_whose_counts_cannot_be_read_is_told_with_all_who_took_a_place(
    stage: ProlificStage, hide: Hide, error: ProviderError
) -> None:
    first, second = taken(stage, 2)
    stage.work(second, stage.workers[0])
    hide([second], error)
    told = {one.external_id: (one.free, one.working) for one in stage.provider.published()}
    assert told == {first: (1, 1), second: (0, 2)}, "one of the two has submitted: an upper bound"


def test_studies_that_are_refused_never_end_the_list(stage: ProlificStage, hide: Hide) -> None:
    ids = taken(stage, 4)
    hide(ids, RefusedError("No."))
    assert {one.external_id for one in stage.provider.published()} == set(ids)


def test_a_platform_that_answers_for_no_study_ends_the_list(stage: ProlificStage, hide: Hide) -> None:
    hide(taken(stage, 4), UnavailableError("500"))
    told = stage.provider.published()
    assert next(told).external_id != next(told).external_id
    with pytest.raises(UnavailableError):
        next(told)


@pytest.mark.parametrize("settled", [False, True], ids=["at-work", "settled"])
def test_a_study_that_cannot_be_read_is_counted_and_holds_up_no_other(
    play: Play, hide: Hide, settled: bool
) -> None:
    make_batches(2)
    play.rounds()
    first, second = open_ones()
    play.work(first, play.stage.workers[0])
    if settled:
        play.rounds()
        first.refresh_from_db()
        assert first.state == Publication.State.SETTLED
    hide([first.external_id], UnavailableError("500"))
    report = reconcile(provider=play.stage.provider, now=play.now + timedelta(hours=1))
    assert (report.failed, report.compared) == (1, 1)
    second.refresh_from_db()
    assert second.seen_at == play.now + timedelta(hours=1)
