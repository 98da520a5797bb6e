"""Settings of how a batch controls quality: the numbers of docs/protocol.md, "Quality control"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.setting_fields import SECONDS, setting

MAX_ANSWERS = 1000
"""The most answers that an entrance, a set of pages or the most recent answers can consist of."""
MAX_SHARE = 0.5
"""The largest share of a page that verification questions, or answers *cannot tell*, may take."""
_YEAR = 365 * 24 * 3600


class Regime(StrEnum):
    """Whose judgments count in a stage."""

    TRUSTED = "trusted"  # of workers who answer verification questions well, and keep doing so
    VERIFICATION = "verification"  # of pages with well answered verification questions
    OPEN = "open"  # those of all workers, for people whom you know


class OnLoss(StrEnum):
    """What happens to the unsupported judgments of a worker who loses trust [ours]."""

    KEEP = "keep"  # they stay; a researcher decides in the review queue
    SET_ASIDE = "set-aside"


@dataclass(frozen=True, slots=True)
class Control:
    """The numbers of the regimes `trusted` and `verification` (section 3.3). Shares are from 0 to 1."""

    entrance: int = setting(
        30,
        "Entrance questions",
        "Trusted: verification questions before a worker's first ordinary item. The paper's: 30.",
        between=(1, MAX_ANSWERS),
        unit="questions",
    )
    recent: int = setting(
        30,
        "Most recent answers",
        "Trusted: the minimum score must also hold over this many latest answers. With fewer, the number "
        "that must be right is rounded down.",
        between=(1, MAX_ANSWERS),
        unit="answers",
        ours=True,
    )
    trusted_share: float = setting(
        0.02,
        "Questions for trusted workers",
        "The share of a trusted worker's items that are verification questions. The paper's: 0.02.",
        between=(0, MAX_SHARE),
    )
    verification_share: float = setting(
        0.20,
        "Questions under verification",
        "The share of every page that is verification questions. The paper's: 0.2. In relevance-crowd, the "
        "default is 1/6.",
        between=(0, MAX_SHARE),
    )
    set_questions: int = setting(
        20,
        "Answers per set",
        "Verification: a set of pages is accepted or rejected once it has this many answers to verification "
        "questions.",
        between=(1, MAX_ANSWERS),
        unit="answers",
        ours=True,
    )
    idle_seconds: int = setting(
        24 * 3600,
        "Idle time",
        "Verification: a set that is not full is judged when the worker has submitted no page for this long.",
        between=(60, _YEAR),
        unit=SECONDS,
        ours=True,
    )
    box_iou: float = setting(
        0.7,
        "IoU of a right box",
        "A drawn box is right if its overlap (IoU) with a known box is at least this.",
        unit="IoU, 0 to 1",
        group=Stage.DRAWING,
        ours=True,
    )
    on_loss: str = setting(
        OnLoss.KEEP,
        "When trust is lost",
        "Keep the worker's judgments until a researcher decides, or set aside at once those that no other "
        "judgment supports.",
        choices=tuple(OnLoss),
        ours=True,
    )
    exposures: int = setting(
        1000,
        "Retire a question after",
        "A question is retired once this many workers have seen it.",
        between=(1, 10**9),
        unit="workers",
        ours=True,
    )
    retire_after: int = setting(
        10,
        "Answers before retiring",
        "A question can be retired for wrong answers once trusted workers have given this many answers.",
        between=(1, MAX_ANSWERS),
        unit="answers",
        ours=True,
    )
    retire_below: float = setting(
        0.5,
        "Retire below",
        "A question is retired if trusted workers get it right less often than this.",
        ours=True,
    )


PAID_TESTS = ("platforms", "always", "never")


@dataclass(frozen=True, slots=True)
class Screening:
    """What a worker must show before the first page (section 3.3)."""

    completed: int = setting(
        500,
        "Tasks finished",
        "Tasks a worker must have finished on the platform, if it reports them. The paper's: 500.",
        between=(0, 10**9),
        unit="tasks",
    )
    approval: float = setting(
        0.95,
        "Share approved",
        "The share of these tasks that must be approved, if the platform reports it. The paper's: 0.95.",
    )
    test: bool = setting(
        True,
        "Qualification test",
        "Workers pass a test of each stage before they work on it, as in the paper. If all judgments of a "
        "stage count (open), it has no test.",
    )
    training_items: int = setting(
        4,
        "Practice questions",
        "Questions before the test, each with its answer explained.",
        between=(0, 100),
        unit="questions",
        ours=True,
    )
    test_items: int = setting(
        10, "Test questions", "Scored questions in the test.", between=(1, 100), unit="questions", ours=True
    )
    tries: int = setting(
        3, "Tries", "How often a worker can take the test.", between=(1, 100), unit="times", ours=True
    )
    wait_seconds: int = setting(
        24 * 3600,
        "Time between tries",
        "How long a worker waits after failing the test.",
        between=(0, _YEAR),
        unit=SECONDS,
        ours=True,
    )
    paid: str = setting(
        "platforms",
        "Pay for the test",
        "Where workers who pass the test get a bonus: as much as its questions would pay as work. On "
        "Prolific, who fails it is paid, too.",
        choices=PAID_TESTS,
        ours=True,
        see="money.md#time-for-tests",
    )
