"""The addresses of captions, under /admin/."""

from __future__ import annotations

from django.urls import path

from console.captions import views

app_name = "captions"
urlpatterns = [
    path("captions/<int:pk>/edit/", views.edit, name="edit"),
    path("captions/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("caption-changes/<int:pk>/undo", views.undo, name="undo"),
]
