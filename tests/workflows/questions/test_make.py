from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db.models import Value
from django.db.models.functions import Concat, Left

from annotation.domain.answers import DRAWS_BOXES, Stage, parse_answer
from annotation.domain.geometry import Box as PureBox
from annotation.domain.protocols import ENTITIES_PROTOCOLS
from annotation.formats.registry import READERS
from annotation.importing.corpus import import_corpus
from annotation.models import Chain, GoldChain, Judgment, Mention, Project, VerificationQuestion
from tests.factories import (
    FAST,
    NOW,
    answer_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_worker,
)
from tests.shared import shared
from tests.workflows.gold import make_known
from workflows.batch_settings.domain.settings import parse_settings
from workflows.pipeline.advance import advance_pending
from workflows.questions.domain.known_images import QuestionError, content_digest
from workflows.questions.domain.right_answers import is_right
from workflows.questions.domain.stage_questions import MIX
from workflows.questions.make import make_from_gold, promote_chains
from workflows.review.set_aside import set_aside_worker

pytestmark = pytest.mark.django_db


def _make(project: Project, images: Any, **options: Any) -> Counter[tuple[str, str, str]]:
    return make_from_gold(project=project, images=images, now=NOW, **options)


def _many(count: int = 12) -> Project:
    project = make_project()
    for number in range(count):
        make_known(project, name=f"{number}.jpg")
    return project


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_questions_of_all_stages_and_roles_are_made(protocol: str) -> None:
    project = _many()
    settings = parse_settings({"protocol": protocol})
    counts = _make(project, 12, settings=settings)
    assert counts.total() == VerificationQuestion.objects.count() > 150
    assert {(stage, role) for stage, role, _ in counts} == {
        (stage, role) for stage in settings.stages for role in ("gold", "training", "test")
    }
    for stage in settings.stages:
        kinds = {kind for part in MIX[stage] for kind in part.kinds}
        assert kinds == {kind for of, _, kind in counts if of == stage}


@pytest.mark.parametrize("protocol", ENTITIES_PROTOCOLS)
def test_a_stored_question_is_what_was_made(protocol: str) -> None:
    _make(_many(2), 2, settings=parse_settings({"protocol": protocol}))
    for question in VerificationQuestion.objects.select_related("gold_chain__image"):
        assert (question.source, question.state, question.asked) == ("gold", "active", 0)
        assert question.gold_chain is not None
        assert question.gold_chain.image == question.image
        assert question.explanation
        boxes = [PureBox(*edges) for edges in question.boxes]
        box = PureBox(*question.box) if question.box else None
        assert question.content == content_digest(
            question.image_id,
            question.stage,
            question.mentions,
            boxes,
            box,
            [PureBox(*edges) for edges in question.new_boxes],
        )
        if question.stage not in DRAWS_BOXES or "none" in question.answer:
            right = parse_answer(question.stage, question.answer)
            assert is_right(question.stage, question.answer, right, box_iou=0.7)
        elif not question.answer["boxes"]:
            assert sorted(question.boxes) == sorted(question.gold_chain.boxes)
        else:
            assert sorted(question.boxes + question.answer["boxes"]) == sorted(question.gold_chain.boxes)


def test_making_twice_is_making_once() -> None:
    project = _many()
    first = _make(project, 8, seed=3)
    before = list(VerificationQuestion.objects.order_by("pk").values())
    assert _make(project, 8, seed=3).total() == 0
    assert list(VerificationQuestion.objects.order_by("pk").values()) == before
    assert first.total() == len(before)


def test_a_retired_question_is_not_made_again() -> None:
    project = _many(3)
    _make(project, 3)
    VerificationQuestion.objects.update(state="retired")
    assert _make(project, 3).total() == 0
    assert not VerificationQuestion.objects.filter(state="active").exists()


def test_more_images_add_to_those_there_are() -> None:
    project = _many()
    _make(project, 4)
    few = set(VerificationQuestion.objects.values_list("image", "role").distinct())
    _make(project, 8)
    assert few < set(VerificationQuestion.objects.values_list("image", "role").distinct())


