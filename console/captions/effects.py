"""What a change of a caption does, in sentences."""

from __future__ import annotations

from console.common.held_pages import say_held
from console.common.numbers import say_count
from workflows.review.caption_effects import Effect, Touched


def say_effect(effect: Effect) -> list[str]:
    """Return what would change, the mentions first."""
    found = []
    if effect.kept:
        rests = ", with everything that rests on them" if effect.begun or effect.linked else ""
        found.append(f"{say_count(effect.kept, 'phrase stays', 'phrases stay')}{rests}.")
    found += [f"“{text}” is no mention any more." for text in effect.gone]
    found += [_chain(one) for one in effect.chains]
    if effect.count_no_more:
        given = say_count(effect.count_no_more, "judgment does", "judgments do")
        found.append(f"{given} not count any more.")
    found += _asked(effect)
    if effect.questions:
        asked = say_count(effect.questions, "verification question is", "verification questions are")
        stay = "stays" if effect.questions == 1 else "stay"
        found.append(f"{asked} retired, and {stay} retired if you undo this.")
    found += say_held(effect.pages)
    return found or ["Nothing rests on this caption yet."]


def _chain(one: Touched) -> str:
    boxes = len(one.place.boxes)
    had = f"The chain of “{one.text}”"
    if one.ends:
        return f"{had} ends, with {say_count(boxes, 'box', 'boxes')}." if boxes else f"{had} ends."
    parts = [f"goes on with {one.keeps} of its {say_count(len(one.place.members), 'mention')}"]
    if one.joins:
        parts.append(f"and {one.joins} new")
    kept = f" It keeps its {say_count(boxes, 'box', 'boxes')}." if boxes else ""
    return f"{had} {' '.join(parts)}.{kept}"


def _asked(effect: Effect) -> list[str]:
    if effect.linked and effect.alone:
        if effect.by_hand:
            new = say_count(effect.alone, "new phrase waits", "new phrases wait")
            return [f"{new} in the review queue: no other worker is asked."]
        new = say_count(effect.alone, "new phrase")
        return [f"Workers are asked about {new}. If the batch is over, it goes on."]
    if effect.begun and not effect.linked and (effect.gone or effect.alone):
        return ["Workers are asked about the links of the phrases that there are now."]
    return []
