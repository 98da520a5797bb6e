"""What each setting of a batch does, in a sentence. Its type, default and limits are those of the parser."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from annotation.domain.answers import Stage


class Says(NamedTuple):
    """A setting's label, what it does, its unit behind the field, and the fold it stands in."""

    label: str
    sentence: str
    unit: str = ""
    fold: str = "work"


FOLDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "work": ("The work", "How it is asked and paid, whatever the stage."),
        Stage.LINK: ("Coreference links", "Two mentions: do they refer to the same thing?"),
        Stage.VERIFICATION: ("Chain verification", "A whole chain: do all of its mentions?"),
        Stage.REQUIREMENT: ("Box requirement", "Can a box be drawn for it at all?"),
        Stage.DRAWING: ("Box drawing", "One new box, or no further box."),
        Stage.QUALITY: ("Box quality", "Is the new box tight, whole and new?"),
        Stage.COVERAGE: ("Box coverage", "Are all boxes there?"),
        "limits": ("Chains that go in circles", "When a chain leaves the workers for the review queue."),
        "control": ("Verification questions", "How many are asked, and what follows from the answers."),
        "screening": ("Before the first page", "What somebody must show to get work at all."),
        "crowd": ("Crowd and money", "Where workers come from, and what the batch may cost."),
    }
)
"""Of each fold: its name, and what it is about."""

OURS = "The paper leaves it open."

