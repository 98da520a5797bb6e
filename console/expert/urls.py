"""The addresses of expert mode, below /admin/. Other pages link to them by these names."""

from __future__ import annotations

from django.urls import path

from console.expert import views

urlpatterns = [
    path("projects/<int:pk>/expert/", views.queue, name="expert-queue"),
    path("images/<int:pk>/expert/", views.image, name="expert-image"),
]
