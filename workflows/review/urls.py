"""The addresses under /admin/review/."""

from __future__ import annotations

from django.urls import path

from workflows.review.views import chains, questions, queue, workers, works

app_name = "review"
urlpatterns = [
    path("", queue.queue, name="queue"),
    path("case/<int:pk>/close/", queue.close, name="close"),
    path("chain/<int:pk>/", chains.chain, name="chain"),
    path("chain/<int:pk>/flag/", chains.put_into_queue, name="flag"),
    path("image/<int:pk>/", works.work, name="work"),
    path("worker/", workers.workers, name="workers"),
    path("worker/<int:pk>/", workers.worker, name="worker"),
    path("questions/", questions.questions, name="questions"),
    path("questions/<int:pk>/", questions.question, name="question"),
]
