"""What accounts on crowd platforms had left when somebody asked last: pages show this, and ask nobody."""

from __future__ import annotations

from django.db import models


class Balance(models.Model):
    """One account's. The platform is the truth; this is what it said."""

    provider = models.CharField(max_length=16)
    environment = models.CharField(max_length=16, help_text="emulator, sandbox or live")
    amount = models.BigIntegerField(null=True, help_text="in the smallest unit; null: it does not tell")
    currency = models.CharField(max_length=3, blank=True, help_text="ISO 4217")
    seen_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("provider", "environment"), name="balance_account"),)

    def __str__(self) -> str:
        return f"{self.provider} {self.environment}"
