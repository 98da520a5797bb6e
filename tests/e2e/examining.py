"""A stage with a qualification test before its work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.domain.answers import Stage
from annotation.models import VerificationQuestion
from tests.e2e.scenes import SCENES, make_image, picture
from tests.e2e.site import Site
from tests.factories import NOW
from workflows.batch_settings.domain.settings import parse_settings


def ask_for_a_test(site: Site, stage: Stage, **screening: Any) -> None:
    """Let the stage ask for a test of 2 practice questions and 3 scored ones before its work.

    No page of the work is checked, so a worker who passed begins with ordinary items.
    """
    batch = site.open(stage, items=2)[stage]
    settings = {"training_items": 2, "test_items": 3, **screening}
    batch.settings = parse_settings(
        {
            "regime": {**dict.fromkeys(Stage, "open"), stage: "verification"},
            "control": {"verification_share": 0},
            "screening": settings,
        }
    ).to_json()
    batch.save()
    for role, number in (("training", 2), ("test", 6)):
        for place in range(number):
            _make_question(site, stage, role, place)


def _make_question(site: Site, stage: Stage, role: str, place: int) -> None:
    scene = SCENES[stage][place % len(SCENES[stage])]
    image = make_image(site.project, scene, f"{stage}-{role}-{place}.jpg")
    path = Path(image.file.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture(scene.size, scene.targets))
    answer = dict(scene.answer)
    if stage == Stage.DRAWING:
        answer = {"boxes": [answer["box"]] if answer["box"] else []}
    VerificationQuestion.objects.create(
        project=site.project,
        image=image,
        stage=stage,
        role=role,
        source="written",
        kind="example",
        mentions=list(image.mentions.order_by("pk").values_list("pk", flat=True)),
        boxes=[list(edges) for edges in scene.drawn],
        answer=answer,
        explanation="The photograph shows who is meant.",
        content=f"{role}-{place}",
        created_at=NOW,
    )
