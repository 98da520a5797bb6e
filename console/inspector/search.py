"""Images of a project that meet what is wanted, in the order of their ids, by key.

Two kinds of conditions. What few images meet (a rare phrase, a worker) is looked up in an index, once.
What many meet is asked of one image after another, until there are enough. docs/inspector.md says why.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.lookups import IsNull

from annotation.caption_words import HasWords
from annotation.models import Caption, Case, Chain, Image, ImageWork, Item, Judgment, Mention, Worker
from annotation.models.corpus import Folded
from console.inspector.search_query import BARE, FREE, WITHDRAWN, Wanted

MAX_JUDGMENTS = 10_000
"""The most judgments of a worker that are searched, the latest first."""
FEW = 5_000
"""The most mentions or cases of which a search looks up the images. If there are more, it asks each image."""
MAX_WORKERS = 10
"""The most workers of one name. Each provider has its own names."""
DISPUTED = (Case.Reason.CYCLE, Case.Reason.CONTRADICTION, Case.Reason.DISAGREEMENT)


def has_type(name: str, path: str = "") -> Q:
    """Return the condition that the mention at `path` has this type, whose name others may contain."""
    types = f"{path}types"
    alone, first = Q(**{types: name}), Q(**{f"{types}__startswith": f"{name}/"})
    last, between = Q(**{f"{types}__endswith": f"/{name}"}), Q(**{f"{types}__contains": f"/{name}/"})
    return alone | first | last | between


def images(project: int, wanted: Wanted) -> QuerySet[Image]:
    """Return the matching images, not yet in any order. Withdrawn ones are found only by that state.

    What few images meet is looked up now: at most four queries.
    """
    found = Image.objects.filter(project=project, withdrawn_at__isnull=wanted.state != WITHDRAWN)
    if wanted.name:
        found = found.filter(name__startswith=wanted.name)
    if wanted.phrase:
        found = found.filter(_few_or_each(said(wanted.phrase), saying(wanted.phrase), "image"))
    if wanted.type:
        of_type = _mentions().filter(has_type(wanted.type), image=OuterRef("pk"))
        found = found.filter(Exists(of_type))
    if wanted.worker:
        found = found.filter(pk__in=set(_judged_by(project, wanted.worker)))
    if wanted.state == FREE:
        found = found.filter(~Exists(ImageWork.objects.grounding().filter(image=OuterRef("pk"), active=True)))
    if wanted.state == BARE:
        found = found.filter(file="")
    if wanted.about_work:
        found = found.filter(Exists(_works(wanted)))
    if wanted.disagreement == "review":
        waiting = _waiting(project)
        found = found.filter(_few_or_each(waiting.values_list("work__image"), waiting, "work__image"))
    if wanted.words:
        # Last: to ask an image for its words costs more than any other condition.
        captions = told(wanted.words)
        found = found.filter(_few_or_each(captions.values_list("image"), captions, "image"))
    return found


def told(words: str) -> QuerySet[Caption]:
    """Return the captions in use that have all these words, in any order."""
    return Caption.objects.in_use().filter(HasWords(words))


def said(phrase: str) -> QuerySet[Mention, Any]:
    """Return the images of mentions that begin with this phrase, or have it round their head noun.

    An image is returned as often as it has such a mention. Each is a range of its index: one condition for
    both would be a pass over all mentions.
    """
    images = beginning(phrase).order_by().values_list("image")
    return images.union(headed(phrase).order_by().values_list("image"), all=True)


def beginning(phrase: str) -> QuerySet[Mention]:
    """Return mentions that begin with these whole words, in upper or lower case."""
    return _mentions().alias(folded=Folded("text")).filter(_begins(phrase))


def headed(phrase: str) -> QuerySet[Mention]:
    """Return mentions in which these whole words are together, and one of them is the head noun."""
    return _mentions().alias(folded=Folded("text")).filter(_has_head(phrase))


def saying(phrase: str) -> QuerySet[Mention]:
    """Return the mentions that `said` finds, as one condition for those of one image or a few."""
    return _mentions().alias(folded=Folded("text")).filter(_begins(phrase) | _has_head(phrase))


def _begins(phrase: str) -> Q:
    # In the order of the index the exclamation mark follows the space.
    return Q(folded__gte=Folded(Value(phrase)), folded__lt=Folded(Value(f"{phrase}!")))


def _has_head(phrase: str) -> Q:
    words = phrase.lower().split()
    if len(words) == 1:
        return Q(head=words[0])
    together = " ".join(words)
    # After another word: those that begin with the phrase are found by their beginning.
    within = Q(folded__contains=f" {together} ") | Q(folded__endswith=f" {together}")
    return Q(head__in=words) & within


def workers(project: int, name: str) -> list[int]:
    """Return the project's workers of this name."""
    named = Worker.objects.filter(project=project, external_id=name).order_by("pk")
    return list(named.values_list("pk", flat=True)[:MAX_WORKERS])


def _few_or_each(ids: QuerySet[Any, Any], rows: QuerySet[Any, Any], path: str) -> Q:
    """Return the condition that an image has one of these rows. `ids` are the images that `path` leads to.

    A few are looked up by their ids. If there are more, the search soon finds enough of them in the order of
    ids, so each image is asked for one row. As a set, PostgreSQL would read all rows first, and a set that is
    too large for its memory again for every image.
    """
    few = [pk for (pk,) in ids[: FEW + 1]]
    if len(few) <= FEW:
        return Q(pk__in=set(few))
    return asked_of_each(rows, path)


def asked_of_each(rows: QuerySet[Any, Any], path: str) -> Q:
    """Return the condition that an image has one of these rows, for each image to be asked."""
    # PostgreSQL cannot turn this into a set, and expects that most images meet it.
    return Q(IsNull(Subquery(rows.filter(**{path: OuterRef("pk")}).order_by().values(path)[:1]), False))


def _mentions() -> QuerySet[Mention]:
    return Mention.objects.filter(superseded=False)


def _judged_by(project: int, name: str) -> QuerySet[Judgment, int]:
    """Return the images of a worker's latest judgments, including drawn boxes."""
    given = Judgment.objects.filter(worker__in=workers(project, name), item__isnull=False)
    return given.order_by("-pk").values_list("item__work__image", flat=True)[:MAX_JUDGMENTS]


def _works(wanted: Wanted) -> QuerySet[ImageWork]:
    """Return an image's work in the batch, or its active work if no batch is given."""
    works = ImageWork.objects.filter(image=OuterRef("pk"))
    works = works.filter(batch=wanted.batch) if wanted.batch else works.grounding().filter(active=True)
    if wanted.batch:  # by hand, an image whose annotation was undone is in no batch
        works = works.exclude(batch__by_hand=True, active=False)
    if wanted.work_state:
        works = works.filter(state=wanted.work_state)
    if wanted.chain_state:
        works = works.filter(Exists(Chain.objects.filter(work=OuterRef("pk"), state=wanted.chain_state)))
    if wanted.disagreement == "links":
        works = works.filter(Exists(Item.objects.filter(work=OuterRef("pk"), settling=True)))
    if wanted.disagreement == "boxes":
        works = works.filter(Exists(Chain.objects.filter(work=OuterRef("pk"), boxes_rejected__gt=0)))
    return works


def _waiting(project: int) -> QuerySet[Case]:
    return Case.objects.filter(project=project, reason__in=DISPUTED, closed_at=None, work__isnull=False)
