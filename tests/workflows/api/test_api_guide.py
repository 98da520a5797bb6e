"""docs/api.md stays true: its requests are sent, and the replies compared with its examples."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotation.domain.answers import Stage, parse_answer
from annotation.domain.protocols import ALL_STAGES
from tests.factories import NOW, make_project, make_running, make_worker
from tests.shared import ROOT
from tests.workflows.http import Api, check_problem
from tests.workflows.qualification.tested_workers import make_tested
from workflows.api.openapi import PAGE_EXAMPLES
from workflows.assignments.claim import PAGES_AT_ONCE
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.qualification.try_view import STATES
from workflows.quality.domain.stage_access import Access
from workflows.workers.domain.sign_ins import TOKENS_PER_SIGN_IN
from workflows.workers.enrolment import block_worker

GUIDE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES: list[dict[str, Any]] = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", GUIDE, re.S)]
PAGE, RECEIPT, QUALIFICATION, EXPLANATION, OUTCOME, ME, PROBLEM = EXAMPLES
BODIES = [json.loads(text) for text in re.findall(r" -d '(.*?)'", GUIDE)]
PROGRAMS: list[str] = re.findall(r"python3 -c '(.*?)'", GUIDE, re.S)


def test_the_example_page_is_the_one_of_the_api_document() -> None:
    assert PAGE_EXAMPLES[0].value == PAGE


def test_every_answer_of_the_table_is_one() -> None:
    stages = "link|requirement|drawing|quality|coverage|boxes|check|writing|caption_check|grading|relevance"
    table = re.findall(rf"^\| ((?:{stages})[^|]*) \| (.*) \|$", GUIDE, re.M)
    seen = set()
    for asked, text in table:
        for stage in asked.split(", "):
            seen.add(stage)
            for answer in re.findall(r"`(\{.*?\})`", text):
                parse_answer(stage, json.loads(answer))
    assert seen == set(ALL_STAGES)


@pytest.mark.django_db
def test_the_requests_of_the_guide_get_the_replies_of_the_guide() -> None:
    batch = make_running([["man"], ["man"]], reward={"link": 5})
    api = Api(make_worker(batch.project, "ada"))
    claim, submission = BODIES
    page = api.post("assignments", claim).json()
    assert {**page, "items": [], "expires_in": 900} == {
        **PAGE,
        **{name: page[name] for name in ("id", "expires_at")},
        "items": [],
        "usual_seconds": page["usual_seconds"],  # the guide's page has more items
    }
    assert set(page["items"][0]) == set(PAGE["items"][0])
    path = f"assignments/{page['id']}/submission"
    bad = {"answers": [{"item": 1, "answer": {"same": "yes"}}]}
    assert check_problem(api.post(path, bad), 400) == PROBLEM
    reply = api.post(path, submission)
    assert (reply.status_code, reply.json()) == (201, {**RECEIPT, "id": page["id"]})
    me = api.get("me").json()
    link = {**me["stages"][0], "waiting": True}  # the guide's server has more than one image
    assert {**me, "stages": [link]} == {**ME, "project": batch.project.name}
    assert len(me["stages"]) == len(Stage)


@pytest.mark.django_db
def test_a_test_goes_as_the_guide_says() -> None:
    api = Api(make_worker(make_tested("link").project))
    path = "qualifications/link"
    assert api.get(path).json() == QUALIFICATION
    assert api.post(f"{path}/tries").status_code == 201
    wrong = {"item": 1, "answer": {"same": False}}
    assert api.post(f"{path}/tries/1/training", wrong).json() == EXPLANATION
    api.post(f"{path}/tries/1/training", {"item": 2, "answer": {"same": True}})
    answers = [{"item": n, "answer": {"same": n > 1}} for n in range(1, 5)]
    outcome = api.post(f"{path}/tries/1/submission", {"answers": answers}).json()
    assert outcome.pop("retry_in") == pytest.approx(OUTCOME["retry_in"], abs=60)
    assert outcome == {name: value for name, value in OUTCOME.items() if name != "retry_in"}
    table = GUIDE.split("| `state` | meaning")[1].split("\n\n")[0]
    assert set(STATES) == set(re.findall(r"`(\w+)`", table)) - {"try", "retry_in"}


def test_the_guide_says_what_every_standing_means() -> None:
    table = GUIDE.split("| `standing` |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.M) == [str(standing) for standing in Access]


@pytest.mark.django_db
def test_tokens_are_renewed_for_whom_the_guide_says() -> None:
    promised = re.search(
        r"`POST (\w+)`. The reply is `(\{.*?\})`.+?A token that has ended gets (\d+)", GUIDE, re.DOTALL
    )
    assert promised
    path, reply, status = promised.groups()
    worker = make_worker(make_project())
    api = Api(worker)
    fresh = api.post(path)
    assert (fresh.status_code, set(fresh.json())) == (200, set(json.loads(reply)))
    block_worker(worker_id=worker.pk, by="rita", note="", now=NOW)
    check_problem(api.post(path), int(status))


@pytest.mark.django_db
def test_the_programs_of_the_guide_answer_a_page_with_several_items(tmp_path: Path) -> None:
    api = Api(make_worker(make_running([["man"], ["man"]], images=3).project))
    reply = api.post("assignments", BODIES[0])
    (tmp_path / "page.json").write_bytes(reply.content)
    assert len(reply.json()["items"]) == 3
    show_id, write_answers = (
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, check=True).stdout
        for program in PROGRAMS
    )
    path = f"assignments/{show_id.decode().strip()}/submission"
    assert api.post(path, raw=write_answers).status_code == 201


def test_the_numbers_of_the_guide_are_right(settings: Any) -> None:
    assert settings.GROUNDCREW_TOKEN_DAYS == 30
    assert TOKENS_PER_SIGN_IN * settings.GROUNDCREW_TOKEN_DAYS == 180 and "180 days" in GUIDE
    assert PAGES_AT_ONCE == 6
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == 1_000_000
    assert BatchSettings().minimum_side == 3
    assert "at least 3 pixels" in GUIDE
