"""What a change of a caption does, in sentences."""

from __future__ import annotations

from dataclasses import replace

from console.captions.effects import say_effect
from workflows.review.caption_effects import Effect
from workflows.review.selectors import HeldPages

NOTHING = Effect(
    kept=0,
    gone=(),
    chains=(),
    count_no_more=0,
    questions=0,
    pages=HeldPages(),
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


def test_pages_in_hand_are_paid_only_if_a_reward_was_promised() -> None:
    """Of a batch without rewards, the page said that they are paid."""
    said = [
        say_effect(replace(NOTHING, pages=HeldPages(*pages))) for pages in ((1, 0), (1, 1), (3, 0), (3, 3))
    ]
    assert said == [
        ["1 page in workers' hands asks about this. It can be submitted, but these answers do not count."],
        [
            "1 page in workers' hands asks about this. "
            "It can be submitted and is paid, but these answers do not count."
        ],
        ["3 pages in workers' hands ask about this. They can be submitted, but these answers do not count."],
        [
            "3 pages in workers' hands ask about this. "
            "They can be submitted and are paid, but these answers do not count."
        ],
    ]
    some = say_effect(replace(NOTHING, pages=HeldPages(3, 1)))
    assert "They can be submitted, and 1 of them is paid, but" in some[0]
