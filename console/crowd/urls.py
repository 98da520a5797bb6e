"""The addresses of crowd and money, below /admin/."""

from __future__ import annotations

from django.urls import path, re_path

from console.crowd.views import acting, confirming, payroll, showing, withdrawing

app_name = "crowd"
urlpatterns = [
    path("batches/<int:pk>/crowd/", showing.batch, name="batch"),
    path("batches/<int:pk>/crowd/publications/", showing.publications, name="publications"),
    path("batches/<int:pk>/crowd/cap/", confirming.cap, name="cap"),
    re_path(r"^batches/(?P<pk>[0-9]{1,18})/crowd/(?P<what>ask|reconcile)/$", confirming.task, name="task"),
    path("publications/<int:pk>/", showing.publication, name="publication"),
    path("publications/<int:pk>/end/", confirming.expire, name="expire"),
    path("participations/<int:pk>/", showing.participation, name="participation"),
    re_path(
        r"^participations/(?P<pk>[0-9]{1,18})/(?P<verb>approve|reject|bonus|part|message)/$",
        acting.act,
        name="act",
    ),
    path("payments/<int:pk>/retry/", confirming.retry, name="retry"),
    path("payments/<int:pk>/withdraw/", withdrawing.withdraw, name="withdraw"),
    path("problems/<int:pk>/close/", confirming.close, name="close"),
    path("projects/<int:pk>/payroll/", payroll.payroll, name="payroll"),
    path("projects/<int:pk>/payroll/table.csv", payroll.table, name="payroll-table"),
]
