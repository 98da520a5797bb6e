"""Publications, payments, qualifications, problems and balances on crowd platforms.

What a platform says about its own objects is true. Before each call, these rows say what we intend; after
it, what the platform said last. States change only as `workflows.crowd.domain.states` allows. Invitations
have models of their own, participations are in `workflows.workers.models`, and the log of calls in
`workflows.platforms.models`.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Batch, Project, Worker
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.workers.models import Participation


class Publication(models.Model):
    """Places for pages of one stage on a platform: a HIT, or a study. Stored before it is published.

    A worker who takes a place works on up to `pages` pages, one after the other, and is paid for the place.
    """

    class State(models.TextChoices):
        PLANNED = "planned"  # its money is reserved; the platform may or may not have it
        OPEN = "open"
        CLOSED = "closed"  # nobody can take a place any more; some may still be at work
        SETTLED = "settled"  # every place is paid or released
        FAILED = "failed"  # the platform refused it; everything is released

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, db_index=False, related_name="publications")
    stage = models.CharField(max_length=16)
    provider = models.CharField(max_length=16)
    environment = models.CharField(max_length=16, help_text="emulator, sandbox or live")
    token = models.CharField(max_length=64, unique=True, help_text="what the platform knows the order by")
    external_id = models.CharField(max_length=128, blank=True, help_text="the platform's own")
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLANNED)
    places = models.PositiveIntegerField(default=1)
    pages = models.PositiveSmallIntegerField(default=1, db_default=1, help_text="a place, at most")
    free = models.PositiveIntegerField(default=0, help_text="places nobody has taken, as of `seen_at`")
    reward = models.PositiveIntegerField(help_text="a place, in the currency's smallest unit")
    fee = models.PositiveIntegerField(help_text="of the platform, a place")
    screen_out = models.PositiveIntegerField(
        default=0, db_default=0, help_text="the pay of a worker who fails the qualification test in a place"
    )
    screen_out_fee = models.PositiveIntegerField(default=0, db_default=0, help_text="of the platform, on it")
    screen_outs = models.PositiveIntegerField(
        default=0, db_default=0, help_text="the most workers whom it pays so; 0: none is paid"
    )
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    work_seconds = models.PositiveIntegerField(default=3600, help_text="from taking a place to submitting it")
    expiring = models.BooleanField(default=False, help_text="is to be closed on the platform")
    hinted = models.BooleanField(default=False, help_text="a notification says that something happened")
    error = models.TextField(blank=True, help_text="what the platform said last, where it refused")
    created_at = models.DateTimeField()
    grows = models.BooleanField(default=True, db_default=True, help_text="the platform takes more places")
    extended_at = models.DateTimeField(null=True, help_text="when wanted places were added last")
    expires_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, help_text="when the platform was asked last")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("provider", "environment", "external_id"),
                condition=~Q(external_id=""),
                name="publication_external",
            ),
        )
        indexes = (
            # Planning asks what of a batch's stage is published already.
            models.Index(fields=("batch", "stage", "state"), name="publication_batch_stage"),
            # A batch's page in the console lists the newest first.
            models.Index(fields=("batch", "-id"), name="publication_batch_latest"),
            # A round looks at those that are not over, the one that was seen longest ago first.
            models.Index(
                fields=("seen_at", "id"),
                condition=Q(state__in=("planned", "open", "closed")),
                name="publication_unsettled",
            ),
        )

    def __str__(self) -> str:
        return self.external_id or self.token

    @property
    def by_list(self) -> bool:
        """Whether a person carries lists to its platform and back (see `Provider.by_list`)."""
        return self.provider == LINK


class Payment(models.Model):
    """Something to be paid or refused on the platform, and whether it was. Stored before the call."""

    class Kind(models.TextChoices):
        REWARD = "reward"  # the promised reward, paid by approving the submission
        REFUSAL = "refusal"  # a researcher rejects the submission
        BONUS = "bonus"  # a researcher adds it
        TOP_UP = "top-up"  # what was missing to the wage floor
        PART = "part"  # a part of the reward, for work on a page that broke
        SCREENED = "screened"  # the platform paid a worker who failed the qualification test

    class State(models.TextChoices):
        DUE = "due"
        DONE = "done"
        FAILED = "failed"  # the platform refused it; a person has to look
        WAITING = "waiting"  # the batch's cap leaves no room for it
        WITHDRAWN = "withdrawn"  # a researcher took it back before it was paid

    participation = models.ForeignKey(Participation, models.PROTECT, related_name="payments")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    token = models.CharField(max_length=64, unique=True)
    amount = models.PositiveIntegerField(help_text="in the currency's smallest unit")
    fee = models.PositiveIntegerField(default=0)
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    reason = models.TextField(blank=True, help_text="what the worker reads")
    state = models.CharField(max_length=9, choices=State.choices, default=State.DUE)
    error = models.TextField(blank=True)
    by = models.CharField(max_length=150, blank=True, help_text="the researcher, where one asked for it")
    created_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, help_text="when it could not be made last")
    done_at = models.DateTimeField(null=True)
    taken_out_at = models.DateTimeField(null=True, help_text="on a list for a platform without an API")

    class Meta:
        constraints = (
            # A participation is paid or refused once.
            models.UniqueConstraint(
                fields=("participation",),
                condition=Q(kind__in=("reward", "refusal")),
                name="payment_reward_once",
            ),
            models.UniqueConstraint(
                fields=("participation",), condition=Q(kind="top-up"), name="payment_top_up_once"
            ),
            models.UniqueConstraint(
                fields=("participation",), condition=Q(kind="screened"), name="payment_screened_once"
            ),
        )
        indexes = (
            models.Index(fields=("id",), condition=Q(state="due"), name="payment_due"),
            # A batch's page in the console lists those that a person has to look at.
            models.Index(fields=("id",), condition=Q(state__in=("failed", "waiting")), name="payment_stuck"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Qualification(models.Model):
    """One of our qualifications on a platform: it names who is trusted in a stage, or who is kept out."""

    class Kind(models.TextChoices):
        TRUSTED = "trusted"
        CLOSED = "closed"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="platform_qualifications")
    provider = models.CharField(max_length=16)
    environment = models.CharField(max_length=16)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    stage = models.CharField(max_length=16)
    external_id = models.CharField(max_length=128, blank=True, help_text="empty until the platform has it")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("project", "provider", "environment", "kind", "stage"), name="qualification_identity"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.stage}"


class Grant(models.Model):
    """Whether a worker should have a qualification, and whether the platform knows."""

    qualification = models.ForeignKey(Qualification, models.PROTECT, db_index=False, related_name="grants")
    worker = models.ForeignKey(Worker, models.PROTECT, db_index=False, related_name="grants")
    wanted = models.BooleanField()
    known = models.BooleanField(default=False, help_text="the platform has been told")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("qualification", "worker"), name="grant_identity"),)
        indexes = (models.Index(fields=("id",), condition=Q(known=False), name="grant_unknown"),)

    def __str__(self) -> str:
        return f"{self.qualification}: {self.worker_id}"


class Notice(models.Model):
    """A platform's notification that has come, so that it changes nothing if it comes again."""

    provider = models.CharField(max_length=16)
    external_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=48)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("provider", "external_id"), name="notice_identity"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.external_id}"


