"""The judge of the drill finds what is planted, and nothing else."""

from __future__ import annotations

import pytest

from scripts.fault_drill.judge import Import, ModelReceipt, Receipt, Stored, Verdict, as_text

YES, NO = {"same": True}, {"same": False}
RECEIPT = Receipt.of("p", [{"item": 2, "answer": NO}, {"item": 1, "answer": YES}], 2, 0)
STORED = Stored({0: [as_text(YES)], 1: [as_text(NO)]}, paid=1)


def verdict(receipts: list[Receipt], **stored: Stored) -> list[str]:
    found = Verdict()
    found.of_pages(receipts, stored)
    return found.found


def test_pages_that_are_stored_as_sent_are_fine() -> None:
    assert verdict([RECEIPT, RECEIPT], p=STORED) == []
    assert verdict([RECEIPT], p=Stored(STORED.answers)) == [], "a platform pays it"


@pytest.mark.parametrize(
    ("stored", "says"),
    [
        ({}, "page p: LOST: 2 answers were acknowledged and are not stored"),
        (
            {"p": Stored({0: STORED.answers[0]}, paid=1)},
            "page p: LOST: the answer at place 2 was acknowledged and is not stored",
        ),
        (
            {"p": Stored({**STORED.answers, 1: [as_text(NO)] * 2}, paid=1)},
            "page p: DOUBLED: the answer at place 2 is stored 2 times",
        ),
        (
            {"p": Stored({**STORED.answers, 1: [as_text(YES)]}, paid=1)},
            'page p: the answer at place 2 is stored as {"same":true}, and {"same":false} was sent',
        ),
        ({"p": Stored(STORED.answers, paid=0)}, "page p: its reward is in the ledger 0 times"),
        ({"p": Stored(STORED.answers, paid=2)}, "page p: its reward is in the ledger 2 times"),
        ({"p": STORED, "q": STORED}, "page q: stored, but nobody has its receipt"),
    ],
)
def test_what_is_planted_is_found(stored: dict[str, Stored], says: str) -> None:
    assert verdict([RECEIPT], **stored) == [says]


def test_receipts_of_a_page_have_to_be_equal() -> None:
    other = Receipt.of("p", [{"item": 1, "answer": YES}, {"item": 2, "answer": NO}], 1, 1)
    assert verdict([RECEIPT, other], p=STORED) == ["page p: its receipts differ"]
    short = Receipt.of("p", [{"item": 1, "answer": YES}, {"item": 2, "answer": NO}], 1, 0)
    assert verdict([short], p=STORED) == ["page p: its receipt is for 1 of 2 answers"]


@pytest.mark.parametrize(
    ("outcome", "stored", "says"),
    [
        ("stored", {"i1": "a"}, None),
        ("same", {"i1": "a"}, None),
        ("stored", {}, "question i1: LOST: a model's answer is not stored"),
        ("stored", {"i1": None}, "question i1: LOST: a model's answer is not stored"),
        ("same", {"i1": "b"}, "question i1: a model's answer is stored as b, not a"),
        ("late", {"i1": None}, None),
        ("late", {}, None),
        ("late", {"i1": "a"}, "question i1: a is stored, though answers were late"),
        ("other", {"i1": "b"}, None),
        ("other", {"i1": "a"}, "question i1: the model had said nothing else"),
        ("other", {}, "question i1: the model had said nothing else"),
    ],
)
def test_what_became_of_a_models_answer_is_what_it_was_told(
    outcome: str, stored: dict[str, str | None], says: str | None
) -> None:
    found = Verdict()
    found.of_models([ModelReceipt("i1", "a", outcome)], stored)
    assert found.found == ([] if says is None else [says])


def test_imports_and_replies_are_judged() -> None:
    found = Verdict()
    found.of_imports([Import("a", 30, 30), Import("b", 30, 29), Import("c", 30, 30, unfinished=1)])
    found.of_replies({200: 10, 503: 7})
    assert found.found == ["import b: it has 29 images, not 30", "import c: 1 jobs are not done"]
    found.of_replies({500: 2})
    assert found.found[-1] == "2 requests got the status 500"
