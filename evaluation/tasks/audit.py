"""The task `audit`: a sample to judge, and the error rates of a data set from verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evaluation.audit import draw, error_rate, images_with_an_error
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.verdicts import KINDS, read_verdicts, sample_lines
from evaluation.report.model import Cell, Column, Report, Section, Table
from evaluation.tasks.common import Inputs, findings_section, said_settings
from evaluation.written import write_new

PAPER = {"mention": "below 1%", "chain": "below 1%", "image": "about 8%"}


def evaluate(inputs: Inputs) -> Report:
    """Return the report on verdicts. Raise InputError for a file that cannot be used, or without any."""
    if not inputs.predictions:
        raise InputError(
            "audit needs --predictions: a file of verdicts; without one, --sample FILE writes one to fill in"
        )
    findings = {name: Findings() for name in inputs.predictions}
    counts = read_verdicts(inputs.predictions, inputs.dataset, findings)
    if not any(judged for _, judged in counts.values()):
        raise InputError('the files have no verdict about this data set: set "wrong" to true or false')
    columns = (
        Column("kind"),
        Column("judged", "count"),
        Column("wrong", "count"),
        Column("rate of errors", "share"),
        Column("95% interval", "interval"),
        Column("paper"),
    )
    rows: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        rate = error_rate(*counts[kind])
        rows.append((kind, rate.judged, rate.wrong, rate.share, (rate.low, rate.high), PAPER.get(kind, "–")))
    note = "Wilson's interval."
    of_mentions, of_chains = error_rate(*counts["mention"]), error_rate(*counts["chain"])
    if of_mentions.judged and of_chains.judged:
        images = len(inputs.dataset.images)
        mentions = sum(1 for image in inputs.dataset.images for _ in image.mentions())
        chains = sum(len(image.chains) for image in inputs.dataset.images)
        share, low, high = (
            images_with_an_error(*rates, mentions_an_image=mentions / images, chains_an_image=chains / images)
            for rates in (
                (of_mentions.share, of_chains.share),
                (of_mentions.low, of_chains.low),
                (of_mentions.high, of_chains.high),
            )
        )
        note += (
            f" These rates of mentions and chains mean an error in {share:.1%} of the images, and the ends "
            f"of their intervals in {low:.1%} and {high:.1%}."
        )
    table = Table("audit", "Rates of errors", columns, tuple(rows), note)
    text = "Verdicts about things that were drawn at random, and what they say about the whole data set."
    sections = (Section("Audit", text, (table,)), *findings_section(findings))
    return Report("audit", f"Audit of {inputs.dataset.title}", said_settings(inputs), sections)


def write_sample(inputs: Inputs, path: Path, *, mentions: int, chains: int, boxes: int) -> int:
    """Draw a sample, write it as verdicts to fill in, and return how many there are.

    Raise InputError if the file exists or cannot be written.
    """
    rng = np.random.default_rng(inputs.seed)
    sample = draw(inputs.dataset, rng, mentions=mentions, chains=chains, boxes=boxes)
    content = sample_lines(sample, inputs.dataset)
    write_new(path, [content])
    return content.count(b"\n")
