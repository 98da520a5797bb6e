"""Finds the verification questions that a worker can be asked, and keeps which ones they were shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.db import connection
from django.db.models import F, Max, Min, Q, QuerySet

from annotation.domain.page_entries import Candidate
from annotation.models import Assignment, Exposure, Judgment, VerificationQuestion
from annotation.row_changes import record_deletions
from workflows.questions.entrance_images import entrance_images
from workflows.questions.images import being_annotated

DRAWN = 200
"""How many questions about images that are new to the worker are drawn for a page to choose from."""
NONE = 0
"""The id of no row, so that a statement about no question takes as long as one about some."""

# The index `question_active` serves this. A question waits while its image is being annotated. A worker who
# has answered items of an image would recognise a question about it, since it comes when the image should be
# done. To find that out the statement goes from the image to its judgments, never through all that a worker
# ever answered. SQLite keeps that order because of CROSS and +, PostgreSQL because a value is asked for: it
# would turn NOT EXISTS into a join with everything.
_ASKABLE = """
    SELECT id, image_id FROM annotation_verificationquestion AS question
    WHERE project_id = %(project)s AND stage = %(stage)s AND role = 'gold' AND state = 'active'
    AND id NOT IN (SELECT question_id FROM annotation_exposure WHERE worker_id = %(worker)s)
    AND NOT EXISTS (
        SELECT 1 FROM annotation_imagework AS work
        WHERE work.image_id = question.image_id AND work.active AND work.state <> 'done'
    )
    AND (
        SELECT 1 FROM annotation_imagework AS work
        CROSS JOIN annotation_item AS item CROSS JOIN annotation_judgment AS judgment
        WHERE work.image_id = question.image_id AND item.work_id = work.id
        AND judgment.item_id = item.id AND +judgment.worker_id = %(worker)s
        LIMIT 1
    ) IS NULL
    {but}
