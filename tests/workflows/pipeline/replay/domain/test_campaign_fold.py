"""The pure fold of an image of a campaign, and the plan that makes the stored rows agree with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import (
    CampaignStage,
    CaptionCheckAnswer,
    CaptionJudgment,
    GradingAnswer,
    WritingAnswer,
)
from annotation.domain.protocols import ENTITIES_PROTOCOLS
from workflows.batch_settings.domain.settings import PROTOCOL_NAMES, BatchSettings, parse_settings
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.photograph_reports import Report
from workflows.pipeline.replay.domain.campaign_fold import (
    CAMPAIGN_PROTOCOLS,
    Known,
    Ruling,
    Subject,
    fold_captions,
    fold_judged,
)
from workflows.pipeline.replay.domain.campaign_plan import StoredQuestion, StoredWork, plan_campaign
from workflows.pipeline.replay.domain.contexts import Given

WRITING, CHECK, GRADING, _ = CampaignStage
RIGHT, MINOR, WRONG = CaptionJudgment
CAPTIONS = parse_settings({"protocol": "captions", "captions": {"wanted": 2, "refused": 1}})
EXPERT = parse_settings({"protocol": "relevance-expert"})


def wrote(number: int) -> Given:
    return Given(number, worker=number, answer=WritingAnswer(f"Caption {number} ."))


def checked(number: int, said: CaptionJudgment) -> Given:
    return Given(100 + number, worker=100 + number, answer=CaptionCheckAnswer(said))


def known(checks: dict[int, CaptionJudgment | None], **more: object) -> Known:
    """Return what is known if these captions were written, and checked if that is not None."""
    said: dict[Subject, list[Given]] = {Subject(WRITING): [wrote(number) for number in checks]}
    for number, judgment in checks.items():
        if judgment is not None:
            said[Subject(CHECK, written=number)] = [checked(number, judgment)]
    return Known(given=said, **more)  # type: ignore[arg-type]


def states(found: Known, settings: BatchSettings = CAPTIONS) -> tuple[list[str], int, bool]:
    """Return the states of the captions, how many are wanted, and whether the image is done."""
    work = fold_captions(found, settings)
    return [one.state for one in work.captions], work.questions[0].wanted, work.is_done


def test_every_protocol_is_either_about_chains_or_a_campaigns() -> None:
    assert set(PROTOCOLS) == set(ENTITIES_PROTOCOLS)
    assert set(PROTOCOLS) | set(CAMPAIGN_PROTOCOLS) == set(PROTOCOL_NAMES)
    assert not set(PROTOCOLS) & set(CAMPAIGN_PROTOCOLS)


def test_a_caption_is_proposed_until_it_is_checked_and_a_refused_one_is_written_again() -> None:
    assert states(known({})) == ([], 2, False)
    assert states(known({1: None, 2: RIGHT})) == (["proposed", "accepted"], 2, False)
    assert states(known({1: MINOR, 2: RIGHT})) == (["accepted", "accepted"], 2, True)
    assert states(known({1: WRONG, 2: RIGHT})) == (["refused", "accepted"], 3, False)
    assert states(known({1: WRONG, 2: WRONG, 3: RIGHT})) == (["refused", "refused", "accepted"], 3, True)


def test_a_flagged_caption_is_not_checked_and_a_researcher_has_the_last_word() -> None:
    flags = {1: ("repeats-own",)}
    found = known({1: None, 2: RIGHT}, flags=flags)
    assert states(found) == (["flagged", "accepted"], 2, False)
    assert [one.subject.written for one in fold_captions(found, CAPTIONS).questions] == [None, 2]
    for ruling, state, done in ((Ruling(True), "accepted", True), (Ruling(False), "refused", False)):
        ruled = replace(found, rulings={1: ruling})
        assert states(ruled)[0] == [state, "accepted"]
        assert states(ruled)[2] is done
    edited = fold_captions(replace(found, rulings={1: Ruling(True, "Better .")}), CAPTIONS)
    assert (edited.captions[0].text, edited.captions[0].flags) == ("Better .", ("repeats-own",))


def test_a_check_that_was_answered_stays_when_a_researcher_decides_otherwise() -> None:
    found = known({1: RIGHT, 2: None}, rulings={1: Ruling(False), 2: Ruling(True)})
    work = fold_captions(found, CAPTIONS)
    assert [one.state for one in work.captions] == ["refused", "accepted"]
    assert [one.subject for one in work.questions] == [Subject(WRITING), Subject(CHECK, written=1)]


def test_the_writer_is_never_asked_to_check() -> None:
    work = fold_captions(known({7: None}), CAPTIONS)
    assert [one.author for one in work.questions] == [None, 7]


@pytest.mark.parametrize(("judgments", "done"), [(0, False), (2, False), (3, True), (4, True)])
def test_a_question_is_done_once_enough_have_judged(judgments: int, done: bool) -> None:
    subject = Subject(GRADING, 0, (5,))
    said = [Given(n, n, GradingAnswer(1 + n % 4)) for n in range(judgments)]
    work = fold_judged(Known(groups=[(5,)], given={subject: said}), EXPERT, GRADING)
    assert (work.questions[0].wanted, work.is_done) == (3, done)


def stored(found: Known, state: str = "asking", **more: object) -> StoredWork:
    rows = [
        StoredQuestion(n, subject, "open", 2, len(said), 0, given=tuple(said))
        for n, (subject, said) in enumerate(found.given.items())
    ]
    return StoredWork(state, groups=found.groups, questions=rows, **more)  # type: ignore[arg-type]


def test_an_image_rests_for_its_photograph_or_for_an_answer_that_nobody_can_tell() -> None:
    protocol = CAMPAIGN_PROTOCOLS["relevance-expert"]
    work = stored(Known(groups=[(5,)], given={Subject(GRADING, 0, (5,)): []}))
    unseen = [Report(1, 1, broken=True)]
    plan = plan_campaign(replace(work, reports=unseen), protocol, EXPERT)
    assert plan.image is not None and (plan.image.target, plan.image.rule) == (
        "resting",
        "photograph-unusable",
    )
    assert plan.rests_for == (("photograph", ""),)
    assert [one.state for one in plan.questions] == ["withdrawn"]
    untold = [Report(n, n, broken=False, unsure=0) for n in (1, 2)]
    plan = plan_campaign(replace(work, reports=untold), protocol, EXPERT)
    assert plan.image is not None and plan.image.rule == "cannot-tell"
    assert plan.rests_for == (("unsure", GRADING),)
    goes_on = replace(work, state="resting", reports=unseen, dismissed=frozenset({1}))
    plan = plan_campaign(goes_on, protocol, EXPERT)
    assert plan.image is not None and (plan.image.target, plan.image.rule) == ("asking", "photograph-usable")


def test_an_image_that_was_released_asks_nothing_new() -> None:
    plan = plan_campaign(
        StoredWork("asking", active=False, groups=[(5,)]), CAMPAIGN_PROTOCOLS["relevance-expert"], EXPERT
    )
    assert not plan.questions


ANSWERS = st.sampled_from([RIGHT, MINOR, WRONG, None])


@given(
    st.lists(ANSWERS, max_size=6),
    st.dictionaries(st.integers(1, 6), st.booleans().map(Ruling)),
    st.dictionaries(st.integers(1, 6), st.just(("repeats-own",))),
    st.booleans(),
)
def test_writing_the_plan_leaves_nothing_to_write(
    checks: list[CaptionJudgment | None],
    rulings: dict[int, Ruling],
    flags: dict[int, tuple[str, ...]],
    check: bool,
) -> None:
    """What a plan writes follows from the same answers, so planning again finds no difference."""
    settings = parse_settings(
        {"protocol": "captions", "captions": {"wanted": 2, "refused": 2, "check": check}}
    )
    protocol = CAMPAIGN_PROTOCOLS["captions"]
    found = known(dict(enumerate(checks, start=1)), rulings=rulings, flags=flags)
    work = stored(found, rulings=rulings, flags=flags)
    plan = plan_campaign(work, protocol, settings)
    rows = {one.subject: one for one in work.questions}
    for change in plan.questions:
        before = change.before or StoredQuestion(50, change.subject, "", 0, 0, 0)
        rows[change.subject] = replace(
            before, state=change.state, needed=change.needed, judged=change.judged, author=change.author
        )
    captions = {one.judgment: one for one in work.captions} | {
        c.after.judgment: c.after for c in plan.captions
    }
    after = replace(
        work,
        state=plan.image.target if plan.image else work.state,
        questions=list(rows.values()),
        captions=list(captions.values()),
    )
    again = plan_campaign(after, protocol, settings)
    assert list(again.lines()) == []
    assert all(one.needed >= one.judged for one in after.questions)
    waiting = [one for one in after.questions if one.state == "open" and one.needed > one.judged]
    flagged = any(one.state == "flagged" for one in after.captions)
    assert (after.state == "done") == (not waiting and not flagged), "an image waits for somebody, or is done"
