"""The addresses of a project's settings, and of the archived projects, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.projects import views

app_name = "projects"
urlpatterns = [
    path("projects/archived/", views.archived, name="archived"),
    path("projects/<int:pk>/settings/", views.settings, name="settings"),
    path("projects/<int:pk>/delete/", views.delete, name="delete"),
]
