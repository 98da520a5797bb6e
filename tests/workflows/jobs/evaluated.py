"""A version of a data set, and predictions for it."""

from __future__ import annotations

import json

from annotation.models import Batch
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import make_image, make_project
from tests.workflows.jobs.jobs_made import export_job, finished
from workflows.jobs.models import Snapshot

LEFT, RIGHT = (0, 0, 100, 200), (200, 0, 300, 100)


def make_version() -> Snapshot:
    """Make a version with two images of two phrases with a box each."""
    project = make_project()
    batch = Batch.objects.create(project=project, name="main", state="running", settings={})
    for name in ("a.jpg", "b.jpg"):
        image = make_image(project, [["man", "dog"]], name=name)
        annotate(image, [Made([0], [LEFT]), Made([1], [RIGHT])], batch=batch)
    job = finished(export_job(project))
    return Snapshot.objects.get(job=job)


def predictions(*boxes: tuple[int, int, int, int]) -> bytes:
    """Return predictions of one box for the man of each image; the dogs have none."""
    lines = [
        {"image": name, "caption": 0, "start": 0, "end": 2, "boxes": [list(box)], "scores": [0.9]}
        for name, box in zip(("a.jpg", "b.jpg"), boxes, strict=False)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
