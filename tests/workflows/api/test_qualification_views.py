from __future__ import annotations

from typing import Any

import pytest

from annotation.models import QualificationTry, VerificationQuestion
from tests.factories import make_worker
from tests.workflows.http import Api, check_problem
from tests.workflows.qualification.tested_workers import GIVEN, RIGHT, WRONG, make_tested

pytestmark = pytest.mark.django_db

PATH = "qualifications/link"


def answers(path: str, api: Api, answer: dict[str, Any], right: int = 4) -> Any:
    body = [{"item": n, "answer": answer if n <= right else WRONG[path.split("/")[1]]} for n in range(1, 5)]
    return api.post(f"{path}/tries/1/submission", {"answers": body})


def train(path: str, api: Api) -> None:
    for item in (1, 2):
        answer = GIVEN[path.split("/")[1]]
        assert api.post(f"{path}/tries/1/training", {"item": item, "answer": answer}).status_code == 200


@pytest.mark.parametrize("stage", sorted(RIGHT))
def test_a_test_from_the_first_look_to_the_result(stage: str) -> None:
    path = f"qualifications/{stage}"
    api = Api(make_worker(make_tested(stage).project))
    before = api.get(path).json()
    assert (before["state"], before["try"], before["tries_left"]) == ("none", None, 3)
    assert (before["training_items"], before["test_items"], before["retry_in"]) == (2, 4, None)
    begun, again = api.post(f"{path}/tries"), api.post(f"{path}/tries")
    assert (begun.status_code, again.status_code) == (201, 200)
    assert begun.json() == again.json() == api.get(path).json()["try"]
    said = api.post(f"{path}/tries/1/training", {"item": 2, "answer": WRONG[stage]}).json()
    assert said == {"right": False, "explanation": "Because of what can be seen.", "answer": RIGHT[stage]}
    assert api.post(f"{path}/tries").json()["answered"] == [2]
    train(path, api)
    test = api.get(path).json()
    assert (test["state"], test["try"]["part"], len(test["try"]["items"])) == ("testing", "testing", 4)
    assert test["try"]["answered"] == []
    first = answers(path, api, GIVEN[stage])
    assert first.json() == {
        "passed": True,
        "right": 4,
        "asked": 4,
        "pass_mark": before["pass_mark"],
        "state": "passed",
        "tries_left": 0,
        "retry_in": None,
    }
    replay = answers(path, api, WRONG[stage])
    assert (first.status_code, replay.status_code) == (201, 200)
    assert first.json() == replay.json()
    after = api.get(path).json()
    assert (after["state"], after["try"]) == ("passed", None)


def test_who_fails_is_told_how_many_were_right_and_when_to_come_again() -> None:
    api = Api(make_worker(make_tested().project))
    api.post(f"{PATH}/tries")
    train(PATH, api)
    ended = answers(PATH, api, GIVEN["link"], right=3).json()
    assert 86_000 < ended.pop("retry_in") <= 86_400
    assert ended == {
        "passed": False,
        "right": 3,
        "asked": 4,
        "pass_mark": 0.8,
        "state": "waiting",
        "tries_left": 2,
    }
    assert api.get(PATH).json()["state"] == "waiting"
    assert "wait until" in check_problem(api.post(f"{PATH}/tries"), 409)["detail"]


def test_questions_look_like_those_of_a_page_and_do_not_say_what_they_are() -> None:
    """A test item shows the same as an item of a page: no role, no id, no answer."""
    batch = make_tested("link")
    api = Api(make_worker(batch.project))
    shown = api.post(f"{PATH}/tries").json()["items"]
    batch.settings = {"regime": "open"}
    batch.save()
    page = api.claim("link").json()
    assert [set(item) for item in shown] == [{"item", "question"}] * 2
    for item in shown:
        ordinary = page["items"][0]["question"]
        assert set(item["question"]) == set(ordinary)
        assert [set(caption) for caption in item["question"]["captions"]] == [
            set(caption) for caption in ordinary["captions"]
        ]
        assert set(item["question"]["image"]) == set(ordinary["image"])


def test_nothing_that_is_read_is_written() -> None:
    api = Api(make_worker(make_tested().project))
    api.get(PATH)
    assert not QualificationTry.objects.exists()
    assert not VerificationQuestion.objects.exclude(exposures=0).exists()


def test_where_no_test_is_asked_for_that_is_said() -> None:
    api = Api(make_worker(make_tested("link").project))
    assert api.get("qualifications/quality").json()["state"] == "not_required"
    check_problem(api.post("qualifications/quality/tries"), 409)


def test_who_is_held_back_by_the_platforms_figures_is_told_so() -> None:
    worker = make_worker(make_tested().project)
    worker.approval = 0.5
    worker.save()
    assert Api(worker).get(PATH).json()["state"] == "figures"


def test_problems_name_the_field() -> None:
    api = Api(make_worker(make_tested().project))
    api.post(f"{PATH}/tries")
    for body, pointer in (
        ({"answer": {"same": True}}, "/item"),
        ({"item": 1, "answer": {"same": 3}}, "/answer/same"),
        ({"item": 9, "answer": {"same": True}}, "/item"),
        ({"item": 1, "answer": {"same": True}, "seconds": 1}, "/seconds"),
    ):
        problem = check_problem(api.post(f"{PATH}/tries/1/training", body), 400)
        assert [error["pointer"] for error in problem["errors"]] == [pointer]
    check_problem(answers(PATH, api, GIVEN["link"]), 409)
    train(PATH, api)
    problem = check_problem(api.post(f"{PATH}/tries/1/submission", {"answers": []}), 400)
    assert [error["pointer"] for error in problem["errors"]] == ["/answers"]


@pytest.mark.parametrize("path", ["qualifications/nothing", f"{PATH}/tries/7/training"])
def test_what_is_not_there_is_404(path: str) -> None:
    api = Api(make_worker(make_tested().project))
    body = {"item": 1, "answer": {"same": True}}
    check_problem(api.post(path, body) if path.endswith("training") else api.get(path), 404)


def test_everything_needs_a_token() -> None:
    for path in (PATH, f"{PATH}/tries", f"{PATH}/tries/1/training", f"{PATH}/tries/1/submission"):
        check_problem(Api(None).post(path), 401)
