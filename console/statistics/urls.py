"""The address of a project's statistics, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.statistics import views

app_name = "statistics"
urlpatterns = [path("projects/<int:pk>/statistics/", views.project, name="project")]