"""
_NOT_RESERVED = """AND NOT EXISTS (
    SELECT 1 FROM annotation_entranceimage AS apart WHERE apart.image_id = question.image_id
)"""
_DRAW = """
SELECT 0, id, image_id FROM (
    {askable} AND image_id IN ({images}) ORDER BY (id * %(stride)s) %% %(prime)s LIMIT %(size)s
) AS of_images
UNION ALL SELECT 1, id, image_id FROM ({askable} AND id >= %(start)s ORDER BY id LIMIT %(size)s) AS onward
UNION ALL SELECT 2, id, image_id FROM ({askable} AND id < %(start)s ORDER BY id LIMIT %(size)s) AS around
"""
_PRIME = 1_000_003


def askable(
    *,
    project_id: int,
    stage: str,
    worker_id: int,
    images: Collection[int],
    rng: Random,
    but: Collection[int] = (),
    entrance: bool = False,
) -> list[Candidate]:
    """Return questions, with their images, that this worker never saw: about `images`, and some at random.

    Questions about the images in `but` are left out, and so are those about images of which the worker has
    answered items in any stage. Except at an `entrance`, those about images that are reserved for entrances
    are left out, too. This takes two statements, and reads at most three times DRAWN rows, however
    many questions there are.
    """
    questions = VerificationQuestion.objects.filter(
        project_id=project_id,
        stage=stage,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )
    ends = questions.aggregate(low=Min("pk"), high=Max("pk"))
    values: dict[str, int | str] = {
        "project": project_id,
        "stage": stage,
        "worker": worker_id,
        "start": rng.randint(ends["low"] or NONE, ends["high"] or NONE),
        "size": DRAWN,
        # An order without a meaning, in which a limit cuts off any of them and not the newest.
        "stride": rng.randrange(1, _PRIME),
        "prime": _PRIME,
    }
    not_these = f"AND image_id NOT IN ({_listed(but)})"
    sql = _ASKABLE.format(but=not_these if entrance else f"{not_these} {_NOT_RESERVED}")
    parts: tuple[list[Candidate], list[Candidate], list[Candidate]] = ([], [], [])
    with connection.cursor() as cursor:
        cursor.execute(_DRAW.format(askable=sql, images=_listed(images)), values)
        for part, pk, image in cursor.fetchall():
            parts[part].append((int(pk), int(image)))
    of_images, onward, around = parts
    return sorted({*of_images, *onward, *around[: DRAWN - len(onward)]})


def _listed(ids: Collection[int]) -> str:
    return ", ".join(str(int(pk)) for pk in sorted(ids)) or str(NONE)


def known_images(worker_id: int) -> set[int]:
    """Return the images that the worker knows to have questions, from entrance pages and from tests."""
    known = Exposure.objects.filter(Q(entrance=True) | Q(assignment=None), worker_id=worker_id)
    return set(known.values_list("question__image_id", flat=True))


@dataclass(frozen=True, slots=True)
class Stock:
    """The gold questions of a project that can be asked now, and the images reserved for entrances."""

    questions: Mapping[int, tuple[str, int]]  # stage and image by question
    reserved: Collection[int]

    @property
    def by_image(self) -> dict[str, dict[int, int]]:
        """Count the questions by stage and image."""
        counts: dict[str, dict[int, int]] = defaultdict(dict)
        for (stage, image), number in Counter(self.questions.values()).items():
            counts[stage][image] = number
        return counts


def stock_of(project_id: int) -> Stock:
    """Return the questions that can be asked in the project. Two queries."""
    rows = _gold(project_id).values_list("pk", "stage", "image_id")
    return Stock({pk: (stage, image) for pk, stage, image in rows}, entrance_images(project_id))


def _gold(project_id: int) -> QuerySet[VerificationQuestion]:
    return VerificationQuestion.objects.filter(
        ~being_annotated("image"),
        project=project_id,
        role=VerificationQuestion.Role.GOLD,
        state=VerificationQuestion.State.ACTIVE,
    )


@dataclass(frozen=True, slots=True)
class Left:
    """How many questions of a stage can still be asked of a worker."""

    on_pages: int = 0  # with items
    at_entrance: int = 0


def questions_left(*, project_id: int, workers: Collection[int], stock: Stock) -> dict[int, dict[str, Left]]:
    """Return how many questions of each stage are left for each of these workers. Two queries.

    They are those that `askable` finds. Only images that a worker saw on a page without answering anything
    about them are counted here although no question about them is asked.
    """
    shown: dict[int, set[int]] = defaultdict(set)
    known: dict[int, set[int]] = defaultdict(set)
    rows = Exposure.objects.filter(worker__in=workers)
    for worker, question, image, entrance, page in rows.values_list(
        "worker_id", "question_id", "question__image_id", "entrance", "assignment_id"
    ):
        shown[worker].add(question)
        if entrance or page is None:
            known[worker].add(image)
    answered: dict[int, set[int]] = defaultdict(set)
    images = _gold(project_id).values("image")
    about = Judgment.objects.filter(worker__in=workers, item__work__image__in=images)
    for worker, image in about.values_list("worker_id", "item__work__image_id").distinct():
        answered[worker].add(image)
    of_image: dict[int, Counter[str]] = defaultdict(Counter)
    everywhere: Counter[str] = Counter()
    for stage, image in stock.questions.values():
        of_image[image][stage] += 1
        everywhere[stage] += 1
    found: dict[int, dict[str, Left]] = {}
    for worker in workers:
        used = known[worker] | answered[worker] | set(stock.reserved)
        entrance_left, page_left = everywhere.copy(), everywhere.copy()
        for image in used & of_image.keys():
            page_left.subtract(of_image[image])
        for image in answered[worker] & of_image.keys():
            entrance_left.subtract(of_image[image])
        for question in shown[worker] & stock.questions.keys():
            stage, image = stock.questions[question]
            page_left[stage] -= image not in used
            entrance_left[stage] -= image not in answered[worker]
        found[worker] = {stage: Left(page_left[stage], number) for stage, number in entrance_left.items()}
    return found


def unanswered(*, worker_id: int, stage: str) -> int:
    """Count the questions of the stage on pages that the worker gave back or let run out."""
    shown = Exposure.objects.filter(worker_id=worker_id, question__stage=stage, assignment__isnull=False)
    over = shown.filter(assignment__state__in=(Assignment.State.RETURNED, Assignment.State.EXPIRED))
    return over.count()


def expose_again(*, assignment: Assignment, now: datetime) -> None:
    """Undo `expose_no_more` for a page whose worker is now confirmed: they did see it. Locks questions."""
    asked = [question for _, question in assignment.checks]
    known = Exposure.objects.filter(worker_id=assignment.worker_id, question__in=asked)
    new = sorted(set(asked) - set(known.values_list("question_id", flat=True)))
    if new:
        expose(assignment=assignment, questions=new, entrance=not assignment.items, now=now)


def expose_no_more(*, assignment: Assignment) -> None:
    """Forget that the worker was shown this page, which nobody has confirmed. Locks questions."""
    shown = Exposure.objects.filter(assignment=assignment).order_by("question_id")
    questions = VerificationQuestion.objects.filter(pk__in=list(shown.values_list("question_id", flat=True)))
    list(questions.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    questions.update(exposures=F("exposures") - 1)
    record_deletions(shown)
    shown.delete()


def expose(*, assignment: Assignment, questions: Sequence[int], entrance: bool, now: datetime) -> None:
    """Keep that the page's worker is shown these questions, inside the transaction that makes the page.

    The unique constraint `exposure_once` makes sure that no question is shown to a worker twice. A page
    without questions takes as many statements, so that their time tells nothing.
    """
    asked = VerificationQuestion.objects.filter(pk__in=questions or [NONE])
    list(asked.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    asked.update(exposures=F("exposures") + 1)
    if questions:
        Exposure.objects.bulk_create(
            Exposure(
                question_id=question,
                worker_id=assignment.worker_id,
                assignment=assignment,
                entrance=entrance,
                created_at=now,
            )
            for question in questions
        )
    else:
        Exposure.objects.filter(pk=NONE).update(entrance=entrance)
