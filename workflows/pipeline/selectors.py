"""Reads about links and finished chains: answers, where links came from, and which chains have boxes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from django.db.models import Count, Q, QuerySet

from annotation.domain.answers import Stage, parse_answer
from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Batch, Caption, Chain, ImageWork, Item, Judgment
from annotation.selectors import mentions_by_image
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, Pair, Source, read_link, sources
from workflows.pipeline.models import WrittenCaption

LINKS_SETTLED = (ImageWork.State.BOXING, ImageWork.State.DONE)
"""The states of an image whose links are all settled: it has its chains, or nothing to make them of."""


def link_answers(
    works: Collection[int],
) -> tuple[dict[int, dict[Pair, Link]], dict[int, dict[Pair, int]]]:
    """Return the answered links of these image works and the ids of their items, each by work and pair.

    One query. Raises ValueError if the judgments of a link do not decide it yet.
    """
    links: dict[int, dict[Pair, Link]] = defaultdict(dict)
    items: dict[int, dict[Pair, int]] = defaultdict(dict)
    answers: dict[int, list[object]] = defaultdict(list)
    about: dict[int, tuple[int, Pair, bool]] = {}
    rows = (
        Judgment.objects.filter(item__work__in=works, item__stage=Stage.LINK, set_aside__isnull=True)
        .exclude(item__state=Item.State.WITHDRAWN)
        .order_by("pk")
        .values_list(
            "item_id", "item__work_id", "item__mention_a_id", "item__mention_b_id", "item__settling", "answer"
        )
        if works
        else ()
    )
    for item, work, a, b, settling, answer in rows:
        about[item] = (work, (a, b), settling)
        answers[item].append(answer)
    for item, (work, pair, settling) in about.items():
        given = [parse_answer(Stage.LINK, answer) for answer in answers[item]]
        links[work][pair] = read_link(given, settling=settling)
        items[work][pair] = item
    return links, items


def link_sources_by_work(*, works: Collection[int]) -> Iterator[tuple[int, dict[Pair, Source]]]:
    """Yield the id of each image work whose links are settled, and where the link of each pair came from.

    Every two annotatable mentions of an image are a pair, in reading order, whether they are coreferent or
    not. Three queries, however many works. All answers are held in memory, so pass the works in chunks.
    """
    for work, image in settled_links(works=works):
        yield work, sources(image.mentions, image.answers)


def settled_links(*, works: Collection[int]) -> Iterator[tuple[int, ImageLinks]]:
    """Yield the id of each image work whose links are settled, and its mentions and links.

    Three queries, however many works. All answers are held in memory, so pass the works in chunks.
    """
    rows = ImageWork.objects.grounding().filter(pk__in=works, state__in=LINKS_SETTLED).order_by("pk")
    images = dict(rows.values_list("pk", "image_id"))
    mentions = mentions_by_image(set(images.values()))
    answers, _ = link_answers(images)
    for work, image in images.items():
        yield work, ImageLinks(mentions.get(image, ()), answers.get(work, {}))


def link_sources(*, works: Collection[int]) -> Counter[Source]:
    """Count the pairs of mentions by the source of their link: the paper's figure 3 for these works."""
    return Counter(source for _, pairs in link_sources_by_work(works=works) for source in pairs.values())


def finished_heads(project_id: int) -> dict[str, tuple[int, int]]:
    """Count the project's finished chains by the head noun of their representative mention.

    Each has how many of them have a box, and how many there are. One query.
    """
    chains = Chain.objects.filter(
        work__batch__project=project_id, work__active=True, state__in=(DONE, NONVISUAL)
    )
    counts = (
        chains.order_by()
        .values_list("representative__head")
        .annotate(boxed=Count("pk", filter=Q(state=DONE)), number=Count("pk"))
    )
    return {head: (boxed, number) for head, boxed, number in counts}


def short_of_captions(works: QuerySet[ImageWork]) -> dict[int, tuple[int, int]]:
    """Return those of the works whose photographs have fewer captions than their batch wants: (has, wants).

    So many captions were refused that nobody is asked for more, or they were withdrawn later. A caption that
    is accepted and about to be published counts. One query, and three more if any captions are collected.
    """
    collected = works.filter(
        campaign=ImageWork.Campaign.CAPTIONS, state=ImageWork.State.DONE, active=True
    ).order_by()
    rows = list(collected.values_list("pk", "image_id", "batch_id"))
    if not rows:
        return {}
    images = collected.values("image")
    in_use = Caption.objects.in_use().filter(image__in=images).order_by()
    accepted = WrittenCaption.objects.filter(
        work__image__in=images, state=WrittenCaption.State.ACCEPTED, caption=None
    ).order_by()
    has = Counter(dict(in_use.values_list("image").annotate(Count("pk"))))
    has.update(dict(accepted.values_list("work__image").annotate(Count("pk"))))
    batches = Batch.objects.filter(pk__in={batch for *_, batch in rows})
    wants = {batch.pk: settings_of(batch).captions.wanted for batch in batches}
    return {pk: (has[image], wants[batch]) for pk, image, batch in rows if has[image] < wants[batch]}
