"""A researcher imports boxes of a model in the browser: upload, preview, import, and a draft with the set."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

from annotation.models import Batch, Mention, SuggestionSet
from tests.e2e.axe import check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import picture
from tests.e2e.site import Site
from tests.factories import FAST, make_batch, make_images, make_project
from tests.judging_models import make_judge

PATIENCE = 60_000
"""Milliseconds for a job, since a worker process has to start it first."""


def boxes() -> bytes:
    """Return a file with two boxes for each phrase, and a line for no phrase of the project."""
    lines = [
        {
            **{"image": mention.image.name, "caption": mention.caption.index},
            **{"start": mention.start, "end": mention.end},
            **{"boxes": [[10, 20, 110, 220], [120, 20, 220, 90]], "scores": [0.9, 0.2]},
        }
        for mention in Mention.objects.select_related("image", "caption")
    ]
    lines.append({"image": "nowhere.jpg", "phrase": "a man", "boxes": [[1, 2, 30, 40]], "scores": [0.5]})
    return "\n".join(map(json.dumps, lines)).encode()


def test_from_a_file_of_boxes_to_a_draft_that_shows_them(site: Site, page: Page) -> None:
    project = make_project()
    for image in make_images(project, [["man", "dog"]], 2):
        path = Path(image.file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture())
    make_judge(project, "owl/1")
    draft = make_batch(project, launch=False, protocol=FAST)
    page.set_default_timeout(PATIENCE)
    log_in(page, f"{site.url}/admin/projects/{project.pk}/batches/")
    page.get_by_role("link", name="suggest boxes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Suggested boxes")
    check_accessible(page)
    file = FilePayload(name="owl.jsonl", mimeType="application/json", buffer=boxes())
    page.get_by_label("File of boxes").set_input_files(file)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="What the set would be like")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("nowhere.jpg")).to_be_visible()
    check_accessible(page)
    page.get_by_label("Least score").fill("0.5")
    page.get_by_label("Least score").press("Enter")
    expect(page.get_by_text("boxes left out, below the threshold")).to_be_visible(timeout=PATIENCE)
    assert not SuggestionSet.objects.exists()
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Look at the set").click(timeout=PATIENCE)
    expect(page.get_by_role("listitem").filter(has=page.get_by_role("figure"))).to_have_count(4)
    expect(page.locator(".shape.suggested")).to_have_count(4)
    check_accessible(page)
    page.get_by_label("Show").select_option("found nothing")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No phrase of the set is so.")).to_be_visible()
    page.goto(f"{site.url}/admin/batches/{draft.pk}/settings/")
    page.get_by_text("Models that help", exact=True).click()
    page.get_by_label("Suggested boxes", exact=True).fill("1")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Changed:")).to_be_visible()
    assert Batch.objects.get(pk=draft.pk).settings["suggestions"]["set"] == 1
    page.goto(f"{site.url}/admin/projects/{project.pk}/suggestions/")
    expect(page.get_by_role("row", name="Set 1").get_by_role("link", name=draft.name)).to_be_visible()
