"""A portrait photograph from a phone, from the import to a loader that knows nothing of EXIF.

A phone writes the pixels as its sensor lies, and says in EXIF data how they are to be turned. Many loaders of
data sets do not read that. A box must lie on the same thing for them as for the worker who drew it.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import PIL.Image
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page

from annotation.models import Batch, Image, Item
from tests.e2e.aiming import Hand
from tests.e2e.crowd import judge
from tests.e2e.scenes import Edges
from tests.e2e.site import Site, wait_for
from tests.e2e.targets import Target, magnified
from tests.e2e.working import UNREAD_MS, begin, question
from tests.factories import make_batch
from workflows.pipeline.advance import advance_pending

UPRIGHT = Target((1512, 2016), (711, 611, 789, 671), magnified)
TURN_RIGHT = 6  # EXIF orientation: what is shown is the stored picture, turned right by 90 degrees


def from_a_phone(shown: Target) -> bytes:
    """Return a JPEG whose pixels lie on their side, and whose EXIF data says so."""
    exif = PIL.Image.Exif()
    exif[0x0112] = TURN_RIGHT
    with PIL.Image.open(io.BytesIO(shown.picture())) as upright:
        lying = upright.transpose(PIL.Image.Transpose.ROTATE_90)
    file = io.BytesIO()
    lying.save(file, "JPEG", quality=98, subsampling=0, exif=exif)
    return file.getvalue()


def red_rectangle(path: Path) -> tuple[tuple[int, int], Edges]:
    """Load a picture as it lies in its file. Return its size, and the edges of the one red thing in it."""
    with PIL.Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.int16)
    rows, columns = np.nonzero(pixels[:, :, 0] - pixels[:, :, 1] > 90)
    edges = int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1
    return (pixels.shape[1], pixels.shape[0]), edges


def settled(batch: Batch) -> bool:
    """Let others accept the box and call it complete, and return whether nothing is left to ask."""
    for item in Item.objects.filter(batch=batch, state=Item.State.OPEN):
        if item.judged + item.leased < item.needed:
            judge(item, {"quality": {"good": True}, "coverage": {"complete": True}}[item.stage])
    advance_pending(now=timezone.now())
    return batch.works.filter(state="done").exists()


def test_its_box_lies_right_for_a_loader_that_ignores_exif(site: Site, page: Page, tmp_path: Path) -> None:
    photographs, out = tmp_path / "photographs", tmp_path / "out"
    photographs.mkdir()
    (photographs / "phone.jpg").write_bytes(from_a_phone(UPRIGHT))
    (tmp_path / "captions.token").write_text("phone.jpg#0\tA man waits .\n")
    lying = red_rectangle(photographs / "phone.jpg")
    assert lying[0] == (2016, 1512), "otherwise every loader would do"

    project = site.project.name
    corpus = {"project": project, "format": "flickr30k-token", "images": photographs}
    call_command("import_corpus", tmp_path / "captions.token", **corpus)
    batch = make_batch(site.project)
    page.goto(site.worker_link("drawing"))
    begin(page)
    question(page, 1, 1)
    UPRIGHT.draw(Hand(page, page), UPRIGHT.edges)
    page.wait_for_timeout(UNREAD_MS)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    page.keyboard.press("Enter")
    wait_for(page, lambda: site.judgments("drawing"))
    wait_for(page, lambda: settled(batch))

    call_command("export_dataset", out, project=project, format="coco", pictures="copied")
    found = json.loads((out / "coco.json").read_bytes())
    (image,), (box,) = found["images"], found["annotations"]
    size, edges = red_rectangle(out / "images" / image["file_name"])
    left, top, width, height = box["bbox"]
    assert size == (image["width"], image["height"]) == UPRIGHT.size
    assert (left, top, left + width, top + height) == edges == UPRIGHT.edges
    assert edges != lying[1]
    assert Image.objects.get().renditions, "the worker drew on a smaller copy or on the photograph itself"
