"""The parts of the statistics page."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.statistics import Sums
from console.common.elements import Section
from console.common.numbers import say
from console.statistics.domain.figures import Figure, averages, counts, model_shares, shares, work_shares
from console.statistics.plots import plots
from workflows.analysis.domain.cuts import CutPattern

CUTS = ("Pattern", "Flagged", "All mentions of it", "Share", "For example")
HEADER = ("", "Here", "In the paper")


def sections(sums: Sums) -> list[Section]:
    """Return the sections in the order of the paper's section 3.4."""
    charts = plots(sums)
    return [
        _table("size", "Size", counts(sums)),
        _table("averages", "Averages", averages(sums)),
        _table(
            "shares",
            "Chains and boxes",
            shares(sums),
            note="Chains that an export would write, merged as it merges them.",
        ),
        *_work(sums),
        *_models(sums),
        Section(
            "types",
            "Types",
            [charts[name] for name in ("types", "chains_by_type", "images_by_type")],
            note="What has several types counts under each of them.",
        ),
        Section(
            "chains",
            "Mentions and boxes a chain",
            [
                charts[name]
                for name in (
                    "mentions_a_chain",
                    "boxes_a_chain",
                    "boxes_of_chains",
                    "boxes_of_chains_by_type",
                )
            ],
        ),
        Section(
            "words",
            "Words",
            [charts["nouns"], charts["adjectives"]],
            note="The last word of a mention is its noun. Shares are of all mentions, and of all boxes.",
        ),
    ]


def _work(sums: Sums) -> list[Section]:
    """Return the section about verification and merging, or none where nothing was verified and merged."""
    figures = work_shares(sums)
    if all(figure.value is None for figure in figures):
        return []
    note = "Of the chains of several mentions that workers verified; of the boxes and chains before merging."
    return [_table("work", "Verification and merging", figures, note=note)]


def _models(sums: Sums) -> list[Section]:
    """Return the section about models that helped, or none if none did."""
    figures = model_shares(sums)
    if not figures:
        return []
    note = (
        "Drawn, accepted and adjusted: of the boxes before merging whose workers were shown boxes of the "
        "model. Judged: of all boxes."
    )
    return [_table("models", "Models that helped", figures, note=note)]


def cut_sections(patterns: Sequence[CutPattern]) -> list[Section]:
    """Return the section about chunks that workers call cut wrongly, or none if nobody does."""
    if not patterns:
        return []
    rows = [
        (one.pattern, say(one.flagged), say(one.mentions), say(100 * one.share, "%"), one.example)
        for one in patterns
    ]
    note = (
        "A bracket is the edge of a mention, with the kinds of the words on both sides. The first "
        "pattern has the most flags beyond chance. In a link question, a flag counts for both mentions."
    )
    return [Section("cuts", "Words that workers call cut wrongly", note=note, header=CUTS, rows=rows)]


def _table(name: str, title: str, figures: Sequence[Figure], note: str = "") -> Section:
    rows = [(f.title, say_figure(f.value, f.unit), say_figure(f.paper, f.unit)) for f in figures]
    return Section(name, title, note=note, header=HEADER, rows=rows)


def say_figure(value: float | None, unit: str) -> str:
    """Format a figure. Means always have two decimals, because they stand below one another."""
    return f"{value:,.2f}" if isinstance(value, float) and not unit else say(value, unit)
