"""The parts of a dashboard below its head: charts and facts of kept figures, the paper's beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from annotation.domain.answers import DrawnBy
from annotation.domain.chain_states import SPLIT, WITHDRAWN
from console.common import paper
from console.common.charts import Chart, bars
from console.common.elements import NOT_YET, Section, in_order
from console.common.labels import STAGES
from console.common.numbers import say, say_count
from console.dashboards.days import days
from console.dashboards.throughput import throughput
from workflows.analysis.counts.selectors import Kept
from workflows.analysis.domain.kept_counts import FIRST, FURTHER, Items, Judgments, Links, Money, Results
from workflows.batch_settings.domain.paper import BOXES, CHAINS, MENTIONS, SECONDS
from workflows.batches.domain.plan import Plan
from workflows.money.domain.currencies import amount

PAPER = "in the paper"
TYPES = {name: "body parts" if name == "bodyparts" else name for name in CHAINS}
STATES = {
    **{"queued": "queued", "linking": "linking", "boxing": "boxing", "asking": "asking"},
    **{"resting": "resting", "short": "short of captions", "done": "done"},
}
WAYS = {
    DrawnBy.DRAG: "by dragging",
    DrawnBy.EXTREME: "by extreme points",
    DrawnBy.KEYS: "by keys",
    DrawnBy.SEVERAL: "in several ways",
    FIRST: "first question about a photograph",
    FURTHER: "further questions about it",
}
SOURCES = {
    "asked": "asked",
    "transitivity": "inferred by transitivity",
    "type": "ruled out by type",
    "caption": "ruled out by caption",
}


def sections(kept: Kept, *, grounds: bool = True, plan: Plan | None = None) -> list[Section]:
    """Return the sections below the first chart, in their order. One that was not counted yet says so.

    A batch that does not ground images has neither links nor chains. `plan` is the forecast of its launch.
    """
    return [
        images(kept.items),
        throughput(kept),
        days(kept, plan),
        money(kept.money),
        quality(kept.judgments),
        times(kept.judgments),
        *([links(kept.links), chains(kept.results)] if grounds else []),
    ]


def progress(items: Items | None) -> Section:
    """Return the first chart: items by stage and progress."""
    if items is None:
        return Section("progress", "Progress", note=NOT_YET)
    stages = in_order(items.stages)
    found = [items.stages.get(stage) for stage in stages]
    series = {
        "done": [one.done if one else 0 for one in found],
        "waiting": [one.waiting if one else 0 for one in found],
        "leased": [one.leased if one else 0 for one in found],
        "open": [one.open if one else 0 for one in found],
    }
    return Section(
        "progress",
        "Progress",
        [bars("Items a stage", _names(stages), series, stacked=True, horizontal=True, unit="items")],
        note="Waiting: has some judgments and needs more, or is about to be processed. Leased: on a worker's "
        "page now.",
    )


def images(items: Items | None) -> Section:
    """Return images by state."""
    if items is None:
        return Section("images", "Images", note=NOT_YET)
    # Only campaigns have images that are neither linked nor boxed.
    states = [state for state in STATES if state not in ("asking", "short") or items.images.get(state)]
    counts = {"images": [items.images.get(state, 0) for state in states]}
    names = [STATES[state] for state in states]
    return Section("images", "Images", [bars("Images by state", names, counts)])


def money(found: Money | None) -> Section:
    """Return the costs as a table with a row for each currency."""
    if found is None:
        return Section("money", "Cost", note=NOT_YET)
    rows = [
        (currency, *(amount(n, currency) for n in (one.spent, one.held, one.to_come)))
        for currency, one in sorted(found.currencies.items())
    ]
    return Section(
        "money",
        "Cost",
        note="Rewards only, without fees and bonuses. To come: full pages of the judgments that are needed "
        "now; later stages will need more."
        if rows
        else "No page has cost anything so far.",
        header=("currency", "rewards of submitted pages", "held for pages in hand", "to come")
        if rows
        else (),
        rows=rows,
    )


def quality(judgments: Judgments | None) -> Section:
    """Return scores and rejections beside the paper's table 3, and agreement."""
    if judgments is None:
        return Section("quality", "Quality", note=NOT_YET)
    stages = in_order(judgments.stages)
    found = [judgments.stages.get(stage) for stage in stages]
    ious = [one.mean_iou if one else None for one in found]
    rows = [
        (
            STAGES[stage],
            *(say(n) for n in (one.judgments, one.set_aside, one.asked, one.pages, one.workers)),
        )
        for stage, one in zip(stages, found, strict=True)
        if one
    ]
    said = [f"{STAGES[stage]} {say(iou)}" for stage, iou in zip(stages, ious, strict=True) if iou is not None]
    return Section(
        "quality",
        "Quality",
        [
            bars(
                "Verification questions answered right",
                _names(stages),
                {
                    "here": [_percent(one.score) if one else None for one in found],
                    **_of_trusted([_percent(one.trusted_score) if one else None for one in found]),
                },
                unit="%",
                horizontal=True,
                references={PAPER: [paper.SCORES.get(stage) for stage in stages]},
            ),
            bars(
                "Pages rejected",
                _names(stages),
                {"here": [_percent(one.rejected) if one else None for one in found]},
                unit="%",
                horizontal=True,
                references={PAPER: [paper.REJECTED_PAGES.get(stage) for stage in stages]},
            ),
            bars(
                "Judgments that agree with the outcome",
                _names(stages),
                {"here": [_percent(one.agreement) if one else None for one in found]},
                unit="%",
                horizontal=True,
                references={PAPER: [paper.APPROVED.get(stage) for stage in stages]},
            ),
        ],
        note="Agreement is measured on items that several workers answered. Where boxes are drawn, it is the "
        "share of judged boxes that were accepted. The paper's figures (table 3), of which one is for "
        "links and verification together, are of trusted workers; ours are also of all workers, including "
        "those who lost trust. The paper's rejected pages are of workers who were not trusted; for box "
        "requirement it says “less than 1%”."
        + (f" Mean IoU of boxes of one question: {', '.join(said)}." if said else ""),
        header=("stage", "judgments", "of these set aside", "verification questions", "pages", "workers")
        if rows
        else (),
        rows=rows,
    )


