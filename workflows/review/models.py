"""Models of the review: queues of images that researchers annotate alone."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotation.models import Project


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