def test_another_seed_takes_other_images() -> None:
    taken = []
    for seed in range(5):
        project = _many(6)
        _make(project, 2, seed=seed)
        taken.append(
            tuple(VerificationQuestion.objects.filter(project=project).values_list("image__name").distinct())
        )
    assert len(set(taken)) > 1


def test_no_image_serves_two_roles() -> None:
    """A worker who knows the answers about an image from a test would know them on a page, too."""
    project = _many()
    _make(project, 6)
    _make(project, 12, per_image=6)
    roles = VerificationQuestion.objects.values_list("image", "role").distinct()
    assert len(roles) == len({image for image, _ in roles}) == 12


def test_the_role_can_be_chosen_and_takes_no_images_of_others() -> None:
    project = _many(6)
    assert {role for _, role, _ in _make(project, 2, role="test")} == {"test"}
    assert {role for _, role, _ in _make(project, 6, role="training")} == {"training"}
    assert VerificationQuestion.objects.values("image").distinct().count() == 6
    roles = VerificationQuestion.objects.values_list("image", "role").distinct()
    assert Counter(role for _, role in roles) == {"test": 2, "training": 4}


def test_an_image_of_another_role_is_refused_by_name() -> None:
    project = make_project()
    image = make_known(project)
    _make(project, [image.pk], role="test")
    with pytest.raises(QuestionError, match="serves one role"):
        _make(project, [image.pk], role="gold")


def test_types_that_skip_box_requirement_are_not_asked_about() -> None:
    project = _many()
    _make(project, 12)
    asked = VerificationQuestion.objects.filter(stage="requirement").values_list("mentions", flat=True)
    types = {Mention.objects.get(pk=mention).types for (mention,) in asked}
    assert types == {"animals", "scene", "other"}


def test_images_that_cannot_be_shown_or_are_being_annotated_are_left_out() -> None:
    project = make_project()
    busy = make_known(project)
    make_batch(project)
    bare = make_known(project, picture=False)
    unsized = make_known(project)
    unsized.width = None
    unsized.save()
    unknown = make_image(project, [["man"]])
    good = make_known(project)
    _make(project, 10)
    assert set(VerificationQuestion.objects.values_list("image", flat=True)) == {good.pk}
    for image, why in (
        (bare, "no picture"),
        (unsized, "no picture, or no size"),
        (unknown, "no known chains"),
        (busy, "a batch is annotating"),
        (make_known(make_project()), "has no image"),
    ):
        with pytest.raises(QuestionError, match=why):
            _make(project, [good.pk, image.pk])


def test_images_without_pictures_can_be_taken_where_they_will_come() -> None:
    project = make_project()
    make_known(project, picture=False)
    with pytest.raises(QuestionError, match="no image of project"):
        _make(project, 1)
    assert _make(project, 1, without_pictures=True).total() > 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"images": 0}, "images: must be a number"),
        ({"images": 1, "per_image": 0}, "per_image: must be a number"),
        ({"images": 1, "role": "exam"}, "role: 'exam' is not one of"),
    ],
)
def test_what_cannot_be_made_is_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(QuestionError, match=why):
        _make(_many(1), **options)


def test_a_chain_that_was_cut_differently_is_not_known_any_more() -> None:
    project = make_project()
    image = make_known(project)
    cut = GoldChain.objects.get(image=image, number=1)
    Mention.objects.filter(pk=cut.members[0]).update(superseded=True)
    _make(project, [image.pk])
    asked = {
        pk for mentions in VerificationQuestion.objects.values_list("mentions", flat=True) for pk in mentions
    }
    assert asked and asked.isdisjoint(cut.members)


def test_the_real_sample_serves_the_stages_it_has_answers_for() -> None:
    """Its six images have chains, but no boxes or flags."""
    sample = shared("data", "entities_sample")
    project = make_project()
    import_corpus(
        project=project,
        records=READERS["flickr30k-entities"](sample),
        as_gold=True,
        images=sample / "images",
    )
    counts = _make(project, 6)
    assert {stage for stage, _, _ in counts} == {"link", "verification"}
    by_stage = Counter[str]()
    for (stage, _, _), number in counts.items():
        by_stage[stage] += number
    assert by_stage["link"] == 24
    assert 15 <= by_stage["verification"] <= 24
    chains = {pk: chain.number for chain in GoldChain.objects.all() for pk in chain.members}
    for question in VerificationQuestion.objects.all():
        assert question.answer == {"same": len({chains[pk] for pk in question.mentions}) == 1}


