"""A project's sets of suggestions in the console: who sees and imports them, and what a set's page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Mention, Project, Suggestion
from console.jobs import labels
from console.suggestions import phrases as pages
from tests.factories import FAST, make_batch, make_image, make_project
from tests.judging_models import make_judge
from tests.suggesting_models import make_scored_set, make_set
from tests.workflows.jobs.jobs_made import finished
from workflows.core.models import AuditEntry
from workflows.jobs.domain.jobs import PREDICTIONS_FORMATS
from workflows.jobs.models import Job

pytestmark = pytest.mark.django_db
BOX = [10, 20, 110, 220]


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("console.suggestions.views", "console.jobs.views.jobs"):
        monkeypatch.setattr(f"{module}.hint_jobs", lambda: None)


@pytest.fixture
def project(media: Path) -> Project:
    project = make_project()
    make_image(project, [["man", "dog"], ["man"], ["ball"]], name="a.jpg")
    return project


def address(project: Project) -> str:
    return reverse("suggestions:project", args=[project.pk])


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def file(*scores: float) -> SimpleUploadedFile:
    lines = [
        {"image": "a.jpg", "phrase": "a man", "caption": 0, "boxes": [BOX] * len(scores), "scores": scores}
    ]
    return SimpleUploadedFile("owl.jsonl", "\n".join(map(json.dumps, lines)).encode())


def post(client: Client, project: Project, **data: Any) -> Any:
    model = make_judge(project, "owl/1")
    given = {"model": str(model.pk), "boxes": file(0.9), "threshold": "", "nms": "0.7", **data}
    if isinstance(given["boxes"], tuple):  # its name and content
        given["boxes"] = SimpleUploadedFile(*given["boxes"])
    return client.post(address(project), given)


def test_a_manager_previews_tries_another_score_and_imports(
    manager: Client, viewer: Client, project: Project
) -> None:
    reply = post(manager, project, boxes=file(0.9, 0.2), nms="")
    first = finished(Job.objects.get())
    assert reply["Location"] == reverse("jobs:job", args=[first.pk]) and first.dry_run
    shown = text(manager.get(reply["Location"]))
    assert (
        "What the set would be like" in shown and "Preview again" in shown and "No image has known" in shown
    )
    assert "Import</button>" not in text(viewer.get(reply["Location"]))
    again = manager.post(address(project), {"before": first.pk, "threshold": "0.5", "nms": "0.7"})
    second = finished(Job.objects.latest("pk"))
    assert again["Location"] == reverse("jobs:job", args=[second.pk])
    assert second.options == {**first.options, "threshold": 0.5, "nms": 0.7}
    manager.post(reverse("jobs:job", args=[second.pk]), {"action": "import"})
    done = finished(Job.objects.latest("pk"))
    assert "Look at the set" in text(manager.get(reverse("jobs:job", args=[done.pk])))
    assert "It has been imported" in text(manager.get(reverse("jobs:job", args=[second.pk])))
    listed = text(viewer.get(address(project)))
    assert "Set 1</a>" in listed and "owl/1" in listed and "25.0% of 4 phrases" in listed
    assert "scores of 0.5 or more" in listed and "Only managers can import" in listed
    logged = AuditEntry.objects.exclude(action="login").order_by("pk").values_list("action", flat=True)
    assert list(logged) == [*["suggestions.preview"] * 2, "import.start", "suggestions.import"]


def test_a_set_of_scores_says_what_it_is_for(manager: Client, viewer: Client, project: Project) -> None:
    made = make_scored_set(project, lambda a, b: 0.5)
    listed = text(viewer.get(address(project)))
    assert "0 pairs of phrases in 0 images" in listed and "scores of links, no boxes" in listed
    shown = text(viewer.get(reverse("suggestions:set", args=[project.pk, made.number])))
    assert f"manage.py fit_prior {project.name} --scores 1" in shown and "No phrase of the set" not in shown
    pairs = {"image": "a.jpg", "mentions": [{"phrase": "a man"}] * 2, "score": 0.5}
    post(manager, project, boxes=SimpleUploadedFile("s.jsonl", json.dumps(pairs).encode()))
    failed = finished(Job.objects.get())
    assert failed.state == Job.State.FAILED
    said = text(manager.get(reverse("jobs:job", args=[failed.pk])))
    assert "s.jsonl has scores of pairs, and no boxes: import it with manage.py import_suggestions" in said


def test_only_managers_upload(viewer: Client, reviewer: Client, project: Project) -> None:
    for client in (viewer, reviewer):
        assert client.get(address(project)).status_code == 200
        assert post(client, project).status_code == 403
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({"boxes": ""}, "This field is required"),
        ({"model": "0"}, "Select a valid choice"),
        ({"threshold": "high"}, "Enter a number such as 0.3"),
        ({"threshold": "inf"}, "Enter a number such as 0.3"),
        ({"nms": "2"}, "An IoU must be above 0 and at most 1"),
        ({"predictions_format": "inches"}, "Select a valid choice"),
        ({"max_pixels": "3135"}, "greater than or equal to 3136"),
        ({"max_pixels": "1003520"}, "Choose the format qwen2.5-vl"),
        ({"boxes": ("owl.jsonl", b"")}, "The submitted file is empty"),
        ({"boxes": ("owl.xlsx", b"x")}, "owl.xlsx"),
    ],
)
def test_what_cannot_be_is_named_at_its_field(
    manager: Client, project: Project, data: dict[str, Any], error: str
) -> None:
    reply = post(manager, project, **data)
    field = re.search(r'<div class="field wrong">.*?</div>', reply.content.decode(), re.DOTALL)
    assert reply.status_code == 422 and field is not None and error in field[0]
    assert next(iter(data)) in field[0] and not Job.objects.exists()


def test_a_preview_again_with_wrong_numbers_says_so(manager: Client, project: Project) -> None:
    post(manager, project)
    first = finished(Job.objects.get())
    for numbers, error in (
        ({"threshold": "x"}, "Least score: Enter a number"),
        ({"nms": "7"}, "An IoU must"),
    ):
        again = manager.post(address(project), {"before": first.pk, **numbers}, follow=True)
        assert error in text(again)
    assert manager.post(address(project), {"before": "x"}).status_code == 404
    other = make_project()
    assert manager.post(address(other), {"before": first.pk}).status_code == 404
    assert Job.objects.count() == 1


def test_a_large_upload_is_refused_before_it_is_read(
    manager: Client, project: Project, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_UPLOAD_BYTES = -1_000_000
    assert post(manager, project).status_code == 413
    settings.MAX_UPLOAD_BYTES = 10**9
    monkeypatch.setattr("console.suggestions.forms.MAX_FILE", 3)
    assert "at most 3 bytes" in text(post(manager, project))
    assert not Job.objects.exists()


def test_without_a_model_the_page_leads_to_the_models(manager: Client, project: Project) -> None:
    assert reverse("judges:project", args=[project.pk]) in text(manager.get(address(project)))
    assert "Import a file of boxes" not in text(manager.get(address(project)))


def test_sets_say_which_batches_show_them_and_whether_they_are_whole(
    viewer: Client, project: Project
) -> None:
    make_set(project)
    make_set(project, completed=False)
    batch = make_batch(project, launch=False, protocol=FAST, suggestions={"set": 1})
    shown = text(viewer.get(address(project)))
    assert f'href="{reverse("dashboards:batch", args=[batch.pk])}"' in shown
    assert shown.count("incomplete") == 1
    half = text(viewer.get(reverse("suggestions:set", args=[project.pk, 2])))
    assert "stopped half-way" in half
    assert viewer.get(reverse("suggestions:set", args=[project.pk, 3])).status_code == 404
    assert viewer.get(reverse("suggestions:set", args=[make_project().pk, 1])).status_code == 404


REPORT = {
    **{"scored": True, "asked": 4, "mentions": 4, "images": 1, "boxes": [1, 2, 1]},
    **{"known": {}, "left_out": {}},
}
SCORES = {"man": [0.9, 0.4], "dog": [0.2], "ball": []}


def scored(project: Project) -> None:
    """Make a set: of two men, the second one's boxes have no score above .3."""
    men: list[int] = []

    def boxes(mention: Mention) -> list[list[float]]:
        scores = SCORES[mention.text.split()[-1]]
        if mention.text.endswith("man"):
            men.append(mention.pk)
            scores = scores if len(men) == 1 else [0.3]
        return [[*BOX, score] for score in scores]

    make_set(project, boxes, report=REPORT)


