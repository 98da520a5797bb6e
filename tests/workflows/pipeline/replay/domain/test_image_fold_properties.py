"""Properties that hold after every judgment on any image."""

from __future__ import annotations

import copy
import random

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import LinkAnswer, Requirement, RequirementAnswer, Stage
from annotation.domain.chain_states import FINISHED, REVIEW, SPLIT
from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import images
from tests.workflows.pipeline.replay.domain.played_images import Play
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_strategies import STRATEGIES
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.replay.domain.image_fold import ChainKey, ExpectedImage

CHOICES = [(strategy, settle) for strategy, by_rule in STRATEGIES.items() for settle in by_rule]
CHOICES.append(("posterior", "triangles"))
AT_REST = {*FINISHED, REVIEW}
courses = given(images(most=6), st.sampled_from(sorted(CHOICES)), st.integers(0, 2**32))


def check_state(state: ExpectedImage, mentions: list[Mention]) -> None:
    legal = {*PROTOCOLS["flickr30k-entities"].decide, *FINISHED, REVIEW}
    items = [*state.links.values(), *(found for chain in state.chains.values() for found in chain.items)]
    for found in items:
        assert found.needed >= found.judged
        assert found.done == (found.needed == found.judged), "an open item waits for exactly one judgment"
    for (_, members), chain in state.chains.items():
        assert chain.progress.state in legal
        waiting = [found for found in chain.items if not found.done]
        stages = [chain.progress.state] if chain.progress.state not in AT_REST else []
        assert [found.stage for found in waiting] == stages, "one open item, of the chain's state, or none"
        assert all(found.done for found in chain.items[:-1])
        assert chain.progress.visits == len(chain.items)
        states = [box.state for box in chain.boxes]
        assert states.count("accepted") == chain.progress.boxes_accepted
        assert states.count("rejected") == chain.progress.boxes_rejected
        assert states.count("proposed") == (chain.progress.state == Stage.QUALITY)
        assert list(members) == [m.id for m in mentions if m.id in members], "in reading order"
    if state.state == "linking":
        assert not state.chains
    else:
        standing = [c for c, chain in state.chains.items() if chain.progress.state != SPLIT]
        assert sorted(n for _, members in standing for n in members) == sorted(m.id for m in mentions)
        moving = {chain.progress.state for chain in state.chains.values()} - FINISHED
        assert (state.state == "done") == (not moving)


def check_earlier(before: ExpectedImage, after: ExpectedImage) -> None:
    """Check that `before` is a state on the way to `after`, one judgment earlier."""
    assert set(before.links) <= set(after.links)
    for pair, found in before.links.items():
        assert found.judged <= after.links[pair].judged
        assert found.settling <= after.links[pair].settling
        if found.settling and found.done:
            assert after.links[pair] == found, "a settled link is settled for good"
    for key, chain in before.chains.items():
        later = after.chains[key]
        known = [found for found in chain.items if found.done]
        assert list(later.items[: len(known)]) == known
        assert len(later.items) - len(chain.items) in (0, 1)
        decided = [box for box in chain.boxes if box.state != "proposed"]
        assert list(later.boxes[: len(decided)]) == decided
        if chain.progress.state in AT_REST:
            assert later == chain
    assert judgments(after) == judgments(before) + 1


def judgments(state: ExpectedImage) -> int:
    of_chains = sum(found.judged for chain in state.chains.values() for found in chain.items)
    return of_chains + sum(found.judged for found in state.links.values())


@courses
def test_every_judgment_takes_the_image_from_one_sound_state_to_a_later_one(
    mentions: list[Mention], strategy: str, seed: int
) -> None:
    rng = random.Random(seed)
    play = Play(mentions, BatchSettings(strategy=strategy[0], settle=strategy[1]))
    before = play.fold()
    check_state(before, mentions)
    while play.answer_one(before, rng):
        after = play.fold()
        check_state(after, mentions)
        check_earlier(before, after)
        before = after
    assert {chain.progress.state for chain in before.chains.values()} <= AT_REST


@courses
def test_a_replay_gives_the_same_state_whatever_the_order_of_mentions_and_rows(
    mentions: list[Mention], strategy: str, seed: int
) -> None:
    rng = random.Random(seed)
    play = Play(mentions, BatchSettings(strategy=strategy[0], settle=strategy[1]))
    while rng.random() < 0.97 and play.answer_one(play.fold(), rng):
        pass
    state = play.fold()
    given_before = copy.deepcopy((play.links, play.chains))
    mixed = Play(
        rng.sample(mentions, len(mentions)),
        play.settings,
        dict(rng.sample(sorted(play.links.items()), len(play.links))),
        dict(reversed(play.chains.items())),
    )
    assert mixed.fold() == state == play.fold()
    assert (play.links, play.chains) == given_before, "the fold changes nothing it is given"


@courses
def test_judgments_nobody_asked_for_change_nothing(mentions: list[Mention], strategy: str, seed: int) -> None:
    rng = random.Random(seed)
    play = Play(mentions, BatchSettings(strategy=strategy[0], settle=strategy[1]))
    for _ in range(rng.randrange(20)):
        if not play.answer_one(play.fold(), rng):
            break
    state = play.fold()
    strange: ChainKey = (7, (999,))
    play.links[999, 1000] = [LinkAnswer(True)]
    play.chains[strange] = [[RequirementAnswer(Requirement.BOX)]]
    for key, chain in state.chains.items():
        if key in play.chains and chain.progress.state in AT_REST:
            play.chains[key].append([RequirementAnswer(Requirement.BOX)])
    assert play.fold() == state
