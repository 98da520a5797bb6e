"""The researchers' part: their decisions, which replay like judgments, and the cases that wait for one."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models.assignments import Judgment
from annotation.models.corpus import Caption, Image, Project
from annotation.models.work import Batch, ImageWork, Worker


class Decision(models.Model):
    """What a researcher, or a policy of the batch, decided. A decision is never changed or deleted."""

    class Kind(models.TextChoices):
        CHAIN = "chain"  # a chain's boxes, flag, and the state it goes on from
        REGROUP = "regroup"  # the image's chunks and chains as a whole
        ANNOTATE = "annotate"  # the image's phrases, types, chains, boxes and flags, by one researcher
        SET_ASIDE = "set-aside"  # judgments that do not count any more
        REINSTATE = "reinstate"  # judgments that were set aside count again
        REJECT = "reject"  # a set of pages below the minimum score: their judgments are set aside
        RESTORE = "restore"  # a worker may qualify for a stage again
        BLOCK = "block"
        UNBLOCK = "unblock"
        CLOSE = "close"  # a case of the review queue, without a change
        WRITE = "write"  # a verification question by hand
        PROMOTE = "promote"  # verification questions of finished chains, which wait to be approved
        APPROVE = "approve"  # verification questions that may be asked from now on
        REFUSE = "refuse"  # verification questions that are never asked
        CORRECT = "correct"  # the right answer of a verification question
        RETIRE = "retire"  # a verification question that is not asked any more
        VOID = "void"  # and whose answers count in no score
        WITHDRAW = "withdraw"  # an image leaves the data set
        BRING_BACK = "bring-back"  # an image that was withdrawn belongs to the data set again
        CAPTION = "caption"  # a caption is edited or withdrawn, or this is undone
        USABLE = "usable"  # an image is asked about again: abstentions before do not count
        WRITTEN = "written"  # what becomes of a caption that a worker wrote
        DISTRUST = "distrust"  # a model's answers that do not count any more
        RESUME = "resume"  # suggestions that were switched off are shown again
        UNDO = "undo"  # an earlier decision does not count any more: its content's `undoes`

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="decisions")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    by = models.CharField(max_length=150, help_text="the researcher's user name, or policy:<setting>")
    note = models.TextField(blank=True, help_text="why")
    content = models.JSONField(default=dict, help_text="what was decided; its shape depends on the kind")
    work = models.ForeignKey(ImageWork, models.PROTECT, null=True, related_name="decisions")
    image = models.ForeignKey(
        Image,
        models.PROTECT,
        null=True,
        db_index=False,
        related_name="decisions",
        help_text="of a decision about a caption or a withdrawal: the image need not be in a batch",
    )
    chain = models.ForeignKey("Chain", models.PROTECT, null=True, related_name="decisions")
    worker = models.ForeignKey(Worker, models.PROTECT, null=True, related_name="decisions")
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, db_index=False, related_name="+")
    stage = models.CharField(max_length=16, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = (
            # for the audit log of a project, newest first.
            models.Index(fields=("project", "-id"), name="decision_log"),
            # what became of an image's captions.
            models.Index(fields=("image", "id"), condition=Q(image__isnull=False), name="decision_of_image"),
        )

    def __str__(self) -> str:
        return f"{self.kind} by {self.by}"


class Case(models.Model):
    """One thing that a researcher should look at. It is open while `closed_at` is empty."""

    class Reason(models.TextChoices):
        CYCLE = "cycle"  # a chain that goes in circles (docs/protocol.md, "Additional review")
        CONTRADICTION = (
            "contradiction"  # a chain whose links contradict each other although they were settled
        )
        COMMENT = "comment"  # a worker's remark
        CHUNK = "chunk"  # a worker says that a mention is cut wrongly
        FLAG = "flag"  # a researcher wants to come back to it
        SAMPLE = "sample"  # drawn at random, to see how good finished work is
        DISAGREEMENT = "disagreement"  # an aggregation says something else than the rules decided
        TRUST = "trust"  # a worker lost trust: what they answered may be set aside
        PACE = "pace"  # answers too fast to be read, always alike, or one box everywhere
        QUESTION = "question"  # a verification question was retired, or too few of a stage are left
        PHOTOGRAPH = "photograph"  # workers say that a photograph is unusable: its image rests
        UNSURE = "unsure"  # workers cannot tell the answer to a question about a chain or an image
        CAPTION = "caption"  # a caption that a worker wrote, and that the rules flag
        UNRELATED = "unrelated"  # workers say that a caption is about another photograph
        MODEL = "model"  # a model got worse: its answers do not count for now
        SUGGESTIONS = "suggestions"  # a worker or a batch is shown no boxes of a model any more

    ABOUT_WORKERS = (Reason.TRUST, Reason.PACE, Reason.SUGGESTIONS)
    """Reasons that are about a worker. Such a case closes when the worker is blocked.

    The queue shows the open rows about one worker for one reason as one case, with a stage each.
    """
    OF_RESTING_IMAGES = (Reason.PHOTOGRAPH, Reason.UNSURE)
    """Reasons for which an image can rest until a researcher decides."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="cases")
    reason = models.CharField(max_length=16, choices=Reason.choices)
    work = models.ForeignKey(ImageWork, models.PROTECT, null=True, related_name="cases")
    chain = models.ForeignKey("Chain", models.PROTECT, null=True, related_name="cases")
    judgment = models.ForeignKey(Judgment, models.PROTECT, null=True, db_index=False, related_name="cases")
    worker = models.ForeignKey(Worker, models.PROTECT, null=True, related_name="cases")
    question = models.ForeignKey(
        "VerificationQuestion", models.PROTECT, null=True, db_index=False, related_name="cases"
    )
    caption = models.ForeignKey(Caption, models.PROTECT, null=True, db_index=False, related_name="cases")
    stage = models.CharField(max_length=16, blank=True)
    detail = models.JSONField(default=dict, help_text="figures and words for people")
    assigned_to = models.CharField(
        max_length=150, blank=True, help_text="the user name of the researcher who looks at it"
    )
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    decision = models.ForeignKey(Decision, models.PROTECT, null=True, db_index=False, related_name="+")

    class Meta:
        constraints = (
            # Opening a case twice opens it once: the code that opens cases may run again.
            models.UniqueConstraint(
                fields=("reason", "chain"),
                condition=Q(chain__isnull=False, judgment__isnull=True, closed_at__isnull=True),
                name="case_chain_once",
            ),
            models.UniqueConstraint(
                fields=("reason", "judgment"), condition=Q(judgment__isnull=False), name="case_judgment_once"
            ),
            # Once a researcher has decided about a caption, the same words of other workers open no new case.
            models.UniqueConstraint(
                fields=("reason", "caption"), condition=Q(caption__isnull=False), name="case_caption_once"
            ),
            models.UniqueConstraint(
                fields=("reason", "worker", "stage"),
                condition=Q(reason__in=("trust", "pace"), closed_at__isnull=True),
                name="case_worker_once",
            ),
            models.UniqueConstraint(
                fields=("question",),
                condition=Q(reason="question", closed_at__isnull=True),
                name="case_question_once",
            ),
            # Work waits because too few verification questions are left for some worker.
            models.UniqueConstraint(
                fields=("project", "stage"),
                condition=Q(reason="question", question__isnull=True, closed_at__isnull=True),
                name="case_questions_short_once",
            ),
            models.UniqueConstraint(
                fields=("project",),
                condition=Q(reason="model", closed_at__isnull=True),
                name="case_model_once",
            ),
            models.UniqueConstraint(
                fields=("reason", "work"),
                condition=Q(reason__in=("photograph", "unsure"), chain__isnull=True, closed_at__isnull=True),
                name="case_photograph_once",
            ),
        )
        indexes = (
            # for the review queue, as a whole or by reason.
            models.Index(
                fields=("project", "reason", "id"), condition=Q(closed_at__isnull=True), name="case_open"
            ),
        )

    def __str__(self) -> str:
        return f"{self.reason} case {self.pk}"
