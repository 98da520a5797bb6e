"""Images of a project that meet what is wanted, in the order of their ids, by key.

Two kinds of conditions. What few images meet (a phrase, a worker) is looked up in an index as a set, once.
What many meet is asked of one image after another, until there are enough. docs/inspector.md says why.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from annotation.models import Case, Chain, Image, ImageWork, Item, Judgment, Mention, Worker
from annotation.models.corpus import Folded
from console.inspector.search_query import FREE, WITHDRAWN, Wanted

MOST_JUDGMENTS = 10_000
"""The most judgments of a worker that are searched, the latest first."""
MOST_WORKERS = 10
"""The most workers of one name. Each provider has its own names."""
DISPUTED = (Case.Reason.CYCLE, Case.Reason.CONTRADICTION, Case.Reason.DISAGREEMENT)


def images(project: int, wanted: Wanted) -> QuerySet[Image]:
    """Return the matching images, not yet in any order. Withdrawn ones are found only by that state."""
    found = Image.objects.filter(project=project, withdrawn_at__isnull=wanted.state != WITHDRAWN)
    if wanted.name:
        found = found.filter(name__startswith=wanted.name)
    if wanted.phrase:
        # Two sets, each a range of its index: one condition for both would be a pass over all mentions.
        said = _in_set(beginning(wanted.phrase).values("image"))
        if " " not in wanted.phrase:
            said |= Q(pk__in=headed(wanted.phrase).values("image"))
        found = found.filter(said)
    if wanted.type:
        of_type = _mentions().filter(image=OuterRef("pk"), types__contains=wanted.type)
        found = found.filter(Exists(of_type))
    if wanted.worker:
        found = found.filter(_in_set(_judged_by(project, wanted.worker)))
    if wanted.state == FREE:
        found = found.filter(~Exists(ImageWork.objects.filter(image=OuterRef("pk"), active=True)))
    if wanted.about_work:
        found = found.filter(Exists(_works(wanted)))
    if wanted.disagreement == "review":
        found = found.filter(_in_set(_waiting(project)))
    return found


def following(project: int, wanted: Wanted, pk: int) -> QuerySet[Image]:
    """Return the matching images after this id, the nearest first."""
    return images(project, wanted).filter(pk__gt=pk).order_by("pk")


def preceding(project: int, wanted: Wanted, pk: int) -> QuerySet[Image]:
    """Return the matching images before this id, the nearest first."""
    return images(project, wanted).filter(pk__lt=pk).order_by("-pk")


def beginning(phrase: str) -> QuerySet[Mention]:
    """Return mentions that begin with these whole words, in upper or lower case."""
    folded = _mentions().alias(folded=Folded("text"))
    # In the order of the index the exclamation mark follows the space.
    return folded.filter(folded__gte=Folded(Value(phrase)), folded__lt=Folded(Value(f"{phrase}!")))


def headed(word: str) -> QuerySet[Mention]:
    """Return mentions with this head noun."""
    return _mentions().filter(head=word.lower())


def workers(project: int, name: str) -> list[int]:
    """Return the project's workers of this name."""
    named = Worker.objects.filter(project=project, external_id=name).order_by("pk")
    return list(named.values_list("pk", flat=True)[:MOST_WORKERS])


def _in_set(rows: QuerySet[Any, Any]) -> Q:
    """Images among these rows, which are read once.

    Alone, PostgreSQL may turn the condition into a join and read them again for every image, for minutes.
    What stands beside an alternative it keeps apart, even if that is one that never holds.
    """
    return Q(pk__in=rows) | Q(pk__lt=0)


def _mentions() -> QuerySet[Mention]:
    return Mention.objects.filter(superseded=False)


def _judged_by(project: int, name: str) -> QuerySet[Judgment, Any]:
    """Return the images of a worker's latest judgments, including drawn boxes."""
    given = Judgment.objects.filter(worker__in=workers(project, name), item__isnull=False)
    return given.order_by("-pk").values("item__work__image")[:MOST_JUDGMENTS]


def _works(wanted: Wanted) -> QuerySet[ImageWork]:
    """Return an image's work in the batch, or its active work if no batch is given."""
    works = ImageWork.objects.filter(image=OuterRef("pk"))
    works = works.filter(batch=wanted.batch) if wanted.batch else works.filter(active=True)
    if wanted.work_state:
        works = works.filter(state=wanted.work_state)
    if wanted.chain_state:
        works = works.filter(Exists(Chain.objects.filter(work=OuterRef("pk"), state=wanted.chain_state)))
    if wanted.disagreement == "links":
        works = works.filter(Exists(Item.objects.filter(work=OuterRef("pk"), settling=True)))
    if wanted.disagreement == "boxes":
        works = works.filter(Exists(Chain.objects.filter(work=OuterRef("pk"), boxes_rejected__gt=0)))
    return works


def _waiting(project: int) -> QuerySet[Case, Any]:
    waits = Case.objects.filter(project=project, reason__in=DISPUTED, closed_at=None, work__isnull=False)
    return waits.values("work__image")
