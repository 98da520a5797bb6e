"""What a change of a caption does, in sentences."""

from __future__ import annotations

from dataclasses import replace

from console.captions.effects import say_effect
from workflows.review.caption_effects import Effect

NOTHING = Effect(
    kept=0,
    gone=(),
    chains=(),
    count_no_more=0,
    questions=0,
    pages=0,
    alone=0,
    linked=True,
    begun=True,
    by_hand=False,
)


def test_all_judgments_are_one_number_and_what_is_not_undone_is_said() -> None:
    said = say_effect(replace(NOTHING, gone=("a man", "a dog"), count_no_more=11, questions=2))
    assert said == [
        "“a man” is no mention any more.",
        "“a dog” is no mention any more.",
        "11 judgments do not count any more.",
        "2 verification questions are retired, and stay retired if you undo this.",
    ]
    said = say_effect(replace(NOTHING, count_no_more=1, questions=1))
    assert said == [
        "1 judgment does not count any more.",
        "1 verification question is retired, and stays retired if you undo this.",
    ]
