"""What no check finds if somebody changes it in the database, and why: docs/tampering.md has the same list.

A test changes each column of each table, and each change must be found or be named here.
"""

from __future__ import annotations

from collections.abc import Mapping

_AGAIN = "is computed again, or was used up when it was read; results do not rest on it"
_ACCOUNT = "is changed as people sign in and out"
_FOR_PEOPLE = "is for people who look at a page; no rule reads it"
_COUNTER = (
    "is a counter beside the answers, which are sealed; it decides only whether a question is asked further"
)
_PLATFORM = "is a copy of what a platform says: `crowd reconcile` compares both"

_CARRIED = "is a copy of a list that a researcher carries from a platform: the platform has it, too"

TABLES: Mapping[str, str] = {
    "annotation.EntranceImage": "says which images are kept for entrances; its ids have no order",
    "workflows.AnnotationQueue": "is a list of images that researchers look at; what they decide is sealed",
    "workflows.Balance": _PLATFORM,
    "workflows.Beat": "is the time of periodic tasks",
    "workflows.Erasure": "is empty, except within a transaction",
    "workflows.Grant": _PLATFORM,
    "workflows.Invitation": _ACCOUNT,
    "workflows.Job": "is about imports and exports that run; what they wrote is sealed",
    "workflows.JoinAttempt": _ACCOUNT,
    "workflows.Joining": _ACCOUNT,
    "workflows.JudgedPair": "can be changed until the launch; what was asked is sealed with its answers",
    "workflows.KeptCounts": "is computed again",
    "workflows.LinkStudy": _CARRIED,
    "workflows.ListedPlace": _CARRIED,
    "workflows.MemberLink": _ACCOUNT,
    "workflows.Membership": _ACCOUNT,
    "workflows.Notice": _PLATFORM,
    "workflows.Participation": _PLATFORM,
    "workflows.Payment": "is compared by `verify_ledger` and `crowd reconcile`",
    "workflows.Problem": _FOR_PEOPLE,
    "workflows.ProviderCall": _PLATFORM,
    "workflows.Publication": _PLATFORM,
    "workflows.Qualification": _PLATFORM,
    "workflows.SavedFilter": _FOR_PEOPLE,
    "workflows.SignIn": _ACCOUNT,
    "workflows.Snapshot": "is about exported versions: keep the content hash of a version",
    "workflows.WorkerCounts": "is computed again",
    "workflows.WrittenCaption": "follows from answers and decisions, as `verify_state` checks",
}
"""Tables that are not covered as a whole."""

COLUMNS: Mapping[str, str] = {
    "annotation.Assignment.bound": "marks money that is reserved: the ledger has the amount",
    "annotation.Assignment.expires_at": "is the end of a lease, and over when the page was submitted",
    "annotation.Assignment.held": "is set while a platform has not confirmed the worker",
    "annotation.Assignment.late": "holds answers that came too late to count",
    "annotation.Assignment.owed": "marks pay on its way; a page is paid once, by its token",
    "annotation.Assignment.receipt": "is what the worker was told",
    "annotation.Assignment.verdict": "`accepted`, `pending`, `failing` change as sets of pages are judged; "
    "`rejected` is checked",
    "annotation.Box.ordinal": "is the order of the boxes of one answer; the boxes are checked",
    "annotation.Case.assigned_to": _FOR_PEOPLE,
    "annotation.Case.closed_at": "is when somebody looked at a case; what they decided is sealed",
    "annotation.Case.decision": "is the decision that closed a case; the decision is sealed",
    "annotation.Case.detail": _FOR_PEOPLE,
    "annotation.Image.renditions": "are the widths of smaller copies, which are made again",
    "annotation.ImageWork.active": "says whether a batch still has an image; the next sweep follows it",
    "annotation.ImageWork.replayed": "says how an image is computed; both ways give the same",
    "annotation.Item.author": "is checked for chains; of other items no rule reads it",
    "annotation.Item.queued_at": "is the place in a queue",
    "annotation.Item.unread": _AGAIN,
    "annotation.Item.visit": "is the order of a chain's questions, which are checked in it",
    "annotation.ModelVersion.generation": _ACCOUNT,
    "annotation.Project.archived_at": _FOR_PEOPLE,
    "annotation.Project.contact": _FOR_PEOPLE,
    "annotation.Project.erased_at": "is set when a deleted project is gone",
    "annotation.Project.language": "can be changed at any time; the audit log has each change",
    "annotation.Project.name": "can be changed at any time; the audit log has each change",
    "annotation.QualificationTry.answers": "is written while a worker takes the test, in no order of ids",
    "annotation.QualificationTry.asked": "as the answers of a test",
    "annotation.QualificationTry.ended_at": "as the answers of a test",
    "annotation.QualificationTry.number": "as the answers of a test",
    "annotation.QualificationTry.owed": "marks a bonus that is on its way; it is paid once, by its token",
    "annotation.QualificationTry.place": "as the answers of a test",
    "annotation.QualificationTry.right": "as the answers of a test",
    "annotation.QualificationTry.state": "as the answers of a test",
    "annotation.QualificationTry.test": "as the answers of a test",
    "annotation.QualificationTry.training": "as the answers of a test",
    "annotation.Standing.changed_at": _FOR_PEOPLE,
    "annotation.Standing.counted_from": "is found only if the score changes with it",
    "annotation.Standing.stale": _AGAIN,
    "annotation.SuggestionSet.completed_at": "is when a set was complete; its boxes and scores are sealed",
    "annotation.VerificationQuestion.asked": _COUNTER,
    "annotation.VerificationQuestion.exposures": _COUNTER,
    "annotation.VerificationQuestion.good_asked": _COUNTER,
    "annotation.VerificationQuestion.good_right": _COUNTER,
    "annotation.VerificationQuestion.right": _COUNTER,
    "annotation.Worker.approval": _PLATFORM,
    "annotation.Worker.completed": _PLATFORM,
    "annotation.Worker.generation": _ACCOUNT,
    "workflows.Budget.environment": "is the platform's environment of the launch; a launch checks it",
    "workflows.Budget.times": _AGAIN,
}
"""Columns of covered tables that are not covered."""

ROWS: Mapping[str, str] = {
    "annotation.Standing: delete": "a standing is computed again when the worker takes a page",
    "workflows.Earned: swap": "nothing refers to these ids",
    "workflows.Seal: insert": "a seal of a log that does not exist is ignored",
    "workflows.Seal: insert below 1": "a seal of a log that does not exist is ignored",
    "workflows.Seal: swap": "seals have numbers of their own; nothing refers to their ids",
}
"""Changes of whole rows that are not covered, beside NEW_ROWS."""

NEW_ROWS = (
    "a row that is added with a new id, as our code adds them, is sealed like any other: seals say that "
    "nothing was changed since, not that it was true. Only rows that contradict others are found"
)
"""Why `insert` is not covered, in whatever table."""


def reason_for(kind: str) -> str | None:
    """Return why a kind of change (`label.column` or `label: action`) is not covered; None if it is."""
    label = kind.partition(":")[0]
    if kind.endswith(": insert"):
        return ROWS.get(kind) or TABLES.get(label) or NEW_ROWS
    return ROWS.get(kind) or COLUMNS.get(kind) or TABLES.get(label) or TABLES.get(label.rpartition(".")[0])
