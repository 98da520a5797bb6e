from django.urls import path

from workflows import api, crowd_api, crowd_hooks, join_api, qualification_api

urlpatterns = [
    path("assignments", api.AssignmentsView.as_view(), name="assignments"),
    path("assignments/<uuid:assignment_id>", api.AssignmentView.as_view(), name="assignment"),
    path("assignments/<uuid:assignment_id>/submission", api.SubmissionView.as_view(), name="submission"),
    path("assignments/<uuid:assignment_id>/renewal", api.RenewalView.as_view(), name="renewal"),
    path("assignments/<uuid:assignment_id>/return", api.ReturnView.as_view(), name="return"),
    path("stages", api.StagesView.as_view(), name="stages"),
    path("me", api.MeView.as_view(), name="me"),
    path("qualifications/<str:stage>", qualification_api.QualificationView.as_view(), name="qualification"),
    path("qualifications/<str:stage>/tries", qualification_api.TriesView.as_view(), name="tries"),
    path(
        "qualifications/<str:stage>/tries/<int:number>/training",
        qualification_api.TrainingView.as_view(),
        name="training",
    ),
    path(
        "qualifications/<str:stage>/tries/<int:number>/submission",
        qualification_api.TestView.as_view(),
        name="test",
    ),
    path("invitation", join_api.InvitationView.as_view(), name="invitation"),
    path("joining", join_api.JoiningView.as_view(), name="joining"),
    path("crowd/sessions", crowd_api.SessionsView.as_view(), name="crowd-sessions"),
    path("crowd/prolific/webhook", crowd_hooks.ProlificHookView.as_view(), name="prolific-webhook"),
    path("token", api.TokenView.as_view(), name="token"),
]
