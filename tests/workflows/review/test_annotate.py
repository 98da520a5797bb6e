"""A researcher annotates a whole image alone, and what comes out holds like any other decision."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import orjson
import pytest

from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.models import (
    Batch,
    Box,
    Case,
    Chain,
    Decision,
    GoldChain,
    Image,
    ImageWork,
    Mention,
    VerificationQuestion,
)
from tests.factories import (
    NOW,
    answer_page,
    make_at_stage,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
)
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.review.annotating import BOX, drawn, in_use, said, store
from tests.workflows.threads import at_once
from workflows.cases.review_queue import flag_chain
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.questions.approve import decide_proposals
from workflows.questions.make import make_from_gold, promote_chains
from workflows.review.decide import StaleDecisionError
from workflows.review.set_aside import set_aside_worker
from workflows.review.undo import undo_decision

pytestmark = pytest.mark.django_db


@pytest.fixture
def image() -> Image:
    """Return an image that no batch has."""
    return make_image(make_project(), [["man", "dog"], ["man"]])


def test_an_image_in_no_batch_becomes_final(image: Image) -> None:
    data = said(image)
    data["captions"][1]["phrases"][0]["chain"] = "C0"
    data["chains"] = [
        {"name": "C0", "boxes": [BOX], "flag": ""},
        {"name": "C1", "boxes": [], "flag": "nobndbox"},
    ]
    decision = store(image, data)
    work = ImageWork.objects.get()
    assert (work.state, work.batch.by_hand, work.batch.state, work.batch.name) == (
        "done",
        True,
        "finished",
        "by-hand",
    )
    man, dog = in_use(image)
    assert (man.state, len(man.members), [b.rectangle.edges for b in man.boxes.all()]) == (
        "done",
        2,
        [tuple(BOX)],
    )
    assert (dog.state, dog.flag) == ("nonvisual", "nobndbox")
    assert (decision.kind, decision.by, decision.content["purpose"]) == ("annotate", "ada", "final")
    check_rules(image.project)


def test_two_images_are_exported_as_they_were_drawn(tmp_path: Path) -> None:
    project = make_project()
    images = [make_image(project, [["man"], ["dog"]], name=f"{n}.jpg") for n in "ab"]
    for place, one in enumerate(images):
        data = drawn(one)
        data["chains"][0]["boxes"] = [[place, 1, 50, 60], [100, 1, 150, 60]]
        data["chains"][1] |= {"boxes": [], "flag": "scene"}
        data["captions"][1]["phrases"][0]["types"] = ["vehicles", "animals"]
        store(one, data)
    export_dataset(project=project, format="jsonl", out=tmp_path / "x", options=ExportOptions(merge=None))
    (file,) = (path for path in (tmp_path / "x").glob("*.jsonl") if path.name != "provenance.jsonl")
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    assert [line["name"] for line in lines] == ["a.jpg", "b.jpg"]
    for place, line in enumerate(lines):
        man, dog = line["chains"]
        assert [line["boxes"][n]["box"] for n in man["boxes"]] == [[place, 1, 50, 60], [100, 1, 150, 60]]
        assert (dog["scene"], "boxes" in dog, dog["types"]) == (True, False, ["animals", "vehicles"])


def test_the_same_key_stores_once(image: Image) -> None:
    data = drawn(image)
    assert store(image, data) == store(image, data)
    assert Decision.objects.count() == 1


def test_what_changed_since_is_refused_and_nothing_is_stored(image: Image) -> None:
    data = drawn(image)
    Mention.objects.filter(image=image, text="a dog").update(types="other")
    with pytest.raises(StaleDecisionError):
        store(image, data)
    assert not ImageWork.objects.exists()
    store(image, drawn(image, key="k2"))
    with pytest.raises(StaleDecisionError):
        store(image, drawn(image, key="k3") | {"version": data["version"]})


def test_a_second_annotation_keeps_boxes_that_stay(image: Image) -> None:
    first = store(image, drawn(image))
    data = drawn(image, key="k2")
    data["chains"][0]["boxes"].append([200, 20, 300, 220])
    second = store(image, data)
    boxes = Box.objects.filter(chain=in_use(image)[0], state="accepted").order_by("pk")
    assert [box.decision_id for box in boxes] == [first.pk, second.pk]
    assert Batch.objects.count() == 1
    check_rules(image.project)


def test_types_in_another_order_are_the_same_mention(image: Image) -> None:
    mention = Mention.objects.filter(image=image).latest("pk")
    Mention.objects.filter(pk=mention.pk).update(types="bodyparts/people")  # as the dictionaries write it
    data = drawn(image)
    data["captions"][1]["phrases"][0]["types"] = ["people", "bodyparts"]
    store(image, data)
    assert Mention.objects.filter(image=image).count() == 3
    mention.refresh_from_db()
    assert (mention.types, mention.superseded) == ("bodyparts/people", False)


def test_types_phrases_and_what_is_not_visual_are_corrected(image: Image) -> None:
    data = drawn(image)
    data["captions"][0]["phrases"] = [
        {"start": 0, "end": 1, "types": ["other"], "chain": ""},
        {"start": 1, "end": 4, "types": ["people", "animals"], "chain": "C1"},
    ]
    data["captions"][1]["phrases"][0]["types"] = ["scene"]
    data["chains"] = data["chains"][1:]
    store(image, data)
    mentions = Mention.objects.filter(image=image, superseded=False).order_by("caption__index", "start")
    assert [(m.text, m.types, m.annotatable) for m in mentions] == [
        ("a", "other", False),
        ("man a dog", "people/animals", True),
        ("a man", "scene", True),
    ]
    check_rules(image.project)
    back = drawn(image, key="k2")
    back["captions"][1]["phrases"][0]["types"] = ["people"]
    store(image, back)
    assert Mention.objects.filter(text="a man", types="people", caption__index=1).count() == 1
    check_rules(image.project)


def test_an_image_whose_phrases_are_all_removed_is_done(image: Image) -> None:
    data = said(image) | {"chains": [], "captions": [{"phrases": []}, {"phrases": []}]}
    store(image, data)
    assert ImageWork.objects.get().state == "done" and in_use(image) == []
    check_rules(image.project)


def test_final_ends_the_work_of_a_crowd_and_outlives_its_judgments() -> None:
    batch = make_at_stage("quality")
    image, worker = Image.objects.get(), Box.objects.get().judgment.worker  # type: ignore[union-attr]  # a worker's
    flag_chain(chain_id=Chain.objects.get().pk, by="ada", note="", now=NOW)
    decision = store(image, drawn(image))
    chain = Chain.objects.exclude(state="withdrawn").get()
    assert (chain.state, Batch.objects.get().state) == ("done", "finished")
    assert Case.objects.get().decision == decision
    set_aside_worker(worker_id=worker.pk, stage="drawing", by="ada", note="", now=NOW, unsupported_only=False)
    advance_pending(now=NOW)
    assert [box.rectangle.edges for box in chain.boxes.filter(state="accepted")] == [(10, 20, 110, 220)]
    check_promises(batch.project)
    check_rules(batch.project)


def test_final_can_be_said_before_the_first_question() -> None:
    project = make_project()
    image = make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    with pytest.raises(DecisionError, match="draft"):
        store(image, drawn(image))
    Batch.objects.filter(pk=batch.pk).update(state="running")
    store(image, drawn(image))
    assert (ImageWork.objects.get().state, Batch.objects.get().state) == ("done", "finished")
    check_rules(project)


def test_a_correction_lets_other_chains_go_on() -> None:
    batch = make_running([["man", "dog"], ["woman"]])
    image = Image.objects.get()
    answer_page(make_worker(batch.project))
    advance_pending(now=NOW)
    while not Chain.objects.exists():
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    data = said(image, "correction")
    data["chains"][0]["boxes"] = [BOX]
    store(image, data)
    assert sorted(chain.state for chain in in_use(image)) != ["done"] * len(in_use(image))
    assert in_use(image)[0].state == "done"
    assert Batch.objects.get().state == "running"
    check_promises(batch.project)
    check_rules(batch.project)
    while Batch.objects.get().state == "running":
        answer_page(make_worker(batch.project))
        advance_pending(now=NOW)
    check_rules(batch.project)


def test_a_correction_needs_somebody_to_correct(image: Image) -> None:
    with pytest.raises(DecisionError, match="purpose"):
        store(image, drawn(image, "correction"))


def test_gold_is_known_for_questions_of_every_role() -> None:
    project = make_project()
    for _ in range(4):
        store(image := make_image(project, [["man", "dog"], ["man"]]), drawn(image, "gold"))
    assert GoldChain.objects.count() == 12
    make_from_gold(project=project, images=4, now=NOW)
    roles = set(VerificationQuestion.objects.values_list("role", flat=True))
    assert {"gold", "test"} & roles and set(
        VerificationQuestion.objects.values_list("source", flat=True)
    ) == {"gold"}


def test_gold_annotated_anew_retires_the_questions_made_from_it() -> None:
    project = make_project()
    images = [make_image(project, [["man", "dog"], ["man"]]) for _ in range(4)]
    for one in images:
        store(one, drawn(one, "gold"))
    make_from_gold(project=project, images=4, now=NOW)
    asked = VerificationQuestion.objects.select_related("image")[0].image
    before = VerificationQuestion.objects.filter(state="active").exclude(image=asked).count()
    store(asked, drawn(asked, "gold", key="k2"))
    assert not VerificationQuestion.objects.filter(state="retired").exists(), "it says the same"
    data = drawn(asked, "gold", key="k3")
    data["chains"][0]["boxes"] = [[0, 0, 300, 300]]
    store(asked, data)
    of_image = VerificationQuestion.objects.filter(image=asked)
    assert set(of_image.values_list("state", "retired")) == {("retired", "annotated anew")}
    assert VerificationQuestion.objects.filter(state="active").count() == before
    known = GoldChain.objects.filter(image=asked, superseded=False)
    assert known.count() == 3 and [[0, 0, 300, 300]] in [chain.boxes for chain in known]


def test_final_drawn_over_gold_retires_its_questions_and_is_known_from_then_on() -> None:
    project = make_project()
    images = [make_image(project, [["man", "dog"], ["man"]]) for _ in range(2)]
    for one in images:
        store(one, drawn(one, "gold"))
    make_from_gold(project=project, images=2, now=NOW)
    asked = images[0]
    store(asked, drawn(asked, key="k2"))
    assert not VerificationQuestion.objects.filter(state="retired").exists(), "it says the same"
    data = drawn(asked, key="k3")
    data["chains"][0]["boxes"] = [[0, 0, 300, 300]]
    decision = store(asked, data)
    of_image = VerificationQuestion.objects.filter(image=asked)
    assert set(of_image.values_list("state", "retired")) == {("retired", "annotated anew")}
    known = GoldChain.objects.filter(image=asked, superseded=False)
    assert known.count() == 3 and [[0, 0, 300, 300]] in [chain.boxes for chain in known]
    undo_decision(decision_id=decision.pk, by="ada", note="", now=NOW)
    assert [[0, 0, 300, 300]] not in [chain.boxes for chain in known.all()]


def test_final_of_an_image_that_gives_no_questions_leaves_imported_chains_known(image: Image) -> None:
    members = list(Mention.objects.filter(image=image).values_list("pk", flat=True))
    GoldChain.objects.create(image=image, number=1, members=members[:1], boxes=[BOX])
    store(image, drawn(image))
    assert [chain.boxes for chain in GoldChain.objects.filter(image=image, superseded=False)] == [[BOX]]


def test_questions_of_finished_chains_are_retired_once_these_are_drawn_anew() -> None:
    project = make_project()
    image = make_image(project, [["man", "dog"], ["man"]])
    store(image, drawn(image))
    promote_chains(chain_ids=[chain.pk for chain in in_use(image)], by="ada", now=NOW)
    made = list(VerificationQuestion.objects.values_list("pk", flat=True))
    decide_proposals(project_id=project.pk, approve=made[1:], by="ada", now=NOW)
    store(image, drawn(image, key="k2"))
    states = VerificationQuestion.objects.values_list("state", "retired").distinct()
    assert set(states) == {("proposed", ""), ("active", "")}, "it says the same"
    data = drawn(image, key="k3")
    data["chains"][0]["boxes"] = [[0, 0, 300, 300]]
    store(image, data)
    assert set(states.all()) == {("retired", "annotated anew")}


def test_the_second_batch_by_hand_has_another_name_if_the_first_is_taken() -> None:
    project = make_project()
    make_image(project, [["man"]])
    make_batch(project, name="by-hand")
    store(image := make_image(project, [["man"]]), drawn(image))
    assert ImageWork.objects.get(image=image).batch.name == "by-hand-2"


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_one_of_two_who_annotate_an_image_at_once_is_told(image: Image) -> None:
    data = [drawn(image, key=key) for key in ("one", "two")]

    def annotate(one: dict[str, object]) -> str:
        try:
            store(image, one)
        except StaleDecisionError:
            return "told"
        return "stored"

    assert sorted(at_once([partial(annotate, one) for one in data])) == ["stored", "told"]
    assert Decision.objects.count() == ImageWork.objects.count() == 1


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_what_is_sent_twice_at_once_is_stored_once(image: Image) -> None:
    data = drawn(image)
    made = at_once([lambda: store(image, data).pk] * 2)
    assert len(set(made)) == 1 == Decision.objects.count()
