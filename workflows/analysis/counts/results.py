"""Count the corpus, its results (chains, boxes, links) and the review queue."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime
from itertools import islice

from django.db.models import Case as Choose
from django.db.models import CharField, Count, Q, Sum, Value, When

from annotation.domain.chain_states import DONE, NONVISUAL, SPLIT, WITHDRAWN
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Box, Caption, Case, Chain, GoldChain, Image, Mention, Project
from workflows.analysis.counts.targets import Length, Target
from workflows.analysis.domain.kept_counts import Corpus, Links, Queue, Results
from workflows.analysis.domain.refresh_rules import by_type
from workflows.analysis.outcomes import AT_ONCE
from workflows.batch_settings.selectors import settings_of
from workflows.cases.worker_cases import first_of_each
from workflows.pipeline.domain.link_strategies import Source, contradictions, outvoted, sources
from workflows.pipeline.selectors import LINKS_SETTLED, settled_links
from workflows.questions.images import free_images, images_in_no_batch

IMAGES_AT_ONCE = 200
"""Images whose links are in memory at once."""

_BOXES = Choose(
    When(boxes_accepted=0, then=Value("none")),
    When(boxes_accepted=1, then=Value("one")),
    default=Value("several"),
    output_field=CharField(),
)


def count_corpus(target: Target, now: datetime) -> Corpus:
    """Count what was imported, with the captions as they are chunked now."""
    project = target.project_id
    pictures = Count("pk", filter=~Q(file=""))
    images = (
        Image.objects.in_use().filter(project=project).aggregate(images=Count("pk"), with_pictures=pictures)
    )
    cut = Mention.objects.filter(image__project=project, superseded=False).order_by()
    types = list(cut.values_list("types", "annotatable").annotate(Count("pk")))
    a_image = cut.filter(annotatable=True).values("image").annotate(n=Count("pk"))
    histogram = Counter(a_image.values_list("n", flat=True).iterator(AT_ONCE))
    if empty := images["images"] - histogram.total():
        histogram[0] = empty
    free, questioned = images_in_no_batch(Project(pk=project))
    undescribed = free_images(Project(pk=project), Campaign.CAPTIONS).exclude(file="")
    return Corpus(
        **images,
        captions=Caption.objects.in_use().filter(image__project=project).count(),
        mentions=sum(number for _, _, number in types),
        annotatable=sum(number for _, annotatable, number in types if annotatable),
        mentions_by_type=by_type((names, number) for names, annotatable, number in types if annotatable),
        gold_chains=GoldChain.objects.filter(image__project=project, superseded=False).count(),
        free_images=free,
        question_images=questioned,
        undescribed=undescribed.count(),
        histogram=tuple(sorted(histogram.items())),
    )


def count_results(target: Target, now: datetime) -> Results:
    """Count the chains and boxes of images that were not released."""
    chains = Chain.objects.filter(work__batch__in=target.batch_ids, work__active=True).order_by()
    states: Counter[str] = Counter()
    boxes_of: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    kinds: list[tuple[str, int, int]] = []
    rows = chains.values("state", "types", "flag", boxed=_BOXES).annotate(
        n=Count("pk"), mentions=Sum(Length("members"))
    )
    for row in rows:
        states[row["state"]] += row["n"]
        if row["state"] in (SPLIT, WITHDRAWN):
            continue
        kinds.append((row["types"], row["n"], row["mentions"]))
        if row["state"] in (DONE, NONVISUAL):
            boxes_of[row["boxed"]] += row["n"]
        if row["flag"]:
            flags[row["flag"]] += row["n"]
    drawn = Box.objects.filter(chain__in=chains.exclude(state__in=(SPLIT, WITHDRAWN))).order_by()
    boxes = list(drawn.values_list("chain__types", "state").annotate(Count("pk")))
    counted: Counter[str] = Counter()
    for _, state, number in boxes:
        counted[state] += number
    return Results(
        chains_by_state=dict(sorted(states.items())),
        chains_by_type=by_type((types, number) for types, number, _ in kinds),
        mentions_by_type=by_type((types, number) for types, _, number in kinds),
        boxes_by_type=by_type((t, number) for t, state, number in boxes if state == Box.State.ACCEPTED),
        boxes={state: counted[state] for state in Box.State.values},
        chains_by_boxes={name: boxes_of[name] for name in ("none", "one", "several")},
        flags={name: flags[name] for name in ("scene", "nobndbox")},
    )


def count_links(target: Target, now: datetime) -> Links:
    """Count the sources of links, like `manage.py link_sources`, and the contradictions that are left."""
    # By hand, no link is asked or inferred.
    linked = target.works().grounding().exclude(batch__by_hand=True)
    settled = linked.filter(active=True, state__in=LINKS_SETTLED).order_by("pk")
    works = settled.values_list("pk", flat=True).iterator(IMAGES_AT_ONCE)
    batches = Batch.objects.filter(pk__in=target.batch_ids)
    again = {batch.pk for batch in batches if settings_of(batch).asks_links_again}
    found: Counter[Source] = Counter()
    images = left = 0
    while some := list(islice(works, IMAGES_AT_ONCE)):
        chains = _chains_of_links(some, again)
        for work, image in settled_links(works=some):
            found.update(sources(image.mentions, image.answers).values())
            if work in chains:
                left += len(outvoted(chains[work], image.answers))
            else:
                left += len(contradictions(image))
        images += len(some)
    return Links(
        sources={str(source): found[source] for source in Source}, settled=images, contradictions=left
    )


def _chains_of_links(works: Collection[int], batches: Collection[int]) -> dict[int, list[list[int]]]:
    """Return the mentions of the chains that links became, for those of the works that are of these batches.

    No query without batches.
    """
    found: dict[int, list[list[int]]] = defaultdict(list)
    if batches:
        rows = Chain.objects.filter(work__in=works, work__batch__in=batches, generation=0)
        for work, members in rows.exclude(state=WITHDRAWN).values_list("work_id", "members"):
            found[work].append(members)
    return found


def count_queue(target: Target, now: datetime) -> Queue:
    """Count the open cases of the project, as the queue shows them."""
    cases = first_of_each(Case.objects.filter(project=target.project_id, closed_at=None)).order_by()
    return Queue(dict(cases.values_list("reason").annotate(Count("pk")).order_by("reason")))
