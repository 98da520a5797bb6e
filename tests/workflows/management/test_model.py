from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import ModelVersion
from tests.factories import make_project
from tests.workflows.http import Api, check_problem
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = StringIO()
    call_command("model", *words, stdout=out)
    return out.getvalue().strip()


def test_a_model_is_added_once_and_its_token_ends_when_you_say_so() -> None:
    project = make_project()
    token = run("add", project.name, "judge/1.0", "--family", "owl", "--trained-on", "COCO")
    assert run("add", project.name, "judge/1.0", "--family", "owl", "--trained-on", "COCO") == token
    model = ModelVersion.objects.get()
    assert (model.family, model.trained_on) == ("owl", "COCO")
    assert Api(None, token).get("models/questions").status_code == 200
    assert "too few answers so far" in run("report", project.name, "judge/1.0")
    assert run("list", project.name) == "judge/1.0 (family owl, 0 answers)"
    run("end-tokens", project.name, "judge/1.0", "--by", "ada")
    check_problem(Api(None, token).get("models/questions"), 401)
    assert Api(None, run("token", project.name, "judge/1.0")).get("models/questions").status_code == 200
    assert list(AuditEntry.objects.order_by("pk").values_list("action", "by")) == [
        ("model.add", "command line"),
        ("model.end-tokens", "ada"),
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("add", "PROJECT", "judge"), "version: must be"),
        (("add", "PROJECT", "jud ge/1"), "name: must be"),
        (("add", "PROJECT", "judge/1", "--digest", "x" * 81), "digest: must be"),
        (("token", "PROJECT", "judge/2"), "has no model judge/2"),
        (("add", "nowhere", "judge/1"), "no project 'nowhere'"),
    ],
)
def test_what_cannot_be_a_model_is_named(words: tuple[str, ...], says: str) -> None:
    project = make_project()
    with pytest.raises(CommandError, match=says):
        run(*(project.name if word == "PROJECT" else word for word in words))
    assert not ModelVersion.objects.exists()


def test_a_version_that_is_known_cannot_become_another_model() -> None:
    project = make_project()
    run("add", project.name, "judge/1", "--digest", "sha256:1")
    with pytest.raises(CommandError, match=r"digest: judge/1 is known already .* new version"):
        run("add", project.name, "judge/1", "--digest", "sha256:2")
