"""The address of a project's agreement, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.agreement import views

app_name = "agreement"
urlpatterns = [path("projects/<int:pk>/agreement/", views.project, name="project")]