class Problem(models.Model):
    """A disagreement between a platform and us that only a person can settle."""

    class Kind(models.TextChoices):
        ORPHAN = "orphan"  # it is on the platform under our mark, and not known here
        DOUBLE = "double"  # the platform has twice what was ordered or paid once
        LOST = "lost"  # it was submitted on the platform, and no answers came here
        STRANGER = "stranger"  # answers came under a name that the platform does not confirm
        UNPAID = "unpaid"  # it was approved or promised, and the platform or the cap refuses it
        REFUSED = "refused"  # the platform refuses to publish
        OTHER = "other"

    batch = models.ForeignKey(Batch, models.PROTECT, null=True, db_index=False, related_name="problems")
    publication = models.ForeignKey(Publication, models.PROTECT, null=True, related_name="problems")
    participation = models.ForeignKey(Participation, models.PROTECT, null=True, related_name="problems")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    key = models.CharField(max_length=200, unique=True, help_text="what it is about: found again, it is one")
    detail = models.TextField(help_text="for people: what is the matter and what can be done")
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.CharField(max_length=150, blank=True, help_text="a researcher, or `reconcile`")

    class Meta:
        indexes = (models.Index(fields=("batch", "closed_at", "-id"), name="problem_batch"),)

    def __str__(self) -> str:
        return f"{self.kind}: {self.key}"


class Balance(models.Model):
    """What is left in one account, as the platform said last."""

    provider = models.CharField(max_length=16)
    environment = models.CharField(max_length=16, help_text="emulator, sandbox or live")
    amount = models.BigIntegerField(null=True, help_text="in the smallest unit; null: it does not tell")
    currency = models.CharField(max_length=3, blank=True, help_text="ISO 4217")
    parts = models.JSONField(null=True, help_text="name and amount of each part, where it is kept in parts")
    seen_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("provider", "environment"), name="balance_account"),)

    def __str__(self) -> str:
        return f"{self.provider} {self.environment}"
