"""The addresses under /admin/ besides the lists of the admin site."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path

from console.agreement import views as agreement
from console.audit import views as audit
from console.batches.views import batch_list, campaigns, drafts, gold, lifecycle, links
from console.batches.views import questions as batch_questions
from console.boxes import views as boxes
from console.captions import views as captions
from console.common.reach import check_words
from console.crowd.views import (
    confirmed_actions,
    link_lists,
    pages,
    participation_actions,
    payroll,
    withdrawals,
)
from console.dashboards import views as dashboards
from console.expert import views as expert
from console.filters import views as filters
from console.inspector import views as inspector
from console.instructions import views as instructions
from console.invitations import views as invitations
from console.jobs.views import evaluations, exports, imports, jobs, pairs, pieces
from console.judges import views as judges
from console.members import views as members
from console.mention_types import views as mention_types
from console.priors import views as priors
from console.projects import views as projects
from console.questions.views import gallery, questions
from console.review.views import chains, images, queue, spot_checks, undo
from console.selection import views as selection
from console.statistics import views as statistics
from console.suggestions import views as suggestions
from console.workers.views import set_aside, workers

AREAS: dict[str, list[URLPattern]] = {
    "dashboards": [
        path("", dashboards.overview, name="overview"),
        path("projects/<int:pk>/", dashboards.project, name="project"),
        path("batches/<int:pk>/", dashboards.batch, name="batch"),
    ],
    "batches": [
        path("batches/", batch_list.all_batches, name="all"),
        path("projects/<int:pk>/batches/", batch_list.batches, name="list"),
        path("projects/<int:pk>/batches/new/", drafts.new, name="new"),
        path("projects/<int:pk>/batches/campaign/", campaigns.new, name="campaign"),
        path("projects/<int:pk>/batches/questions/", batch_questions.make, name="questions"),
        path("projects/<int:pk>/batches/pilot/", gold.pilot, name="pilot"),
        path("projects/<int:pk>/batches/missing-questions/", gold.missing_questions, name="missing"),
        path("projects/<int:pk>/batches/finished-as-gold/", gold.use_finished, name="use-finished"),
        path("batches/<int:pk>/settings/", drafts.settings, name="settings"),
        path("batches/<int:pk>/fewer-questions/", gold.fewer_questions, name="fewer-questions"),
        path("batches/<int:pk>/caption-questions/", gold.caption_questions, name="caption-questions"),
        path("batches/<int:pk>/judgments/", campaigns.judgments, name="judgments"),
        path("batches/<int:pk>/write-again/", campaigns.write_again, name="write-again"),
        path("batches/<int:pk>/cap/", gold.cap, name="cap"),
        path("batches/<int:pk>/clone/", drafts.clone, name="clone"),
        path("batches/<int:pk>/forecast/", batch_list.forecast, name="forecast"),
        path("batches/<int:pk>/links/", links.links, name="links"),
        re_path(
            r"^batches/(?P<pk>[0-9]{1,18})/(?P<action>launch|pause|resume|cancel|delete)/$",
            lifecycle.confirm,
            name="move",
        ),
    ],
    "crowd": [
        path("batches/<int:pk>/crowd/", pages.batch, name="batch"),
        path("batches/<int:pk>/crowd/publications/", pages.publications, name="publications"),
        path("batches/<int:pk>/crowd/cap/", confirmed_actions.cap, name="cap"),
        re_path(
            r"^batches/(?P<pk>[0-9]{1,18})/crowd/(?P<what>ask|reconcile)/$",
            confirmed_actions.task,
            name="task",
        ),
        path("batches/<int:pk>/crowd/list/", link_lists.bring, name="bring"),
        path("batches/<int:pk>/crowd/take-out/", link_lists.take, name="take-out"),
        path("batches/<int:pk>/crowd/list.csv", link_lists.table, name="pay-list"),
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
    ],
    "invitations": [
        path("projects/<int:pk>/invitations/", invitations.invitations, name="list"),
        path("projects/<int:pk>/invitations/new/", invitations.new, name="new"),
        path("projects/<int:pk>/invitations/revoke/", invitations.take_back, name="revoke"),
    ],
    "members": [
        path("projects/<int:pk>/members/", members.members, name="list"),
        path("join/", members.join_project, name="join"),
    ],
    "audit": [
        path("audit/", audit.show, name="log"),
        path("audit/log.csv", audit.download, name="download"),
    ],
    "review": [
        path("review/", queue.queue, name="queue"),
        path("review/case/<int:pk>/close/", queue.close, name="close"),
        path("review/closed/", undo.closed, name="closed"),
        path("review/decision/<int:pk>/undo/", undo.undo, name="undo"),
        path("images/<int:pk>/history/", undo.history, name="history"),
        path("review/chain/<int:pk>/", chains.chain, name="chain"),
        path("review/chain/<int:pk>/flag/", chains.put_into_queue, name="flag"),
        path("review/image/<int:pk>/", images.work, name="work"),
        path("review/image/<int:pk>/usable/", images.usable, name="usable"),
        path("review/written-captions/<int:pk>/", images.written, name="written"),
        path("review/projects/<int:pk>/spot-checks/", spot_checks.spot_checks, name="spot-checks"),
        path("review/spot-check/<int:pk>/<int:number>/", spot_checks.unit, name="spot-check"),
    ],
    "questions": [
        path("review/chain/<int:pk>/questions/", questions.make, name="make"),
        path("review/questions/", questions.questions, name="list"),
        path("review/questions/write/", questions.write_one, name="write"),
        path("review/projects/<int:pk>/proposed-questions/", gallery.proposals, name="gallery"),
        path("review/questions/<int:pk>/correct/", questions.correct, name="correct"),
        path("review/questions/<int:pk>/", questions.question, name="question"),
    ],
    "workers": [
        path("review/worker/", workers.workers, name="list"),
        path("review/worker/compare/", workers.compare, name="compare"),
        path("projects/<int:pk>/workers.csv", workers.table, name="table"),
        path("review/worker/<int:pk>/", workers.worker, name="worker"),
        path("review/worker/<int:pk>/judgments/", workers.judgments, name="judgments"),
        path("review/worker/<int:pk>/set-aside/", set_aside.set_aside, name="set-aside"),
        path("review/worker/<int:pk>/let-count/<int:decision>/", set_aside.let_count, name="let-count"),
    ],
    "inspector": [
        path("projects/<int:pk>/images/", inspector.images, name="search"),
        path("images/<int:pk>/", inspector.image, name="image"),
        path("images/<int:pk>/photograph", inspector.photograph, name="photograph"),
        path("images/<int:pk>/photograph/<int:width>", inspector.photograph, name="rendition"),
        path("images/<int:pk>/change", inspector.change, name="change"),
        path("images/<int:pk>/merged.json", inspector.merged, name="merged"),
        path("images/<int:pk>/history.json", inspector.history, name="history"),
    ],
    "boxes": [
        path("projects/<int:pk>/boxes/", boxes.boxes, name="wall"),
        path("projects/<int:pk>/chains/", boxes.chain_list, name="chains"),
        path("chains/", boxes.newest_chains, name="newest-chains"),
    ],
    "filters": [
        path("projects/<int:pk>/filters/", filters.change, name="change"),
    ],
    "selection": [
        path("projects/<int:pk>/selection/", selection.selection, name="images"),
    ],
    "captions": [
        path("captions/<int:pk>/edit/", captions.edit, name="edit"),
        path("captions/<int:pk>/withdraw/", captions.withdraw, name="withdraw"),
    ],
    "statistics": [
        path("projects/<int:pk>/statistics/", statistics.project, name="project"),
    ],
    "agreement": [
        path("projects/<int:pk>/agreement/", agreement.project, name="project"),
    ],
    "jobs": [
        path("projects/new/", imports.new_project, name="new-project"),
        path("projects/<int:pk>/import/", imports.import_corpus, name="import"),
        path("projects/<int:pk>/uploads/", pieces.new_upload, name="new-upload"),
        path("projects/<int:pk>/uploads/<slug:upload>/", pieces.pieces, name="pieces"),
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
    ],
    "projects": [
        path("projects/archived/", projects.archived, name="archived"),
        path("projects/<int:pk>/settings/", projects.settings, name="settings"),
        path("projects/<int:pk>/delete/", projects.delete, name="delete"),
    ],
    "instructions": [
        path("projects/<int:pk>/instructions/", instructions.stages, name="list"),
        path("projects/<int:pk>/instructions/photographs.json", instructions.photographs, name="photographs"),
        path("projects/<int:pk>/instructions/<slug:stage>/", instructions.stage, name="stage"),
        path("projects/<int:pk>/instructions/<slug:stage>/preview/", instructions.preview, name="preview"),
    ],
    "types": [
        path("projects/<int:pk>/types/", mention_types.types, name="project"),
    ],
    "judges": [
        path("projects/<int:pk>/models/", judges.models, name="project"),
        path("models/<int:pk>/", judges.model, name="model"),
    ],
    "suggestions": [
        path("projects/<int:pk>/suggestions/", suggestions.sets, name="project"),
        path("projects/<int:pk>/suggestions/<int:number>/", suggestions.one_set, name="set"),
        path("batches/<int:pk>/suggestions/resume/", suggestions.resume, name="resume"),
    ],
    "priors": [
        path("projects/<int:pk>/priors/", priors.project, name="project"),
    ],
}
"""The addresses of each area by the namespace of their names."""

urlpatterns: list[URLPattern | URLResolver] = [
    *(path("", include((patterns, area))) for area, patterns in AREAS.items()),
    path("projects/<int:pk>/expert/", expert.queue, name="expert-queue"),
    path("projects/<int:pk>/expert/image/", expert.image_named, name="expert-named"),
    path("images/<int:pk>/expert/", expert.image, name="expert-image"),
]

check_words(urlpatterns)
