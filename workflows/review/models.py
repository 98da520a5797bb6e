"""Models of the review: queues of images that researchers annotate alone, and spot checks."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Project
from workflows.core.models import AppendOnly


class AnnotationQueue(models.Model):
    """Images of a project that were drawn at random, for a researcher to annotate one after the other.

    What is done follows from the decisions about its images. A project has one open queue for each purpose.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="+")
    purpose = models.CharField(max_length=16, help_text="final or gold")
    images = models.JSONField(help_text="image ids, in the order in which they were drawn")
    by = models.CharField(max_length=150, help_text="who began it")
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("project", "purpose"),
                condition=Q(ended_at__isnull=True),
                name="annotation_queue_one_open",
            ),
        )

    def __str__(self) -> str:
        return f"{self.purpose} queue {self.pk}"


class SavedFilter(models.Model):
    """Conditions of a page under a name, for everybody in the project."""

    class Page(models.TextChoices):
        IMAGES = "images"
        BOXES = "boxes"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False, related_name="+")
    page = models.CharField(max_length=16, choices=Page.choices)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, help_text="as in the page's address, without question mark")
    by = models.CharField(max_length=150, help_text="who saved it last")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            # saving a name again replaces its conditions
            models.UniqueConstraint(fields=("project", "page", "name"), name="saved_filter_name"),
        )

    def __str__(self) -> str:
        return self.name


class SpotCheck(models.Model):
    """Mentions, chains and boxes of finished images that were drawn at random, for a researcher to judge."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="spot_checks")
    seed = models.BigIntegerField(help_text="of the drawing: the same rows and seed give the same units")
    units = models.JSONField(help_text="[kind, row id, chain id, image id] of each, in the order to look at")
    totals = models.JSONField(help_text="how many images, mentions, chains and boxes it was drawn from")
    by = models.CharField(max_length=150, help_text="who drew it")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"spot check {self.pk}"


class SpotCheckVerdict(AppendOnly):
    """What a researcher says about one unit of a spot check. The last verdict about a unit counts."""

    spot_check = models.ForeignKey(SpotCheck, on_delete=models.PROTECT, related_name="verdicts")
    place = models.PositiveIntegerField(help_text="of the unit in the spot check, from 0")
    right = models.BooleanField()
    reason = models.CharField(max_length=16, blank=True, help_text="what is wrong, if it is wrong")
    note = models.TextField(blank=True)
    by = models.CharField(max_length=150)
    created_at = models.DateTimeField()

    class Meta:
        """Empty, so that migrations do not repeat the base class's options."""

    def __str__(self) -> str:
        return "right" if self.right else self.reason
