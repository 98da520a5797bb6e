"""A model's client: it fetches questions and posts answers, and can do nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.models import Assignment, Batch, Chain, Item, ModelAnswer, ModelVersion
from tests.entities_fast import ONE, TWO, answer, drawn
from tests.factories import LATER, NOW, claim_maybe, make_controlled, make_project, make_worker
from tests.judging_models import JUDGE, held, judge_of, make_judge, make_judged
from tests.workflows.http import Api, check_problem
from tests.workflows.pipeline.invariants import check_rules
from workflows.api.authentication import make_token
from workflows.api.model_views import make_model_token
from workflows.judges.answers import MAX_ANSWERS_AT_ONCE, pass_over_models
from workflows.judges.versions import end_tokens
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GOOD = {"boxes": ["good", "good"], "missing": False}
BAD = {"boxes": ["good", "loose"], "missing": True}


@pytest.fixture
def batch() -> Batch:
    batch = make_judged()
    answer(batch, drawn(ONE, TWO))
    return batch


@pytest.fixture
def api(batch: Batch) -> Api:
    return Api(None, make_model_token(judge_of(batch)))


def test_a_client_sees_what_a_worker_would_and_its_answer_lets_workers_be_asked(
    batch: Batch, api: Api
) -> None:
    reply = api.get("models/questions")
    assert reply.status_code == 200
    (waiting,) = reply.json()["questions"]
    assert waiting["question"]["new_boxes"] == [ONE, TWO]
    (caption,) = waiting["question"]["captions"]
    assert any(piece["mention"] for piece in caption["segments"])
    posted = {"answers": [{"key": waiting["key"], "answer": GOOD}]}
    assert api.post("models/answers", posted).json() == {"outcomes": ["stored"]}
    advance_pending(now=NOW)
    page = Api(make_worker(batch.project)).claim("check").json()
    shown = page["items"][0]["question"]
    assert {**shown, "image": None} == {**waiting["question"], "image": None}
    empty = api.get("models/questions")
    assert empty.json()["questions"] == [] and int(empty.headers["Retry-After"]) > 0


def test_the_same_answers_again_change_nothing_and_others_do_not_count(batch: Batch, api: Api) -> None:
    key = api.get("models/questions").json()["questions"][0]["key"]
    said = [{"answers": [{"key": key, "answer": one}]} for one in (GOOD, GOOD, BAD)]
    outcomes = [api.post("models/answers", one).json()["outcomes"] for one in said]
    assert outcomes == [["stored"], ["same"], ["other"]]
    assert ModelAnswer.objects.get().answer == GOOD


def test_an_answer_that_comes_late_changes_nothing(batch: Batch, api: Api) -> None:
    key = api.get("models/questions").json()["questions"][0]["key"]
    assert pass_over_models(now=NOW + timedelta(seconds=599)) == 0
    assert pass_over_models(now=NOW + timedelta(seconds=601)) == 1
    assert pass_over_models(now=LATER) == 0
    assert api.post("models/answers", {"answers": [{"key": key, "answer": BAD}]}).json() == {
        "outcomes": ["late"]
    }
    advance_pending(now=NOW)
    assert ModelAnswer.objects.get().answer is None
    assert claim_maybe(make_worker(batch.project)) is not None
    assert api.post("models/answers", {"answers": [{"key": key, "answer": BAD}]}).json() == {
        "outcomes": ["late"]
    }
    check_rules(batch.project)


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ([], "/answers"),
        ([{"key": "KEY", "answer": GOOD}] * 2, "/answers/1/key"),
        ([{"key": "w1", "answer": GOOD}], "/answers/0/key"),
        ([{"key": "i999999", "answer": GOOD}], "/answers/0/key"),
        ([{"key": "q999999", "answer": GOOD}], "/answers/0/key"),
        ([{"key": "i99999999999999999999", "answer": GOOD}], "/answers/0/key"),
        ([{"key": "KEY", "answer": {"boxes": ["good"], "missing": False}}], "/answers/0/answer/boxes"),
        (
            [{"key": "KEY", "answer": {"boxes": ["good", "fine"], "missing": False}}],
            "/answers/0/answer/boxes[1]",
        ),
        ([{"key": "KEY", "answer": {"boxes": ["good", "good"]}}], "/answers/0/answer/missing"),
        ([{"key": "KEY", "answer": GOOD, "weight": 9}], "/answers/0/weight"),
        ([{"key": "KEY", "answer": GOOD}] * (MAX_ANSWERS_AT_ONCE + 1), "/answers"),
    ],
)
def test_a_bad_answer_is_named_and_nothing_is_stored(
    batch: Batch, api: Api, answers: list[dict[str, object]], field: str
) -> None:
    key = api.get("models/questions").json()["questions"][0]["key"]
    posted = [{**one, "key": key if one["key"] == "KEY" else one["key"]} for one in answers]
    problem = check_problem(api.post("models/answers", {"answers": posted}), 400)
    assert [error["pointer"] for error in problem["errors"]] == [field]
    assert not ModelAnswer.objects.exists() and held()


def test_what_is_no_number_is_refused(api: Api) -> None:
    raw = b'{"answers": [{"key": "i1", "answer": {"boxes": [NaN], "missing": false}}]}'
    check_problem(api.post("models/answers", raw=raw), 400)


def test_a_model_of_another_project_or_batch_sees_and_answers_nothing(batch: Batch) -> None:
    strangers = [make_judge(make_project("other")), make_judge(batch.project, "judge/2")]
    for model in strangers:
        api = Api(None, make_model_token(model))
        assert api.get("models/questions").json()["questions"] == []
        posted = {"answers": [{"key": f"i{held()[0].pk}", "answer": GOOD}]}
        check_problem(api.post("models/answers", posted), 400)
    assert not ModelAnswer.objects.exists()


def test_a_models_token_opens_nothing_of_a_workers_and_the_other_way_round(batch: Batch, api: Api) -> None:
    check_problem(api.claim(), 401)
    for path in ("me", "stages", "instructions/check"):
        check_problem(api.get(path), 401)
    assert not Assignment.objects.filter(stage="check").exists()
    worker = Api(None, make_token(make_worker(batch.project)))
    check_problem(worker.get("models/questions"), 401)
    check_problem(worker.post("models/answers", {"answers": []}), 401)
    check_problem(Api(None).get("models/questions"), 401)


def test_a_token_that_was_ended_opens_nothing(batch: Batch, api: Api) -> None:
    model = judge_of(batch)
    end_tokens(model=model)
    check_problem(api.get("models/questions"), 401)
    again = Api(None, make_model_token(ModelVersion.objects.get(pk=model.pk)))
    assert again.get("models/questions").status_code == 200


def test_known_questions_are_asked_once_and_their_answers_move_nothing() -> None:
    batch = make_controlled("check", "verification", images=2)
    model = make_judge(batch.project)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE}})
    api = Api(None, make_model_token(model))
    questions = api.get("models/questions?limit=200").json()["questions"]
    known = [one for one in questions if one["key"].startswith("q")]
    assert known
    answers = [
        {
            "key": one["key"],
            "answer": {"boxes": ["good"] * len(one["question"]["new_boxes"]), "missing": False},
        }
        for one in known
    ]
    assert set(api.post("models/answers", {"answers": answers}).json()["outcomes"]) == {"stored"}
    left = api.get("models/questions?limit=200").json()["questions"]
    assert not [one for one in left if one["key"].startswith("q")]
    assert not Item.objects.filter(unread=True).exists()
    assert not Chain.objects.filter(state="done").exists()


@pytest.mark.parametrize("limit", ["0", "201", "x"])
def test_a_limit_that_is_none_is_named(api: Api, limit: str) -> None:
    check_problem(api.get(f"models/questions?limit={limit}"), 400)