def _of_trusted(values: Sequence[float | None]) -> dict[str, Sequence[float | None]]:
    """Return a series of trusted workers, if there are any."""
    return {"trusted workers": values} if any(one is not None for one in values) else {}


def times(judgments: Judgments | None) -> Section:
    """Return the median and the tail of the seconds of an item."""
    if judgments is None:
        return Section("times", "Time an item", note=NOT_YET)
    stages = in_order(judgments.stages)
    found = [judgments.stages.get(stage) for stage in stages]
    middle = {"median": [one.median if one else None for one in found]}
    tail = {
        "9 of 10 within": [one.p90 if one else None for one in found],
        "99 of 100 within": [one.p99 if one else None for one in found],
    }
    ways = [
        (f"{STAGES[stage]}: {words}", say(times.answers), say(times.median, "s"), say(times.p90, "s"))
        for stage, one in zip(stages, found, strict=True)
        for way, words in WAYS.items()
        if one and (times := one.ways.get(way))
    ]
    return Section(
        "times",
        "Time an item",
        [
            bars(
                "Median, in seconds",
                _names(stages),
                middle,
                unit="s",
                horizontal=True,
            ),
            bars(
                "Mean of trusted workers, in seconds",
                _names(stages),
                {"here": [one.trusted_mean if one else None for one in found]},
                unit="s",
                horizontal=True,
                references={PAPER: [SECONDS.get(stage) for stage in stages]},
            ),
            bars("Tail, in seconds", _names(stages), tail, unit="s", horizontal=True),
        ],
        note="Time without idle time, as the workers' pages measured it. Answers to verification questions "
        "are included. In the paper: the mean seconds of a page divided by its items (table 3).",
        header=("stage and way", "answers", "median", "9 of 10 within") if ways else (),
        rows=ways,
    )


