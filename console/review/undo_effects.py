"""What undoing a decision does, in sentences."""

from __future__ import annotations

from annotation.models import Decision
from console.common.case_list import say_case
from console.common.held_pages import say_held
from console.common.labels import STAGES, say_state
from console.common.numbers import say_count
from workflows.review.undo_effects import Moved, UndoEffect


def say_undo(decision: Decision, effect: UndoEffect) -> list[str]:
    """Return what goes back. What stays is in STAYS."""
    if decision.kind == Decision.Kind.CLOSE:
        return _reopened(effect)
    found = []
    if decision.kind == Decision.Kind.CAPTION:
        found.append("The caption says again what it said before.")
    found += _phrases(*effect.phrases)
    found += [_chain(one) for one in effect.chains]
    found += _work(effect)
    found += [f"This case is in the review queue again: {say_case(case)}." for case in effect.cases]
    if effect.questions:
        asked = say_count(effect.questions, "verification question", "verification questions")
        found.append(f"{asked} made from the image's known answers {_are(effect.questions)} retired.")
    return found or ["Nothing that rests on it changes."]


def _reopened(effect: UndoEffect) -> list[str]:
    """A case about a worker says of each stage what becomes of it, if it was closed in several."""
    several = len(effect.cases) + len(effect.kept) > 1
    found = []
    for case in effect.cases:
        where = f", in {STAGES.get(case.stage, case.stage)}" if several else ""
        found.append(f"The case is in the review queue again{where}: {say_case(case)}.")
    return found + [f"It stays closed in {STAGES.get(case.stage)}, as it {why}." for case, why in effect.kept]


STAYS = (
    "All judgments are kept, and no pay changes. Workers' scores for verification questions stay, retired "
    "questions stay retired, and questions that somebody made from a finished chain go on being asked."
)
"""What undoing a decision about an image does not change."""


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _phrases(back: int, gone: int) -> list[str]:
    found = []
    if back:
        found.append(f"{say_count(back, 'phrase is a mention', 'phrases are mentions')} again.")
    if gone:
        found.append(f"{say_count(gone, 'phrase is no mention', 'phrases are no mentions')} any more.")
    return found


def _chain(one: Moved) -> str:
    name = f"The chain of “{one.text}”"
    before, after = one.boxes
    boxes = say_count(after, "box", "boxes")
    if not one.before:
        return f"{name} is there again: {say_state(one.after)}, {boxes}."
    if not one.after:
        return f"{name} is withdrawn."
    changed = f" It has {boxes}, not {before}." if before != after else ""
    if one.before == one.after:
        return f"{name} stays in the state “{say_state(one.after)}”.{changed}"
    return f"{name} goes from “{say_state(one.before)}” back to “{say_state(one.after)}”.{changed}"


def _work(effect: UndoEffect) -> list[str]:
    if effect.let_go:
        return [
            "The chains and boxes of the annotation are withdrawn. The image is in no batch again: a batch "
            "may take it, and you can annotate it again."
        ]
    found = []
    for number, does in ((effect.boxes_back, "counts again"), (effect.boxes_gone, "is withdrawn")):
        if number:
            many = {"counts again": "count again", "is withdrawn": "are withdrawn"}[does]
            found.append(f"{say_count(number, f'box {does}', f'boxes {many}')}.")
    if effect.count_again:
        again = say_count(effect.count_again, "judgment counts", "judgments count")
        found.append(f"{again} again.")
    if effect.count_no_more:
        given = say_count(effect.count_no_more, "judgment does", "judgments do")
        found.append(f"{given} not count any more, as the questions are gone.")
    if effect.asked:
        asked = say_count(effect.asked, "question is", "questions are")
        found.append(f"{asked} put to workers.")
    found += say_held(effect.pages)
    before, after = effect.image
    if after:
        found.append(f"The image goes from “{say_state(before)}” back to “{say_state(after)}”.")
    if effect.resumed:
        pays = ", and pays for the answers that it still needs" if effect.pays else ""
        found.append(f"The batch is finished. It goes on{pays}.")
    return found
