"""The addresses of imports, exports and jobs, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.jobs.views import evaluations, exports, imports, jobs, pairs

app_name = "jobs"
urlpatterns = [
    path("projects/new/", imports.new_project, name="new-project"),
    path("projects/<int:pk>/import/", imports.import_corpus, name="import"),
    path("projects/<int:pk>/jobs/", jobs.jobs, name="jobs"),
    path("projects/<int:pk>/exports/", exports.exports, name="exports"),
    path("projects/<int:pk>/pairs/", pairs.pairs, name="pairs"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/progress.json", jobs.progress, name="progress"),
    path("snapshots/<int:pk>/", exports.snapshot, name="snapshot"),
    path("snapshots/<int:pk>/evaluate/", evaluations.evaluate, name="evaluate"),
    path("jobs/<int:pk>/report/", evaluations.report, name="report"),
    path("jobs/<int:pk>/report.json", evaluations.report_numbers, name="report-numbers"),
    path("snapshots/<int:pk>/download/", exports.download, name="download"),
]