def found(client: Client, project: Project, query: str = "") -> list[tuple[str, str]]:
    """Return the phrases with their scores, over all pages."""
    rows = []
    while True:
        page = client.get(reverse("suggestions:set", args=[project.pk, 1]) + query)
        rows += [(one.text.split()[-1], one.scores) for one in page.context["found"].rows]
        query = page.context["found"].more
        if not query:
            return rows


@pytest.mark.both_databases
@pytest.mark.parametrize("size", [1, 2, 12])
def test_phrases_are_filtered_and_ordered_by_score_on_every_page(
    viewer: Client, project: Project, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(pages, "PHRASES", size)
    scored(project)
    best, second, dog = ("man", "0.90, 0.40"), ("man", "0.30"), ("dog", "0.20")
    assert found(viewer, project) == [best, dog, second, ("ball", "")]
    assert found(viewer, project, "?order=highest") == [best, second, dog]
    assert found(viewer, project, "?order=lowest") == [dog, second, best]
    assert found(viewer, project, "?order=lowest&least=0.3") == [second, best]
    assert found(viewer, project, "?least=0.5") == [("man", "0.90")], "boxes below it are not drawn"
    assert found(viewer, project, "?order=nothing") == [("ball", "")]
    assert found(viewer, project, "?type=animals&order=highest") == [dog]
    assert found(viewer, project, "?least=1.5") == []


@pytest.mark.both_databases
def test_phrases_with_the_same_score_are_each_shown_once(
    viewer: Client, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "PHRASES", 1)
    made = make_set(project, lambda _: [[*BOX, 0.1 + 0.2]])
    for order in ("highest", "lowest"):
        assert len(found(viewer, project, f"?order={order}")) == Suggestion.objects.filter(set=made).count()


def test_what_an_address_says_wrongly_is_ignored(viewer: Client, project: Project) -> None:
    scored(project)
    for query in ("?order=worst", "?least=NaN", "?least=x", "?type=-", "?after=x", "?after=1_x&order=lowest"):
        assert found(viewer, project, query)


def test_boxes_are_drawn_dashed_and_told_to_screen_readers(
    viewer: Client, project: Project, django_assert_max_num_queries: Any
) -> None:
    scored(project)
    with django_assert_max_num_queries(11):
        page = viewer.get(reverse("suggestions:set", args=[project.pk, 1]))
    shown = page.content.decode()
    assert shown.count('class="shape suggested"') == 4
    assert "box 1: 10 to 110 across, 20 to 220 down, score 0.90" in shown
    assert "Nothing was found." in shown and 'aria-label="Phrases of the set"' in shown
    assert [len(one.picture.shapes) for one in page.context["found"].rows] == [2, 1, 1, 0]


def test_a_set_without_scores_offers_no_order_by_them(viewer: Client, project: Project) -> None:
    make_set(project, lambda _: [[*BOX, None]], report={**REPORT, "scored": False})
    shown = text(viewer.get(reverse("suggestions:set", args=[project.pk, 1])))
    assert "Least score" not in shown and "highest score first" not in shown and "found nothing" in shown
    assert len(found(viewer, project, "?order=highest&least=0.5")) == 4


def test_every_format_has_words() -> None:
    assert tuple(labels.PREDICTIONS_FORMATS) == PREDICTIONS_FORMATS
