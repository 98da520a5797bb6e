"""How far the verification questions of a batch reach, in the words of pages."""

from __future__ import annotations

from dataclasses import dataclass

from console.common.labels import STAGES
from console.common.numbers import say, say_count
from workflows.batches.domain.question_reach import Reach
from workflows.batches.question_reach import UsedUp
from workflows.review.annotation_queue import MAX_IMAGES


@dataclass(frozen=True, slots=True)
class ReachSaid:
    """How far the questions reach: sentences, and how many more images with questions would help."""

    state: str  # the class of its pill: good, warn or bad
    says: str
    each: str  # what one worker can do
    people: str
    images: int  # to annotate; 0: none
    wanted: int  # of them, if there were so many
    stages: list[tuple[str, str, str, int]]  # name, full pages a worker, full pages in all, workers

    @property
    def hopeless(self) -> bool:
        """Return whether the batch cannot end with the people who are there."""
        return self.state == "bad"


def say_reach(reach: Reach, unused: int, spare: int) -> ReachSaid:
    """Return what a page says about it.

    Questions can be made of `unused` images that are annotated. `spare` images could be annotated.
    """
    narrow = reach.stages[reach.narrowest]
    name, wanted = STAGES[reach.narrowest], max(0, reach.more_images - unused)
    stages = [
        (STAGES[stage], _pages(one.pages_each), _pages(one.pages), one.workers)
        for stage, one in reach.stages.items()
    ]
    if not narrow.pages_each:
        each = f"Workers would get no page of {name}: after the entrances, too few questions are left."
        says = "The batch cannot end."
    else:
        each = (
            f"No worker is asked a question twice, so each worker can do about {_pages(narrow.pages_each)} "
            f"full pages of {name}. The batch takes about {_pages(narrow.pages)} full ones. Plan for about "
            f"{say(reach.people_to_plan_for)} workers: about half fail an entrance, lose trust or leave."
        )
        says = (
            "There are enough verification questions."
            if reach.enough
            else "With the people who are there, the batch cannot end."
            if reach.hopeless
            else "The verification questions may not last until the end."
        )
    return ReachSaid(
        state="bad" if reach.hopeless else "good" if reach.enough else "warn",
        says=says,
        each=each,
        people="" if reach.enough or not narrow.pages_each else _people(reach),
        images=min(wanted, spare, MAX_IMAGES),
        wanted=wanted,
        stages=stages,
    )


def _people(reach: Reach) -> str:
    if reach.invited:
        who = f"{say_count(reach.people, 'person is', 'people are')} invited. With them"
    else:
        who = f"If {reach.people} people go on to the end"
    return (
        f"{who}, work stops when about {say(reach.dry_after)} of {say_count(reach.images, 'image')} are done."
    )


def say_used_up(found: UsedUp) -> str:
    """Return the sentence for a batch whose workers have used up their questions."""
    answers = f"{say_count(found.answers, 'answer waits', 'answers wait')} for more verification questions"
    who = f"{say(found.asked_all)} of {say_count(found.workers, 'worker')} of {STAGES[found.stage]}"
    return f"{answers}: {who} {'has' if found.asked_all == 1 else 'have'} been asked every one there is."


def _pages(number: float) -> str:
    return say(max(1, round(number)) if number else 0)
