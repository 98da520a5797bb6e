"""The addresses of the search and of the inspector, under /admin/."""

from __future__ import annotations

from django.urls import path

from console.inspector import views

app_name = "inspector"
urlpatterns = [
    path("projects/<int:pk>/images/", views.images, name="search"),
    path("images/<int:pk>/", views.image, name="image"),
    path("images/<int:pk>/photograph", views.photograph, name="photograph"),
    path("images/<int:pk>/photograph/<int:width>", views.photograph, name="rendition"),
    path("images/<int:pk>/change", views.change, name="change"),
    path("images/<int:pk>/merged.json", views.merged, name="merged"),
    path("images/<int:pk>/history.json", views.history, name="history"),
]
