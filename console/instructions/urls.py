"""The addresses of a project's instructions, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.instructions import views

app_name = "instructions"
urlpatterns = [
    path("projects/<int:pk>/instructions/", views.stages, name="list"),
    path("projects/<int:pk>/instructions/photographs.json", views.photographs, name="photographs"),
    path("projects/<int:pk>/instructions/<slug:stage>/", views.stage, name="stage"),
    path("projects/<int:pk>/instructions/<slug:stage>/preview/", views.preview, name="preview"),
]
