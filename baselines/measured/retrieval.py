"""The part of the page about retrieval, in the shape of the paper's table 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baselines.cca import Scaling
from baselines.measured.localization import trained
from baselines.measured.ranking import RANDOM, recall_table
from baselines.measured.retrieval_examples import galleries
from baselines.retrieval import (
    PENALTY,
    WHOLE_SHARE,
    ImageSentenceRetrieval,
    PhraseDistances,
    combined_distance,
    phrase_distances,
)
from baselines.retrieval_weights import tune_scaling, tune_shares
from baselines.work import Work
from evaluation.arrays import Floats
from evaluation.predictions.retrieval import pairs
from evaluation.report.model import Section
from evaluation.retrieval import retrieve

WHOLE = "whole-image CCA"
ALONE = "phrases alone (4)"
PLAIN = "weighted distance (5), CCA alone"
FULL = "weighted distance (5), full model"
PAPERS = f"{FULL}, γ = {PENALTY:g} and α = {WHOLE_SHARE:g}"


@dataclass(frozen=True, slots=True)
class Weighted:
    """The distances by phrases of test images, and by both, with the γ and α that were chosen."""

    by_phrases: PhraseDistances
    alone: Floats
    both: Floats
    penalty: float
    whole_share: float


def measure(work: Work) -> tuple[Section, ...]:
    """Return the tables of both directions."""
    found = trained(work)
    model = ImageSentenceRetrieval(seed=work.seed).fit(work.train, found.source)
    tune_scaling(model, work.validation, found.source)
    whole = model.whole_distance(work.test, found.source)
    plain, full = (_weighted(work, model, whole, cues) for cues in ((), found.model.cues))
    papers = combined_distance(whole, full.by_phrases.of_captions(PENALTY), whole_share=WHOLE_SHARE)
    systems = {
        RANDOM: np.zeros_like(whole),
        WHOLE: -whole,
        ALONE: -full.alone,
        PLAIN: -plain.both,
        FULL: -full.both,
        PAPERS: -papers,
    }
    own = pairs(work.test).relevant()
    title = work.test.title
    annotation = {name: retrieve(scores, own) for name, scores in systems.items()}
    search = {name: retrieve(scores.T, own.T) for name, scores in systems.items()}
    items = (
        recall_table("retrieval_annotation", f"Captions for images on {title}", annotation),
        recall_table("retrieval_search", f"Images for captions on {title}", search),
        *galleries(work, found.model, found.source, (whole, full.alone, full.both), own),
    )
    scaling = Scaling(model.eigenvalue, model.power)
    about = (
        f"{own.shape[0]:,} test images and {own.shape[1]:,} captions of {title}. Trained on "
        f"{len(work.train.images):,} images. By {len(work.validation.images):,} validation images, the "
        f"scaling of the CCA is {scaling}; with the full model, γ is {full.penalty:g} "
        f"and α {full.whole_share:g}; with CCA alone, γ is {plain.penalty:g} and α {plain.whole_share:g}. "
        f"The paper's are {PENALTY:g} and {WHOLE_SHARE:g}; its figures are of other data and other features."
    )
    return (Section("Retrieval", about, items),)


def _weighted(work: Work, model: ImageSentenceRetrieval, whole: Floats, cues: Sequence[str]) -> Weighted:
    """Return the distances by phrases with some cues. Validation images choose γ and α."""
    found = trained(work)
    tune_shares(
        model,
        model.whole_distance(work.validation, found.source),
        phrase_distances(found.model, work.validation, found.source, cues=cues),
        pairs(work.validation).relevant(),
    )
    by_phrases = phrase_distances(found.model, work.test, found.source, cues=cues)
    alone = by_phrases.of_captions(model.penalty)
    both = combined_distance(whole, alone, whole_share=model.whole_share)
    return Weighted(by_phrases, alone, both, model.penalty, model.whole_share)
