"""Projects and what they are about."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q

from annotation.models import Image, Mention, Project
from console.admin.records import RecordAdmin, link


@admin.register(Project)
class ProjectAdmin(RecordAdmin):
    list_display = ("name", "created_at", "page")
    search_help_text = "id or name"

    def named(self, name: str) -> Q:
        return Q(name=name)

    @admin.display(description="dashboard")
    def page(self, project: Project) -> str:
        return link("dashboards:project", project.pk)


@admin.register(Image)
class ImageAdmin(RecordAdmin):
    list_display = ("name", "project", "width", "height", "split", "page")
    list_filter = ("project",)
    list_select_related = ("project",)
    search_help_text = "id or name"

    def named(self, name: str) -> Q:
        """Search by project and name, because the index of names begins with the project."""
        found = Image.objects.filter(project__in=Project.objects.values("pk"), name=name)
        return Q(pk__in=list(found.values_list("pk", flat=True)[:1000]))

    @admin.display(description="inspector")
    def page(self, image: Image) -> str:
        return link("inspector:image", image.pk)


@admin.register(Mention)
class MentionAdmin(RecordAdmin):
    """Phrases are searched on the images' page of a project."""

    list_display = ("text", "types", "annotatable", "superseded", "image_name")
    list_select_related = ("image",)

    @admin.display(description="image")
    def image_name(self, mention: Mention) -> str:
        return link("inspector:image", mention.image_id, words=mention.image.name) or mention.image.name
