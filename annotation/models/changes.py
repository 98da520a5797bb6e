"""What the software itself changed in rows that are sealed, so that other changes can be told from these."""

from __future__ import annotations

from django.db import models

from annotation.models.corpus import Project


class RowChange(models.Model):
    """One change of a row of the corpus or the work: written with it, and never changed or deleted.

    See annotation.row_changes.
    """

    project = models.ForeignKey(Project, models.PROTECT, db_index=False, related_name="+")
    table = models.CharField(max_length=40, help_text="the model, such as annotation.Batch")
    key = models.PositiveBigIntegerField(help_text="id of the row")
    before = models.JSONField(help_text="what changed, as it was; of a row that was deleted, all of it")
    after = models.JSONField(null=True, help_text="what changed, as it is since; null: the row was deleted")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=("table", "key", "id"), name="row_change_of"),)

    def __str__(self) -> str:
        return f"change {self.pk} of {self.table} {self.key}"
