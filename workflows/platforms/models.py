"""The log of calls to platforms."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class ProviderCall(models.Model):
    """One call to a platform, stored before it is made. A call without an outcome broke off."""

    class Outcome(models.TextChoices):
        UNKNOWN = ""
        OK = "ok"
        REFUSED = "refused"
        UNAVAILABLE = "unavailable"

    provider = models.CharField(max_length=16)
    environment = models.CharField(max_length=16)
    operation = models.CharField(max_length=48)
    subject = models.CharField(max_length=128, blank=True, help_text="token or id of what it is about")
    outcome = models.CharField(max_length=12, choices=Outcome.choices, blank=True)
    code = models.CharField(max_length=100, blank=True)
    message = models.TextField(blank=True, help_text="of an error; never a secret")
    seconds = models.FloatField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=("provider", "environment", "-id"), name="provider_call_latest"),
            # Has something been asked for before? See workflows.platforms.calls.first_tried.
            models.Index(fields=("subject", "operation"), name="provider_call_subject"),
        )
        constraints = (
            # Prolific pays a bonus as often as it is asked to: see workflows.platforms.prolific.bonuses.
            models.UniqueConstraint(
                fields=("provider", "environment", "subject"),
                condition=Q(operation="pay-bonus-payments", outcome__in=("", "ok")),
                name="provider_call_bonus_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.operation} {self.subject}"
