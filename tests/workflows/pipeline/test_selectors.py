"""Where links came from: the paper's figure 3.

The figure is a chart of the whole data set, which was collected greedily, with violations settled. It divides
the coreference links between all mentions of an image by their source. Workers were asked about some. The
others are known without asking: by transitivity from those, because mentions of different types are different
things, and because two mentions of one caption are different things.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.models import ImageWork, Item, Judgment, Mention
from tests.factories import NOW, answer_page, make_batch, make_image, make_project, make_running, make_worker
from tests.workflows.pipeline.linked_images import SCENE, settle_links
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.link_strategies import Source
from workflows.pipeline.selectors import link_sources, link_sources_by_work

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BY_HAND = Counter({Source.ASKED: 4, Source.TRANSITIVITY: 2, Source.TYPE: 6, Source.CAPTION: 3})


def all_works() -> list[int]:
    return list(ImageWork.objects.order_by("pk").values_list("pk", flat=True))


def test_links_of_a_scene_are_counted_as_by_hand() -> None:
    settle_links(make_running(SCENE, strategy="greedy"))
    assert link_sources(works=all_works()) == BY_HAND


def test_each_pair_of_an_image_remembers_where_its_link_came_from() -> None:
    settle_links(make_running(SCENE))
    ((work, pairs),) = link_sources_by_work(works=all_works())
    assert [work] == all_works()
    mentions = Mention.objects.order_by("caption__index", "start").values_list("pk", flat=True)
    man, shirt, man2, shirt2, man3, woman = mentions
    assert len(pairs) == 15
    assert pairs[man, man2] == pairs[shirt, shirt2] == Source.ASKED
    assert {pairs[man, man3], pairs[man2, man3]} == {Source.ASKED, Source.TRANSITIVITY}
    assert {pairs[man, woman], pairs[man2, woman]} == {Source.ASKED, Source.TRANSITIVITY}
    assert pairs[man, shirt] == pairs[man3, woman] == Source.CAPTION
    assert pairs[man, shirt2] == pairs[shirt, man2] == pairs[shirt, woman] == Source.TYPE
    asked = set(Item.objects.filter(stage="link").values_list("mention_a_id", "mention_b_id"))
    assert {pair for pair, source in pairs.items() if source == Source.ASKED} == asked


def test_exhaustive_infers_nothing() -> None:
    settle_links(make_running(SCENE, strategy="exhaustive"))
    expected = {Source.ASKED: 6, Source.TYPE: 6, Source.CAPTION: 3}
    assert link_sources(works=all_works()) == Counter(expected)


def test_a_link_settled_by_several_workers_was_asked_once() -> None:
    batch = make_running([["man"], ["man"], ["man"]], strategy="exhaustive_plus")
    first, *_ = Item.objects.order_by("pk")
    answers = iter([False, True, True])  # two yes and one no: a violation
    answer_page(make_worker(batch.project), answering=lambda stage, question: {"same": next(answers)})
    advance_pending(now=NOW)
    settle_links(batch)
    assert Judgment.objects.filter(item=first).count() == 3
    assert link_sources(works=all_works()) == Counter({Source.ASKED: 3})


def test_only_images_whose_links_are_settled_count() -> None:
    project = make_project()
    make_image(project, SCENE)
    settle_links(make_batch(project))
    make_image(project, SCENE)
    make_batch(project, name="linking")
    make_image(project, SCENE)
    make_batch(project, name="queued", launch=False)
    assert [work.state for work in ImageWork.objects.order_by("pk")] == ["boxing", "linking", "queued"]
    settled, *_ = all_works()
    assert [work for work, _ in link_sources_by_work(works=all_works())] == [settled]
    assert link_sources(works=all_works()) == BY_HAND


def test_an_image_without_mentions_has_no_links() -> None:
    make_running([[]])
    assert list(link_sources_by_work(works=all_works())) == [(all_works()[0], {})]


@pytest.mark.parametrize("images", [1, 4])
def test_a_chunk_of_images_takes_three_queries(images: int, django_assert_num_queries: Any) -> None:
    settle_links(make_running(SCENE, images=images))
    works = all_works()
    with django_assert_num_queries(3):
        counted = link_sources(works=works)
    assert counted.total() == 15 * images
