"""The addresses of the overview and the dashboards, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.dashboards import views

app_name = "dashboards"
urlpatterns = [
    path("", views.overview, name="overview"),
    path("projects/<int:pk>/", views.project, name="project"),
    path("batches/<int:pk>/", views.batch, name="batch"),
]
