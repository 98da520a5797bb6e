"""The labels and help texts of a batch's settings, and the folds they are grouped into."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from annotation.domain.answers import CampaignStage, JointStage, Stage


class Says(NamedTuple):
    """A setting's label, its help text, the unit shown behind the field, and the name of its fold."""

    label: str
    sentence: str
    unit: str = ""
    fold: str = "work"


FOLDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "work": ("All stages", "Settings that do not depend on the stage."),
        Stage.LINK: ("Coreference links", "Do two mentions refer to the same thing?"),
        Stage.VERIFICATION: ("Chain verification", "Do all mentions of a chain refer to the same thing?"),
        Stage.REQUIREMENT: ("Box requirement", "Can a box be drawn for the chain at all?"),
        Stage.DRAWING: ("Box drawing", "Draw one new box, or say that there is none to draw."),
        Stage.QUALITY: ("Box quality", "Is the new box tight, whole and new?"),
        Stage.COVERAGE: ("Box coverage", "Does the chain have all its boxes?"),
        JointStage.BOXES: ("Joint drawing", "Draw all boxes that are missing, or say why there are none."),
        JointStage.CHECK: ("Joint check", "Is each new box good, and is anything missing?"),
        CampaignStage.WRITING: ("Caption writing", "Describe the photograph in a sentence."),
        CampaignStage.CAPTION_CHECK: ("Caption check", "Does the caption describe the photograph?"),
        CampaignStage.GRADING: ("Caption grading", "How well does the caption describe the photograph?"),
        CampaignStage.RELEVANCE: ("Caption relevance", "Which of the captions describe the photograph?"),
        "limits": ("Unsettled chains", "When a chain is sent to the review queue."),
        "control": ("Verification questions", "How many are asked, and what follows from the answers."),
        "screening": ("Before the first page", "What workers must show before they get work."),
        "crowd": ("Crowd and money", "Where workers come from, and what the batch may cost."),
    }
)
"""The name of each fold, and what it is about."""
INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        Stage.DRAWING: JointStage.BOXES,
        Stage.QUALITY: JointStage.CHECK,
        Stage.COVERAGE: JointStage.CHECK,
        CampaignStage.GRADING: CampaignStage.RELEVANCE,
    }
)
"""The fold for a setting whose stage the protocol does not have."""

OURS = "The paper does not specify it."