SENTENCES: Mapping[str, Says] = MappingProxyType(
    {
        "protocol": Says(
            "Protocol", "The stages and what each answer leads to. The paper's is the one there is."
        ),
        "strategy": Says(
            "Link strategy",
            "Which pairs of mentions are asked about. The paper used greedy plus: 66.9% of the judgments of "
            "exhaustive, 86.1% of the chains right (table 2). Exhaustive plus takes 119.7% for 90.7%.",
            fold=Stage.LINK,
        ),
        "seed": Says(
            "Seed", "Of everything drawn at random: the order of the images, and pairs of mentions."
        ),
        "regime": Says(
            "Whose judgments count",
            "Trusted: of workers who answered verification questions well, as in the paper's later work. "
            "Verification: of pages whose questions were answered well, as at first. Open: everybody's.",
        ),
        "lease_seconds": Says("Time for a page", f"So long a page is kept for its worker. {OURS}", "seconds"),
        "minimum_side": Says(
            "Smallest box", f"A drawn box must be so wide and so high. {OURS}", "pixels", Stage.DRAWING
        ),
        "target": Says("Stop after", "The batch ends once so many images are done. Empty: all.", "images"),
        "items_a_page": Says(
            "Items a page", "Questions on a page, verification questions among them.", "items"
        ),
        "minimum_score": Says(
            "Minimum score", "The share of verification questions a worker must get right.", "share, 0 to 1"
        ),
        "priorities": Says(
            "Priority", "Of workers who take any work: the stage with the highest number is served first."
        ),
        "skip_requirement": Says(
            "Types without this stage",
            "Chains with a mention of these types go straight to box drawing. The paper's: people, "
            "clothing, bodyparts.",
            fold=Stage.REQUIREMENT,
        ),
        "limits.returns": Says(
            "Returns to box requirement", f"After so many the chain goes to review. {OURS}", "times", "limits"
        ),
        "limits.fruitless": Says(
            "Trips without a box",
            f"From coverage to drawing and back without a new box. {OURS}",
            "times",
            "limits",
        ),
        "limits.rejected": Says(
            "Boxes rejected", f"Of one chain, then it goes to review. {OURS}", "boxes", "limits"
        ),
        "control.entrance": Says(
            "Entrance",
            "Trusted: so many verification questions before the first ordinary item. The paper's: 30.",
            "questions",
            "control",
        ),
        "control.recent": Says(
            "Most recent answers",
            "Trusted: the score must hold over so many, too. The paper does not say how many.",
            "answers",
            "control",
        ),
        "control.trusted_share": Says(
            "Questions for trusted workers",
            "The share of their items that are verification questions. The paper's: 0.02.",
            "share, 0 to 0.5",
            "control",
        ),
        "control.verification_share": Says(
            "Questions under verification",
            "The share of every page that are verification questions. The paper's: 0.2.",
            "share, 0 to 0.5",
            "control",
        ),
        "control.set_questions": Says(
            "Answers a set",
            f"Verification: so many answers make a set of pages that is accepted or rejected. {OURS}",
            "answers",
            "control",
        ),
        "control.idle_seconds": Says(
            "Idle",
            "Verification: after so long without a page of the worker, a set that is not full is judged. "
            f"{OURS}",
            "seconds",
            "control",
        ),
        "control.box_iou": Says(
            "A box is right from",
            f"The overlap (IoU) of a drawn box with a known one from which the answer is right. {OURS}",
            "IoU, 0 to 1",
            Stage.DRAWING,
        ),
        "control.on_loss": Says(
            "When trust is lost",
            "Keep the worker's judgments until a researcher decides, or set aside at once what nobody else "
            f"supports. {OURS}",
            fold="control",
        ),
        "control.exposures": Says(
            "A question is retired after", f"So many workers saw it. {OURS}", "workers", "control"
        ),
        "control.retire_after": Says(
            "Not before",
            f"A question is retired for wrong answers after so many of trusted workers. {OURS}",
            "answers",
            "control",
        ),
        "control.retire_below": Says(
            "Right less than", f"Then it is retired: good workers fail it. {OURS}", "share, 0 to 1", "control"
        ),
        "screening.completed": Says(
            "Tasks finished", "On the platform, where it tells. The paper's: 500.", "tasks", "screening"
        ),
        "screening.approval": Says(
            "Of these approved", "Where the platform tells. The paper's: 0.95.", "share, 0 to 1", "screening"
        ),
        "screening.test": Says(
            "Qualification test", "A test of each stage before the work, as in the paper.", fold="screening"
        ),
        "screening.training_items": Says(
            "Practice questions",
            f"Before the test, with the answer explained. {OURS}",
            "questions",
            "screening",
        ),
        "screening.test_items": Says("Test questions", f"That are scored. {OURS}", "questions", "screening"),
        "screening.tries": Says("Tries", f"Of the test. {OURS}", "times", "screening"),
        "screening.wait_seconds": Says(
            "Between tries", f"So long after one that failed. {OURS}", "seconds", "screening"
        ),
        "pass_mark": Says(
            "To pass the test", f"The share of test questions to get right. {OURS}", "share, 0 to 1"
        ),
        "drawing": Says(
            "How boxes are drawn",
            "From corner to corner (drag), by the four outermost points (extreme), or as the worker likes. "
            f"{OURS}",
            fold=Stage.DRAWING,
        ),
        "reward": Says(
            "Reward a page",
            "In the currency's smallest unit, such as cents. The paper does not say what it paid.",
        ),
        "currency": Says(
            "Currency", "Of everything paid: three letters, as in USD (ISO 4217). A platform has its own."
        ),
        "crowd.provider": Says(
            "Where workers come from",
            "Direct: people you invite yourself, whom a payroll pays. Or a platform, with an account in "
            "the server's environment (docs/crowd.md).",
            fold="crowd",
        ),
        "crowd.cap": Says(
            "Cap",
            "What the batch may cost, the platform's fees included, in the currency's smallest unit. Nothing "
            "is published beyond it. A platform needs one. Empty: no cap.",
            fold="crowd",
        ),
        "crowd.hourly_wage": Says(
            "Lowest wage an hour",
            "In the currency's smallest unit: what a page must pay at its usual time. 0: no floor.",
            fold="crowd",
        ),
        "crowd.top_up": Says(
            "Top up", "Pay what is missing to the lowest wage, as a bonus for each page.", fold="crowd"
        ),
        "crowd.open_pages": Says(
            "Open pages", "Places of a stage that are published and not taken, at most.", "pages", "crowd"
        ),
        "crowd.places": Says(
            "Places a publication",
            "Mechanical Turk takes 20% more of the reward from 10 places on.",
            "places",
            "crowd",
        ),
        "crowd.lifetime_seconds": Says(
            "Can be taken for",
            "Then a publication ends, and is published anew if need be.",
            "seconds",
            "crowd",
        ),
        "crowd.approval_seconds": Says(
            "Approved by itself after",
            "If nothing else was said by then, the platform pays what was submitted.",
            "seconds",
            "crowd",
        ),
        "crowd.masters": Says(
            "Masters only", "Mechanical Turk's own choice of workers; it takes 5% more.", fold="crowd"
        ),
        "crowd.locales": Says(
            "Where workers live",
            "Codes of countries or states, separated by commas: US, GB, US-CA (ISO 3166). Empty: anywhere.",
            fold="crowd",
        ),
        "crowd.only_trusted": Says(
            "Trusted workers only",
            "Publish a stage to those who are trusted in it already: nobody new comes.",
            fold="crowd",
        ),
        "crowd.title": Says("Title", "Of what is published. Empty: made of the stage's name.", fold="crowd"),
        "crowd.description": Says(
            "Description",
            "What workers read before they take it. Empty: made of the stage's name.",
            fold="crowd",
        ),
        "crowd.keywords": Says("Keywords", "By which workers find it, separated by commas.", fold="crowd"),
    }
)
"""By setting; of those that have a number a stage, the fold is the stage's."""