def _finished(captions: list[list[str]], **settings: Any) -> list[Chain]:
    """Return the chains of an image that a crowd has finished."""
    project = make_project()
    make_image(project, captions)
    batch = make_batch(project, **settings)
    for _ in range(200):
        if not batch.works.exclude(state="done").exists():
            return list(Chain.objects.filter(work__batch=batch, state__in=("done", "nonvisual")))
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    raise AssertionError("the image is not done")


def test_finished_chains_become_questions_of_the_stages_they_serve() -> None:
    chains = _finished([["dog"], ["dog"], ["man"]])
    counts = promote_chains(chain_ids=[chain.pk for chain in chains], by="ada", now=NOW)
    assert {role for _, role, _ in counts} == {"gold"}
    assert {stage for stage, _, _ in counts} == set(Stage)
    for question in VerificationQuestion.objects.all():
        assert question.source == "promoted"
        assert question.chain in chains
    assert promote_chains(chain_ids=[chain.pk for chain in chains], by="bob", now=NOW).total() == 0


def test_chains_are_promoted_for_the_stages_of_their_batch() -> None:
    (chain,) = _finished([["man"]], protocol=FAST)
    counts = promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    assert {stage for stage, _, _ in counts} == {"boxes", "check"}, "people skip box requirement"
    drawn = VerificationQuestion.objects.get(kind="all-missing")
    assert drawn.answer == {"boxes": [[10, 20, 110, 220]]}
    assert set(VerificationQuestion.objects.values_list("state", "source")) == {("proposed", "promoted")}


def test_only_promoted_chains_are_taken_for_known() -> None:
    chains = _finished([["dog"], ["dog"], ["man"]])
    man = next(chain for chain in chains if chain.types == "people")
    promote_chains(chain_ids=[man.pk], by="ada", now=NOW)
    asked = VerificationQuestion.objects.values_list("mentions", flat=True)
    assert {pk for mentions in asked for pk in mentions} == set(man.members)
    assert not VerificationQuestion.objects.filter(stage__in=("link", "verification")).exists()


def test_chains_of_an_image_that_serves_tests_are_not_mixed_into_pages() -> None:
    chains = _finished([["dog"], ["dog"], ["man"]])
    known = [chain.pk for chain in chains]
    promote_chains(chain_ids=known, by="ada", now=NOW)
    VerificationQuestion.objects.update(role="test", content=Concat(Left("content", 60), Value("test")))
    assert promote_chains(chain_ids=known, by="ada", now=NOW).total() == 0


def test_what_rests_on_judgments_set_aside_is_not_promoted() -> None:
    """Until `advance` has read this, the chain is still done, with the box that does not count."""
    (chain,) = _finished([["man"]])
    drawn = Judgment.objects.get(item__stage="drawing", boxes__chain=chain)
    aside: dict[str, Any] = {"by": "ada", "note": "", "now": NOW}
    set_aside_worker(worker_id=drawn.worker_id, stage="drawing", unsupported_only=False, **aside)
    with pytest.raises(QuestionError, match="set aside"):
        promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    advance_pending(now=NOW)
    with pytest.raises(QuestionError, match="is not finished"):
        promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    assert not VerificationQuestion.objects.exists()


def test_unfinished_chains_and_images_are_not_promoted() -> None:
    make_at_stage("quality")
    chain = Chain.objects.get()
    with pytest.raises(QuestionError, match=f"chain {chain.pk} is not finished: it is quality"):
        promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    Chain.objects.update(state="done")
    with pytest.raises(QuestionError, match="the image of chain"):
        promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    with pytest.raises(QuestionError, match="there is no chain 0"):
        promote_chains(chain_ids=[chain.pk, 0], by="ada", now=NOW)
