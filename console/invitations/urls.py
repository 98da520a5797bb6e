"""The addresses of invitations, below /admin/."""

from __future__ import annotations

from django.urls import path

from console.invitations import views

app_name = "invitations"
urlpatterns = [
    path("projects/<int:pk>/invitations/", views.invitations, name="list"),
    path("projects/<int:pk>/invitations/new/", views.new, name="new"),
    path("projects/<int:pk>/invitations/revoke/", views.take_back, name="revoke"),
]
