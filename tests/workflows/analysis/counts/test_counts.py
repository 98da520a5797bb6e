"""Counts equal those of a slow count in Python, whatever workers and researchers did before."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import timedelta

import pytest
from django.db.models import F

from annotation.models import (
    Abstention,
    Assignment,
    Batch,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Project,
    Worker,
)
from tests.factories import (
    NOW,
    make_batch,
    make_image,
    make_project,
    make_random_image,
    make_running,
    make_worker,
)
from tests.unguarded import unguarded
from tests.workflows.analysis.counts import brute_force
from tests.workflows.pipeline.replay.courses import Course
from tests.workflows.review.annotating import drawn, store
from workflows.analysis.counts.results import count_corpus, count_links, count_queue, count_results
from workflows.analysis.counts.targets import Target
from workflows.analysis.counts.work import count_hours, count_items, count_judgments, count_money
from workflows.analysis.counts.workers import count_workers
from workflows.analysis.domain.refresh_rules import cost_to_come
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import move_batch
from workflows.cases.review_queue import open_case
from workflows.pipeline.selectors import link_sources

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def worked(request: pytest.FixtureRequest) -> Project:
    """Make two batches, one cancelled half way.

    Judgments are set aside, chains are decided about, and workers hold pages.
    """
    course = Course("greedy_plus", 5, count=3)
    rng = course.rng
    course.batch.settings["reward"] = dict.fromkeys(brute_force.STAGES, 7)
    course.batch.save()
    first = course.batch
    course.work(250)
    course.set_aside()
    course.decide()
    course.read()
    move_batch(batch=first, action="cancel")
    for _ in range(2):
        make_random_image(course.project, rng)
    course.batch = make_batch(course.project, name="second", reward=dict.fromkeys(brute_force.STAGES, 5))
    course.work(150)
    course.set_aside()
    course.work(60)
    with unguarded():
        for place, pk in enumerate(Judgment.objects.order_by("pk").values_list("pk", flat=True)):
            Judgment.objects.filter(pk=pk).update(seconds=None if place % 7 == 0 else rng.random() * 90)
        drawings = Judgment.objects.filter(assignment__stage="drawing")
        for place, pk in enumerate(drawings.order_by("pk").values_list("pk", flat=True)):
            Judgment.objects.filter(pk=pk).update(drawn_by=("drag", "keys", "")[place % 3])
        links = list(
            Judgment.objects.filter(assignment__stage="link").order_by("pk").values_list("pk", flat=True)
        )
        Judgment.objects.filter(pk__in=links[::2]).update(further=True)
    page = Assignment.objects.filter(state="submitted").first()
    assert page is not None
    Assignment.objects.filter(pk=page.pk).update(verdict="rejected")
    return course.project


def targets(project: Project) -> list[tuple[Target, list[Batch]]]:
    batches = list(Batch.objects.filter(project=project).order_by("pk"))
    of_project = Target(project.pk, None, tuple(batch.pk for batch in batches))
    return [(of_project, batches), *((Target(project.pk, b.pk, (b.pk,)), [b]) for b in batches)]


def test_counts_are_those_of_a_slow_count(worked: Project) -> None:
    """This is one test, since the work takes longer than the counts."""
    for target, batches in targets(worked):
        _check_items(target, batches)
        _check_judgments(target, batches)
        _check_hours(target, batches)
        found = count_results(target, NOW).to_json()
        assert {name: _positive(counts) for name, counts in found.items()} == brute_force.results(batches)
        works = ImageWork.objects.filter(batch__in=batches, active=True)
        sources = link_sources(works=list(works.values_list("pk", flat=True)))
        counted = count_links(target, NOW)
        assert _positive(counted.sources) == _positive({str(k): n for k, n in sources.items()})
        assert counted.contradictions == brute_force.contradictions(batches)
    _check_money(worked)
    _check_workers(worked)
    # The course did what this test is about.
    ways = {stage: set(one.ways) for stage, one in count_judgments(targets(worked)[0][0], NOW).stages.items()}
    assert ways["link"] == {"first", "further"} and {"drag", "keys"} <= ways["drawing"]
    assert Judgment.objects.filter(set_aside__isnull=False).exists()
    assert ImageWork.objects.filter(active=False).exists()
    assert Assignment.objects.filter(state="live").exists()


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number}


def _check_items(target: Target, batches: list[Batch]) -> None:
    found = count_items(target, NOW)
    for stage, counts in brute_force.items(batches).items():
        one = found.stages[stage]
        assert {name: getattr(one, name) for name in one.__slots__} == {n: counts[n] for n in one.__slots__}
    works = ImageWork.objects.filter(batch__in=batches)
    assert sum(found.images.values()) == works.values("image").distinct().count()
    assert found.images["done"] == works.filter(state="done", active=True).count()
    assert found.wanted == works.filter(active=True).count()


def _check_judgments(target: Target, batches: list[Batch]) -> None:
    found = count_judgments(target, NOW)
    agreed = brute_force.agreed(batches, also_set_aside=False)
    for stage, wanted in brute_force.judgments(batches).items():
        assert found.stages[stage].ways == wanted.pop("ways"), stage
        assert {name: getattr(found.stages[stage], name) for name in wanted} == pytest.approx(wanted), stage
        pairs = [pair for (_, s), pair in agreed.items() if s == stage]
        right, compared = (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
        assert found.stages[stage].agreement == (right / compared if compared else None), stage


def _check_hours(target: Target, batches: list[Batch]) -> None:
    wanted = {hour: dict(counts) for hour, counts in brute_force.hours(batches).items()}
    found = count_hours(target, NOW)
    assert dict(found.hours) == wanted
    assert found.seconds == pytest.approx(brute_force.seconds(batches), abs=0.5)
    late = count_hours(target, NOW + timedelta(days=30))
    assert late.hours == ()
    assert sum(sum(stages.values()) for _, stages in late.days) == sum(
        sum(n.values()) for n in wanted.values()
    )


def _check_money(project: Project) -> None:
    (target, batches), *_ = targets(project)
    # Some of the remaining items are on live pages, and some are not.
    Item.objects.filter(batch=batches[1], state="open").update(needed=F("needed") + 1)
    money = count_money(target, NOW)
    assert {day: one["USD"] for day, one in money.days.items()} == brute_force.rewards(project)
    sums = money.currencies["USD"]
    assert (sums.spent, sums.held) == brute_force.money(project)
    to_come = brute_force.to_be_paid([batches[1]])
    assert to_come != {s: n["judgments_to_come"] for s, n in brute_force.items([batches[1]]).items()}
    assert sums.to_come == cost_to_come(to_come, settings_of(batches[1]))
    assert sums.held and sums.to_come


def _check_workers(project: Project) -> None:
    workers = list(Worker.objects.filter(project=project).values_list("pk", flat=True))
    agreed = brute_force.agreed(list(Batch.objects.filter(project=project)), also_set_aside=True)
    found = {one.worker_id: one for one in count_workers(project.pk, workers, NOW)}
    assert sorted(found) == sorted(set(Judgment.objects.values_list("worker_id", flat=True)))
    for pk, one in found.items():
        own = Judgment.objects.filter(worker=pk)
        assert one.judgments == own.filter(item__isnull=False).count()
        newest = own.order_by("-pk")[0]
        assert (one.through, one.last_at) == (newest.pk, max(own.values_list("created_at", flat=True)))
        pairs = {stage: agreed.get((pk, stage), (0, 0)) for stage in brute_force.STAGES}
        right, compared = (sum(column) for column in zip(*pairs.values(), strict=True))
        assert one.agreement == (right / compared if compared else None)
        for stage, numbers in one.stages.items():
            in_stage = own.filter(assignment__stage=stage)
            assert numbers["judgments"] == in_stage.filter(item__isnull=False).count()
            seconds = [row.seconds for row in in_stage if row.seconds is not None]
            abstained = Abstention.objects.filter(worker=pk, assignment__stage=stage)
            seconds += [row.seconds for row in abstained if row.seconds is not None]
            assert numbers["seconds"] == pytest.approx(sum(seconds), abs=0.1)
            pages = Assignment.objects.filter(worker=pk, state="submitted", stage=stage)
            assert numbers["pages"] == pages.count()
            right, compared = pairs[stage]
            assert numbers["agreement"] == (right / compared if compared else None)
        rewards = Assignment.objects.filter(worker=pk, state="submitted").values_list("reward", flat=True)
        assert one.earned == {"USD": sum(rewards)}


def test_images_wanted_are_no_more_than_the_target_of_each_batch() -> None:
    batch = make_running([["man"]], images=5, target=2)
    assert count_items(Target(batch.project_id, batch.pk, (batch.pk,)), NOW).wanted == 2
    ImageWork.objects.filter(batch=batch).update(state="done")
    found = count_items(Target(batch.project_id, None, (batch.pk,)), NOW)
    assert (found.wanted, found.images_done) == (5, 5)
    ImageWork.objects.filter(batch=batch).update(state="queued", active=False)
    assert count_items(Target(batch.project_id, batch.pk, (batch.pk,)), NOW).wanted == 0


def test_a_corpus_is_counted_as_its_captions_are_cut_now() -> None:
    project = make_project()
    images = [make_random_image(project, random.Random(n)) for n in range(3)]
    make_random_image(make_project(), random.Random(4))  # another's
    first = images[0].mentions.order_by("pk")[:2]
    Mention.objects.filter(pk=first[0].pk).update(superseded=True)
    Mention.objects.filter(pk=first[1].pk).update(annotatable=False)
    images[1].mentions.update(types="people/animals")
    images[2].mentions.update(annotatable=False)
    make_batch(project, launch=False)
    ImageWork.objects.filter(image=images[2]).update(active=False)
    found = count_corpus(Target(project.pk, None, ()), NOW)
    assert (found.images, found.with_pictures, found.captions) == (3, 3, 9)
    assert (found.mentions, found.annotatable, found.free_images) == (17, 10, 1)
    assert found.mentions_by_type["people"] >= 6 and found.mentions_by_type["animals"] >= 6
    assert found.histogram == ((0, 1), (4, 1), (6, 1))


def test_the_review_queue_is_counted_without_what_is_closed() -> None:
    project = make_project()
    for reason in ("flag", "flag", "question"):
        open_case(project_id=project.pk, reason=reason, now=NOW)
    project.cases.filter(reason="question").update(closed_at=NOW)
    assert count_queue(Target(project.pk, None, ()), NOW).reasons == {"flag": 2}


def test_a_worker_who_lost_trust_in_several_stages_is_counted_once_in_the_queue() -> None:
    project = make_project()
    for name, stages in (("ann", ("link", "drawing", "quality")), ("bob", ("link",))):
        worker = make_worker(project, name)
        for stage in stages:
            open_case(project_id=project.pk, reason="trust", now=NOW, worker_id=worker.pk, stage=stage)
    assert count_queue(Target(project.pk, None, ()), NOW).reasons == {"trust": 2}


def test_links_of_images_that_were_annotated_by_hand_are_no_source() -> None:
    """They counted as inferred from answers, and lowered the share of pairs that were asked."""
    image = make_image(make_project(), [["man", "dog"], ["woman"]])
    store(image, drawn(image))
    target = Target(image.project_id, None, tuple(image.project.batches.values_list("pk", flat=True)))
    found = count_links(target, NOW)
    assert (found.settled, sum(found.sources.values())) == (0, 0)
