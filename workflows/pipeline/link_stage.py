"""The link stage of images: ask the strategy's next links, or make the chains that it ends in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from annotation.domain.answers import Stage
from annotation.domain.mentions import Mention as PureMention
from annotation.domain.mentions import representative
from annotation.domain.types import in_order
from annotation.models import Batch, Case, Chain, ImageWork, Item
from annotation.selectors import mentions_by_image
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.change_set import Changes
from workflows.pipeline.domain.disputes import disputed_pairs
from workflows.pipeline.domain.link_strategies import ImageLinks, Pair, strategy_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.selectors import link_answers
from workflows.priors.selectors import pinned_priors


def step_links(works: Sequence[ImageWork], batches: dict[int, Batch], changes: Changes) -> None:
    """Take the strategy's next step for images without an open link. The works must be locked."""
    mentions = mentions_by_image([work.image_id for work in works])
    links, items = link_answers([work.pk for work in works if work.state == ImageWork.State.LINKING])
    priors = pinned_priors(
        (batches[pk] for pk in {work.batch_id for work in works}), [work.image_id for work in works]
    )
    for work in works:
        settings = settings_of(batches[work.batch_id])
        image = ImageLinks(mentions.get(work.image_id, ()), links[work.pk], str(settings.seed))
        step = strategy_of(settings, priors.get(work.batch_id))(image)
        changes.links_to_ask_again += [items[work.pk][pair] for pair in step.again]
        changes.links_to_settle += [items[work.pk][pair] for pair in step.settle]
        changes.new_items += [
            Item(
                batch_id=work.batch_id,
                work_id=work.pk,
                stage=Stage.LINK,
                mention_a_id=a,
                mention_b_id=b,
                queued_at=changes.now,
            )
            for a, b in step.ask
        ]
        if step.asks:
            if work.state == ImageWork.State.QUEUED:
                changes.image_moves(work.pk, work.state, ImageWork.State.LINKING, "opened")
            continue
        changes.image_moves(
            work.pk,
            work.state,
            ImageWork.State.BOXING if step.chains else ImageWork.State.DONE,
            "links-settled" if step.chains else "no-mentions",
        )
        for chain in step.chains:
            add_chain(work, chain, 0, settings, changes)
            added = changes.new_chains[-1]
            every = settings.settle == "cycles"
            disputed = disputed_pairs(
                chain, step.contradictions, generation=0, before="", now=added.state, every=every
            )
            project = batches[work.batch_id].project_id
            changes.cases += contradiction_cases(project, added, chain, disputed, changes.now)


def add_chain(
    work: ImageWork,
    mentions: Sequence[PureMention],
    generation: int,
    settings: BatchSettings,
    changes: Changes,
) -> None:
    """Add a new chain with its first item. Parts of a broken chain (generation 1) count as verified."""
    state = PROTOCOLS[settings.protocol].opening(mentions, settings, verified=generation > 0)
    chain = make_chain(work.pk, mentions, generation)
    chain.state, chain.visits = state, 1
    changes.new_chains.append(chain)
    changes.new_items.append(
        Item(batch_id=work.batch_id, work_id=work.pk, stage=state, chain=chain, queued_at=changes.now)
    )
    changes.transitions.append(
        Transition(
            work_id=work.pk,
            chain=chain,
            rule="split-off" if generation else "linked",
            source="",
            target=state,
            created_at=changes.now,
        )
    )


def contradiction_cases(
    project_id: int,
    chain: Chain,
    mentions: Iterable[PureMention],
    contradictions: Iterable[Pair],
    now: datetime,
) -> list[Case]:
    """Return the unsaved case for a chain of these mentions that contradicts itself, or nothing.

    `contradictions` are those of its image: pairs of mentions (ids) that are not the same.
    """
    texts = {mention.id: mention.text for mention in mentions}
    disputed = [f"“{texts[a]}” and “{texts[b]}”" for a, b in contradictions if a in texts and b in texts]
    if not disputed:
        return []
    case = Case(
        project_id=project_id,
        reason=Case.Reason.CONTRADICTION,
        work_id=chain.work_id,
        chain=chain,
        stage=Stage.LINK,
        detail={"different_or_of_one_caption": disputed},
        opened_at=now,
    )
    return [case]


def make_chain(work_id: int, mentions: Sequence[PureMention], generation: int) -> Chain:
    """Return the unsaved row of a chain of these mentions (in reading order), without a state."""
    return Chain(
        work_id=work_id,
        generation=generation,
        first_id=mentions[0].id,
        members=[m.id for m in mentions],
        representative_id=representative(mentions).id,
        types="/".join(union_of_types(mentions)),
    )


def union_of_types(mentions: Iterable[PureMention]) -> list[str]:
    """Return all types of the mentions, as `in_order`."""
    return [*in_order(kind for mention in mentions for kind in mention.types)]
