"""The charts of a data set, for its page and as files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annotation.domain.statistics import Sums, TypeSums
from console.common.charts import Chart, bars
from console.common.paper import BOXES_OF_CHAINS, SHARES
from console.statistics.domain.figures import IMAGES_WITH, ratio, type_rows
from workflows.batch_settings.domain.paper import BOXES, MENTIONS

PAPER = "the paper"
HERE = "here"


def plots(sums: Sums) -> dict[str, Chart]:
    """Return the charts by name, which is also the name of their file."""
    rows = type_rows(sums)
    names = [name for name, _ in rows]

    def by_type(value: Callable[[TypeSums], float | None]) -> list[float | None]:
        return [value(one) for _, one in rows]

    def said(values: dict[str, float]) -> list[float | None]:
        return [values.get(name) for name in names]

    return {
        "types": bars(
            "Chains, mentions and boxes by type",
            names,
            {
                "chains": by_type(lambda one: one.chains),
                "mentions": by_type(lambda one: one.mentions),
                "boxes": by_type(lambda one: one.boxes),
            },
        ),
        "chains_by_type": bars(
            "Chains of a type",
            names,
            {HERE: by_type(lambda one: ratio(one.chains, sums.chains, of=100))},
            unit="%",
            references={PAPER: said(dict(SHARES))},
        ),
        "images_by_type": bars(
            "Images that mention a type",
            names,
            {HERE: by_type(lambda one: ratio(one.images, sums.images, of=100))},
            unit="%",
            references={PAPER: said(dict(IMAGES_WITH))},
        ),
        "mentions_a_chain": bars(
            "Mentions a chain",
            names,
            {HERE: by_type(lambda one: ratio(one.chain_mentions, one.chains))},
            references={PAPER: said(dict(MENTIONS))},
        ),
        "boxes_a_chain": bars(
            "Boxes a chain",
            names,
            {HERE: by_type(lambda one: ratio(one.chain_boxes, one.chains))},
            references={PAPER: said(dict(BOXES))},
        ),
        "boxes_of_chains": bars(
            "Chains by number of boxes",
            list(BOXES_OF_CHAINS),
            {
                HERE: [
                    ratio(part, sums.chains, of=100)
                    for part in (sums.without_box, sums.with_one_box, sums.with_several_boxes)
                ]
            },
            unit="%",
            references={PAPER: list(BOXES_OF_CHAINS.values())},
        ),
        "boxes_of_chains_by_type": bars(
            "Chains by type and number of boxes",
            names,
            {
                "none": by_type(lambda one: ratio(one.without_box, one.chains, of=100)),
                "one": by_type(lambda one: ratio(one.with_one_box, one.chains, of=100)),
                "several": by_type(lambda one: ratio(one.with_several_boxes, one.chains, of=100)),
            },
            stacked=True,
            unit="%",
        ),
        "nouns": _words("Commonest nouns", sums.nouns, sums),
        "adjectives": _words("Commonest adjectives", sums.adjectives, sums),
    }


def _words(title: str, words: Sequence[tuple[str, int, int]], sums: Sums) -> Chart:
    return bars(
        title,
        [word for word, _, _ in words],
        {
            "of mentions": [ratio(mentions, sums.mentions, of=100) for _, mentions, _ in words],
            "of boxes": [ratio(boxes, sums.boxes, of=100) for _, _, boxes in words],
        },
        horizontal=True,
        unit="%",
    )
