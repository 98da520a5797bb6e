"""The addresses under /admin/ besides the lists of the admin site."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("console.dashboards.urls")),
    path("", include("console.batches.urls")),
    path("", include("console.crowd.urls")),
    path("", include("console.invitations.urls")),
    path("audit/", include("console.audit.urls")),
    path("review/", include("console.review.urls")),
    path("review/", include("console.questions.urls")),
    path("review/", include("console.workers.urls")),
    path("", include("console.inspector.urls")),
    path("", include("console.expert.urls")),
    path("", include("console.captions.urls")),
    path("", include("console.statistics.urls")),
    path("", include("console.agreement.urls")),
    path("", include("console.jobs.urls")),
    path("", include("console.projects.urls")),
    path("", include("console.instructions.urls")),
    path("", include("console.priors.urls")),
]
