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

    def lines(self) -> list[str]:
        """Return lines with a table of workers and stages, and with the counts."""
        rows: list[Sequence[str]] = [("worker", *STAGES)]
        rows += [
            (worker, *(stages.get(stage, "-") for stage in STAGES))
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
) -> str:
    """Return the tables as text.

    `items` and `judgments` are by stage. `review` counts chains that wait for a researcher.

    `links` is the table of where the links came from, as `manage.py link_sources` prints it.
    """
    asked: list[Sequence[str]] = [("stage", "items", "judgments")]
    asked += [(stage, f"{items.get(stage, 0):,}", f"{judgments.get(stage, 0):,}") for stage in STAGES]
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
    trusted = trust.lines() if trust else []
    return "\n\n".join([table(asked), *trusted, links.strip(), table(made), waiting, table(truth)])


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
