"""Labels of the audit log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.dateformat import format as date_format

from workflows.core.models import AuditEntry

SAYS: Mapping[str, str] = MappingProxyType(
    {
        "project.create": "created the project",
        "project.change": "changed the name or contact of the project",
        "project.archive": "archived the project",
        "project.restore": "restored the project",
        "project.delete": "deleted the project",
        "instructions.save": "saved instructions for workers of",
        "instructions.restore": "restored instructions for workers of",
        "types.save": "saved types of mentions for",
        "types.restore": "restored types of mentions for",
        "suggestions.preview": "looked at suggestions before an import:",
        "suggestions.import": "imported suggestions of",
        "suggestions.resume": "showed suggestions again to",
        "filter.save": "saved the filter",
        "filter.remove": "removed the filter",
        "prior.fit": "fitted a prior for",
        "import.start": "started an import:",
        "job.cancel": "asked to cancel",
        "job.resume": "resumed",
        "export.start": "started an export:",
        "snapshot.download": "downloaded",
        "snapshot.evaluate": "started an evaluation:",
        "batch.create": "created the batch",
        "batch.settings": "changed the settings of the batch",
        "batch.launch": "launched the batch",
        "batch.pause": "paused the batch",
        "batch.resume": "resumed the batch",
        "batch.cancel": "cancelled the batch",
        "batch.delete": "deleted the batch",
        "batch.clone": "copied the batch",
        "batch.sample": "drew a sample of the batch",
        "batch.links": "made links for workers of the batch",
        "invitation.create": "made invitations to work on the project:",
        "invitation.revoke": "revoked invitations of the project:",
        "member.invite": "made a link to the project for",
        "member.withdraw": "withdrew the link to the project for",
        "member.join": "joined the project",
        "member.look": "opened as an advisor the project",
        "member.role": "changed the role of the member",
        "member.remove": "removed the member",
        "crowd.approve": "approved the work of",
        "crowd.reject": "rejected the work of",
        "crowd.bonus": "had a bonus paid to",
        "crowd.part": "had a part paid to",
        "crowd.message": "wrote to",
        "crowd.message-unsent": "could not send the message to",
        "crowd.expire": "ended",
        "crowd.list": "uploaded the platform's list of participants of the batch",
        "crowd.take-out": "took out the list of whom to pay of the batch",
        "crowd.reconcile": "compared with the platform the batch",
        "crowd.cap": "changed the cap of the batch",
        "crowd.extend": "published more places on",
        "crowd.write-off": "wrote off the money of",
        "crowd.webhooks": "had Prolific's events sent to",
        "crowd.webhooks-end": "ended Prolific's events to",
        "earnings.recount": "recounted the earnings of",
        "crowd.retry": "had the platform asked again for",
        "crowd.withdraw": "withdrew the unpaid",
        "problem.close": "closed",
        "payroll.export": "downloaded the payroll of",
        "payroll.paid": "marked the payroll as paid of",
        "figures.recount": "recounted the figures of",
        "questions.make": "made verification questions for",
        "questions.decide": "approved or refused verification questions for",
        "questions.correct": "corrected",
        "questions.write": "wrote a verification question:",
        "questions.retire": "retired",
        "questions.void": "voided",
        "questions.promote": "made verification questions from the chain",
        "chain.decide": "decided about the chain",
        "chain.flag": "flagged the chain",
        "image.regroup": "regrouped the image",
        "image.withdraw": "withdrew the image",
        "image.bring-back": "brought back the image",
        "image.usable": "let work on the image go on:",
        "caption.rule": "decided about a caption of a worker:",
        "image.photograph": "replaced the photograph of the image",
        "image.annotate": "annotated the image",
        "caption.edit": "edited a caption of the image",
        "caption.withdraw": "withdrew a caption of the image",
        "caption.bring-back": "brought back a caption of the image",
        "caption.undo": "undid the change of a caption of the image",
        "decision.undo": "undid a decision about",
        "expert.draw": "drew images to annotate alone in",
        "expert.end": "ended the queue of drawn images in",
        "spot-check.draw": "drew a spot check of",
        "spot-check.judge": "gave a verdict in a spot check:",
        "case.close": "closed without a change:",
        "case.close-several": "closed several cases without a change",
        "case.assign": "assigned cases of the review queue",
        "workers.export": "downloaded the workers' figures of",
        "worker.block": "blocked the worker",
        "worker.unblock": "unblocked the worker",
        "worker.end-sign-ins": "ended the sign-ins of the worker",
        "worker.restore": "restored the worker",
        "worker.set-aside": "set judgments aside of the worker",
        "worker.let-count": "let judgments count again of the worker",
        "worker.figures": "entered the platform's figures of the worker",
        "worker.note": "wrote a note about the worker",
        "account.create": "made the account or role",
        "account.change": "changed the account or role",
        "account.unlock": "unlocked the account",
        "login": "logged in",
        "login.failed": "failed to log in",
        "logout": "logged out",
    }
)
"""What the author of each action did; the object follows. Other actions are shown by their own name."""

_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "project": "dashboards:project",
        "batch": "dashboards:batch",
        "job": "jobs:job",
        "snapshot": "jobs:snapshot",
        "publication": "crowd:publication",
        "participation": "crowd:participation",
        "chain": "review:chain",
        "imagework": "review:work",
        "image": "inspector:image",
        "worker": "workers:worker",
        "verificationquestion": "questions:question",
    }
)
"""The page of each kind of object."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")
"""A time in UTC as entries keep it."""

GONE = frozenset({"batch.delete", "project.delete"})
"""Actions after which the object has no page."""


def say_action(action: str) -> str:
    return SAYS.get(action, action.replace(".", " ").replace("-", " "))


def link(entry: AuditEntry) -> str:
    """Return the address of the object's page, or ''."""
    if entry.action in GONE or entry.kind not in _PAGES:
        return ""
    try:
        return reverse(_PAGES[entry.kind], args=[entry.object_id])
    except NoReverseMatch:
        return ""


def say_detail(detail: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the action's options as names and values, without empty ones."""
    return [
        (name.replace("_", " "), _value(value))
        for name, value in detail.items()
        if value is not None and value != "" and value != [] and value != {}
    ]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_value(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, str) and _MOMENT.fullmatch(value):
        return date_format(datetime.fromisoformat(value), "j M Y H:i")
    return str(value)
