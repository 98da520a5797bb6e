"""The part of the page about retrieval, in the shape of the paper's table 7."""

from __future__ import annotations

import numpy as np

from baselines.measured.localization import trained
from baselines.measured.ranking import RANDOM, recall_table
from baselines.retrieval import ImageSentenceRetrieval, combined_distance, phrase_distances
from baselines.work import Work
from evaluation.predictions.retrieval import pairs
from evaluation.report.model import Section
from evaluation.retrieval import retrieve


def measure(work: Work) -> tuple[Section, ...]:
    """Return the tables of both directions."""
    found = trained(work)
    model = ImageSentenceRetrieval(seed=work.seed).fit(work.train, found.source)
    whole = model.whole_distance(work.test, found.source)
    by_phrases = phrase_distances(found.model, work.test, found.source, penalty=model.penalty)
    both = combined_distance(whole, by_phrases, whole_share=model.whole_share)
    systems = {
        RANDOM: np.zeros_like(whole),
        "whole-image CCA": -whole,
        "phrases alone (4)": -by_phrases,
        "both (5)": -both,
    }
    own = pairs(work.test, one_each=False).relevant()
    title = work.test.title
    annotation = {name: retrieve(scores, own) for name, scores in systems.items()}
    search = {name: retrieve(scores.T, own.T) for name, scores in systems.items()}
    items = (
        recall_table("retrieval_annotation", f"Captions for images on {title}", annotation),
        recall_table("retrieval_search", f"Images for captions on {title}", search),
    )
    about = (
        f"{own.shape[0]:,} test images and {own.shape[1]:,} captions of {title}. Trained on "
        f"{len(work.train.images):,} images. γ = {model.penalty:g} and α = {model.whole_share:g}, as in the "
        "paper, whose figures are of other data and other features."
    )
    return (Section("Retrieval", about, items),)
