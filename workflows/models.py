"""The models of every room, for Django to find. Everybody else imports them from their room."""

from workflows.analysis.models import KeptCounts, WorkerCounts
from workflows.core.models import AuditEntry, Beat, Erasure, Seal
from workflows.crowd.invitations.models import Invitation, JoinAttempt, Joining
from workflows.crowd.models import Balance, Grant, Notice, Payment, Problem, Publication, Qualification
from workflows.jobs.models import Job, Snapshot
from workflows.members.models import MemberLink, Membership
from workflows.money.models import Budget, Earned, LedgerEntry, LedgerLine
from workflows.pipeline.models import JudgedPair, Transition, WrittenCaption
from workflows.platforms.link.models import LinkStudy, ListedPlace
from workflows.platforms.models import ProviderCall
from workflows.priors.models import PriorVersion
from workflows.review.models import AnnotationQueue, SpotCheck, SpotCheckVerdict
from workflows.workers.models import Participation, WorkerNote

__all__ = [
    "AnnotationQueue",
    "AuditEntry",
    "Balance",
    "Beat",
    "Budget",
    "Earned",
    "Erasure",
    "Grant",
    "Invitation",
    "Job",
    "JoinAttempt",
    "Joining",
    "JudgedPair",
    "KeptCounts",
    "LedgerEntry",
    "LedgerLine",
    "LinkStudy",
    "ListedPlace",
    "MemberLink",
    "Membership",
    "Notice",
    "Participation",
    "Payment",
    "PriorVersion",
    "Problem",
    "ProviderCall",
    "Publication",
    "Qualification",
    "Seal",
    "Snapshot",
    "SpotCheck",
    "SpotCheckVerdict",
    "Transition",
    "WorkerCounts",
    "WorkerNote",
    "WrittenCaption",
]
