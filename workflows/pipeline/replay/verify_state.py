"""Replay the judgments of images through the rules, and report where the stored rows differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from annotation.domain.answers import Answer, parse_answer
from annotation.domain.mentions import Mention
from annotation.models import Batch, Box, Chain, ImageWork, Item, Judgment
from annotation.selectors import mentions_by_image
from annotation.transactions import write_transaction
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.box_stages import progress_of
from workflows.pipeline.domain.link_strategies import Pair, strategy_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.verdicts import Evidence, ModelWeights
from workflows.pipeline.model_evidence import weights_of_items
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.campaigns import campaign_differences, is_campaign
from workflows.pipeline.replay.cross_checks import (
    judgments_by_item,
    replayed_differences,
    unconfirmed,
    wrong_chain,
    wrong_leases,
    wrong_references,
)
from workflows.pipeline.replay.domain.chain_fold import ExpectedBox, ExpectedChain, ExpectedItem
from workflows.pipeline.replay.domain.image_fold import ChainKey, ExpectedImage, fold_image
from workflows.pipeline.replay.load_rows import cut_since
from workflows.priors.domain.prior import Prior
from workflows.priors.selectors import pinned_priors

IMAGES_AT_ONCE = 200


def verify(works: Sequence[int]) -> list[str]:
    """Return the `differences` of these image works (ids), which are locked meanwhile."""
    with write_transaction():
        locked = ImageWork.objects.filter(pk__in=works).order_by("pk").select_for_update(no_key=True)
        return list(differences(list(locked)))


def differences(works: Sequence[ImageWork]) -> Iterator[str]:
    """Yield a line for each way in which these images differ from what their judgments say.

    Images that are queued or have unread judgments are skipped, so run `advance` first. Takes a handful of
    queries, however many images.
    """
    ids = [work.pk for work in works]
    unread = set(Item.objects.unread().filter(work__in=ids).values_list("work_id", flat=True))
    queued = [work.pk for work in works if work.state == ImageWork.State.QUEUED]
    begun = Item.objects.filter(work__in=queued).values_list("work_id", flat=True)
    for pk in sorted(set(begun)) if queued else ():
        yield f"image work {pk}: it is queued, and has items"
    works = [w for w in works if w.state != ImageWork.State.QUEUED and w.pk not in unread]
    over = cut_since(works)
    works = [work for work in works if work.pk not in over]
    yield from unconfirmed([work.pk for work in works])
    campaigns = [work for work in works if is_campaign(work)]
    if campaigns:
        yield from campaign_differences(campaigns)
        yield from wrong_leases(list(Item.objects.filter(work__in=campaigns)))
        works = [work for work in works if not is_campaign(work)]
    yield from replayed_differences([work for work in works if work.replayed])
    works = [work for work in works if not work.replayed]
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    priors = pinned_priors(batches.values(), [work.image_id for work in works])
    mentions = mentions_by_image([work.image_id for work in works])
    items = _by_work(Item.objects.filter(work__in=works).order_by("pk"))
    chains = _by_work(Chain.objects.filter(work__in=works).order_by("pk"))
    boxes: dict[int, list[Box]] = defaultdict(list)
    for box in Box.objects.filter(chain__work__in=works).order_by("judgment_id", "ordinal"):
        boxes[box.chain_id].append(box)
        if box.judgment_id is not None and box.decision_id is not None:
            yield f"box {box.pk}: it is of judgment {box.judgment_id} and of decision {box.decision_id}"
    judgments = judgments_by_item([work.pk for work in works])
    models = weights_of_items(batches, Q(item__work__in=works))
    rules: dict[tuple[int, int | None], list[str]] = defaultdict(list)
    log = Transition.objects.filter(work__in=works).order_by("pk")
    for work_id, chain, rule in log.values_list("work_id", "chain_id", "rule"):
        rules[work_id, chain].append(rule)
    for work in works:
        stored = _Stored(work, items[work.pk], chains[work.pk], boxes, rules)
        own = mentions.get(work.image_id, [])
        settings = settings_of(batches[work.batch_id])
        try:
            prior = priors.get(work.batch_id)
            lines = list(stored.compare(_replayed(stored, own, judgments, models, settings, prior)))
        except (ValueError, LookupError) as error:
            # An answer that cannot be read, or an unknown rule: it is reported, and the other images go on.
            lines = [f"cannot be replayed: {error}"]
        for chain_row in chains[work.pk]:
            lines += wrong_chain(chain_row, {mention.id: mention for mention in own})
            visits = stored.visits[chain_row.pk]
            lines += wrong_references(visits, judgments, boxes[chain_row.pk], settings)
        yield from (f"image work {work.pk}: {line}" for line in lines)
    yield from wrong_leases([item for rows in items.values() for item in rows])


def _replayed(
    stored: _Stored,
    mentions: Sequence[Mention],
    judgments: Mapping[int, Sequence[Judgment]],
    models: Mapping[int, ModelWeights],
    settings: BatchSettings,
    prior: Prior | None,
) -> ExpectedImage:
    answers = {
        item.pk: [parse_answer(item.stage, judgment.answer) for judgment in judgments.get(item.pk, ())]
        for item in stored.items
    }
    evidence = {
        item: [*([models[item]] if item in models else []), *given] for item, given in answers.items()
    }
    return fold_image(
        mentions,
        stored.link_answers(answers),
        stored.chain_answers(evidence),
        protocol=PROTOCOLS[settings.protocol],
        strategy=strategy_of(settings, prior),
        settings=settings,
        seed=str(settings.seed),
    )


class _Stored:
    """The rows of one image, keyed as the fold keys what it expects."""

    def __init__(
        self,
        work: ImageWork,
        items: Sequence[Item],
        chains: Sequence[Chain],
        boxes: Mapping[int, Sequence[Box]],
        rules: Mapping[tuple[int, int | None], Sequence[str]],
    ) -> None:
        self.work, self.items, self.rules = work, items, rules
        self.links: dict[Pair, Item] = {}
        for item in items:
            if item.mention_a_id is not None and item.mention_b_id is not None:
                self.links[item.mention_a_id, item.mention_b_id] = item
        self.visits: dict[int, list[Item]] = defaultdict(list)
        for item in sorted(items, key=lambda i: i.visit):
            if item.chain_id is not None:
                self.visits[item.chain_id].append(item)
        self.chains: dict[ChainKey, Chain] = {(c.generation, tuple(c.members)): c for c in chains}
        self.boxes = boxes

    def link_answers(self, answers: Mapping[int, list[Answer]]) -> dict[Pair, list[Answer]]:
        return {pair: answers.get(item.pk, []) for pair, item in self.links.items()}

    def chain_answers(self, answers: Mapping[int, list[Evidence]]) -> dict[ChainKey, list[list[Evidence]]]:
        return {
            key: [answers.get(item.pk, []) for item in self.visits[chain.pk]]
            for key, chain in self.chains.items()
        }

    def compare(self, expected: ExpectedImage) -> Iterator[str]:
        yield from _differ("state", self.work.state, expected.state)
        yield from _differ("log", self._rules(None), expected.rules)
        links = {pair: _item(item) for pair, item in self.links.items()}
        yield from _differ_by_key("link", links, expected.links)
        chains = {key: self._chain(chain) for key, chain in self.chains.items()}
        yield from _differ_by_key("chain", chains, expected.chains)

    def _chain(self, chain: Chain) -> ExpectedChain:
        boxes = (ExpectedBox(box.rectangle, box.state) for box in self.boxes.get(chain.pk, ()))
        items = (_item(item) for item in self.visits[chain.pk])
        return ExpectedChain(progress_of(chain), tuple(items), tuple(boxes), self._rules(chain.pk))

    def _rules(self, chain: int | None) -> tuple[str, ...]:
        """Return the rules that fired, as the log says."""
        return tuple(self.rules.get((self.work.pk, chain), ()))


def _item(item: Item) -> ExpectedItem:
    return ExpectedItem(item.stage, item.needed, item.judged, item.state == Item.State.DONE, item.settling)


def _by_work(rows: Any) -> dict[int, list[Any]]:
    grouped: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        grouped[row.work_id].append(row)
    return grouped


def _differ(what: str, stored: object, expected: object) -> Iterator[str]:
    if stored != expected:
        yield f"{what} is {stored}, its judgments say {expected}"


def _differ_by_key(what: str, stored: Mapping[Any, object], expected: Mapping[Any, object]) -> Iterator[str]:
    for key in sorted(stored.keys() | expected.keys(), key=str):
        yield from _differ(f"{what} {key}", stored.get(key, "missing"), expected.get(key, "missing"))
