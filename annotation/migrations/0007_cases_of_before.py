"""What waited for a researcher before there was a queue is in the queue, too.

Chains in review, and what workers had to say: `advance` and `submit` open cases of what comes since 0003.
They are opened as of when it happened. Running this again opens nothing twice.
"""

from django.db import migrations
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

AT_ONCE = 1000


def in_chunks(rows):
    rows = rows.order_by("pk")
    chunk = list(rows[:AT_ONCE])
    while chunk:
        yield chunk
        chunk = list(rows.filter(pk__gt=chunk[-1].pk)[:AT_ONCE])


def chains_in_review(apps, schema_editor):
    cases = apps.get_model("annotation", "Case").objects
    answers = apps.get_model("annotation", "Judgment").objects.filter(item__chain=OuterRef("pk"))
    chains = apps.get_model("annotation", "Chain").objects.filter(
        ~Exists(cases.filter(reason="cycle", chain=OuterRef("pk"))),
        state="review",
        work__active=True,  # the images of a cancelled batch are nobody's to decide
    )
    last = Subquery(answers.order_by("-pk").values("created_at")[:1])
    for chunk in in_chunks(chains.annotate(answered=last).select_related("work__batch")):
        cases.bulk_create(
            [
                cases.model(
                    project_id=chain.work.batch.project_id,
                    reason="cycle",
                    work_id=chain.work_id,
                    chain_id=chain.pk,
                    detail={"rule": chain.reason},
                    opened_at=chain.answered or timezone.now(),
                )
                for chain in chunk
            ],
            ignore_conflicts=True,
        )


def remarks(apps, schema_editor):
    """Those that are in the queue already are kept from coming twice by the constraint on the judgment."""
    cases = apps.get_model("annotation", "Case").objects
    judgments = apps.get_model("annotation", "Judgment").objects
    made = judgments.filter(Q(chunk_flag=True) | ~Q(comment=""))
    for chunk in in_chunks(made.select_related("item", "assignment__batch")):
        cases.bulk_create(
            [
                cases.model(
                    project_id=judgment.assignment.batch.project_id,
                    reason="chunk" if judgment.chunk_flag else "comment",
                    work_id=judgment.item.work_id if judgment.item else None,
                    chain_id=judgment.item.chain_id if judgment.item else None,
                    judgment_id=judgment.pk,
                    worker_id=judgment.worker_id,
                    question_id=judgment.question_id,
                    stage=judgment.assignment.stage,
                    opened_at=judgment.created_at,
                )
                for judgment in chunk
                if judgment.chunk_flag or judgment.comment.strip()
            ],
            ignore_conflicts=True,
        )


def late_remarks(apps, schema_editor):
    """Those with answers that came too late are kept with their page, in its order, and are no judgments."""
    cases = apps.get_model("annotation", "Case").objects
    items = apps.get_model("annotation", "Item").objects
    pages = apps.get_model("annotation", "Assignment").objects.filter(late__isnull=False)
    for chunk in in_chunks(pages.select_related("batch")):
        workers = {page.worker_id for page in chunk}
        put = cases.filter(worker__in=workers, judgment=None, reason__in=("comment", "chunk"))
        there = {detail.get("assignment") for detail in put.values_list("detail", flat=True)}
        remarked = [
            (page, one)
            for page in chunk
            for one in page.late or ()
            if str(page.pk) not in there and (one.get("chunk_flag") or one.get("comment", "").strip())
        ]
        about = items.in_bulk({one["item"] for _, one in remarked if "item" in one})
        new = []
        for page, one in remarked:
            item = about.get(one.get("item"))
            # About the image alone: a chain has one open case of a kind.
            new.append(
                cases.model(
                    project_id=page.batch.project_id,
                    reason="chunk" if one.get("chunk_flag") else "comment",
                    work_id=item.work_id if item else None,
                    worker_id=page.worker_id,
                    question_id=one.get("question"),
                    stage=page.stage,
                    detail={"note": one.get("comment", ""), "assignment": str(page.pk)},
                    opened_at=page.submitted_at or page.created_at,
                )
            )
        cases.bulk_create(new, batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_pending_pages")]

    operations = [
        migrations.RunPython(chains_in_review, migrations.RunPython.noop),
        migrations.RunPython(remarks, migrations.RunPython.noop),
        migrations.RunPython(late_remarks, migrations.RunPython.noop),
    ]
