"""Experts and a crowd judge pairs whose relevance is known, and what was planted is found again.

Section 4.2.1 and 4.3.2 of the ranking task (Hodosh et al. 2013).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import orjson
import pytest
from django.core.management import call_command
from django.db.models import F

from annotation.domain.answers import CampaignStage
from annotation.image_names import image_of
from annotation.models import Assignment, Batch, Caption, Image, ImageWork, Judgment, Project, Worker
from evaluation.readers.recognition import read_dataset
from evaluation.report.model import Cell, Report
from evaluation.tasks import judgments, retrieval
from evaluation.tasks.common import Inputs
from tests.campaigns import launched
from tests.evaluation.tasks.reading import row, table
from tests.factories import NOW, SIZE, claim_maybe, make_project, make_worker, submit_page
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.review.enforcement import enforce_policies

pytestmark = [pytest.mark.django_db, pytest.mark.slow("hundreds of pages are judged")]

JUDGED, DEVELOPMENT, EACH = 24, 40, 5
"""Images that are judged, others that controls are made of, and captions of each."""
GOOD = 0.98
"""How often a good worker is right about a caption."""
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u")]


@dataclass
class Planted:
    """A project whose images and captions have grades from 1 to 4, drawn by a seed."""

    project: Project
    folder: Path
    rng: Random = field(default_factory=lambda: Random(11))
    grades: dict[tuple[int, str], int] = field(default_factory=dict)  # by image and text

    def __post_init__(self) -> None:
        width, height = SIZE
        images = Image.objects.bulk_create(
            Image(project=self.project, name=f"{n:03}.jpg", file=f"p/{n:03}.jpg", width=width, height=height)
            for n in range(JUDGED + DEVELOPMENT)
        )
        names = iter(
            self.rng.sample([a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES], 9999)
        )
        rows = []
        for image in images:
            words = [next(names) for _ in range(3)]
            for index in range(EACH):
                text = " ".join([*self.rng.sample(words, 3), next(names)])
                rows.append(Caption(image=image, index=index, text=text, tokens=text))
        Caption.objects.bulk_create(rows)
        self.captions = {row.pk: row for row in rows}
        self.images = images
        self.names = {image.pk: image.name for image in images}
        lines = "".join(f"{row.image.name}#{row.index}\t{row.text}\n" for row in self.judged_captions())
        (self.folder / "captions.token").write_text(lines)
        with (self.folder / "pairs.jsonl").open("wb") as file:
            for image in images[:JUDGED]:
                others = [one for one in self.judged_captions() if one.image_id != image.pk]
                own = [one for one in self.judged_captions() if one.image_id == image.pk]
                for caption in [*own, *self.rng.sample(others, 10)]:
                    low = 3 if caption.image_id == image.pk else 1
                    self.grades[image.pk, caption.text] = self.rng.choice([low, low + 1])
                    pair = {"image": image.name, "caption": [caption.image.name, caption.index]}
                    file.write(orjson.dumps(pair, option=orjson.OPT_APPEND_NEWLINE))

    def judged_captions(self) -> list[Caption]:
        judged = {image.pk for image in self.images[:JUDGED]}
        return [row for row in self.captions.values() if row.image_id in judged]

    def describes(self, image: int, text: str) -> bool:
        """Return what a crowd should say. Images of controls have no grades: their own captions fit."""
        known = self.grades.get((image, text))
        if known is not None:
            return known >= 3
        return any(row.image_id == image and row.text == text for row in self.captions.values())

    def draw(self, name: str, image: int, text: str) -> Random:
        """Return draws of a judge about a pair, whatever the ids: PostgreSQL counts on in each test."""
        return Random(f"{name} {self.names[image]} {text}")

    def draft(self, protocol: str, name: str, *settings: str) -> Batch:
        call_command(
            *("relevance", "draft", "--project", self.project.name, "--protocol", protocol, "--name", name),
            *("--pairs", str(self.folder / "pairs.jsonl"), "--set", "screening.test=false", *settings),
        )
        return Batch.objects.get(project=self.project, name=name)

    def export(self, batch: Batch) -> Path:
        out = self.folder / batch.name
        call_command("relevance", "export", "--project", self.project.name, "--batch", batch.name, str(out))
        return out / "judgments.jsonl"

    def report(self, task: Callable[..., Report], *settings: Any, **files: Path) -> Report:
        return task(Inputs(read_dataset(self.folder / "captions.token"), files, resamples=200), *settings)


@pytest.fixture
def planted(tmp_path: Path) -> Planted:
    return Planted(make_project(), tmp_path)


Judge = Callable[[str, Mapping[str, Any]], dict[str, Any]]


def shown(question: Mapping[str, Any]) -> tuple[int, list[str]]:
    """Return the image, which people recognise, and the captions of a question as the API shows it."""
    texts = ["".join(part["text"] for part in one["segments"]) for one in question["captions"]]
    return image_of(question["image"]["id"]), texts


def crowd_judge(planted: Planted, accuracy: float, name: str) -> Judge:
    """Return a judge who errs about the same captions in whatever order questions come, as `name` decides."""

    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        image, texts = shown(question)
        return {
            "describes": [
                planted.describes(image, text) == (planted.draw(name, image, text).random() < accuracy)
                for text in texts
            ]
        }

    return answer


def always(ticked: bool) -> Judge:
    return lambda stage, question: {"describes": [ticked for _ in question["captions"]]}


def expert(planted: Planted, accuracy: float, name: str) -> Judge:
    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        image, (text,) = shown(question)
        rng = planted.draw(name, image, text)
        grade = planted.grades[image, text]
        near = [other for other in (grade - 1, grade + 1) if 1 <= other <= 4]
        return {"grade": grade if rng.random() < accuracy else rng.choice(near)}

    return answer


def judged_by(batch: Batch, people: Mapping[Worker, Judge]) -> None:
    """Let these workers take pages in turn until there is none for anybody."""
    while sum(_one_page(worker, judge) for worker, judge in people.items()):
        advance_pending(now=NOW)
        while enforce_policies(now=NOW):
            advance_pending(now=NOW)
    batch.refresh_from_db()


def _one_page(worker: Worker, judge: Judge) -> bool:
    found = claim_maybe(worker, now=NOW)
    if found is not None:
        submit_page(found.assignment, answering=judge)
    return found is not None


def number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return cell


def test_a_crowds_accuracy_is_recovered_and_controls_catch_spammers(planted: Planted) -> None:
    call_command(
        *("relevance", "controls", "--project", planted.project.name, "--stage", "relevance"),
        *("--images", str(DEVELOPMENT), "--per-image", "4"),
    )
    batch = launched(planted.draft("relevance-crowd", "crowd", "--set", "control.set_questions=5"))
    good = {make_worker(planted.project): crowd_judge(planted, GOOD, f"good {n}") for n in range(9)}
    careless = {make_worker(planted.project): always(ticked) for ticked in (True, False)}
    guessing = make_worker(planted.project)
    judged_by(batch, {**good, **careless, guessing: crowd_judge(planted, 0.5, "guessing")})
    assert batch.state == Batch.State.FINISHED
    rejected = set(
        Assignment.objects.filter(verdict=Assignment.Verdict.REJECTED).values_list("worker", flat=True)
    )
    assert {worker.pk for worker in careless} <= rejected
    # A good worker who misses the only caption that fits has a whole control wrong. In sets of five, that
    # rejects one of forty. A worker who guesses passes a set of five more easily than one of twenty.
    assert len(rejected & {worker.pk for worker in good}) <= 4
    counted = Judgment.objects.filter(item__batch=batch, set_aside=None)
    # The last set of a worker is judged by the controls that it has, and passes if it has none.
    assert not counted.filter(worker__in=careless, assignment__right__lt=F("assignment__asked")).exists()
    by_chance = counted.filter(worker__in=[guessing, *careless]).count() / counted.count()
    assert by_chance < 0.2
    path = planted.export(batch)
    files = row(planted.report(judgments.evaluate, crowd=path), "files", "crowd")
    assert (files["judgments"], files["pairs"]) == (45 * JUDGED, 15 * JUDGED)
    truth = {(image, text): grade >= 3 for (image, text), grade in planted.grades.items()}
    texts = {(row.image.name, row.index): row.text for row in planted.captions.values()}
    names = {image.name: image.pk for image in planted.images}
    right = [
        truth[names[line["image"]], texts[tuple(line["caption"])]] == line["ticked"]
        for line in map(orjson.loads, path.read_bytes().splitlines())
    ]
    expected = GOOD * (1 - by_chance) + 0.5 * by_chance
    assert abs(sum(right) / len(right) - expected) < 5 * (expected * (1 - expected) / len(right)) ** 0.5
    assert not verify(list(batch.works.values_list("pk", flat=True)))


def test_experts_agreement_and_the_best_thresholds_are_recovered(planted: Planted) -> None:
    batch = launched(planted.draft("relevance-expert", "experts", "--set", 'regime="open"'))
    judged_by(batch, {make_worker(planted.project): expert(planted, 0.8, f"expert {n}") for n in range(3)})
    crowd = launched(planted.draft("relevance-crowd", "crowd", "--set", 'regime="open"'))
    judged_by(
        crowd, {make_worker(planted.project): crowd_judge(planted, 0.9, f"ticker {n}") for n in range(3)}
    )
    assert {batch.state, crowd.state} == {Batch.State.FINISHED}
    report = planted.report(judgments.evaluate, experts=planted.export(batch), crowd=planted.export(crowd))
    # Judges who give the planted grade in 80% of all cases agree in .8² of them, and in three of four of the
    # .2² where both err: half of the grades have one neighbour, and half have two.
    same = row(report, "experts_agreement", "per cent agreement")
    assert number(same["from"]) < 0.67 < number(same["to"])
    alphas = [
        row(report, "experts_agreement", f"Krippendorff's α, {level}") for level in ("nominal", "interval")
    ]
    assert number(alphas[0]["value"]) < number(alphas[1]["value"])
    # A pair of ticks by workers who are right in 90% of all cases agrees in .82 of all cases.
    ticks = row(report, "crowd_agreement", "per cent agreement")
    assert number(ticks["from"]) < 0.82 < number(ticks["to"])
    note = table(report, "crowd_experts_kappa").note
    # Relevant was planted from grade 3 on, and two of three workers decide.
    assert re.search(r"The best κ is 0\.9\d .*, at 0\.66 of the ticks and a grade of 2\.66\.", note)


def test_the_files_give_the_known_success_and_r_precision(planted: Planted) -> None:
    batch = launched(planted.draft("relevance-crowd", "crowd", "--set", 'regime="open"'))
    judged_by(
        batch, {make_worker(planted.project): crowd_judge(planted, 1, f"perfect {n}") for n in range(3)}
    )
    captions = planted.judged_captions()
    # The system puts an image's own captions first for the first half of images, and last for the others.
    own = np.array([[row.image_id == image.pk for row in captions] for image in planted.images[:JUDGED]])
    own[JUDGED // 2 :] = ~own[JUDGED // 2 :]
    scores = own + np.arange(len(captions)) / 1e6
    np.save(planted.folder / "half.npy", scores)
    report = planted.report(
        retrieval.evaluate,
        retrieval.Settings(relevance=planted.export(batch), reassignments=10),
        half=planted.folder / "half.npy",
    )
    found = row(report, "annotation", "half")
    assert (found["S@1"], found["R-precision"]) == (0.5, 0.5)
    about = orjson.loads((planted.folder / "crowd" / "about.json").read_bytes())
    assert (about["pairs"], about["judgments"], about["judges"]) == (15 * JUDGED, 45 * JUDGED, 3)


def test_no_image_has_to_wait_for_its_grounding(planted: Planted) -> None:
    planted.draft("relevance-crowd", "crowd")
    planted.draft("relevance-expert", "experts")
    assert ImageWork.objects.filter(active=True).count() == 2 * JUDGED
    assert CampaignStage.GRADING in planted.draft("relevance-expert", "again").settings["regime"]
