"""The addresses under /admin/audit/."""

from __future__ import annotations

from django.urls import path

from console.audit import views

app_name = "audit"
urlpatterns = [
    path("", views.show, name="log"),
    path("log.csv", views.download, name="download"),
]
