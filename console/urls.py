"""The addresses under /admin/ besides the lists of the admin site."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("review/", include("console.review.urls")),
]
