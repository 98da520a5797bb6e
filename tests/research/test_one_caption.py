"""Two mentions of one caption in one chain: with a case by every strategy, and never by merging."""

from __future__ import annotations

import random

from annotation.domain.mentions import Mention, of_one_caption
from annotation.domain.merge import merge
from research.one_caption import boxed, compare, strategies
from research.strategies import Sketch
from workflows.batch_settings.domain.settings import STRATEGY_NAMES

IMAGES = 60


def test_no_strategy_is_silent_and_merging_makes_no_such_chain() -> None:
    rows = strategies("tiny")
    assert {name.split(",")[0] for name in rows} == set(STRATEGY_NAMES)
    found = compare(IMAGES, rows)
    assert {(tally.without_case, tally.by_merging) for tally in found.values()} == {(0, 0)}
    assert any(tally.two for tally in found.values()), "or else nothing was tried"
    for ours in ("likely_first", "posterior", "every_pair"):
        assert found[f"{ours}: not verified"].two == 0


def test_merging_would_join_chains_of_one_caption_if_it_did_not_keep_them_apart() -> None:
    mentions = [Mention(n, n // 2, n, n + 1, "men", ("people",)) for n in range(4)]
    image = Sketch(mentions, dict.fromkeys(range(4), 0), 1.0)
    chains = [(mention,) for mention in mentions]
    merged = merge(boxed(image, chains, random.Random(1)))
    assert len(merged.chains) == 2 and len(merged.boxes) < 4
    assert of_one_caption(mentions) == [(0, 1), (2, 3)]
