from django.urls import path

from workflows import api

urlpatterns = [
    path("assignments", api.AssignmentsView.as_view(), name="assignments"),
    path("assignments/<uuid:assignment_id>", api.AssignmentView.as_view(), name="assignment"),
    path("assignments/<uuid:assignment_id>/submission", api.SubmissionView.as_view(), name="submission"),
    path("assignments/<uuid:assignment_id>/renewal", api.RenewalView.as_view(), name="renewal"),
    path("assignments/<uuid:assignment_id>/return", api.ReturnView.as_view(), name="return"),
    path("stages", api.StagesView.as_view(), name="stages"),
    path("me", api.MeView.as_view(), name="me"),
    path("token", api.TokenView.as_view(), name="token"),
]
