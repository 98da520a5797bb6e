"""Work out what an image must look like from its answers and decisions alone.

`advance` takes the same steps one at a time. `verify_state` takes them all again and compares. If a
researcher decided about an image, or judgments on it were set aside, it is folded as a whole at every step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from annotation.domain.answers import Answer, Stage
from annotation.domain.chain_states import FINISHED, SPLIT
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain import verdicts
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, Pair, Step, Strategy, read_link
from workflows.pipeline.domain.moves import Protocol, split
from workflows.pipeline.domain.verdicts import Evidence
from workflows.pipeline.replay.domain.chain_fold import (
    Ask,
    ExpectedChain,
    ExpectedItem,
    Ruling,
    fold_chain,
    make_item,
)
from workflows.pipeline.replay.domain.contexts import Asked, Context, Given

ChainKey = tuple[int, tuple[int, ...]]
"""Generation and mention ids. A chain of generation 0 comes from the links, one of generation 2n from the
n-th regrouping, and one of an odd generation was split from a chain of the generation before."""


@dataclass(frozen=True, slots=True)
class ExpectedImage:
    """Everything about an image that follows from its answers."""

    state: str
    links: Mapping[Pair, ExpectedItem] = field(default_factory=dict)
    chains: Mapping[ChainKey, ExpectedChain] = field(default_factory=dict)
    rules: tuple[str, ...] = ()  # the image's own transitions
    contradictions: tuple[Pair, ...] = ()  # between links, which settling could not settle
    untold_link: bool = False  # a link is open whose answer workers could not tell


@dataclass(frozen=True, slots=True)
class Root:
    """A chain that a researcher's regrouping names. Without a ruling it goes on as it was."""

    key: ChainKey
    ruling: Ruling | None = None


def fold_image(
    mentions: Sequence[Mention],
    link_answers: Mapping[Pair, Sequence[Answer]],
    chain_answers: Mapping[ChainKey, Sequence[Sequence[Evidence]]],
    *,
    protocol: Protocol,
    strategy: Strategy,
    settings: BatchSettings,
    seed: str,
) -> ExpectedImage:
    """Replay an image whose judgments all count.

    `chain_answers` has each chain's answers by visit. What a model adds is one of them.
    """
    links, end = fold_links(mentions, link_answers, strategy, seed)
    rules = ("opened",) if links else ()
    if end is None:
        return ExpectedImage("linking", links, rules=rules)
    if not end.chains:
        return ExpectedImage("done", links, rules=(*rules, "no-mentions"))
    roots = [Root((0, tuple(m.id for m in chain))) for chain in end.chains]
    numbers = count()
    result = fold_chains(
        roots,
        mentions,
        lambda key: _in_order(chain_answers.get(key, ()), numbers),
        protocol=protocol,
        settings=settings,
    )
    state = state_of(result)
    rules = (*rules, "links-settled", *(("chains-done",) if state == "done" else ()))
    return ExpectedImage(state, links, result, rules, end.contradictions)


def _in_order(answers: Sequence[Sequence[Evidence]], numbers: Iterator[int]) -> Ask:
    """Return an `Ask` that gives out the items in the order in which they were asked."""
    visits = iter(answers)

    def ask(context: Context) -> Asked:
        found: Sequence[Evidence] = next(visits, ())
        model = next((one for one in found if isinstance(one, verdicts.ModelWeights)), None)
        given = [Given(next(numbers), 0, one) for one in found if not isinstance(one, verdicts.ModelWeights)]
        return Asked(None, context, tuple(given), model=model)

    return ask


def state_of(chains: Mapping[ChainKey, ExpectedChain]) -> str:
    """Return the state of an image that has these chains."""
    return "done" if all(chain.progress.state in FINISHED for chain in chains.values()) else "boxing"


def fold_links(
    mentions: Sequence[Mention], answers: Mapping[Pair, Sequence[Answer]], strategy: Strategy, seed: str
) -> tuple[dict[Pair, ExpectedItem], Step | None]:
    """Return the links that are asked, and the strategy's last step (None while a link is open)."""
    items: dict[Pair, ExpectedItem] = {}
    known: dict[Pair, Link] = {}
    while True:
        step = strategy(ImageLinks(mentions, known, seed))
        if not step.asks:
            return items, step
        for pair in step.ask + step.again + step.settle:
            settling = pair in step.settle
            # A link that will be asked again later had decided on fewer judgments by now.
            wanted = 1 + len(known[pair].votes) if pair in known else 1
            given = answers.get(pair, ())
            given = given if settling else given[:wanted]
            done = verdicts.decide_link(given, settling=settling) is not None and (
                settling or len(given) == wanted
            )
            items[pair] = make_item(Stage.LINK, len(given), done, settling)
            if items[pair].done:
                known[pair] = read_link(given, settling=settling)
        if not all(item.done for item in items.values()):
            return items, None


def fold_chains(
    roots: Sequence[Root],
    mentions: Sequence[Mention],
    answered: Callable[[ChainKey], Ask],
    *,
    protocol: Protocol,
    settings: BatchSettings,
    rulings: Mapping[ChainKey, Sequence[Ruling]] | None = None,
    untold: Collection[int] = (),
) -> dict[ChainKey, ExpectedChain]:
    """Replay these chains and all chains that they are split into.

    Workers could not tell the answers to the items `untold` (ids).
    """
    by_id = {mention.id: mention for mention in mentions}
    result: dict[ChainKey, ExpectedChain] = {}
    waiting = list(roots)
    for root in waiting:
        generation, members = root.key
        chain = [by_id[member] for member in members]
        result[root.key] = fold_chain(
            chain,
            answered(root.key),
            protocol,
            settings,
            verified=generation % 2 > 0,
            begun=root.ruling,
            rulings=(rulings or {}).get(root.key, ()),
            untold=untold,
        )
        if result[root.key].progress.state == SPLIT:
            waiting += [Root((generation + 1, tuple(m.id for m in part))) for part in split(chain)]
    return result
