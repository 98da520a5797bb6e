"""The addresses under /admin/review/."""

from __future__ import annotations

from django.urls import path

from console.review.views import chains, images, queue, spot_checks

app_name = "review"
urlpatterns = [
    path("", queue.queue, name="queue"),
    path("case/<int:pk>/close/", queue.close, name="close"),
    path("chain/<int:pk>/", chains.chain, name="chain"),
    path("chain/<int:pk>/flag/", chains.put_into_queue, name="flag"),
    path("image/<int:pk>/", images.work, name="work"),
    path("image/<int:pk>/usable/", images.usable, name="usable"),
    path("written-captions/<int:pk>/", images.written, name="written"),
    path("projects/<int:pk>/spot-checks/", spot_checks.spot_checks, name="spot-checks"),
    path("spot-check/<int:pk>/<int:number>/", spot_checks.unit, name="spot-check"),
]
