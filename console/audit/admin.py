"""Failed logins that count against somebody: deleting one lets them in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axes.models import AccessAttempt
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    _Admin = admin.ModelAdmin[Model]
else:
    from unfold.admin import ModelAdmin as _Admin


@admin.register(AccessAttempt)
class AccessAttemptAdmin(_Admin):
    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username", "ip_address")
    ordering = ("-attempt_time",)
    show_full_result_count = False
    list_per_page = 50
    fields = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
