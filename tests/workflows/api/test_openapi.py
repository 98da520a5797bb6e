from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from jsonschema import Draft4Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from annotation.domain.answers import CampaignStage, Stage
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch
from tests.campaigns import make_campaign_at
from tests.entities_fast import make_fast_at
from tests.factories import make_at_stage, make_running, make_worker, willing
from tests.shared import ROOT
from tests.workflows.http import Api
from tests.workflows.qualification.tested_workers import GIVEN, make_tested

COMMITTED = ROOT / "docs" / "openapi.yaml"


def test_the_committed_document_is_what_the_code_says(tmp_path: Path) -> None:
    made = tmp_path / "openapi.yaml"
    call_command("spectacular", "--file", str(made), "--validate", "--fail-on-warn")
    assert made.read_text(encoding="utf-8") == COMMITTED.read_text(encoding="utf-8"), (
        "docs/openapi.yaml is stale: run manage.py spectacular --file docs/openapi.yaml"
    )


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
    return loaded


def check(document: dict[str, Any], name: str, data: object) -> None:
    """Assert that the data has the shape that the document gives it, and no other property."""
    registry: Registry[Any] = Registry().with_resource("urn:api", DRAFT4.create_resource(document))
    schema = {"$ref": f"urn:api#/components/schemas/{name}"}
    errors = [error.message for error in Draft4Validator(schema, registry=registry).iter_errors(data)]
    # OpenAPI 3.0 has `nullable`, which JSON Schema does not know.
    assert not [message for message in errors if not message.startswith("None is not of type")]


def at_stage(stage: str) -> Batch:
    if stage in tuple(CampaignStage):
        return make_campaign_at(stage)
    return make_at_stage(stage) if stage in tuple(Stage) else make_fast_at(stage)


@pytest.mark.django_db
@pytest.mark.parametrize("stage", ALL_STAGES)
def test_replies_have_the_documented_shapes(document: dict[str, Any], stage: str) -> None:
    api = Api(make_worker(at_stage(stage).project))
    page = api.claim(stage).json()
    check(document, "Page", page)
    answer = willing(stage, page["items"][0]["question"])
    check(document, "SubmissionRequest", {"answers": [{"item": 1, "answer": answer}]})
    check(document, "Lease", api.post(f"assignments/{page['id']}/renewal").json())
    check(document, "Problem", api.submit(page, {"nonsense": 1}).json())
    check(document, "Receipt", api.submit(page, answer).json())
    for row in api.get("stages").json():
        check(document, "Waiting", row)
    check(document, "Me", api.get("me").json())
    check(document, "Token", api.post("token").json())


@pytest.mark.django_db
@pytest.mark.parametrize("stage", ["link", "drawing"])
def test_replies_of_a_qualification_test_have_the_documented_shapes(
    document: dict[str, Any], stage: str
) -> None:
    api = Api(make_worker(make_tested(stage).project))
    path = f"qualifications/{stage}"
    check(document, "Try", api.post(f"{path}/tries").json())
    for item in (1, 2):
        body = {"item": item, "answer": GIVEN[stage]}
        check(document, "TrainingRequest", body)
        check(document, "Explanation", api.post(f"{path}/tries/1/training", body).json())
    check(document, "Qualification", api.get(path).json())
    answers = {"answers": [{"item": item, "answer": GIVEN[stage]} for item in range(1, 5)]}
    check(document, "TestRequest", answers)
    check(document, "Outcome", api.post(f"{path}/tries/1/submission", answers).json())


@pytest.mark.django_db
def test_the_documented_answers_are_taken(document: dict[str, Any]) -> None:
    body = document["paths"]["/api/v1/assignments/{assignment_id}/submission"]["post"]["requestBody"]
    examples = {
        example["summary"]: example["value"]
        for example in body["content"]["application/json"]["examples"].values()
    }
    for stage in ALL_STAGES:
        api = Api(make_worker(at_stage(stage).project))
        page = api.claim(stage).json()
        assert api.post(f"assignments/{page['id']}/submission", examples[stage]).status_code == 201


def test_every_error_is_documented_as_a_problem(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            errors = {code: reply for code, reply in operation["responses"].items() if code >= "400"}
            assert {"503", *(["401"] if "security" in operation else [])} <= set(errors), path
            assert all(set(reply["content"]) == {"application/problem+json"} for reply in errors.values())


@pytest.mark.django_db
def test_the_schema_is_served() -> None:
    reply = Api(make_worker(make_running([["man"]]).project)).get("schema")
    assert reply.status_code == 200