def links(found: Links | None) -> Section:
    """Return where links came from, as in the paper's figure 3."""
    if found is None:
        return Section("links", "Coreference links", note=NOT_YET)
    total = sum(found.sources.values())
    may_ask = found.sources.get("asked", 0) + found.sources.get("transitivity", 0)
    asked = say(100 * found.sources.get("asked", 0) / may_ask if may_ask else None, "%")
    shares = [100 * found.sources.get(source, 0) / total if total else None for source in SOURCES]
    return Section(
        "links",
        "Coreference links",
        [bars("Where links came from", list(SOURCES.values()), {"share": shares}, unit="%", horizontal=True)],
        note=f"The {say(total)} pairs of {say(found.settled)} images whose links are settled, as in the "
        "paper's figure 3, which is drawn without numbers. Of the pairs that may be asked, "
        f"{asked} were; in the paper's table 2, greedy asked {say(paper.LINKS_ASKED, '%')}."
        + (
            f" {say_count(found.contradictions, 'pair is', 'pairs are')} in one chain although workers "
            "answered that they differ, or although they are of one caption."
            if found.contradictions
            else ""
        ),
        header=("source", "pairs") if total else (),
        rows=[(words, say(found.sources.get(source, 0))) for source, words in SOURCES.items()]
        if total
        else (),
    )


def chains(found: Results | None) -> Section:
    """Return chains, mentions and boxes by type beside the paper's figure 5 and table 4."""
    if found is None:
        return Section("chains", "Chains, mentions and boxes", note=NOT_YET)
    own = sorted(set(found.chains_by_type).difference(TYPES))
    types, words = [*TYPES, *own], [*TYPES.values(), *(name.replace("_", " ") for name in own)]
    count = {name: found.chains_by_type.get(name, 0) for name in types}
    finished = sum(found.chains_by_boxes.values())
    totals = {
        "chains": list(count.values()),
        "mentions": [found.mentions_by_type.get(name, 0) for name in types],
        "boxes": [found.boxes_by_type.get(name, 0) for name in types],
    }

    def a_chain(counts: Mapping[str, int]) -> list[float | None]:
        return [counts.get(name, 0) / count[name] if count[name] else None for name in types]

    def beside(title: str, here: list[float | None], there: Mapping[str, float], unit: str = "") -> Chart:
        references = {PAPER: [*there.values(), *(None for _ in own)]}
        return bars(title, words, {"here": here}, unit=unit, horizontal=True, references=references)

    # Not the sum over types, in which a chain of two types is twice.
    all_chains = sum(n for state, n in found.chains_by_state.items() if state not in (SPLIT, WITHDRAWN))
    several = [
        100 * found.chains_by_boxes.get(name, 0) / finished if finished else None
        for name in paper.BOXES_OF_CHAINS
    ]
    states = {**found.chains_by_state, **{f"boxes {state}": n for state, n in found.boxes.items()}}
    return Section(
        "chains",
        "Chains, mentions and boxes",
        [
            bars("Chains, mentions and boxes a type", words, totals, horizontal=True),
            beside(
                "Share of chains a type",
                [100 * count[name] / all_chains if all_chains else None for name in types],
                paper.SHARES,
                "%",
            ),
            beside("Mentions a chain", a_chain(found.mentions_by_type), MENTIONS),
            beside("Boxes a chain, so far", a_chain(found.boxes_by_type), BOXES),
            bars(
                "Finished chains by boxes",
                list(paper.BOXES_OF_CHAINS),
                {"here": several},
                unit="%",
                references={PAPER: list(paper.BOXES_OF_CHAINS.values())},
            ),
        ],
        note="In the paper: figure 5, table 4 and section 3.4, after merging. A chain of two types "
        "counts under each. "
        f"Flags: {say(found.flags.get('scene', 0))} scene, {say(found.flags.get('nobndbox', 0))} no box.",
        header=("chains and boxes by state", "count") if states else (),
        rows=[(state, say(n)) for state, n in states.items()],
    )


def _names(stages: Iterable[str]) -> list[str]:
    return [STAGES[stage] for stage in stages]


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
