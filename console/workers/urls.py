"""The addresses of the pages about workers, under /admin/review/."""

from __future__ import annotations

from django.urls import path

from console.workers.views import set_aside, workers

app_name = "workers"
urlpatterns = [
    path("worker/", workers.workers, name="list"),
    path("worker/<int:pk>/", workers.worker, name="worker"),
    path("worker/<int:pk>/judgments/", workers.judgments, name="judgments"),
    path("worker/<int:pk>/set-aside/", set_aside.set_aside, name="set-aside"),
    path("worker/<int:pk>/let-count/<int:decision>/", set_aside.let_count, name="let-count"),
]
