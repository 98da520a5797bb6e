"""The task `strategies`: what link strategies made of recorded answers (table 2 of Flickr30k Entities)."""

from __future__ import annotations

from evaluation.audit import TABLE_2
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.strategies import read_strategies
from evaluation.report.model import Bars, Cell, Column, Report, Section, Table
from evaluation.tasks.common import Inputs, findings_section, said_settings


def evaluate(inputs: Inputs) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or without any."""
    if not inputs.predictions:
        raise InputError("strategies needs --predictions: a file of recorded answers")
    findings = {name: Findings() for name in inputs.predictions}
    found = read_strategies(inputs.predictions, inputs.dataset, findings)
    if not found:
        raise InputError("the files have nothing about the images of the data set")
    columns = (
        Column("strategy"),
        Column("images", "count"),
        Column("matched links", "share"),
        Column("matched chains", "share"),
        Column("false positives", "share"),
        Column("false negatives", "share"),
        Column("asked, of exhaustive", "share"),
        Column("questions", "count"),
        Column("precision", "share"),
        Column("recall", "share"),
        Column("F", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for strategy, (counts, images) in found.items():
        row = counts.row()
        rows.append(
            (
                strategy,
                images,
                row.matched_links,
                row.matched_chains,
                row.false_positives,
                row.false_negatives,
                row.asked,
                row.questions,
                row.precision,
                row.recall,
                row.f,
            )
        )
        if paper := TABLE_2.get(strategy):
            rows.append((f"{strategy}, in the paper", None, *paper, None, None, None, None))
    shown = {strategy: counts.row() for strategy, (counts, _) in found.items()}
    bars = Bars(
        "Chains and questions",
        tuple(shown),
        {
            "matched chains": [row.matched_chains for row in shown.values()],
            "F of links": [row.f for row in shown.values()],
        },
    )
    text = (
        "The chains of the data set are the truth. Matched links: answers that are right, of the pairs that "
        "were asked about. Matched chains: chains that were found exactly. False positives and negatives: "
        "wrong answers, of pairs that are different and the same. Precision, recall and F are of all pairs "
        "within a chain."
    )
    table = Table("strategies", "Link strategies", columns, tuple(rows))
    sections = (Section("Link strategies", text, (table, bars)), *findings_section(findings))
    title = f"Link strategies on {inputs.dataset.title}"
    return Report("strategies", title, said_settings(inputs), sections)
