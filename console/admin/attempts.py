"""Failed logins that lock somebody out. Deleting one unlocks them. Only for superusers."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from console.admin.records import CursorAdmin
from console.common.audited_actions import acted


@admin.register(AccessAttempt)
class AccessAttemptAdmin(CursorAdmin):
    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username__startswith",)
    search_help_text = "user name, as it begins"
    fields = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[AccessAttempt]) -> Any:
        """Django calls it within the transaction of the deletion."""
        for attempt in queryset:
            acted(request, "account.unlock", attempt, name=attempt.username or "")
        return super().log_deletions(request, queryset)
