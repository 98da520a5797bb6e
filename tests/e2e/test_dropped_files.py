"""Photographs and a spreadsheet are dropped onto the import page, sorted into its fields, and imported."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from annotation.models import Image, Project
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import StartSite
from tests.e2e.researcher import log_in
from tests.workflows.jobs.jobs_made import picture

PATIENCE = 60_000
SHEET = "photo;caption\na.jpg;A man with a dog .\nb.jpg;A dog in a park .\n"
DROP = """(zone, files) => {
  const transfer = new DataTransfer();
  for (const [name, content] of Object.entries(files)) {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def drop(zone: Locator, files: Mapping[str, bytes]) -> None:
    zone.evaluate(DROP, {name: base64.b64encode(content).decode() for name, content in files.items()})


def drag(page: Page, zone: Locator, *paths: Path) -> None:
    """Drag files and folders of this machine from outside of the browser, which no script of a page can."""
    zone.scroll_into_view_if_needed()
    box = zone.bounding_box()
    assert box is not None
    chromium = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + 10, "y": box["y"] + 10}
        chromium.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})


def test_dropped_files_are_sorted_listed_and_imported_after_a_failure(
    start_site: StartSite, page: Page, tmp_path: Path
) -> None:
    site = start_site(GROUNDCREW_SWEEP_SECONDS="1")
    project = Project.objects.create(name="dropped")
    log_in(page, f"{site.url}/admin/projects/{project.pk}/import/")
    zone, button = page.locator("[data-drop]"), page.get_by_role("button", name="Import now")
    expect(zone).to_contain_text("Drop your photographs")

    drop(zone, {"a.jpg": picture(), "b.jpg": picture(), ".DS_Store": b"x", "notes.docx": b"x"})
    expect(zone).to_contain_text("2 photographs")
    expect(zone).to_contain_text("left out: notes.docx")
    expect(zone).to_contain_text("The spreadsheet with the captions is missing.")
    check_accessible(page)
    button.click()
    expect(zone).to_be_visible()  # nothing was sent

    zone.get_by_role("button", name="Take the photographs alone").click()
    expect(zone).to_contain_text("no captions")
    expect(zone).not_to_contain_text("is missing")
    expect(page.get_by_role("button", name="Check first")).to_be_focused()
    drop(zone, {"captions.csv": SHEET.encode()})
    expect(zone).not_to_contain_text("no captions")
    expect(page.get_by_label("Format")).to_have_value("")
    zone.get_by_role("button", name="Take all files out").click()
    drop(zone, {"a.jpg": picture(), "b.jpg": picture()})
    expect(zone).to_contain_text("The spreadsheet with the captions is missing.")

    drop(zone, {"captions.xlsx": b"PK"})
    expect(zone).to_contain_text("captions.xlsx is a workbook: save the sheet as CSV")
    drop(zone, {"captions.csv": SHEET.encode(), "train.txt": b"a.jpg\n"})
    expect(zone.get_by_role("listitem")).to_have_text(["2 photographs", "captions.csv", "train.txt"])

    zone.get_by_role("button", name="Take all files out").click()
    expect(zone.get_by_role("listitem")).to_have_count(0)
    drop(zone, {"captions.csv": SHEET.replace("photo", "Foto").encode()})
    expect(zone.get_by_role("listitem")).to_have_text(["captions.csv", "no photographs yet"])
    button.click()
    back = page.get_by_role("link", name="Back to the import")
    expect(back).to_be_visible(timeout=PATIENCE)
    check_accessible(page)
    back.click()

    (tmp_path / "photos" / "more").mkdir(parents=True)
    (tmp_path / "photos" / "a.jpg").write_bytes(picture())
    (tmp_path / "photos" / "more" / "b.jpg").write_bytes(picture())
    (tmp_path / "captions.csv").write_text(SHEET)
    drag(page, zone, tmp_path / "photos", tmp_path / "captions.csv")
    expect(zone.get_by_role("listitem")).to_have_text(["2 photographs", "captions.csv"])
    button.click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible(timeout=PATIENCE)
    assert set(Image.objects.filter(project=project).exclude(file="").values_list("name", flat=True)) == {
        "a.jpg",
        "b.jpg",
    }
