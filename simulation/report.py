"""The demo's report: what was asked, what was made, and how far it agrees with the truth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from simulation.agreement import RECALLED, Agreement
from simulation.profiles import STAGES


@dataclass(frozen=True, slots=True)
class Counts:
    """A count before and after merging."""

    raw: int
    merged: int

    def line(self, name: str) -> Sequence[str]:
        """Return a row of the table: name, raw count, exported count, and the removed share."""
        gone = self.raw - self.merged
        return (name, f"{self.raw:,}", f"{self.merged:,}", f"{gone:,} ({gone / max(self.raw, 1):.1%})")


@dataclass(frozen=True, slots=True)
class Trust:
    """Workers' standings at the end by stage, and how many answers the checks took."""

    standings: Mapping[
        str, Mapping[str, str]
    ]  # worker -> stage -> a word: how they stand, or "failed" the test
    entrance: int
    checks: int  # mixed into pages of ordinary items
    tests: int  # in qualification tests

    def lines(self, asked_stages: Sequence[str] = STAGES) -> list[str]:
        """Return lines with a table of workers and stages, and with the counts."""
        rows: list[Sequence[str]] = [("worker", *asked_stages)]
        rows += [
            (worker, *(stages.get(stage, "-") for stage in asked_stages))
            for worker, stages in self.standings.items()
        ]
        asked = f"{self.entrance:,} at the entrance, {self.checks:,} mixed into pages"
        return [
            table(rows),
            f"Answers to verification questions: {asked}. In qualification tests: {self.tests:,}",
        ]


def report(
    items: Mapping[str, int],
    judgments: Mapping[str, int],
    chains: Counts,
    boxes: Counts,
    review: int,
    links: str,
    agreement: Agreement,
    trust: Trust | None = None,
    stages: Sequence[str] = STAGES,
) -> str:
    """Return the tables as text.

    `items` and `judgments` are by stage, and `stages` are those of the protocol. `review` counts chains that
    wait for a researcher.

    `links` is the table of where the links came from, as `manage.py link_sources` prints it.
    """
    asked: list[Sequence[str]] = [("stage", "items", "judgments")]
    asked += [(stage, f"{items.get(stage, 0):,}", f"{judgments.get(stage, 0):,}") for stage in stages]
    asked.append(("all", f"{sum(items.values()):,}", f"{sum(judgments.values()):,}"))
    made = [("", "annotated", "exported", "removed by merging"), chains.line("chains"), boxes.line("boxes")]
    truth = [
        ("agreement with the truth", f"{agreement.images} images"),
        ("links: precision", f"{agreement.precision:.1%}"),
        ("links: recall", f"{agreement.recall:.1%}"),
        ("links: F1", f"{agreement.f1:.1%}"),
        ("chains found exactly", f"{agreement.exact_chains:.1%}"),
        (f"boxes found (IoU at least {RECALLED})", f"{agreement.box_recall:.1%}"),
        ("their mean IoU", f"{agreement.mean_iou:.3f}"),
        ("boxes that are right", f"{agreement.box_precision:.1%}"),
    ]
    waiting = f"Chains that wait for a researcher's review: {review}"
    trusted = trust.lines(stages) if trust else []
    return "\n\n".join([table(asked), *trusted, links.strip(), table(made), waiting, table(truth)])


@dataclass(frozen=True, slots=True)
class Summary:
    """What one run of the demo took, and how good its result is."""

    protocol: str
    judgments: int  # of items
    seconds: float  # of work on items, as simulated workers report it
    review: int  # chains that wait for a researcher
    agreement: Agreement

    def column(self) -> list[str]:
        """Return the cells below the protocol's name in `side_by_side`."""
        of = self.agreement
        images = max(of.images, 1)
        return [
            str(of.images),
            f"{self.judgments / images:.1f}",
            f"{self.seconds / images:,.0f}",
            str(self.review),
            f"{of.f1:.1%}",
            f"{of.exact_chains:.1%}",
            f"{of.box_recall:.1%}",
            f"{of.box_precision:.1%}",
            f"{of.mean_iou:.3f}",
        ]


def side_by_side(summaries: Sequence[Summary]) -> str:
    """Return a table of runs of the demo, each a column."""
    names = [
        *("images", "judgments an image", "simulated seconds an image", "chains that wait for a review"),
        *(
            "links: F1",
            "chains found exactly",
            f"boxes found (IoU at least {RECALLED})",
            "boxes that are right",
        ),
        "their mean IoU",
    ]
    columns = [one.column() for one in summaries]
    rows = [(name, *cells) for name, *cells in zip(names, *columns, strict=True)]
    return table([("", *(one.protocol for one in summaries)), *rows])


def table(rows: Iterable[Sequence[str]]) -> str:
    """Return a table as text. The first column is aligned to the left, the others to the right."""
    listed = list(rows)
    widths = [max(len(row[i]) for row in listed) for i in range(len(listed[0]))]
    lines = []
    for row in listed:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("   ".join(cells).rstrip())
    return "\n".join(lines)
