from django.urls import path

from workflows.api import crowd_views, join_views, model_views, qualification_views, views, webhook_views

urlpatterns = [
    path("assignments", views.AssignmentsView.as_view(), name="assignments"),
    path("assignments/<uuid:assignment_id>", views.AssignmentView.as_view(), name="assignment"),
    path("assignments/<uuid:assignment_id>/submission", views.SubmissionView.as_view(), name="submission"),
    path("assignments/<uuid:assignment_id>/renewal", views.RenewalView.as_view(), name="renewal"),
    path("assignments/<uuid:assignment_id>/return", views.ReturnView.as_view(), name="return"),
    path("stages", views.StagesView.as_view(), name="stages"),
    path("me", views.MeView.as_view(), name="me"),
    path("instructions/<str:stage>", views.InstructionsView.as_view(), name="instructions"),
    path("qualifications/<str:stage>", qualification_views.QualificationView.as_view(), name="qualification"),
    path("qualifications/<str:stage>/tries", qualification_views.TriesView.as_view(), name="tries"),
    path(
        "qualifications/<str:stage>/tries/<int:number>/training",
        qualification_views.TrainingView.as_view(),
        name="training",
    ),
    path(
        "qualifications/<str:stage>/tries/<int:number>/submission",
        qualification_views.TestView.as_view(),
        name="test",
    ),
    path("invitation", join_views.InvitationView.as_view(), name="invitation"),
    path("joining", join_views.JoiningView.as_view(), name="joining"),
    path("crowd/arrivals", crowd_views.ArrivalsView.as_view(), name="crowd-arrivals"),
    path("crowd/sessions", crowd_views.SessionsView.as_view(), name="crowd-sessions"),
    path(
        "crowd/instructions/<str:stage>/<str:publication>",
        crowd_views.OpenInstructionsView.as_view(),
        name="crowd-instructions",
    ),
    path("crowd/prolific/webhook", webhook_views.ProlificHookView.as_view(), name="prolific-webhook"),
    path("models/questions", model_views.ModelQuestionsView.as_view(), name="model-questions"),
    path("models/answers", model_views.ModelAnswersView.as_view(), name="model-answers"),
    path("token", views.TokenView.as_view(), name="token"),
]
