"""What ran in the background, and who did what."""

from __future__ import annotations

from django.contrib import admin

from console.admin.records import RecordAdmin, link
from workflows.core.models import AuditEntry
from workflows.jobs.models import Job, Snapshot


@admin.register(Job)
class JobAdmin(RecordAdmin):
    list_display = ("id", "kind", "project", "state", "dry_run", "by", "created_at", "ended_at", "page")
    list_filter = ("project",)
    list_select_related = ("project",)

    @admin.display(description="progress")
    def page(self, job: Job) -> str:
        return link("jobs:job", job.pk)


@admin.register(Snapshot)
class SnapshotAdmin(RecordAdmin):
    list_display = ("version", "project", "format", "size", "by", "created_at", "page")
    list_filter = ("project",)
    list_select_related = ("project",)
    # The archive itself leaves by its own page alone, which records who took it; digests fill megabytes.
    exclude = ("file", "digests")

    @admin.display(description="files")
    def page(self, snapshot: Snapshot) -> str:
        return link("jobs:snapshot", snapshot.pk)


@admin.register(AuditEntry)
class AuditEntryAdmin(RecordAdmin):
    list_display = ("created_at", "by", "action", "kind", "object", "project")
    list_filter = ("project",)
    list_select_related = ("project",)
    exclude = ("address",)  # shown to managers only, on the page of the log
