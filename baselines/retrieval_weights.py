"""The scaling of whole-image CCA, γ and α of equations 4 and 5, as validation images choose them.

Flickr30k Entities found γ and α "experimentally" (section 4.2), and does not say by which measure. Here it is
the mean of R@1, R@5 and R@10 in both directions [ours].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from baselines.cca import SCALINGS, Scaling
from baselines.cue_weights import first_best
from baselines.regions import RegionSource
from baselines.retrieval import (
    PENALTY,
    WHOLE_SHARE,
    ImageSentenceRetrieval,
    PhraseDistances,
    combined_distance,
)
from evaluation.arrays import Bools, Floats
from evaluation.dataset import Dataset
from evaluation.predictions.retrieval import pairs
from evaluation.retrieval import RANKS, retrieve

PENALTIES = (PENALTY, 1.0, 1.25, 1.75, 2.0)
WHOLE_SHARES = (WHOLE_SHARE, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9, 1.0)
"""What is tried, the paper's first: it is taken if no other is better [ours]."""


def mean_recall(distance: Floats, own: Bools) -> float:
    """Return the mean of the recall at each of RANKS in both directions, of shape (images, captions)."""
    both = [retrieve(-distance, own), retrieve(-distance.T, own.T)]
    return float(np.mean([one.share(place) for one in both for place in range(len(RANKS))]))


def tune_scaling(
    model: ImageSentenceRetrieval,
    validation: Dataset,
    source: RegionSource,
    scalings: Sequence[Scaling] = SCALINGS,
) -> dict[Scaling, float]:
    """Choose the scaling of the CCA, and set it. Return the mean recall with each."""
    own = pairs(validation).relevant()
    found = model.whole_distances(validation, source, scalings)
    reached = {scaling: mean_recall(one, own) for scaling, one in zip(scalings, found, strict=True)}
    model.rescale(first_best(reached))
    return reached


def tune_shares(
    model: ImageSentenceRetrieval,
    whole: Floats,
    by_phrases: PhraseDistances,
    own: Bools,
    *,
    penalty: float | None = None,
    whole_share: float | None = None,
) -> dict[tuple[float, float], float]:
    """Choose γ and α together, and set them. Return the mean recall with each pair.

    What is given is kept. `whole` and `by_phrases` are of validation images, and `own` says which captions
    are an image's: (images, captions).
    """
    reached = {}
    for one in PENALTIES if penalty is None else (penalty,):
        distance = by_phrases.of_captions(one)
        for share in WHOLE_SHARES if whole_share is None else (whole_share,):
            reached[one, share] = mean_recall(combined_distance(whole, distance, whole_share=share), own)
    model.penalty, model.whole_share = first_best(reached)
    return reached
