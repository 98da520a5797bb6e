"""The clients of models, against a site and against stubs of the servers that they ask."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from pytest_django.live_server_helper import LiveServer

from annotation.models import Image, ModelAnswer
from examples import label_studio_backend, model_client, vision_model
from tests.entities_fast import ONE, TWO, answer, drawn
from tests.examples.stubs import serving
from tests.judging_models import judge_of, make_judged
from workflows.api.model_views import make_model_token

QUESTION: dict[str, Any] = {
    "image": {"url": "/media/x", "width": 1000, "height": 500},
    "captions": [
        {
            "segments": [
                {"text": "Two ", "mention": False},
                {"text": "dogs", "mention": True},
                {"text": " run", "mention": False},
            ]
        }
    ],
    "boxes": [[0, 0, 100, 50]],
    "new_boxes": [[200, 0, 300, 50], [500, 250, 1000, 500]],
}
SAID = {"boxes": ["good", "cut"], "missing": True}


def chat(text: str) -> tuple[int, bytes]:
    return 200, json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def picture() -> bytes:
    content = io.BytesIO()
    PIL.Image.new("RGB", (500, 300), "green").save(content, "JPEG")
    return content.getvalue()


@pytest.mark.django_db(transaction=True)
def test_a_client_answers_what_waits_on_a_site(
    live_server: LiveServer, media: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = make_judged()
    answer(batch, drawn(ONE, TWO))
    name = default_storage.save("one.jpg", ContentFile(picture()))
    Image.objects.update(file=name)
    seen: list[Any] = []

    def respond(method: str, path: str, body: Any) -> tuple[int, bytes]:
        seen.append(body)
        return chat('Of course!\n```json\n{"boxes": ["good", "loose"], "missing": false}\n```')

    with serving(respond) as url:
        monkeypatch.setenv("VISION_MODEL_URL", f"{url}/v1")
        monkeypatch.setenv("GROUNDCREW_MODEL_TOKEN", make_model_token(judge_of(batch)))
        assert model_client.main(["--site", live_server.url, "--once"]) == 0
    assert ModelAnswer.objects.get().answer == {"boxes": ["good", "loose"], "missing": False}
    assert capsys.readouterr().out == "1 answers posted\n0 answers posted\n"
    (asked,) = seen
    shown, text = asked["messages"][0]["content"]
    assert shown["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert json.dumps([ONE, TWO]) in text["text"] and '"a man"' in text["text"]


@pytest.mark.django_db(transaction=True)
def test_a_client_says_why_it_is_refused(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GROUNDCREW_MODEL_TOKEN", raising=False)
    assert model_client.main(["--site", live_server.url, "--once"]) == 2
    monkeypatch.setenv("GROUNDCREW_MODEL_TOKEN", "x")
    assert model_client.main(["--site", live_server.url, "--once"]) == 1
    said = capsys.readouterr().err
    assert "Set GROUNDCREW_MODEL_TOKEN" in said and "401" in said and "no token of a model" in said


def test_a_client_tries_again_while_a_site_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    replies = iter([(503, b""), (429, b""), (200, b"here")])
    with serving(lambda *_: next(replies)) as url:
        assert model_client.request(url) == b"here"
    assert pauses == [1, 2]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (json.dumps(SAID), SAID),
        (f"I think: {json.dumps(SAID)} That is all.", SAID),
        ("I cannot see it.", None),
        ('{"boxes": ["good"], "missing": true}', None),
        ('{"boxes": ["good", "fine"], "missing": true}', None),
        ('{"boxes": ["good", ["cut"]], "missing": true}', None),
        ('{"boxes": ["good", "cut"], "missing": "no"}', None),
        ('{"boxes": ["good", "cut"]', None),
        ("[1, 2] {} ", None),
    ],
)
def test_of_a_models_reply_only_what_fits_is_an_answer(text: str, found: dict[str, Any] | None) -> None:
    assert vision_model.parse(text, 2) == found


def test_boxes_are_told_in_pixels_or_in_thousandths(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "in pixels" in vision_model.prompt(QUESTION)
    assert "[[200, 0, 300, 50], [500, 250, 1000, 500]]" in vision_model.prompt(QUESTION)
    monkeypatch.setenv("VISION_MODEL_COORDINATES", "thousandths")
    assert "[[200, 0, 300, 100], [500, 500, 1000, 1000]]" in vision_model.prompt(QUESTION)
    assert '"dogs"' in vision_model.prompt(QUESTION)


def test_without_a_photograph_no_model_is_asked() -> None:
    assert vision_model.judge(QUESTION, b"") is None
    assert label_studio_backend.judge(QUESTION, b"") is None


@pytest.mark.parametrize(
    ("choices", "found"),
    [
        (["good", "cut", "missing"], SAID),
        (["good", "cut", "complete"], {**SAID, "missing": False}),
        (["good", "", "complete"], None),
        (["good", "cut", "good"], None),
        (["good", "complete"], None),
    ],
)
def test_a_backend_of_label_studio_is_asked_about_each_box_and_about_what_is_missing(
    choices: list[str], found: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def respond(method: str, path: str, body: Any) -> tuple[int, bytes]:
        seen.append((path, body))
        results = [{"result": [{"value": {"choices": [one]}}] if one else []} for one in choices]
        return 200, json.dumps({"results": results}).encode()

    with serving(respond) as url:
        monkeypatch.setenv("LABEL_STUDIO_ML_URL", url)
        assert label_studio_backend.judge(QUESTION, picture()) == found
    ((path, body),) = seen
    assert path == "/predict"
    assert [task["data"].get("box") for task in body["tasks"]] == [
        {"x": 20, "y": 0, "width": 10, "height": 10},
        {"x": 50, "y": 50, "width": 50, "height": 50},
        None,
    ]
    assert body["tasks"][0]["data"]["phrase"] == "dogs"
