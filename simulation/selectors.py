"""Queries for a project's truth and progress, as the simulation's own types."""

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Count, Exists, OuterRef, Q

from annotation.domain.answers import CampaignStage
from annotation.domain.geometry import Box
from annotation.domain.protocols import ALL_STAGES, DEFAULT_PROTOCOL, stages_of
from annotation.domain.records import ImageRecord
from annotation.domain.tokens import align
from annotation.image_names import image_of
from annotation.models import (
    Batch,
    Caption,
    Case,
    Chain,
    GoldChain,
    Image,
    ImageWork,
    Item,
    Judgment,
    Mention,
    QualificationTry,
    Standing,
    VerificationQuestion,
    Worker,
)
from simulation.crowd import Progress
from simulation.made_up_truth import Phrase, make_up_truth
from simulation.truth import KnownChain, Span, Truth
from simulation.written_truth import in_order

_LINKS = 0.3
"""The share of an image's judgments, roughly, that are about links and their verification."""


def load_truth(project: str) -> Truth:
    """Return the gold chains of a project. They are held in memory: about 1 kB a chain."""
    spans = _spans(project)
    images: dict[int, dict[Span, KnownChain]] = {}
    rows = GoldChain.objects.filter(image__project__name=project, superseded=False)
    rows = rows.order_by("image_id", "number")
    for row in rows.iterator(2000):
        boxes = tuple(Box(*edges) for edges in row.boxes)
        chain = KnownChain(row.number, boxes, row.scene)
        known = images.setdefault(row.image_id, {})
        for member in row.members:
            known[spans[member]] = chain
    return Truth(images, image_of, _captions(project), _corrections(project))


def load_made_up_truth(project: str, seed: int) -> Truth:
    """Return the gold chains of a project, and a made-up truth for its images that have none.

    The same seed makes up the same truth.
    """
    known = load_truth(project)
    images = dict(known.images)
    phrases: dict[int, list[Phrase]] = defaultdict(list)
    spans = _spans(project)
    rows = Mention.objects.filter(image__project__name=project, annotatable=True, superseded=False)
    for pk, image, types, text in rows.order_by("pk").values_list("pk", "image_id", "types", "text"):
        phrases[image].append(Phrase(spans[pk], types.split("/")[0], text.split(" ")[-1].lower()))
    shapes = Image.objects.filter(project__name=project).order_by("name")
    for pk, name, width, height in shapes.values_list("pk", "name", "width", "height"):
        if pk not in images:
            size = (width, height) if width and height else None
            images[pk] = make_up_truth(phrases[pk], size, random.Random(f"{seed}/{name}"))
    return replace(known, images=images)


def truth_of_records(project: str, records: Iterable[ImageRecord]) -> Truth:
    """Return the truth that records say about a project's images. Images are found by their names.

    Mentions are found by their places in captions of the same text, so the captions must be cut as those of
    the project.
    """
    spans = _spans(project)
    places: dict[str, dict[tuple[int, int, int], Span]] = defaultdict(dict)
    rows = Mention.objects.filter(image__project__name=project, annotatable=True, superseded=False)
    columns = ("pk", "image__name", "caption__index", "start", "end")
    for pk, name, index, start, end in rows.values_list(*columns):
        places[name][index, start, end] = spans[pk]
    ids = dict(Image.objects.filter(project__name=project).values_list("name", "pk"))
    texts: dict[str, list[str]] = defaultdict(list)
    said = Caption.objects.in_use().filter(image__project__name=project).order_by("image_id", "index")
    for name, text in said.values_list("image__name", "text"):
        texts[name].append(text)
    images: dict[int, dict[Span, KnownChain]] = {}
    captions: dict[int, tuple[str, ...]] = {}
    for original in records:
        if original.name not in ids:
            continue
        captions[ids[original.name]] = tuple(caption.text for caption in original.captions)
        record = in_order(original, texts[original.name])
        known = images.setdefault(ids[record.name], {})
        for chain in record.chains:
            boxes = tuple(record.boxes[number].box for number in chain.boxes)
            found = [places[record.name].get(place) for place in chain.mentions]
            known.update(dict.fromkeys(filter(None, found), KnownChain(chain.id, boxes, chain.scene)))
    known_chains = {pk: known for pk, known in images.items() if known}
    return Truth(known_chains, image_of, captions, _corrections(project))


def _captions(project: str) -> dict[int, tuple[str, ...]]:
    """Return the captions of each image of a project."""
    found: dict[int, tuple[str, ...]] = defaultdict(tuple)
    rows = Caption.objects.in_use().filter(image__project__name=project).order_by("image_id", "index")
    for image, text in rows.values_list("image_id", "text").iterator(2000):
        found[image] += (text,)
    return dict(found)


def _corrections(project: str) -> dict[str, str]:
    """Return a right correction of each sentence of the project's language test."""
    asked = VerificationQuestion.objects.filter(project__name=project, stage=CampaignStage.WRITING)
    rows = asked.values_list("captions", "answer")
    return {captions[0]: answer["captions"][0] for captions, answer in rows}