SENTENCES: Mapping[str, Says] = MappingProxyType(
    {
        "protocol": Says(
            "Protocol",
            "The stages, and what each answer leads to. flickr30k-entities is the paper's. In entities-fast, "
            "one worker draws all boxes of a chain, and others check them together.",
        ),
        "strategy": Says(
            "Link strategy",
            "Which pairs of mentions are asked about. The paper used greedy plus: it needs 66.9% of the "
            "judgments of exhaustive and gets 86.1% of the chains right (table 2). Exhaustive plus needs "
            "119.7% and gets 90.7% right. Likely first and posterior ask less, because they also look at the "
            "words of the mentions; posterior needs a prior of the project. Every pair asks five workers "
            "about each pair, to compare the strategies on some of your own images.",
            fold=Stage.LINK,
        ),
        "settle": Says(
            "What is settled",
            "Triangles: two links that say “same” and a third that says “different”. Cycles: every "
            "contradiction, however many links it takes. What is still a contradiction then opens a case. "
            "Only exhaustive plus and greedy plus settle anything.",
            fold=Stage.LINK,
        ),
        "certainty": Says(
            "How certain chains must be",
            "For the link strategy posterior. Careful: a mention stays in a chain once that is 99% probable. "
            f"Balanced: 98%, and new chains begin later. {OURS}",
            fold=Stage.LINK,
        ),
        "human_yes": Says(
            "Each mention rests on a worker's “same”",
            f"For the link strategy posterior: nothing is joined by its words alone. {OURS}",
            fold=Stage.LINK,
        ),
        "prior": Says(
            "Prior",
            "For the link strategy posterior: the number of one of the project's priors. Empty: the launch "
            f"takes the newest. {OURS}",
            fold=Stage.LINK,
        ),
        "seed": Says(
            "Seed", "The seed of everything random: the order of images, and the pairs of mentions."
        ),
        "regime": Says(
            "Whose judgments count",
            "Trusted: those of workers who answer verification questions well, as in the paper's later work. "
            "Verification: those on pages whose verification questions were answered well, as in its earlier "
            "work. Open: everybody's.",
        ),
        "lease_seconds": Says(
            "Time for a page", f"How long a page is kept for its worker. {OURS}", "minutes"
        ),
        "minimum_side": Says(
            "Smallest box",
            f"A drawn box must be at least this wide and this high. {OURS}",
            "pixels",
            Stage.DRAWING,
        ),
        "target": Says("Stop after", "The batch ends when this many images are done. Empty: all.", "images"),
        "page": Says(
            "What a page holds",
            "Mixed: items about as many photographs as possible. Visit: everything that its stage asks about "
            "one photograph, filled up with the next one; the photograph stays on the screen. A worker is "
            f"asked about a photograph on one page of each stage, unless nobody else is there. {OURS}",
        ),
        "items_a_page": Says(
            "Items a page", "Questions on a page, including verification questions.", "items"
        ),
        "minimum_score": Says(
            "Minimum score", "The share of verification questions a worker must get right.", "share, 0 to 1"
        ),
        "priorities": Says(
            "Priority", "Workers who take any work are given the stage with the highest number first."
        ),
        "verify_chains": Says(
            "Verify chains in entities-fast",
            "Whether workers verify chains of several mentions there, too. In flickr30k-entities they always "
            f"do. {OURS}",
            fold=Stage.VERIFICATION,
        ),
        "skip_requirement": Says(
            "Types without this stage",
            "Chains with a mention of these types go straight to box drawing. The paper's: people, "
            "clothing, bodyparts. In entities-fast, this stage is skipped for chains that very likely need a "
            "box, whatever is chosen here.",
            fold=Stage.REQUIREMENT,
        ),
        "limits.returns": Says(
            "Returns to box requirement",
            f"After this many returns the chain goes to review. {OURS}",
            "times",
            "limits",
        ),
        "limits.fruitless": Says(
            "Rounds without a box",
            "After this many rounds from coverage (or a joint check) to drawing and back without a new box, "
            f"the chain goes to review. {OURS}",
            "times",
            "limits",
        ),
        "limits.rejected": Says(
            "Boxes rejected",
            f"After this many rejected boxes the chain goes to review. {OURS}",
            "boxes",
            "limits",
        ),
        "weekly_feedback": Says(
            "Weekly feedback",
            "Workers see on their own page how many verification questions of a week they had right. It is a "
            "rounded share of at least 30 answers, and only of weeks that are over, so that nobody can tell "
            f"from it which questions these were. {OURS}",
            fold="control",
        ),
        "control.entrance": Says(
            "Entrance questions",
            "Trusted: verification questions before a worker's first ordinary item. The paper's: 30.",
            "questions",
            "control",
        ),
        "control.recent": Says(
            "Most recent answers",
            "Trusted: the minimum score must also hold over this many latest answers. The paper does not say "
            "how many.",
            "answers",
            "control",
        ),
        "control.trusted_share": Says(
            "Questions for trusted workers",
            "The share of a trusted worker's items that are verification questions. The paper's: 0.02.",
            "share, 0 to 0.5",
            "control",
        ),
        "control.verification_share": Says(
            "Questions under verification",
            "The share of every page that is verification questions. The paper's: 0.2.",
            "share, 0 to 0.5",
            "control",
        ),
        "control.set_questions": Says(
            "Answers per set",
            "Verification: a set of pages is accepted or rejected once it has this many answers to "
            f"verification questions. {OURS}",
            "answers",
            "control",
        ),
        "control.idle_seconds": Says(
            "Idle time",
            "Verification: a set that is not full is judged when the worker has submitted no page for this "
            f"long. {OURS}",
            "minutes",
            "control",
        ),
        "control.box_iou": Says(
            "IoU of a right box",
            f"A drawn box is right if its overlap (IoU) with a known box is at least this. {OURS}",
            "IoU, 0 to 1",
            Stage.DRAWING,
        ),
        "control.on_loss": Says(
            "When trust is lost",
            "Keep the worker's judgments until a researcher decides, or set aside at once those that no "
            f"other judgment supports. {OURS}",
            fold="control",
        ),
        "control.exposures": Says(
            "Retire a question after",
            f"A question is retired once this many workers have seen it. {OURS}",
            "workers",
            "control",
        ),
        "control.retire_after": Says(
            "Answers before retiring",
            "A question can be retired for wrong answers once trusted workers have given this many answers. "
            f"{OURS}",
            "answers",
            "control",
        ),
        "control.retire_below": Says(
            "Retire below",
            f"A question is retired if trusted workers get it right less often than this. {OURS}",
            "share, 0 to 1",
            "control",
        ),
        "screening.completed": Says(
            "Tasks finished",
            "Tasks a worker must have finished on the platform, if it reports them. The paper's: 500.",
            "tasks",
            "screening",
        ),
        "screening.approval": Says(
            "Share approved",
            "The share of these tasks that must be approved, if the platform reports it. The paper's: 0.95.",
            "share, 0 to 1",
            "screening",
        ),
        "screening.test": Says(
            "Qualification test",
            "Workers pass a test of each stage before they work on it, as in the paper.",
            fold="screening",
        ),
        "screening.training_items": Says(
            "Practice questions",
            f"Questions before the test, each with its answer explained. {OURS}",
            "questions",
            "screening",
        ),
        "screening.test_items": Says(
            "Test questions", f"Scored questions in the test. {OURS}", "questions", "screening"
        ),
        "screening.tries": Says(
            "Tries", f"How often a worker can take the test. {OURS}", "times", "screening"
        ),
        "screening.wait_seconds": Says(
            "Time between tries",
            f"How long a worker waits after failing the test. {OURS}",
            "minutes",
            "screening",
        ),
        "screening.paid": Says(
            "Pay for the test",
            f"Where those who pass the test get a bonus: as much as its questions would pay as work. {OURS}",
            fold="screening",
        ),
        "pass_mark": Says("Pass mark", f"The share of test questions to get right. {OURS}", "share, 0 to 1"),
        "drawing": Says(
            "How boxes are drawn",
            "Drag: from corner to corner. Extreme: by the four outermost points. Either: the worker chooses. "
            f"{OURS}",
            fold=Stage.DRAWING,
        ),
        "check.preset": Says(
            "New boxes begin as",
            "In the joint check of entities-fast. Good: a new box counts as good unless the worker marks it. "
            f"None: the worker has to judge each one, and say whether anything is missing. {OURS}",
            fold=Stage.QUALITY,
        ),
        "captions.wanted": Says(
            "Captions an image",
            "How many captions an image gets, each from another worker. The source's: 5.",
            "captions",
            CampaignStage.WRITING,
        ),
        "captions.check": Says(
            "Check captions",
            f"Whether a second worker says if a caption describes its photograph. {OURS}",
            fold=CampaignStage.CAPTION_CHECK,
        ),
        "captions.refused": Says(
            "Write again",
            f"So many captions of an image that were refused are written again by somebody else. {OURS}",
            "captions",
            CampaignStage.WRITING,
        ),
        "relevance.judges": Says(
            "Judges",
            "How many workers judge each caption of an image. The source's: 3.",
            "workers",
            CampaignStage.GRADING,
        ),
        "author_after_hours": Says(
            "Own boxes after",
            "For small teams: whoever drew a box may judge it if it has waited this long and nothing else "
            f"waits for them. Empty: never. {OURS}",
            "hours",
            Stage.QUALITY,
        ),
        "unsure_share": Says(
            "Cannot tell",
            "The share of a page's items that workers may answer “cannot tell”, outside of box drawing. "
            "Somebody else is asked then; two such answers open a case. To a verification question it is a "
            f"wrong answer. 0: nobody may. {OURS}",
            "share, 0 to 0.5",
        ),
        "reward": Says(
            "Reward a page",
            "What a page pays. The paper does not say what it paid.",
        ),
        "pay_by": Says(
            "Pay by",
            "Page: a page that is not full pays as much as a full one. Item: it pays as its questions, which "
            f"its worker is told before the first one. On a platform, it is always page. {OURS}",
        ),
        "currency": Says(
            "Currency",
            "The currency of all payments: three letters, as in USD (ISO 4217). A platform sets its own.",
        ),
        "crowd.provider": Says(
            "Where workers come from",
            "Direct: people you invite yourself and pay by payroll. Otherwise a platform; its account must "
            "be set in the server's environment (docs/crowd.md).",
            fold="crowd",
        ),
        "crowd.cap": Says(
            "Cap",
            "What the batch may cost including the platform's fees. Nothing is published beyond it. "
            "If you leave it empty, the launch proposes one. A batch for people whom you invite needs none.",
            fold="crowd",
        ),
        "crowd.hourly_wage": Says(
            "Lowest hourly wage",
            "What a page must pay for the time it usually takes. 0: no minimum.",
            fold="crowd",
        ),
        "crowd.top_up": Says(
            "Top up",
            "Pay the difference to the lowest hourly wage as a bonus for each page.",
            fold="crowd",
        ),
        "crowd.open_pages": Says(
            "Open pages", "The most places of a stage that are published and not taken.", "pages", "crowd"
        ),
        "crowd.places": Says(
            "Places a publication",
            "Mechanical Turk charges another 20% of the reward from 10 places on.",
            "places",
            "crowd",
        ),
        "crowd.lifetime_seconds": Says(
            "Time to take a place",
            "After this time a publication ends. If work is left, it is published again.",
            "minutes",
            "crowd",
        ),
        "crowd.approval_seconds": Says(
            "Automatic approval after",
            "The platform pays a submission after this time unless it was rejected before.",
            "minutes",
            "crowd",
        ),
        "crowd.masters": Says(
            "Masters only",
            "Only workers that Mechanical Turk selected as Masters. It charges 5% more.",
            fold="crowd",
        ),
        "crowd.locales": Says(
            "Where workers live",
            "Codes of countries or states, separated by commas: US, GB, US-CA (ISO 3166). Empty: anywhere.",
            fold="crowd",
        ),
        "crowd.only_trusted": Says(
            "Trusted workers only",
            "Publish a stage only to workers who are already trusted in it. Nobody new can join.",
            fold="crowd",
        ),
        "crowd.title": Says(
            "Title", "The title of publications. Empty: made from the stage's name.", fold="crowd"
        ),
        "crowd.description": Says(
            "Description",
            "What workers read before they take a place. Empty: made from the stage's name.",
            fold="crowd",
        ),
        "crowd.keywords": Says(
            "Keywords", "Words that workers search by, separated by commas.", fold="crowd"
        ),
    }
)
"""Help by setting. A setting with a number for each stage stands in the fold of that stage."""
