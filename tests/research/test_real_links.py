"""The strategies on the real sample, with workers who never err: which chains are missed, and why.

If a strategy misses more than is listed here, a test fails; if it finds one of these, the list is too long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import pytest

from annotation.domain.mentions import Mention, admissible
from research.real_links import known_images, unlabelled_images
from research.strategies import Sketch, Tally, annotate
from tests.shared import shared
from workflows.pipeline.domain.link_courses import CERTAINTIES, groups_by_type
from workflows.pipeline.domain.link_strategies import STRATEGIES, Strategy, likely_first, posterior
from workflows.priors.domain.fit import fit_text_prior
from workflows.priors.domain.prior import Prior, probability

NO_TYPE = "mentions that share no type may not be asked about"
ONE_CAPTION = "these strategies never join mentions of one caption"
SURE = "the prior is sure enough that these are two things"

BY_TYPE = {
    "an information booth / an information stand / "
    "a Spanish-language information sign / an information sign": NO_TYPE,
    "A man / acrobatics / A man / The man / A man / A man / gymnastic stunts": NO_TYPE,
}
"""The splits that no strategy can avoid."""
MISSED = {
    "greedy_plus": BY_TYPE,
    "likely_first": {**BY_TYPE, "cards / cards / a green table": ONE_CAPTION},
    "posterior": {**BY_TYPE, "cards / cards / a green table": ONE_CAPTION, "baseball / game": SURE},
}


def why(chain: Sequence[Mention], prior: Prior | None) -> str:
    """Return why a strategy cannot find the chain, or nothing if none of its rules is in the way."""
    if len(groups_by_type(chain)) > 1:
        return NO_TYPE
    if len({mention.caption for mention in chain}) < len(chain):
        return ONE_CAPTION
    likely = [
        probability(prior.text.log_odds(a, b)) if prior else 1.0
        for a, b in combinations(chain, 2)
        if admissible(a, b)
    ]
    enough = min(certainty.separation for certainty in CERTAINTIES.values())
    return SURE if 1 - max(likely) >= enough else ""


def missed(strategy: Strategy, *, asks_again: bool, prior: Prior | None = None) -> dict[str, str]:
    """Return the known chains that are not found without errors, each with the reason."""
    found = {}
    number = 0
    for name, mentions, truth in known_images():
        number += 1
        sketch = Sketch(mentions, truth, hardness=0.0)
        chains = annotate(sketch, strategy, name, Tally(), asks_again=asks_again)
        made = {frozenset(mention.id for mention in chain) for chain in chains}
        known: dict[int, list[Mention]] = defaultdict(list)
        for mention in mentions:
            known[truth[mention.id]].append(mention)
        for chain in known.values():
            if frozenset(mention.id for mention in chain) not in made:
                found[" / ".join(mention.text for mention in chain)] = why(chain, prior)
    assert number == 6
    return found


def test_without_errors_only_the_listed_chains_are_missed() -> None:
    shared("data", "entities_sample", "Sentences")
    greedy = STRATEGIES["greedy_plus"]["triangles"]
    assert missed(greedy, asks_again=False) == MISSED["greedy_plus"]
    assert missed(likely_first, asks_again=True) == MISSED["likely_first"]


@pytest.mark.slow("fits a prior to a thousand images")
def test_without_errors_posterior_misses_only_the_listed_chains() -> None:
    shared("data", "entities_sample", "Sentences")
    shared("data", "flickr30k", "captions.token.gz")
    prior = Prior(fit_text_prior(unlabelled_images(1000))[0])
    for certainty in CERTAINTIES:
        for human_yes in (False, True):
            strategy = posterior(prior, certainty, human_yes=human_yes)
            found = missed(strategy, asks_again=True, prior=prior)
            assert found == MISSED["posterior"], (certainty, human_yes)
