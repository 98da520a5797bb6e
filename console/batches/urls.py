"""The addresses of batches, below /admin/."""

from __future__ import annotations

from django.urls import path, re_path

from console.batches.views import batch_list, campaigns, drafts, gold, lifecycle, links, questions

app_name = "batches"
urlpatterns = [
    path("projects/<int:pk>/batches/", batch_list.batches, name="list"),
    path("projects/<int:pk>/batches/new/", drafts.new, name="new"),
    path("projects/<int:pk>/batches/campaign/", campaigns.new, name="campaign"),
    path("projects/<int:pk>/batches/questions/", questions.make, name="questions"),
    path("projects/<int:pk>/batches/pilot/", gold.pilot, name="pilot"),
    path("projects/<int:pk>/batches/finished-as-gold/", gold.use_finished, name="use-finished"),
    path("batches/<int:pk>/settings/", drafts.settings, name="settings"),
    path("batches/<int:pk>/fewer-questions/", gold.fewer_questions, name="fewer-questions"),
    path("batches/<int:pk>/caption-questions/", gold.caption_questions, name="caption-questions"),
    path("batches/<int:pk>/judgments/", campaigns.judgments, name="judgments"),
    path("batches/<int:pk>/cap/", gold.cap, name="cap"),
    path("batches/<int:pk>/clone/", drafts.clone, name="clone"),
    path("batches/<int:pk>/forecast/", batch_list.forecast, name="forecast"),
    path("batches/<int:pk>/links/", links.links, name="links"),
    re_path(
        r"^batches/(?P<pk>[0-9]{1,18})/(?P<action>launch|pause|resume|cancel|delete)/$",
        lifecycle.confirm,
        name="move",
    ),
]
