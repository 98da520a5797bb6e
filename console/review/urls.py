"""The addresses under /admin/review/."""

from __future__ import annotations

from django.urls import path

from console.review.views import (
    chains,
    gallery,
    images,
    questions,
    queue,
    set_aside,
    spot_checks,
    workers,
)

app_name = "review"
urlpatterns = [
    path("", queue.queue, name="queue"),
    path("case/<int:pk>/close/", queue.close, name="close"),
    path("chain/<int:pk>/", chains.chain, name="chain"),
    path("chain/<int:pk>/flag/", chains.put_into_queue, name="flag"),
    path("chain/<int:pk>/questions/", questions.make, name="make-questions"),
    path("image/<int:pk>/", images.work, name="work"),
    path("image/<int:pk>/usable/", images.usable, name="usable"),
    path("written-captions/<int:pk>/", images.written, name="written"),
    path("worker/", workers.workers, name="workers"),
    path("worker/<int:pk>/", workers.worker, name="worker"),
    path("worker/<int:pk>/judgments/", workers.judgments, name="judgments"),
    path("worker/<int:pk>/set-aside/", set_aside.set_aside, name="set-aside"),
    path("worker/<int:pk>/let-count/<int:decision>/", set_aside.let_count, name="let-count"),
    path("questions/", questions.questions, name="questions"),
    path("questions/write/", questions.write_one, name="write"),
    path("projects/<int:pk>/proposed-questions/", gallery.proposals, name="gallery"),
    path("projects/<int:pk>/spot-checks/", spot_checks.spot_checks, name="spot-checks"),
    path("spot-check/<int:pk>/<int:number>/", spot_checks.unit, name="spot-check"),
    path("questions/<int:pk>/correct/", questions.correct, name="correct"),
    path("questions/<int:pk>/", questions.question, name="question"),
]