def _spans(project: str) -> dict[int, Span]:
    """Return the span of each mention in characters, by mention id."""
    rows = Mention.objects.filter(image__project__name=project, annotatable=True)
    columns = ("pk", "start", "end", "caption__index", "caption__text", "caption__tokens")
    spans = {}
    for pk, start, end, index, text, tokens in rows.values_list(*columns).iterator(2000):
        places = align(text, tokens.split(" "))
        spans[pk] = (index, places[start][0], places[end - 1][1])
    return spans


def progress(project: str) -> Progress:
    """Return the progress over the project's running and finished batches.

    An image is done when nothing more is asked about it, also when a chain waits for a researcher. An image
    whose links are settled counts in part, by the share of its chains that are done.
    """
    batches = Batch.objects.filter(
        project__name=project, state__in=(Batch.State.RUNNING, Batch.State.FINISHED)
    )
    works = ImageWork.objects.filter(batch__in=batches)
    asked = Item.objects.filter(work=OuterRef("pk"), state=Item.State.OPEN)
    moving = works.filter(Exists(asked) | Q(state=ImageWork.State.QUEUED))
    total, still = works.count(), moving.count()
    boxing = moving.filter(state=ImageWork.State.BOXING)
    chains = Chain.objects.filter(work__in=boxing).exclude(state="split")
    asked_chains = chains.filter(items__state=Item.State.OPEN).count()
    share = 1 - asked_chains / max(1, chains.count())
    part = boxing.count() * (_LINKS + (1 - _LINKS) * share)
    unread = Item.objects.filter(batch__in=batches).unread().exists()
    return Progress(round(total - still + part, 1), total, not still, unread)


def stages_asked(project: str) -> tuple[str, ...]:
    """Return the stages of the protocols of the project's batches."""
    batches = Batch.objects.filter(project__name=project)
    return stages_of(batch.settings.get("protocol", DEFAULT_PROTOCOL) for batch in batches)


def stages_running(project: str) -> tuple[str, ...]:
    """Return the stages of the protocols of the project's running batches."""
    running = Batch.objects.filter(project__name=project, state=Batch.State.RUNNING)
    return stages_of(batch.settings.get("protocol", DEFAULT_PROTOCOL) for batch in running)


def waiting(project: str) -> dict[str, int]:
    """Return the number of items by stage that wait for a judgment and are not leased.

    "unread" counts the items with judgments that `advance` has not read.
    """
    items = Item.objects.filter(batch__project__name=project, batch__state=Batch.State.RUNNING)
    counts = dict(items.waiting().values_list("stage").annotate(Count("pk")))
    return {**counts, "unread": items.unread().count()}


def why_stalled(project: str) -> str:
    """Return why nobody gets the waiting work, by stage, or "" if nothing in the state says so.

    Quality control is the reason where nobody is left who may work, or where those who may have answered all
    that waits.
    """
    counts = waiting(project)
    workers = Worker.objects.filter(project__name=project)
    reasons = [
        reason
        for stage in ALL_STAGES
        if counts.get(stage)
        and (reason := _why_stage_stalled(project, stage, counts[stage], workers.count()))
    ]
    short = Case.objects.filter(
        project__name=project, reason=Case.Reason.QUESTION, question=None, closed_at=None, stage__in=counts
    )
    sentences = []
    if reasons:
        sentences.append(
            f"nobody can do what is left of {', '.join(reasons)}. "
            "Let more workers in: --workers, another --seed, a smaller --careless share, or --patience"
        )
    if stages := ", ".join(sorted(set(short.values_list("stage", flat=True)))):
        sentences.append(f"workers have been asked all verification questions of {stages}")
    return ". Besides, ".join(sentences)


def _why_stage_stalled(project: str, stage: str, count: int, people: int) -> str:
    """Return who of the project's workers cannot do the waiting items of a stage, or "" if somebody can."""
    lost = Standing.objects.filter(worker=OuterRef("pk"), stage=stage, state=Standing.State.LOST)
    tries = QualificationTry.objects.filter(worker=OuterRef("pk"), stage=stage)
    passed = tries.filter(state="passed")
    failed = Exists(tries.filter(state="failed")) & ~Exists(passed)
    workers = Worker.objects.filter(project__name=project)
    out = workers.filter(Exists(lost))
    untested = workers.filter(~Exists(lost) & failed)
    left = workers.filter(~Exists(lost) & ~failed, blocked=False)
    items = Item.objects.filter(batch__project__name=project, batch__state=Batch.State.RUNNING, stage=stage)
    others = Q(author=None) | ~Q(author=OuterRef("pk"))
    votes = Judgment.objects.filter(
        worker=OuterRef(OuterRef("pk")), item__chain=OuterRef("chain"), item__stage=stage
    )
    # Of a chain that came back, earlier votes count, too; in a small team, their workers may vote again.
    running = Batch.objects.filter(project__name=project, state=Batch.State.RUNNING)
    again = any(batch.settings.get("author_after_hours") is not None for batch in running)
    unvoted = Q() if again else Q(counted=None) | ~Exists(votes)
    new = items.waiting().filter(others, unvoted).exclude(judgments__worker=OuterRef("pk"))
    if not people or left.filter(Exists(new)).exists():
        return ""
    return (
        f"{stage} ({count} items wait; of {people} workers, {out.count()} lost trust, "
        f"{untested.count()} failed the test, and {left.count()} have had all of them)"
    )
