"""The addresses of the pages of verification questions, under /admin/review/."""

from __future__ import annotations

from django.urls import path

from console.questions.views import gallery, questions

app_name = "questions"
urlpatterns = [
    path("chain/<int:pk>/questions/", questions.make, name="make"),
    path("questions/", questions.questions, name="list"),
    path("questions/write/", questions.write_one, name="write"),
    path("projects/<int:pk>/proposed-questions/", gallery.proposals, name="gallery"),
    path("questions/<int:pk>/correct/", questions.correct, name="correct"),
    path("questions/<int:pk>/", questions.question, name="question"),
]
