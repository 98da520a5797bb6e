"""What a platform has that only a researcher talks to: what we publish there, and whom its lists name."""

from __future__ import annotations

from django.db import models

from workflows.workers.models import Participation


class LinkStudy(models.Model):
    """Places that we have published. Nobody has to be told: one address of the batch leads to all of them."""

    token = models.CharField(max_length=64, unique=True, help_text="of the order")
    places = models.PositiveIntegerField()
    closed = models.BooleanField(default=False, help_text="nobody can take a place any more")
    reward = models.PositiveIntegerField(help_text="a place, in the currency's smallest unit")
    currency = models.CharField(max_length=3, help_text="ISO 4217")
    listed_at = models.DateTimeField(null=True, help_text="when the newest list was uploaded")

    def __str__(self) -> str:
        return self.token


class ListedPlace(models.Model):
    """A place that the platform's list names, as the newest list that names it has it."""

    participation = models.OneToOneField(Participation, models.PROTECT, related_name="listed")
    stand = models.CharField(max_length=12, help_text="a `platforms.provider.Stand`")
    submitted_at = models.DateTimeField(null=True, help_text="as the list has it")
    listed_at = models.DateTimeField(help_text="when that list was uploaded")

    def __str__(self) -> str:
        return f"{self.participation_id}: {self.stand}"
