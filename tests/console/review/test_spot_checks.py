"""Spot checks are drawn, judged unit by unit, and their error rates are shown."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Box, Chain, Mention, Project
from console.review.spot_check_page import REASONS as WORDS
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_project
from workflows.core.models import AuditEntry
from workflows.review.domain.spot_checks import KINDS, REASONS
from workflows.review.models import SpotCheck, SpotCheckVerdict
from workflows.review.spot_checks import draw_spot_check

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    """Return a project with two finished images of two chains, three mentions and three boxes each."""
    found = make_project()
    batch = Batch.objects.create(project=found, name="main", state="running", settings={})
    for _ in range(2):
        chains = [
            Made([0, 2], [(0, 0, 100, 200), (200, 0, 300, 100)]),
            Made([1], [(9, 9, 99, 99)]),
        ]
        annotate(make_image(found, [["man", "dog"], ["woman"]]), chains, batch=batch)
    return found


def list_of(project: Project) -> str:
    return reverse("review:spot-checks", args=[project.pk])


def draw(client: Client, project: Project, **sizes: Any) -> Any:
    return client.post(list_of(project), {"mention": 2, "chain": 2, "box": 2, "seed": "", **sizes})


def text_of(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def place_of(check: SpotCheck, kind: str) -> int:
    return [unit[0] for unit in check.units].index(kind) + 1


def test_somebody_draws_judges_everything_and_sees_the_rates(reviewer: Client, project: Project) -> None:
    assert "Draw and begin" in text_of(reviewer, list_of(project))
    reply = draw(reviewer, project)
    check = SpotCheck.objects.get()
    assert len(check.units) == 6 and check.by == "rita"
    here = reply["Location"]
    assert here == reverse("review:spot-check", args=[check.pk, 1])
    for number, (kind, *_) in enumerate(check.units, start=1):
        assert here == reverse("review:spot-check", args=[check.pk, number])
        said = "loose" if kind == "box" else "right"
        assert reviewer.get(here).status_code == 200
        here = reviewer.post(here, {"verdict": said, "note": ""})["Location"]
    assert here == list_of(project)
    page = text_of(reviewer, here)
    assert "6 of 6" in page and "Everything in this spot check has a verdict." in page
    assert "2 of 2 (100.0%)" in page and "34.2% to 100.0%" in page
    assert "0 of 2 (0.0%)" in page and "0.0% to 65.8%" in page
    assert "Box: It is too large or too small" in page
    assert "6 mentions, 4 chains and 6 boxes of 2 finished images" in page
    assert SpotCheckVerdict.objects.count() == 6
    entries = AuditEntry.objects.exclude(action="login").order_by("pk")
    actions = list(entries.values_list("action", flat=True))
    assert actions == ["spot-check.draw", *["spot-check.judge"] * 6]
    statistics = text_of(reviewer, f"/admin/projects/{project.pk}/statistics/")
    assert "34.2% to 100.0%" in statistics and "looked at 6 of the 6 that were drawn" in statistics
    gold = text_of(reviewer, f"/admin/projects/{project.pk}/statistics/?source=gold")
    assert "34.2% to 100.0%" not in gold


def test_each_kind_of_unit_shows_what_it_is_about(
    reviewer: Client, project: Project, django_assert_max_num_queries: Any
) -> None:
    draw(reviewer, project, mention=6, chain=4, box=6)
    check = SpotCheck.objects.get()
    for number, (kind, pk, chain, _) in enumerate(check.units, start=1):
        with django_assert_max_num_queries(20):
            reply = reviewer.get(reverse("review:spot-check", args=[check.pk, number]))
        page = reply.content.decode()
        found = reply.context["found"]
        own = [piece.mention for line in found.captions for piece in line.pieces if piece.kind == "own"]
        members = Chain.objects.get(pk=chain).members
        assert own == ([pk] if kind == "mention" else members)
        if kind == "box":
            box = Box.objects.get(pk=pk)
            assert [(one.left, one.top) for one in found.picture.shapes] == [(box.left, box.top)]
        else:
            assert len(found.picture.shapes) == Box.objects.filter(chain=chain).count()
        for reason in REASONS[kind]:
            assert f'value="{reason}"' in page
        assert not found.changed


def test_every_reason_has_words_and_a_key_of_its_own() -> None:
    for kind in KINDS:
        assert tuple(WORDS[kind]) == REASONS[kind]
        keys = [key for key, _ in WORDS[kind].values()]
        assert len({*keys, "R", "J", "K"}) == len(keys) + 3


def test_a_verdict_can_be_replaced_and_is_named(reviewer: Client, project: Project) -> None:
    check = draw_spot_check(project=project, sizes={"mention": 1, "chain": 1}, seed=1, by="ada", now=NOW)
    number = place_of(check, "chain")
    address = reverse("review:spot-check", args=[check.pk, number])
    reviewer.post(address, {"verdict": "missing", "note": "see <b>2</b>"})
    page = text_of(reviewer, address)
    assert "said <strong>wrong: A mention of the same is missing</strong>" in page
    assert "see &lt;b&gt;2&lt;/b&gt;" in page and "1 have a verdict" in page
    reviewer.post(address, {"verdict": "right"})
    assert "said <strong>right</strong>" in text_of(reviewer, address)
    assert [one.right for one in check.verdicts.order_by("pk")] == [False, True]


def test_what_went_out_of_use_is_judged_as_it_was_drawn(reviewer: Client, project: Project) -> None:
    check = draw_spot_check(
        project=project, sizes={"mention": 1, "chain": 1, "box": 1}, seed=1, by="a", now=NOW
    )
    for kind, pk, *_ in check.units:
        if kind == "mention":
            Mention.objects.filter(pk=pk).update(superseded=True)
        elif kind == "chain":
            Chain.objects.filter(pk=pk).update(state="withdrawn")
        else:
            Box.objects.filter(pk=pk).update(state="withdrawn")
    for number in (1, 2, 3):
        page = text_of(reviewer, reverse("review:spot-check", args=[check.pk, number]))
        assert "changed since it was drawn" in page and 'class="own"' in page


@pytest.mark.parametrize("data", [{}, {"verdict": "cut"}, {"verdict": "right", "note": "x" * 2001}])
def test_a_verdict_that_cannot_be_is_not_kept(
    reviewer: Client, project: Project, data: dict[str, str]
) -> None:
    check = draw_spot_check(project=project, sizes={"box": 1}, seed=1, by="ada", now=NOW)
    reply = reviewer.post(reverse("review:spot-check", args=[check.pk, 1]), data)
    assert reply.status_code == 422 and not SpotCheckVerdict.objects.exists()


def test_what_cannot_be_drawn_is_said(reviewer: Client, project: Project) -> None:
    for sizes in ({"mention": 0, "chain": 0, "box": 0}, {"mention": 2001}, {"seed": -1}, {"box": "x"}):
        assert draw(reviewer, project, **sizes).status_code == 422
    reply = draw(reviewer, make_project())
    assert reply.status_code == 422 and "no image of the project is finished" in reply.content.decode()
    assert not SpotCheck.objects.exists()


def test_the_same_seed_draws_the_same(reviewer: Client, project: Project) -> None:
    for _ in range(2):
        draw(reviewer, project, seed=5)
    first, second = SpotCheck.objects.order_by("pk")
    assert first.units == second.units and first.seed == 5
    page = text_of(reviewer, f"{list_of(project)}?check={first.pk}")
    assert reverse("review:spot-check", args=[first.pk, 1]) in page


def test_viewers_see_and_change_nothing(viewer: Client, project: Project) -> None:
    assert draw(viewer, project).status_code == 403
    check = draw_spot_check(project=project, sizes={"box": 1}, seed=1, by="ada", now=NOW)
    address = reverse("review:spot-check", args=[check.pk, 1])
    assert viewer.post(address, {"verdict": "right"}).status_code == 403
    assert 'name="verdict"' not in viewer.get(address).content.decode()
    assert viewer.get(reverse("review:spot-check", args=[check.pk, 2])).status_code == 404
    assert viewer.get(reverse("review:spot-check", args=[check.pk, 0])).status_code == 404
