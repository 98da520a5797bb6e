"""What the workflows keep for themselves: the log, researchers' actions
and jobs, and figures kept for pages."""

from workflows.models.beats import Beat
from workflows.models.figures import Figures, WorkerFigures
from workflows.models.jobs import Job, Snapshot
from workflows.models.log import AuditEntry, Transition, WorkerNote

__all__ = ["AuditEntry", "Beat", "Figures", "Job", "Snapshot", "Transition", "WorkerFigures", "WorkerNote"]
