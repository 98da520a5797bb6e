"""A chain that is left to the researchers has an open case. Otherwise nobody would find it again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from annotation.models import Case, Chain
from tests.factories import NOW, make_at_stage
from tests.workflows.threads import at_once
from workflows.cases.review_queue import CaseError, close_case, close_cases, flag_chain, open_case
from workflows.review.decide import decide_chain, version_of


def decide(chain: Chain, state: str = "review") -> None:
    chain.refresh_from_db()
    flagged = "nobndbox" if state == "nonvisual" else ""
    decide_chain(
        chain_id=chain.pk,
        by="ada",
        note="ask Bob",
        now=NOW,
        state=state,
        boxes=[],
        flag=flagged,
        version=version_of(chain.work),
    )


def left() -> Chain:
    make_at_stage("drawing")
    chain = Chain.objects.get()
    decide(chain)
    return chain


def waiting() -> list[str]:
    return list(Case.objects.filter(closed_at=None).order_by("pk").values_list("reason", flat=True))


@pytest.mark.django_db
def test_leaving_a_chain_in_review_opens_a_case() -> None:
    chain = left()
    case = Case.objects.get()
    assert (case.reason, case.chain, case.work, case.detail) == (
        "flag",
        chain,
        chain.work,
        {"by": "ada", "note": "ask Bob"},
    )
    decide(chain)
    assert waiting() == ["flag"], "one that waits already is enough"


@pytest.mark.django_db
def test_the_last_case_of_a_chain_in_review_stays_open() -> None:
    chain = left()
    case = Case.objects.get()
    with pytest.raises(CaseError, match=r"left with the researchers.*last case"):
        close_case(case_id=case.pk, by="ada", note="", now=NOW)
    open_case(project_id=case.project_id, reason="sample", now=NOW, work_id=chain.work_id, chain_id=chain.pk)
    close_case(case_id=case.pk, by="ada", note="", now=NOW)
    assert waiting() == ["sample"]


@pytest.mark.django_db
def test_a_chain_that_leaves_review_leaves_the_queue() -> None:
    chain = left()
    decide(chain, "nonvisual")
    close_case(case_id=Case.objects.get().pk, by="ada", note="", now=NOW)
    assert waiting() == []


@pytest.mark.django_db
def test_cases_whose_chain_went_into_review_again_are_told() -> None:
    chain = left()
    decision = chain.decisions.get()
    cases = list(Case.objects.values_list("pk", flat=True))
    assert close_cases(cases=cases, by="ada", now=NOW, decision=decision) == 1


@pytest.mark.django_db(transaction=True)
def test_two_cases_of_a_chain_in_review_closed_at_once_leave_one() -> None:
    chain = left()
    for reason in ("sample", "disagreement", "cycle"):
        open_case(
            project_id=chain.work.batch.project_id,
            reason=reason,
            now=NOW,
            work_id=chain.work_id,
            chain_id=chain.pk,
        )

    def close(case: int) -> bool:
        try:
            close_case(case_id=case, by="ada", note="", now=NOW)
        except CaseError:
            return False
        return True

    cases = list(Case.objects.values_list("pk", flat=True))
    assert at_once([partial(close, case) for case in cases]).count(False) == 1
    assert len(waiting()) == 1


@pytest.mark.django_db(transaction=True)
def test_a_case_closed_while_its_chain_is_left_in_review_is_there_again() -> None:
    make_at_stage("drawing")
    chain = Chain.objects.get()
    flag_chain(chain_id=chain.pk, by="bob", note="", now=NOW)
    case = Case.objects.get()

    def close() -> None:
        try:
            close_case(case_id=case.pk, by="bob", note="", now=NOW)
        except CaseError:
            assert Chain.objects.get().state == "review"

    calls: list[Callable[[], None]] = [close, partial(decide, chain)]
    at_once(calls)
    assert waiting() == ["flag"]
