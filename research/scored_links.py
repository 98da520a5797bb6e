"""Links with a model's scores, for `research.models`: text and scores together, each join with a human yes.

Only the scores are made up here. What they add to the text is fitted on pairs of known images, and links are
asked, by the functions of the product.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist

from annotation.domain.mentions import admissible
from research.protocols_model import Errors, Linked, LinkRow, link_image
from research.strategies import Sketch
from workflows.pipeline.domain.link_strategies import Pair, posterior
from workflows.priors.domain.prior import Prior, ScoreWeights, TextPrior, pair_key
from workflows.priors.domain.scores import KnownImage, fit_scores

AUC = 0.952
"""How often a pair that is the same thing has a higher score than one that is not, in all images alike."""
APART = 2**0.5 * NormalDist().inv_cdf(AUC)
"""How far apart the means of both kinds of pairs are, in standard deviations of normal scores."""


def draw_scores(image: Sketch, seed: str) -> dict[Pair, float]:
    """Draw the score of each pair of mentions that may be the same thing, by `pair_key`.

    Half of the variance is the mentions' own: what a model misreads, it misreads in every pair.
    """
    rng = random.Random(f"scores/{seed}")
    own = {one.id: rng.gauss(0, 0.5) for one in image.mentions}
    found = {}
    for a, b in combinations(image.mentions, 2):
        if admissible(a, b):
            same = image.truth[a.id] == image.truth[b.id]
            noise = own[a.id] + own[b.id] + rng.gauss(0, 0.5**0.5)
            found[pair_key(a.id, b.id)] = APART * same + noise
    return found


def weights_of(known: Sequence[Sketch], text: TextPrior) -> ScoreWeights:
    """Return what scores add to the text, fitted on the pairs of known images."""
    images = (
        KnownImage(image.mentions, image.truth, draw_scores(image, f"known/{place}"))
        for place, image in enumerate(known)
    )
    return fit_scores(text, images, number=1)[0]


def link_with_scores(
    images: Sequence[Sketch], known: Sequence[Sketch], text: TextPrior, errors: Errors
) -> list[Linked]:
    """Return what the chains of each image take. Every chain is held together by human yeses."""
    weights = weights_of(known, text)
    found = []
    for place, image in enumerate(images):
        prior = Prior(text, scores=weights, of_pairs=draw_scores(image, str(place)))
        strategy = posterior(prior, "careful", human_yes=True)
        found.append(link_image(image, LinkRow(strategy, verified=False), errors, str(place)))
    return found
