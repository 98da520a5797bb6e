"""That something that runs now and then did run, and what it found so far."""

from __future__ import annotations

from django.db import models

SWEEP = "sweep"


class Beat(models.Model):
    """One periodic task: when it last began and ended, and sums over all its runs."""

    name = models.CharField(max_length=24, primary_key=True)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    totals = models.JSONField(default=dict, help_text="what it found, summed over all runs")

    def __str__(self) -> str:
        return self.name
