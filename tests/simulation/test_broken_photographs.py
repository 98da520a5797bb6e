"""A corpus with missing and damaged photographs is finished; workers are paid, and researchers told."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models import Sum
from django.utils import timezone

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    Case,
    ImageWork,
    Judgment,
    Project,
    VerificationQuestion,
)
from simulation.characters import Character
from simulation.crowd import Crowd
from simulation.profiles import PERFECT
from simulation.scenes.write import write_scenes
from simulation.selectors import load_truth, progress
from simulation.workers import Manners
from tests.selection import and_nightly
from tests.simulation.pipeline import PROJECT
from workflows.api.authentication import make_token
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.money.models import LedgerLine
from workflows.pipeline.replay.verify_state import verify
from workflows.workers.enrolment import enrol_worker

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("eager_tasks"),
    pytest.mark.slow("a data set through all six stages over HTTP"),
]

CONTROLLED = "quality"
"""The stage whose pages have verification questions, so that a broken one of them is met, too."""
WITH_QUESTIONS = 8


@pytest.mark.parametrize(
    ("images", "missing", "damaged"),
    and_nightly([(8, 1, 1)], [(40, 1, 2)], "the shorter one breaks photographs in the same two ways"),
)
def test_a_corpus_with_missing_and_damaged_photographs_finishes(
    live_server: Any, tmp_path: Path, images: int, missing: int, damaged: int
) -> None:
    corpus = tmp_path / "scenes"
    write_scenes(corpus, images + WITH_QUESTIONS, seed=4)
    call_command(
        "import_corpus", corpus, project=PROJECT, format="flickr30k-entities", as_gold=True,
        images=corpus / "images", processes=1,
    )  # fmt: skip
    call_command("questions", "make", project=PROJECT, images=WITH_QUESTIONS, role="gold", per_image=8)
    rewards = [f"reward.{stage}={pay}" for stage, pay in REWARDS.items()]
    regimes = [f'regime.{stage}="{"verification" if stage == CONTROLLED else "open"}"' for stage in REWARDS]
    few = ["screening.test=false", "control.set_questions=5"]
    call_command("batch", "create", project=PROJECT, set=[*regimes, *few, *rewards])
    call_command("batch", "launch", project=PROJECT)
    asked = VerificationQuestion.objects.filter(stage=CONTROLLED).order_by("pk")
    # Questions are drawn at random: one broken photograph among them might be asked about on no page.
    known = {question.image_id: question.image for question in asked.select_related("image")}
    unseen = dict(list(known.items())[: WITH_QUESTIONS // 2])
    in_batch = [work.image for work in ImageWork.objects.select_related("image").order_by("pk")[:6]]
    gone, torn = in_batch[:missing], [*in_batch[missing : missing + damaged], *unseen.values()]
    for image in gone:
        image.file.storage.delete(str(image.file.name))
    for image in torn:
        Path(image.file.path).write_bytes(Path(image.file.path).read_bytes()[:300])

    project = Project.objects.get(name=PROJECT)
    tokens = [make_token(enrol_worker(project=project, external_id=f"w{number}")) for number in range(4)]
    crowd = Crowd(
        live_server.url,
        tokens,
        4,
        load_truth(PROJECT),
        [Character(profile=PERFECT)],
        seed=1,
        manners=Manners(haste=0.02, looks=True),
    )
    tally = crowd.run(lambda: progress(PROJECT), bar=False)

    assert Batch.objects.get().state == "finished"
    resting = {image.pk for image in [*gone, *torn]} - set(unseen)
    assert set(ImageWork.objects.filter(state="resting").values_list("image", flat=True)) == resting
    assert ImageWork.objects.filter(state="done").count() == images - len(resting)
    cases = Case.objects.filter(reason="photograph", closed_at=None)
    assert set(cases.values_list("work__image", flat=True)) == resting
    said = Abstention.objects.values_list("work__image", "question__image")
    assert {work for work, _ in said if work} == resting, "others can be seen"
    reported = {question for _, question in said if question}
    assert reported and reported <= set(unseen), "others can be seen"
    of_unseen = asked.filter(image__in=reported, exposures__gt=0)
    assert set(of_unseen.values_list("state", "retired")) == {("retired", "photograph broken")}
    retired = Case.objects.filter(reason="question", question__in=of_unseen, closed_at=None)
    assert retired.count() == len(of_unseen) > 0
    assert tally.judgments == Judgment.objects.count() + Abstention.objects.count() + tally.acknowledged
    assert not verify(list(ImageWork.objects.values_list("pk", flat=True)))

    post_earnings(clock=timezone.now)
    pages = Assignment.objects.filter(state="submitted")
    paid = LedgerLine.objects.filter(account="rewards", entry__kind="earn")
    by_worker = dict(paid.values_list("entry__worker").annotate(Sum("amount")).order_by())
    promised = dict(pages.values_list("worker").annotate(Sum("reward")).order_by())
    assert by_worker == promised
    assert sum(by_worker.values()) == sum(REWARDS[page.stage] for page in pages) > 0


REWARDS = {
    "link": 5, "verification": 6, "requirement": 7, "drawing": 8, "quality": 9, "coverage": 10,
}  # fmt: skip
