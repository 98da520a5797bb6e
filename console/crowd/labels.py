"""Labels of crowd platforms and money: words for states and kinds, and the classes of their chips."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from console.common.labels import Action, Look
from workflows.crowd.models import Payment, Problem, Publication
from workflows.money.models import LedgerEntry, LedgerLine
from workflows.workers.models import Participation

ENVIRONMENTS: Mapping[str, Look] = MappingProxyType(
    {
        "live": ("LIVE: real money", "live"),
        "sandbox": ("sandbox: no real money", "sandbox"),
        "emulator": ("emulator: nothing leaves this machine", ""),
    }
)
PUBLICATIONS: Mapping[str, Look] = MappingProxyType(
    {
        Publication.State.PLANNED: ("planned", ""),
        Publication.State.OPEN: ("open", "good"),
        Publication.State.CLOSED: ("closed", "warn"),
        Publication.State.SETTLED: ("settled", ""),
        Publication.State.FAILED: ("failed", "bad"),
    }
)
PARTICIPATIONS: Mapping[str, Look] = MappingProxyType(
    {
        Participation.State.OPENED: ("at work", ""),
        Participation.State.SUBMITTED: ("submitted", "warn"),
        Participation.State.APPROVED: ("approved", "good"),
        Participation.State.REJECTED: ("rejected", "bad"),
        Participation.State.RETURNED: ("given back", ""),
    }
)
PAYMENTS: Mapping[str, Look] = MappingProxyType(
    {
        Payment.State.DUE: ("due", ""),
        Payment.State.DONE: ("done", "good"),
        Payment.State.FAILED: ("failed", "bad"),
        Payment.State.WAITING: ("waits for the cap", "warn"),
        Payment.State.WITHDRAWN: ("withdrawn", ""),
    }
)
PAYMENT_KINDS: Mapping[str, str] = MappingProxyType(
    {
        Payment.Kind.REWARD: "reward",
        Payment.Kind.REFUSAL: "refusal",
        Payment.Kind.BONUS: "bonus",
        Payment.Kind.TOP_UP: "top-up to the wage floor",
        Payment.Kind.PART: "part, for a page that broke",
        Payment.Kind.SCREENED: "pay for a failed test",
    }
)
PROBLEMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Problem.Kind.ORPHAN: (
            "Unknown on the platform",
            "The platform has it under our name, but it is not known here. Nothing was changed. Check if "
            "another program uses the same account. If it is nobody's, `manage.py crowd expire` ends it.",
        ),
        Problem.Kind.DOUBLE: (
            "Duplicate",
            "What was ordered or paid once is on the platform twice. A second publication is ended. A bonus "
            "paid twice cannot be taken back; decide what to do about it.",
        ),
        Problem.Kind.LOST: (
            "No answers here",
            "The platform has a submission whose answers never came. Approve it or pay a part: the worker "
            "may have met a broken page. Nothing is rejected automatically.",
        ),
        Problem.Kind.STRANGER: (
            "Not confirmed",
            "Answers came under a name that the platform does not confirm. They do not count.",
        ),
        Problem.Kind.UNPAID: (
            "Not paid",
            "A payment is owed, but the platform refuses it or the cap leaves no room. Raise the cap, or add "
            "money to the account. The problem closes once it is paid.",
        ),
        Problem.Kind.REFUSED: (
            "Not published",
            "The platform refuses to publish. Read why, correct the settings, then close this problem, and "
            "publishing is tried again.",
        ),
        Problem.Kind.OTHER: ("Other", "Read the message, settle the matter, then close this problem."),
    }
)
"""The name of each kind, and what to do."""
_ORPHAN_BONUS = (
    "Unknown bonus",
    "It was paid on the platform, but no researcher asked for it here. It cannot be taken back. Check if "
    "another program uses the same account, then close this problem.",
)


def problem_words(problem: Problem) -> tuple[str, str]:
    """Return the problem's name, and what to do about it."""
    return _ORPHAN_BONUS if problem.key.startswith("orphan:bonus:") else PROBLEMS[problem.kind]


ENTRIES: Mapping[str, str] = MappingProxyType(
    {
        LedgerEntry.Kind.RESERVE: "reserved",
        LedgerEntry.Kind.COMMIT: "paid",
        LedgerEntry.Kind.RELEASE: "released",
        LedgerEntry.Kind.BONUS: "bonus paid",
        LedgerEntry.Kind.EARN: "earned by a direct worker",
        LedgerEntry.Kind.PAYROLL: "paid by payroll",
        LedgerEntry.Kind.REFUND: "given back",
        LedgerEntry.Kind.MODEL: "answers of the model paid",
    }
)
ACCOUNTS: Mapping[str, str] = MappingProxyType({account: account.label for account in LedgerLine.Account})

VERBS: Mapping[str, Action] = MappingProxyType(
    {
        "approve": Action("Approve", "Approve the work of", "The reward is paid in the next step."),
        "reject": Action(
            "Reject", "Reject the work of", "The platform is told in the next step.", danger=True
        ),
        "bonus": Action("Pay a bonus", "Pay a bonus to", "The bonus is paid in the next step."),
        "part": Action("Pay a part", "Pay a part to", "The part is paid in the next step."),
        "message": Action("Write", "Write to", "The message is on its way."),
    }
)
