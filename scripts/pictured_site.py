"""The site that screenshots are taken of. A simulated crowd has annotated half of its demo scenes."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import django

from simulation.platform_demo import platform_of

PROJECT = "photographs"
TESTED = "tested"
"""A project whose stage drawing begins with a test."""
FAST = "all-at-once"
"""A project that is annotated by the protocol `entities-fast`."""
FREE = "unannotated"
"""A project whose images are in no batch."""
SCENES = 8
SEED = 2016
KEEP = 6
"""How many items wait in every stage."""
SETTINGS = {
    "regime": "open",
    "reward": {
        **{"link": 10, "verification": 12, "requirement": 10},
        **{"drawing": 30, "quality": 14, "coverage": 12},
    },
    "items_a_page": {
        **{"link": 6, "verification": 4, "requirement": 6},
        **{"drawing": 5, "quality": 6, "coverage": 6},
    },
}


FAST_SETTINGS = {
    "protocol": "entities-fast",
    "strategy": "likely_first",
    "regime": "open",
    "reward": {"link": 10, "verification": 12, "requirement": 10, "boxes": 40, "check": 25},
}
TEST_SETTINGS = (
    'regime={"link": "open", "verification": "open", "requirement": "open", "drawing": "verification", '
    '"quality": "open", "coverage": "open"}',
    'screening={"training_items": 1, "test_items": 2}',
    'control={"set_questions": 1}',
)


class Photographed:
    """The running site at `url`, and the truth about its project."""

    def __init__(self, url: str) -> None:
        from simulation.selectors import load_truth

        self.url = url
        self._truth = load_truth(PROJECT)

    def link(self, worker: str, project_name: str = PROJECT) -> str:
        """Return the address that is sent to this worker."""
        from annotation.models import Project
        from workflows.api.authentication import make_link_token
        from workflows.workers.enrolment import enrol_worker

        project = Project.objects.get(name=project_name)
        return f"{self.url}/work/#token={make_link_token(enrol_worker(project=project, external_id=worker))}"

    def invitation(self) -> str:
        """Return the code of a new invitation to the project."""
        from django.utils import timezone

        from annotation.models import Project
        from workflows.crowd.invitations.invite import invite

        project = Project.objects.get(name=PROJECT)
        (made,) = invite(project=project, label="lab", by="rita", now=timezone.now(), passcode="open sesame")
        return made.code

    def right_answers(self, worker: str, stage: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return each question of the page that this worker holds, and its right answer.

        The questions are as the API shows them.
        """
        from django.utils import timezone

        from annotation.models import Assignment
        from simulation.answers import answer
        from simulation.profiles import PERFECT
        from simulation.questions import read_question
        from workflows.assignments.page_view import shown_page

        held = Assignment.objects.get(
            worker__project__name=PROJECT, worker__external_id=worker, stage=stage, state="live"
        )
        questions = [item["question"] for item in shown_page(held, now=timezone.now())["items"]]
        rng = random.Random(0)
        image_of = self._truth.image_of
        return [
            (question, answer(stage, read_question(question, image_of), self._truth, PERFECT, rng))
            for question in questions
        ]


@contextmanager
def photographed(folder: Path) -> Iterator[Photographed]:
    """Run the site with work in every stage. Everything is kept in `folder`.

    Sets up Django, once in a process.
    """
    os.environ.update(
        {"DJANGO_SETTINGS_MODULE": "config.settings", "GROUNDCREW_VAR": str(folder / "var")},
        DATABASE_URL="",
        DATABASE_URL_FILE="",
        REDIS_URL="",
        REDIS_URL_FILE="",
        GROUNDCREW_CONTACT="researcher@example.org",
        # Playwright's synchronous calls run an event loop in this thread, which also uses the database.
        DJANGO_ALLOW_ASYNC_UNSAFE="true",
    )
    # The commands' output is about their own work, not about the screenshots.
    with (
        platform_of("mturk") as platform,
        (folder / "log").open("w") as log,
        redirect_stdout(log),
    ):
        assert platform
        django.setup()
        from config.serve import services

        _prepare(folder / "scenes")
        _prepare_tests(folder / "scenes")
        with services(logs=folder / "logs", port=platform.port) as server:
            _annotate(server.url)
            yield Photographed(server.url)


def _prepare(folder: Path) -> None:
    from django.core.management import call_command

    from simulation.scenes.write import write_scenes

    call_command("migrate", verbosity=0)
    write_scenes(folder, SCENES, SEED)
    call_command(
        *("import_corpus", str(folder), "--project", PROJECT, "--format", "flickr30k-entities"),
        *("--as-gold", "--images", str(folder / "images")),
    )
    for project in (FREE, FAST):
        call_command(
            *("import_corpus", str(folder), "--project", project, "--format", "flickr30k-entities"),
            *("--as-gold", "--images", str(folder / "images")),
        )


def _prepare_tests(folder: Path) -> None:
    """Make a batch whose workers are tested first, with practice and test questions made from its gold."""
    from django.core.management import call_command

    corpus = ("--format", "flickr30k-entities", "--as-gold", "--images", str(folder / "images"))
    call_command("import_corpus", str(folder), "--project", TESTED, *corpus)
    for role, images in (("training", 1), ("test", 3), ("gold", 1)):
        make = ("questions", "make", "--project", TESTED, "--images", str(images), "--role", role)
        call_command(*make, "--seed", str(SEED + images))
    settings = [part for setting in TEST_SETTINGS for part in ("--set", setting)]
    batch = ("--project", TESTED, "--name", "tested")
    call_command("batch", "create", *batch, *settings)
    call_command("batch", "launch", *batch)


def _annotate(url: str) -> None:
    """Annotate half of one batch, and make another one that has just begun.

    In the project `FAST`, images are finished before that, so that questions can be proposed of them.
    """
    leave = ("--leave", str(KEEP))
    _run(url, PROJECT, "under-way", SETTINGS, SCENES // 2, leave)
    _run(url, PROJECT, "new", SETTINGS)
    _run(url, FAST, "finished", FAST_SETTINGS, 2, ())
    _run(url, FAST, "under-way", FAST_SETTINGS, SCENES // 2, leave)
    _run(url, FAST, "new", {**FAST_SETTINGS, "page": "visit"})


def _run(
    url: str,
    project: str,
    name: str,
    settings: dict[str, Any],
    images: int = 0,
    how: tuple[str, ...] | None = None,
) -> None:
    """Launch a batch of `images` images, or of all that are left. Unless `how` is None, simulate a crowd."""
    from django.core.management import call_command

    batch = ("--project", project, "--name", name)
    some = ("--images", str(images)) if images else ()
    given = [part for key, value in settings.items() for part in ("--set", f"{key}={json.dumps(value)}")]
    call_command("batch", "create", *batch, *some, *given)
    call_command("batch", "launch", *batch)
    if how is not None:
        simulate = ("simulate", "--project", project, "--server", url, "--profile", "perfect")
        call_command(*simulate, "--seed", str(SEED), *how)
