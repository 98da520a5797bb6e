"""The addresses of crowd and money, below /admin/."""

from __future__ import annotations

from django.urls import path, re_path

from console.crowd.views import confirmed_actions, pages, participation_actions, payroll, withdrawals

app_name = "crowd"
urlpatterns = [
    path("batches/<int:pk>/crowd/", pages.batch, name="batch"),
    path("batches/<int:pk>/crowd/publications/", pages.publications, name="publications"),
    path("batches/<int:pk>/crowd/cap/", confirmed_actions.cap, name="cap"),
    re_path(
        r"^batches/(?P<pk>[0-9]{1,18})/crowd/(?P<what>ask|reconcile)/$", confirmed_actions.task, name="task"
    ),
    path("publications/<int:pk>/", pages.publication, name="publication"),
    path("publications/<int:pk>/end/", confirmed_actions.expire, name="expire"),
    path("participations/<int:pk>/", pages.participation, name="participation"),
    re_path(
        r"^participations/(?P<pk>[0-9]{1,18})/(?P<verb>approve|reject|bonus|part|message)/$",
        participation_actions.act,
        name="act",
    ),
    path("payments/<int:pk>/retry/", confirmed_actions.retry, name="retry"),
    path("payments/<int:pk>/withdraw/", withdrawals.withdraw, name="withdraw"),
    path("problems/<int:pk>/close/", confirmed_actions.close, name="close"),
    path("projects/<int:pk>/payroll/", payroll.payroll, name="payroll"),
    path("projects/<int:pk>/payroll/table.csv", payroll.table, name="payroll-table"),
]
