"""The address of a project's priors, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.priors import views

app_name = "priors"
urlpatterns = [path("projects/<int:pk>/priors/", views.project, name="project")]
